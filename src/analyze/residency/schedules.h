/* Schedules of a workload that runs once, drawn at random: times of calls, their order between callers, and all else
 * that the workload leaves open. They serve to find one that hangs, and to check a proof that none does. */
#ifndef ANALYZE_RESIDENCY_SCHEDULES_H
#define ANALYZE_RESIDENCY_SCHEDULES_H

#include "analyze/residency/residency.h"
#include "gridcast/simulate.h"
#include "gridcast/workload.h"

/* What may differ from the workload as it stands. */
typedef enum {
    SCHEDULE_AS_IS, /* nothing; unknown durations get a value */
    SCHEDULE_CALLS, /* when calls come, and durations within their ranges */
    SCHEDULE_ANY    /* also all durations, waits and triggers, and times and placement of the GPU */
} schedule_kind;

typedef struct drawn_schedule {
    gcast_workload *w;
    gcast_gpu *gpu;
    gcast_simulate_options options;
} drawn_schedule;

/* The same seed gives the same schedule. It keeps the order of the calls of one host, of ops without a host in one
 * stream, and of ops without a host that depend on each other; `in_file_order`: of all ops without a host. Fails only
 * without memory. */
gcast_status schedule_draw(drawn_schedule *x, const gcast_workload *w, const gcast_gpu *gpu, schedule_kind kind,
                           bool in_file_order, uint64_t seed, gcast_error *err);
void schedule_free(drawn_schedule *x);
/* Simulates the schedule. GCAST_INPUT where it cannot run: device memory is short, or hosts wait for each other. */
gcast_status schedule_hangs(const drawn_schedule *x, bool *hangs, gcast_error *err);

/* Searches a schedule that hangs: simulates the unchanged workload, then with one kernel of each risk called later, and
 * small workloads with calls at random times. *witness: the first that hangs, for the caller to free; or NULL. */
gcast_status hang_search(const gcast_workload *w, const gcast_gpu *gpu, const residency *r, gcast_workload **witness,
                         gcast_error *err);

#define SAFE_CHECK_MAX_BLOCKS 20000000 /* workloads with more are not simulated */

/* Checks a proof: simulates the unchanged workload, then drawn schedules for a tenth of `proof_ns`, the time of the
 * proof, but at least 10 ms and at most 1 s. `in_file_order` as in schedule_draw. *simulated: how many schedules; 0:
 * too many blocks. GCAST_INTERNAL where one hangs: the proof is wrong. GCAST_INPUT where the workload cannot run. */
gcast_status safe_check(const gcast_workload *w, const gcast_gpu *gpu, bool in_file_order, int64_t proof_ns,
                        size_t *simulated, gcast_error *err);

#endif
