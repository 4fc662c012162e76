/* A recorded run as a workload: calls are its releases, blocks and copies take what they took.
 *
 * Three things of a real run are not in the model. The clocks: GPU times are 20 microseconds
 * or more late on the host's clock in these files, so that responses are counted longer than
 * they were. Calls that take longer at times, up to 154 microseconds so counted, 363 in one
 * run: the latency is taken as the longest from call to start in the run, of those that by the
 * simulation wait for nothing, and as 60 at least. And that gap, hand-over and switch of the
 * preset are typical times, not the longest: what the latency is taken too long, and the GPU's
 * noise, must cover that. */
#ifndef SUPPORT_RECORDED_H
#define SUPPORT_RECORDED_H

#include "gridcast/gridcast.h"

#define RECORDED_ONCE INT64_C(-1)

/* Every op runs once, at its call; or is a task of one job that comes up to `late` later. */
gcast_workload *recorded_workload(const gcast_workload *w, const gcast_run *run, int64_t late);
int64_t recorded_latency(const gcast_workload *as_it_was, const gcast_gpu *gpu, const gcast_run *run);

/* All recorded runs, one after the other. */
void recorded_each(void (*check)(const gcast_workload *w, const gcast_run *run));

/* What is said of recorded runs, and where they were slower. */
typedef struct recorded_tally {
    size_t runs, covered, operations, slower;
    uint64_t ratios[2001]; /* operations for which what is said is so many hundredths of the response */
} recorded_tally;

/* Every response of the run against what is said of it and `more`. */
void recorded_compare(recorded_tally *t, const gcast_workload *w, const gcast_run *run, const gcast_analysis *a,
                      int64_t more);
void recorded_print(const recorded_tally *t);

#endif
