/* How the threads of a worker meet between two jobs. */
#ifndef SMC_CHECK_MEETING_H
#define SMC_CHECK_MEETING_H

#include "smc/state.h"

/* Sets k->meeting and k->barrier; GCAST_INPUT where they could not meet. */
gcast_status smc_meeting_choose(smc_kernel *k, gcast_error *err);

#endif
