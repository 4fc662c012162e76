/* Executions of a workload that runs once: calls come earlier or later, in any order of different callers, and what
 * else is not fixed differs too. */
#ifndef ANALYZE_RESIDENCY_SCHEDULES_SCHEDULES_H
#define ANALYZE_RESIDENCY_SCHEDULES_SCHEDULES_H

#include "gridcast/simulate.h"

/* What may differ from the workload as it stands. */
typedef enum {
    SCHEDULE_AS_IS, /* nothing; durations that are not known are made up */
    SCHEDULE_CALLS, /* when calls come, and durations within their ranges */
    SCHEDULE_ANY    /* also all durations, waits and triggers, the times of the GPU and its placement */
} schedule_kind;

typedef struct drawn_schedule {
    gcast_workload *w;
    gcast_gpu *gpu;
    gcast_simulate_options options;
} drawn_schedule;

/* The same seed gives the same execution. The order of calls of one host, and of ops without a host into one stream, is
 * kept, and that of ops without a host which are after each other; `in_file_order`: of all ops without a host. Fails
 * without memory only. */
gcast_status schedule_draw(drawn_schedule *x, const gcast_workload *w, const gcast_gpu *gpu, schedule_kind kind,
                           bool in_file_order, uint64_t seed, gcast_error *err);
void schedule_free(drawn_schedule *x);
/* Simulates it. GCAST_INPUT where it cannot run, as memory is short or hosts wait for each other. */
gcast_status schedule_hangs(const drawn_schedule *x, bool *hangs, gcast_error *err);
/* The op is called at `ns` at the earliest, and nothing before it that must come after it. */
gcast_status schedule_delay(gcast_workload *w, size_t op, int64_t ns, gcast_error *err);

#endif
