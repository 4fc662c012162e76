/* What the writers of a launch's profile share: ratios, source lines with the most expensive first, and the active
 * masks of a warp, as runs and as a picture. */
#ifndef REPORT_EXEC_PROFILE_H
#define REPORT_EXEC_PROFILE_H

#include "model/exec.h"

#define WARP_LANES 32

/* a / b in units of 1/scale, rounded half up; 0 where b is 0. */
uint64_t exec_ratio(uint64_t a, uint64_t b, uint64_t scale);

/* Lines by the lanes that they lose to divergence, then by memory traffic, then by instructions. NULL without memory;
 * for the caller to free. */
const gcast_simt_line **exec_lines(const gcast_simt_report *r);

/* Consecutive instructions of a warp under one active mask. */
typedef struct mask_run {
    uint32_t active; /* a bit per lane */
    uint32_t first;  /* index of the first instruction among the recorded masks */
    uint32_t count;  /* of instructions */
} mask_run;

/* For the caller to free; NULL without memory. With `by_line`, a new line begins a new run. */
mask_run *exec_mask_runs(const gcast_simt_report *r, bool by_line, size_t *count);

/* Draws the active masks of a warp over time: instructions from left to right, lanes from top to bottom. */
gcast_status exec_masks_draw(const gcast_exec *e, gcast_format format, gcast_write_fn write, void *data,
                             gcast_error *err);

#endif
