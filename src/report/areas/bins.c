#include "report/areas/bins.h"

#include <stdlib.h>

#include "base/checked.h"

#define WIDEST 16          /* pixels of a column that is as wide as periods ask for */
#define MOST_TRIED 1000000 /* divisors of a period */

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int rising(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The smallest divisor of n that is at least `least`; 0: none is found. */
static int64_t divisor(int64_t n, int64_t least)
{
    int64_t best = 0;
    for (int64_t d = 1; d <= MOST_TRIED && d <= n / d; d++) {
        if (n % d)
            continue;
        if (d >= least && (!best || d < best))
            best = d;
        if (n / d >= least && (!best || n / d < best))
            best = n / d;
    }
    return best;
}

/* A step of at least `least` that the first `count` of the periods divide and that divides the others; 0: none. */
static int64_t step_between(const int64_t *periods, size_t count, size_t all, int64_t least)
{
    int64_t multiple = 1, common = 0;
    for (size_t i = 0; i < count; i++)
        if (!checked_mul(multiple / gcd(multiple, periods[i]), periods[i], &multiple))
            return 0;
    for (size_t i = count; i < all; i++)
        common = gcd(common, periods[i]);
    if (common % multiple)
        return 0;
    int64_t times = (least + multiple - 1) / multiple;
    if (count < all)
        times = divisor(common / multiple, times);
    return times && checked_mul(multiple, times, &multiple) ? multiple : 0;
}

/* The smallest step that goes with every period, from `least` to `most`; 0: none. */
static int64_t periodic_step(const gcast_workload *w, int64_t least, int64_t most, bool *memory)
{
    int64_t best = 0, *periods = malloc((w->task_count + 1) * sizeof *periods);
    size_t count = 0;
    *memory = periods != NULL;
    for (size_t i = 0; periods && i < w->task_count; i++)
        if (w->tasks[i].period_ns > 0)
            periods[count++] = w->tasks[i].period_ns;
    if (count)
        qsort(periods, count, sizeof *periods, rising);
    for (size_t i = 0; count && i <= count && (!i || periods[i - 1] <= most); i++) {
        int64_t step = step_between(periods, i, count, least);
        if (step && (!best || step < best))
            best = step;
    }
    free(periods);
    return best <= most ? best : 0;
}

gcast_status bins_make(bins *b, const gcast_run *run, const view *v, int pixels, int quarters, gcast_error *err)
{
    bool memory = true;
    int64_t span = v->to - v->from, least = (int64_t)((__int128)span * quarters / (4 * pixels));
    least = least > 0 ? least : 1;
    *b = (bins){0};
    b->step =
        periodic_step(run->workload, least, span / pixels * WIDEST > least ? span / pixels * WIDEST : least, &memory);
    int64_t equal = (int64_t)pixels * 4 / (quarters < 4 ? 4 : quarters), first = 0;
    equal = equal > span ? span : equal; /* no column without time */
    if (b->step) { /* a part of a step at either end goes to the column beside it, or it would stick out */
        first = v->from / b->step + (v->from % b->step && span > b->step);
        equal = v->to / b->step - first;
    }
    b->count = (int)(equal > 0 ? equal : 1);
    b->edge = memory ? malloc(((size_t)b->count + 1) * sizeof *b->edge) : NULL;
    if (!b->edge)
        return gcast_error_set_memory(err);
    for (int i = 1; i < b->count; i++)
        b->edge[i] = b->step ? (first + i) * b->step : v->from + (int64_t)((__int128)span * i / b->count);
    b->edge[0] = v->from;
    b->edge[b->count] = v->to;
    return GCAST_OK;
}

void bins_free(bins *b)
{
    free(b->edge);
    *b = (bins){0};
}

int bins_at(const bins *b, int64_t t)
{
    int64_t from = b->edge[0], span = b->edge[b->count] - from;
    int at = (int)((__int128)(t - from) * b->count / span); /* near enough to look from there */
    while (at > 0 && b->edge[at] > t)
        at--;
    while (at + 1 < b->count && b->edge[at + 1] <= t)
        at++;
    return at;
}
