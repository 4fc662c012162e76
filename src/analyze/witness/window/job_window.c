#include "analyze/witness/window/job_window.h"

#include "analyze/witness/frame.h"

#define MAX_WEIGHT 4000    /* of a window */
#define WANTED_WEIGHT 1000 /* of one that begins earlier than it has to */

/* Which idle time is the last one up to a time; the first, where there is none. */
static size_t find_idle(const scan *scanned, int64_t time_ns)
{
    size_t low = 0, high = scanned->idle_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(scanned->idle_ns[middle] <= time_ns ? &low : &high) = middle;
    }
    return low;
}

gcast_status job_window_create(const frame *f, const scan *scanned, const window_wish *wish, frame **out,
                               gcast_error *err)
{
    const gcast_op *op = &f->w->ops[wish->op];
    const gcast_task *t = &f->w->tasks[op->task];
    int64_t release_ns = t->offset_ns + wish->job * t->period_ns;
    int64_t end_ns = release_ns + op->release_ns + t->jitter_ns + wish->response_ns;
    size_t last = find_idle(scanned, release_ns), idle = find_idle(scanned, release_ns - wish->back_ns);
    *out = NULL;
    while (idle < last && frame_weight_of(f, scanned->idle_ns[idle], end_ns) > WANTED_WEIGHT)
        idle += (last - idle + 1) / 2;
    int64_t start_ns = scanned->idle_ns[idle];
    if (start_ns > release_ns || frame_weight_of(f, start_ns, end_ns) > MAX_WEIGHT)
        return GCAST_OK;
    frame_part part = {.start_ns = start_ns, .open_ns = start_ns, .end_ns = end_ns, .with_first = true};
    return frame_cut(f, &part, out, err);
}
