/* Kernels of a session (measure/smc/smc_session.h) that run at the same time. */
#ifndef PAPERS_CORUN_CORUN_SESSION_H
#define PAPERS_CORUN_CORUN_SESSION_H

#include "measure/smc/smc_session.h"

/* How kernels run at the same time. */
#define GCAST_CORUN_MANNER_TABLE(X)                                                                                    \
    X(STREAMS, "streams", "the originals, each in a stream")                                                           \
    X(GREEN, "green contexts", "the originals, each in a partition of the GPU")                                        \
    X(PLANS, "plans", "transformed, each with a plan")

typedef enum {
#define GCAST_X(id, name, text) GCAST_CORUN_##id,
    GCAST_CORUN_MANNER_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_CORUN_MANNERS
} gcast_corun_manner;

/* The first `kernels` kernels of the session, each launched again and again until each ran at least `launches` times
 * while all others did. Writes by kernel the mean time of a launch. `sms`, for green contexts, is by kernel. *missing:
 * launches of jobs that did not happen; only plans that bind jobs to workers that may be missing have some. */
gcast_status gcast_smc_session_together(gcast_smc_session *s, uint32_t kernels, gcast_corun_manner manner,
                                        const uint32_t *sms, uint32_t launches, double *together_ns, uint64_t *missing,
                                        gcast_error *err);

#endif
