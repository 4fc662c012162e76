/* The writers of gcast_exec_report, and what they share: the counts by name, the
 * lines with the worst first, and the masks as runs. */
#ifndef REPORT_EXEC_EXEC_H
#define REPORT_EXEC_EXEC_H

#include "base/text/text.h"
#include "gridcast/exec.h"

#define WARP_LANES 32

/* Single numbers of gcast_simt_counts, in the order of the formats. */
#define EXEC_COUNT_TABLE(X)                                                                                            \
    X(instructions)                                                                                                    \
    X(thread_instructions)                                                                                             \
    X(lost_divergence)                                                                                                 \
    X(lost_return)                                                                                                     \
    X(lost_block)                                                                                                      \
    X(branches)                                                                                                        \
    X(divergent)                                                                                                       \
    X(requests)                                                                                                        \
    X(sectors)                                                                                                         \
    X(shared_requests)                                                                                                 \
    X(shared_wavefronts)                                                                                               \
    X(atomics)                                                                                                         \
    X(atomic_rounds)                                                                                                   \
    X(barriers)                                                                                                        \
    X(barrier_waits)

/* a of b in units of 1/scale, rounded half up; 0 where b is. */
uint64_t exec_ratio(uint64_t a, uint64_t b, uint64_t scale);

/* Lines by the lanes that they lose to divergence, then by memory traffic, then by instructions. NULL without memory;
 * for the caller to free. */
const gcast_simt_line **exec_lines(const gcast_simt_report *r);

/* Instructions one after another under one mask. */
typedef struct mask_run {
    uint32_t active, first, count; /* first: index among the masks */
} mask_run;

/* For the caller to free; NULL without memory. With `by_line`, a new line begins a new run. */
mask_run *exec_mask_runs(const gcast_simt_report *r, bool by_line, size_t *count);

void exec_table(const gcast_exec *e, text *out);
void exec_csv(const gcast_exec *e, text *out);
void exec_json(const gcast_exec *e, text *out);
void exec_races_table(const gcast_exec *e, text *out);
void exec_races_json(const gcast_simt_report *r, text *out);
void exec_cost_table(const struct gcast_cost_summary *c, text *out);
void exec_cost_json(const struct gcast_cost_summary *c, text *out);
void exec_times_table(const gcast_block_times *b, text *out);
void exec_times_json(const gcast_block_times *b, text *out);
gcast_status exec_masks_draw(const gcast_exec *e, gcast_format format, gcast_write_fn write, void *data,
                             gcast_error *err);

#endif
