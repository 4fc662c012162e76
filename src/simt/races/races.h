/* The race checker: a race is two threads that access a byte, at least one of
 * them writing, where nothing orders them. The machine reports every access
 * (detect.h) and everything that orders threads (synchronization.h);
 * docs/races.md says what does. A launch that is not checked has no checker, and
 * none of this is called. */
#ifndef SIMT_RACES_RACES_H
#define SIMT_RACES_RACES_H

#include "simt/machine/machine.h"

/* Most kernels have no races, which is seen quickly. Where there are any, the launch runs again with `exact`, which
 * also finds their lines. */
gcast_status races_open(machine *m, bool exact, gcast_error *err);
bool races_found_any(const machine *m);
void races_close(machine *m);

/* False without memory. */
bool races_block_start(core *c, block *b);
void races_block_end(const machine *m, block *b);

/* malloc has given this memory: nobody has accessed it yet. */
void races_renew(core *c, const block *b, uint64_t address, uint64_t bytes);

#endif
