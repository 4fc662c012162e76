/* Errors of a kernel that runs. */
#ifndef SIMT_MACHINE_FAIL_H
#define SIMT_MACHINE_FAIL_H

#include "simt/machine/machine.h"

/* Fails with a message that names the thread of a lane and the place of the op; lane -1: no single thread. Always
 * false. */
bool machine_fail(core *c, const warp *w, const op *o, int lane, const char *format, ...) GCAST_PRINTF(5, 6);

#endif
