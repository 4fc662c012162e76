/* Threads that end early: checks that no warp waits for them, and chooses how the threads of a worker meet. */
#ifndef SMC_EARLY_EXIT_H
#define SMC_EARLY_EXIT_H

#include "smc/transformed_kernel.h"

/* In the original kernel, a warp that synchronizes (shfl.sync and the like) does not wait for threads that have exited.
 * In the transformed kernel these threads still exist, and the warp would wait for ever. GCAST_INPUT with the line of
 * such an instruction, unless k->whole_warps says that threads of a warp end together. */
gcast_status smc_check_whole_warps(const smc_kernel *k, gcast_error *err);

/* Chooses how the threads of a worker meet between two jobs: sets k->meeting and k->barrier. GCAST_INPUT if they cannot
 * meet. */
gcast_status smc_meeting_choose(smc_kernel *k, gcast_error *err);

#endif
