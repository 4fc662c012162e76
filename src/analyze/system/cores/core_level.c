#include "analyze/system/cores/core_level.h"

#define MOST_EDGES 4096 /* where a window may begin */

/* The most that bursts of one root may execute in a window: the window begins when one of them is ready at its latest,
 * as none that it begins with leaves it before that, and others only come in. */
static int64_t joint_demand(const core_burst *const *bursts, size_t count, int64_t w)
{
    int64_t most = 0;
    for (size_t k = 0; k < count; k++) {
        int64_t sum = 0;
        for (size_t i = 0; i < count; i++)
            sum = sum_of(sum,
                         product_of(level_jobs_from(bursts[i], INT64_MAX, bursts[k]->ready_max, w), bursts[i]->most));
        most = max_i64(most, sum);
    }
    return most;
}

static int64_t demand_of_others(const core_level *l, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < l->lone_count; i++)
        sum = sum_of(sum, product_of(level_any_jobs(l->lone[i], w), l->lone[i]->most));
    for (size_t g = 0, first = 0; g < l->group_count; first = l->group_end[g++])
        sum = sum_of(sum, joint_demand(&l->joint[first], l->group_end[g] - first, w));
    return sum;
}

int64_t level_own_demand(const core_level *l, size_t count, int64_t begin, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const core_burst *b = l->own[i].burst;
        bool any = b->sporadic && l->own[i].last == INT64_MAX;
        sum =
            sum_of(sum, product_of(any ? level_any_jobs(b, w) : level_jobs_from(b, l->own[i].last, begin, w), b->most));
    }
    return sum;
}

/* The same wherever it begins. */
static int64_t demand_of_own_anyhow(const core_level *l, size_t count, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum = sum_of(sum, product_of(level_any_jobs(l->own[i].burst, w), l->own[i].burst->most));
    return sum;
}

/* The least w by which all is done that is asked for in [0, w): `base`, and what else comes. */
static int64_t window(const core_level *l, size_t own_count, bool anyhow, int64_t begin, int64_t base, why_not *why)
{
    int64_t w = base, terms = (int64_t)(l->lone_count + own_count) + 1;
    for (size_t g = 0, first = 0; g < l->group_count; first = l->group_end[g++])
        terms += (int64_t)((l->group_end[g] - first) * (l->group_end[g] - first));
    while ((l->x->patience -= terms) > 0) {
        if (w > l->cap) {
            *why = WHY_TOO_LONG;
            return SYS_UNBOUNDED;
        }
        int64_t own = anyhow ? demand_of_own_anyhow(l, own_count, w) : level_own_demand(l, own_count, begin, w);
        int64_t next = sum_of(base, sum_of(own, demand_of_others(l, w)));
        if (next <= w)
            return w;
        w = next;
    }
    *why = WHY_GIVES_UP;
    return SYS_UNBOUNDED;
}

static void take(level_end *e, const level_part *part, int64_t begin, int64_t w)
{
    e->end = max_i64(e->end, sum_of(begin, w));
    e->own = max_i64(e->own, min_i64(w, less(sum_of(begin, w), part->ready_min)));
}

/* Where nothing else of the task's root is on its level: the window begins when one of its own jobs is ready, and has
 * as many of them as it takes until the next is ready later than it ends. */
static void only_own_jobs(core_level *l, const level_part *part, int64_t base, level_end *e)
{
    const core_burst *own = l->own[0].burst;
    int64_t jitter = own->ready_max - own->ready_min;
    bool whole = part->most >= own->most && !part->instant;
    if (!whole && !l->jobs) {
        level_part job = *part;
        job.most = own->most;
        job.instant = false;
        level_end end = {0};
        only_own_jobs(l, &job, base - part->instant - part->most + job.most, &end);
        if ((e->why = end.why) != WHY_BOUNDED)
            return;
    }
    for (int64_t k = 0; whole || k < l->jobs; k++) {
        if (k == MOST_EDGES)
            e->why = WHY_GIVES_UP;
        if (e->why != WHY_BOUNDED)
            return;
        int64_t w = window(l, 0, false, 0, sum_of(base, product_of(k, own->most)), &e->why);
        take(e, part, part->ready_max - k * own->period, w);
        if (whole && w <= (k + 1) * own->period - jitter) {
            l->jobs = k + 1;
            return;
        }
    }
}

