/* The race checker. A race is two accesses to a byte by different threads, at least one of them a write, that nothing
 * orders. The machine reports every access (detect.h) and every op that orders threads (synchronization.h);
 * docs/exec.md says which ops do. A launch that is not checked has no checker, and none of this is called. */
#ifndef SIMT_RACES_RACES_H
#define SIMT_RACES_RACES_H

#include "simt/machine/machine.h"

/* Most kernels have no races, and a quick run shows that. If there are races, the launch runs again with `exact`, which
 * also finds their lines. */
gcast_status races_open(machine *m, bool exact, gcast_error *err);
bool races_found_any(const machine *m);
void races_close(machine *m);

/* False without memory. */
bool races_block_start(core *c, block *b);
void races_block_end(const machine *m, block *b);

/* malloc returned this memory: no thread has accessed it yet. */
void races_renew(core *c, const block *b, uint64_t address, uint64_t bytes);

#endif
