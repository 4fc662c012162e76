/* A recorded run as a workload: calls are releases, and blocks and copies have their recorded durations.
 *
 * Three properties of a real run are not in the model. First the clocks: in these files GPU times are 20 us or more
 * late on the host's clock, so that response times are too long. Second, launch latencies vary, up to 154 us by these
 * clocks, and 363 us in one run: the latency of a workload is the maximum from call to start of the operations that
 * wait for nothing in the simulation, and at least 60 us. Third, stream gap, hand-over and kernel switch of the preset
 * are typical times and not maxima: the excess of the latency, and the noise of the GPU, must cover these. */
#ifndef SUPPORT_RECORDED_H
#define SUPPORT_RECORDED_H

#include "gridcast/gridcast.h"

#define RECORDED_ONCE INT64_C(-1)

/* Every op runs once, at its call; or, where `late` is not RECORDED_ONCE, it is a task of one job with that jitter. */
gcast_workload *recorded_workload(const gcast_workload *w, const gcast_run *run, int64_t late);
int64_t recorded_latency(const gcast_workload *original, const gcast_gpu *gpu, const gcast_run *run);

/* Calls `check` for all recorded runs. */
void recorded_each(void (*check)(const gcast_workload *w, const gcast_run *run));

/* How bounds compare with recorded runs. */
typedef struct recorded_tally {
    size_t runs, covered;      /* all, and those without an operation that was slower than its bound */
    size_t operations, slower; /* all, and those slower than their bound */
    uint64_t ratios[2001];     /* operations by their bound in hundredths of the response time */
} recorded_tally;

/* Compares every response time of the run with its bound and `more`. */
void recorded_compare(recorded_tally *t, const gcast_workload *w, const gcast_run *run, const gcast_analysis *a,
                      int64_t more);
void recorded_print(const recorded_tally *t);

#endif