/* All windows that begin when `ready` is, of some job, and that can reach the part. */
static void edges_of(core_level *l, const level_part *part, size_t own_count, int64_t ready, int64_t first_job,
                     int64_t reach, int64_t base, int *edges, level_end *e)
{
    int64_t period = l->x->s->tasks[l->task].period_ns;
    int64_t k = max_i64(first_job, ceil_div(ready - part->ready_max, period));
    for (int64_t begin = ready - k * period; begin >= part->ready_min - reach; begin -= period) {
        if (++*edges > MOST_EDGES)
            e->why = WHY_GIVES_UP;
        if (e->why != WHY_BOUNDED)
            return;
        take(e, part, begin, window(l, own_count, false, begin, base, &e->why));
    }
}

/* How long before a part is ready a window can begin that reaches it: until then the core is busy with others. */
static int64_t reach_of(const core_level *l, size_t own_count, why_not *why)
{
    return window(l, own_count, true, 0, max_i64(l->blocking, 1), why);
}

static void all_edges(core_level *l, const level_part *part, size_t own_count, int64_t base, level_end *e)
{
    int edges = 0;
    int64_t reach = reach_of(l, own_count, &e->why);
    if (e->why != WHY_BOUNDED)
        return;
    take(e, part, part->ready_max, window(l, own_count, false, part->ready_max, base, &e->why));
    for (size_t i = 0; i < own_count && e->why == WHY_BOUNDED; i++) {
        const own_term *term = &l->own[i];
        if (term->burst->sporadic && term->last == INT64_MAX)
            continue; /* counted wherever the window begins */
        int64_t first_job = term->last == INT64_MAX ? INT64_MIN : -term->last;
        edges_of(l, part, own_count, term->burst->ready_max, first_job, reach, base, &edges, e);
    }
}

/* Which jobs of the own root may come before the part is over. */
static void limit_own(core_level *l, const level_part *part)
{
    for (size_t i = 0; i < l->own_count; i++)
        if (i >= l->own_others) /* bursts of the task itself, in order */
            l->own[i].last = i - l->own_others < part->burst ? 0 : -1;
        else if (l->own[i].leaves != UINT32_MAX)
            l->own[i].last = l->own[i].leaves >= part->step ? -1 : 0;
}

/* Is it known when each of the first `count` bursts of the own root is ready? */
static bool knows_own(const core_level *l, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (l->own[i].burst->ready_max >= TIME_LIMIT || l->own[i].burst->most >= TIME_LIMIT)
            return false;
    return true;
}

level_end level_part_end(core_level *l, const level_part *part)
{
    size_t own_count = part->alone ? l->own_others : l->own_count;
    level_end e = {.end = INT64_MIN, .own = 0};
    /* What takes no time is done when it could execute for 1 ns, and that much sooner. Not so where others may hold the
     * core until this is done: in such a circle each must be later than the one before, so that it has no bound. */
    int64_t base = sum_of(product_of(l->blocking, part->blockings), sum_of(part->most, part->instant));
    if (l->unknown != SYS_NONE)
        e.why = WHY_INTERFERES;
    else if (l->overloaded)
        e.why = WHY_OVERLOAD;
    else if (base >= TIME_LIMIT || part->ready_max >= TIME_LIMIT || !knows_own(l, own_count))
        e.why = WHY_TOO_LONG;
    if (e.why == WHY_BOUNDED) {
        limit_own(l, part);
        if (own_count == 0)
            take(&e, part, part->ready_max, window(l, 0, false, 0, base, &e.why));
        else if (l->own_count == 1 && !l->own_others)
            only_own_jobs(l, part, base, &e);
        else
            all_edges(l, part, own_count, base, &e);
        if (e.why == WHY_BOUNDED && l->x->use_offsets) {
            why_not why = WHY_BOUNDED;
            int64_t reach = reach_of(l, own_count, &why);
            if (why == WHY_BOUNDED)
                level_use_offsets(l, part, own_count, base, reach, &e);
        }
    }
    if (e.why != WHY_BOUNDED || e.end >= TIME_LIMIT) {
        e.end = e.own = SYS_UNBOUNDED;
        e.why = e.why == WHY_BOUNDED ? WHY_TOO_LONG : e.why;
    } else if (part->instant && !l->spins) {
        e.end--;
        e.own--;
    }
    return e;
}
