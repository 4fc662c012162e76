#include "report/run/bins.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/integers.h"

#define MAX_PIXELS 16       /* width of a column that fits the periods */
#define MAX_DIVISOR 1000000 /* of a period that is tried */

/* The smallest divisor of n that is not below min_divisor; 0: none is found. */
static int64_t divisor(int64_t n, int64_t min_divisor)
{
    int64_t best = 0;
    for (int64_t d = 1; d <= MAX_DIVISOR && d <= n / d; d++) {
        if (n % d)
            continue;
        if (d >= min_divisor && (!best || d < best))
            best = d;
        if (n / d >= min_divisor && (!best || n / d < best))
            best = n / d;
    }
    return best;
}

/* A step not below min_step that is a multiple of the first `count` periods and divides the others; 0: none. */
static int64_t step_between(const int64_t *periods, size_t count, size_t all, int64_t min_step)
{
    int64_t multiple = 1, common = 0;
    for (size_t i = 0; i < count; i++)
        if (!checked_mul(multiple / common_divisor(multiple, periods[i]), periods[i], &multiple))
            return 0;
    for (size_t i = count; i < all; i++)
        common = common_divisor(common, periods[i]);
    if (common % multiple)
        return 0;
    int64_t times = div_up(min_step, multiple);
    if (count < all)
        times = divisor(common / multiple, times);
    return times && checked_mul(multiple, times, &multiple) ? multiple : 0;
}

/* The smallest step from min_step to max_step that divides each period or is a multiple of it; 0: none. */
static int64_t periodic_step(const gcast_workload *w, int64_t min_step, int64_t max_step, bool *memory)
{
    int64_t best = 0, *periods = malloc((w->task_count + 1) * sizeof *periods);
    size_t count = 0;
    *memory = periods != NULL;
    for (size_t i = 0; periods && i < w->task_count; i++)
        if (w->tasks[i].period_ns > 0)
            periods[count++] = w->tasks[i].period_ns;
    if (count)
        qsort(periods, count, sizeof *periods, compare_i64);
    for (size_t i = 0; count && i <= count && (!i || periods[i - 1] <= max_step); i++) {
        int64_t step = step_between(periods, i, count, min_step);
        if (step && (!best || step < best))
            best = step;
    }
    free(periods);
    return best <= max_step ? best : 0;
}

gcast_status bins_make(bins *b, const gcast_run *run, const view *v, int pixels, int quarters, gcast_error *err)
{
    bool memory = true;
    int64_t span = v->end_ns - v->start_ns, min_step = (int64_t)((__int128)span * quarters / (4 * pixels));
    min_step = max_i64(min_step, 1);
    *b = (bins){0};
    b->step = periodic_step(run->workload, min_step, max_i64(min_step, span / pixels * MAX_PIXELS), &memory);
    int64_t count = (int64_t)pixels * 4 / max_int(quarters, 4), first = 0;
    count = min_i64(count, span); /* no column without time */
    if (b->step) {                /* a part of a step at either end of the view belongs to the column beside it */
        first = v->start_ns / b->step + (v->start_ns % b->step && span > b->step);
        count = v->end_ns / b->step - first;
    }
    b->count = (int)max_i64(count, 1);
    b->edge = memory ? malloc(((size_t)b->count + 1) * sizeof *b->edge) : NULL;
    if (!b->edge)
        return gcast_error_set_memory(err);
    for (int i = 1; i < b->count; i++)
        b->edge[i] = b->step ? (first + i) * b->step : v->start_ns + (int64_t)((__int128)span * i / b->count);
    b->edge[0] = v->start_ns;
    b->edge[b->count] = v->end_ns;
    return GCAST_OK;
}

void bins_free(bins *b)
{
    free(b->edge);
    *b = (bins){0};
}

int bins_at(const bins *b, int64_t t)
{
    int64_t start = b->edge[0], span = b->edge[b->count] - start;
    int at = (int)((__int128)(t - start) * b->count / span); /* a first guess */
    while (at > 0 && b->edge[at] > t)
        at--;
    while (at + 1 < b->count && b->edge[at + 1] <= t)
        at++;
    return at;
}
