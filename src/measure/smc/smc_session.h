/* SM-centric kernels measured on this machine's GPU, beside their originals. */
#ifndef MEASURE_SMC_SMC_SESSION_H
#define MEASURE_SMC_SMC_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/launch.h"
#include "gridcast/plan.h"
#include "gridcast/smc_gpu.h"

#define GCAST_SMC_SESSION_MAX 8 /* kernels of a session */

typedef struct gcast_smc_session gcast_smc_session;

gcast_status gcast_smc_session_open(const gcast_smc_gpu_options *options, gcast_smc_session **out, gcast_error *err);
void gcast_smc_session_close(gcast_smc_session *s);
/* Belongs to the session. */
const gcast_gpu *gcast_smc_session_gpu(const gcast_smc_session *s);

/* What the compiler made of a kernel. */
typedef struct gcast_smc_facts {
    uint32_t registers[2];       /* per thread: of the original, and transformed */
    uint32_t holds[2];           /* blocks that an SM holds of each */
    uint32_t holds_with_records; /* of the transformed kernel that keeps records */
} gcast_smc_facts;

/* Compiles the launch's kernel (which must be named) as it is and transformed, and sends its buffers. Kernels are
 * numbered from 0 in the order of these calls, at most GCAST_SMC_SESSION_MAX. `launch` and what it points to must stay.
 * Of `options` (NULL: the defaults) `independent` and `whole_warps` count. */
gcast_status gcast_smc_session_add(gcast_smc_session *s, const char *ptx, size_t size, const char *name,
                                   const gcast_launch *launch, const gcast_smc_options *options, gcast_smc_facts *facts,
                                   gcast_error *err);

/* Sends a plan for the kernel and this GPU; it is copied, and is the one that all that follows is about. Waits for the
 * GPU. */
gcast_status gcast_smc_session_plan(gcast_smc_session *s, uint32_t kernel, const gcast_plan *plan, gcast_error *err);
/* One launch by the plan, repaired where that is needed. `records` (may be NULL) has an entry per job; then the kernel
 * keeps records, which takes some time. `fill`: workers launched per SM; 0: as many as an SM holds. */
gcast_status gcast_smc_session_run(gcast_smc_session *s, uint32_t kernel, uint32_t fill, gcast_smc_outcome *outcome,
                                   gcast_smc_record *records, gcast_error *err);
/* The mean time of `launches` in a row, 1 to GCAST_SMC_MAX_LAUNCHES. *missing (may be NULL): jobs that did not run each
 * time; nothing is repaired. */
gcast_status gcast_smc_session_time(gcast_smc_session *s, uint32_t kernel, uint32_t fill, uint32_t launches, double *ns,
                                    uint32_t *missing, gcast_error *err);
/* The same of the original. */
gcast_status gcast_smc_session_time_original(gcast_smc_session *s, uint32_t kernel, uint32_t launches, double *ns,
                                             gcast_error *err);
/* Are the buffers the same, bit by bit, after the original and after a launch by the plan, from the same contents? */
gcast_status gcast_smc_session_same(gcast_smc_session *s, uint32_t kernel, bool *same, gcast_error *err);

/* Starts a kernel of one block on each of so many SMs, with all of their shared memory, for so long; returns when all
 * of them are there. One may be under way at a time. */
gcast_status gcast_smc_session_hold(gcast_smc_session *s, uint32_t sms, int64_t ns, gcast_error *err);
/* Waits for its end. */
gcast_status gcast_smc_session_let_go(gcast_smc_session *s, gcast_error *err);

#endif
