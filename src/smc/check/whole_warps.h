/* Do threads of a warp end before others of it synchronize? */
#ifndef SMC_CHECK_WHOLE_WARPS_H
#define SMC_CHECK_WHOLE_WARPS_H

#include "smc/state.h"

/* In the original kernel a thread that has exited is not waited for where its warp synchronizes (shfl.sync and the
 * like). In the transformed one it is still there, and would be waited for without end. GCAST_INPUT with the line of
 * such an instruction, unless k->whole_warps says that threads of a warp end together. */
gcast_status smc_check_whole_warps(const smc_kernel *k, gcast_error *err);

#endif
