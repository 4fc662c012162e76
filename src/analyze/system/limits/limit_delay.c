#include "analyze/system/limits/limit_delay.h"

#define MOST_JOBS 100000 /* of a source in a hyperperiod, beyond which offsets are left out */
#define QUICK_JOBS 1000  /* the same, for searches */

/* A point of an event, under the communication that was asked for. */
typedef struct event_point {
    bool timed; /* at a time that only nominal releases say */
    job_place place;
    sys_range times; /* from the nominal release of the root */
    bool sure;
} event_point;

/* Data that is read and written at one time. */
static bool is_buffered(const system_work *x, const sys_event *e)
{
    return e->data != SYS_NO_DATA && x->options->communication != SYS_DIRECT;
}

static size_t point_count(const system_work *x, const sys_event *e)
{
    return is_buffered(x, e) ? 1 : e->point_count;
}

static job_place place_of(const system_work *x, const sys_event *e, size_t i)
{
    const sys_point *p = &e->points[i];
    job_place place = {e->task, JOB_RELEASE, JOB_RELEASE};
    if (is_buffered(x, e)) {
        bool is_read = e->data == SYS_READ;
        place.from = place.to = is_read ? start_of_step(0) : end_of_step(x->s->tasks[e->task].step_count - 1);
    } else if (p->at != SYS_AT_RELEASE) {
        place.from = p->at == SYS_AT_END ? end_of_step(p->step) : start_of_step(p->step);
        place.to = p->at == SYS_AT_START ? start_of_step(p->step) : end_of_step(p->step);
    }
    return place;
}

static event_point point_of(limit_work *w, const sys_event *e, size_t i)
{
    bool sure = is_buffered(w->x, e) || e->points[i].sure;
    event_point p = {.place = place_of(w->x, e, i), .sure = sure && system_always_starts(w->x->s, e->task)};
    p.timed = is_buffered(w->x, e) && w->x->options->communication == SYS_LET;
    if (p.timed)
        p.times.min_ns = p.times.max_ns = e->data == SYS_READ ? 0 : w->x->s->tasks[e->task].period_ns;
    else
        p.times = job_place_times(w, &p.place);
    return p;
}

/* Exactly once in each job? */
static bool is_once(const system_work *x, const sys_event *e)
{
    return system_always_starts(x->s, e->task) &&
           (is_buffered(x, e) || (e->point_count == 1 && e->points[0].sure && e->points[0].at != SYS_AT_ANY));
}

static int root_of(const system_work *x, const sys_event *e)
{
    return x->s->tasks[e->task].root;
}

static limit_releases releases_of(const system_work *x, const sys_event *e)
{
    const sys_task *root = &x->s->tasks[root_of(x, e)];
    return (limit_releases){root->arrival == SYS_SPORADIC, root->period_ns, root->offset_ns};
}

/* Both in jobs of one release. */
static sys_range difference(limit_work *w, const event_point *a, const event_point *b)
{
    if (!a->timed && !b->timed)
        return job_difference(w, &a->place, &b->place);
    sys_range r = {SYS_NO_LEAST, less(b->times.max_ns, a->times.min_ns)};
    if (a->times.max_ns != SYS_UNBOUNDED)
        r.min_ns = b->times.min_ns - a->times.max_ns;
    return r;
}

/* From a source to a target of other jobs of the same root, `least` or more behind it. */
static int64_t least_of_others(const limit_next *n)
{
    int64_t latest = less(n->to.max_ns, n->from.min_ns), period = n->target.period;
    if (latest == SYS_UNBOUNDED || latest - period >= n->least || n->from.max_ns == SYS_UNBOUNDED)
        return n->least;
    int64_t jobs = n->target.sporadic ? 1 : max_i64(1, ceil_div(n->least - latest, period));
    return max_i64(n->least, jobs * period + n->to.min_ns - n->from.max_ns);
}

/* From one point of the source to one of the target. */
static sys_range to_next(limit_work *w, const sys_limit *l, const event_point *a, const event_point *b)
{
    const system_work *x = w->x;
    limit_next n = {.source = releases_of(x, &l->source),
                    .target = releases_of(x, &l->target),
                    .from = a->times,
                    .to = b->times,
                    .least = max_i64(0, l->min_ns),
                    .fixed = !x->options->ignore_offsets,
                    .most_jobs = x->options->tasks_only ? QUICK_JOBS : MOST_JOBS};
    if (root_of(x, &l->source) != root_of(x, &l->target))
        return (sys_range){limit_next_least(&n), limit_next_most(&n)};
    n.source.offset = n.target.offset = 0;
    n.fixed = true;
    sys_range r = {least_of_others(&n), limit_next_most(&n)}, same = difference(w, a, b);
    if (same.max_ns >= n.least)
        r.min_ns = min_i64(r.min_ns, max_i64(n.least, same.min_ns));
    if (same.min_ns >= n.least)
        r.max_ns = min_i64(r.max_ns, same.max_ns);
    return r;
}

/* From one point of the source to the next target. */
static sys_range from_point(limit_work *w, const sys_limit *l, const event_point *a, limit_delay *d)
{
    sys_range r = {INT64_MAX, SYS_UNBOUNDED};
    delay_why why = DELAY_NOT_SURE;
    for (size_t k = 0; k < point_count(w->x, &l->target); k++) {
        event_point b = point_of(w, &l->target, k);
        sys_range next = to_next(w, l, a, &b);
        r.min_ns = min_i64(r.min_ns, next.min_ns);
        if (!b.sure)
            continue;
        r.max_ns = min_i64(r.max_ns, next.max_ns);
        bool away = w->x->s->tasks[root_of(w->x, &l->target)].arrival == SYS_SPORADIC;
        why = away && b.times.max_ns != SYS_UNBOUNDED ? DELAY_SPORADIC : DELAY_NO_BOUND;
    }
    if (r.max_ns == SYS_UNBOUNDED && d->why == DELAY_BOUNDED)
        d->why = why;
    return r;
}

static limit_delay reaction(limit_work *w, const sys_limit *l)
{
    limit_delay d = {.range = {INT64_MAX, 0}};
    for (size_t i = 0; i < point_count(w->x, &l->source); i++) {
        event_point a = point_of(w, &l->source, i);
        sys_range r = from_point(w, l, &a, &d);
        d.range.min_ns = min_i64(d.range.min_ns, r.min_ns);
        d.range.max_ns = max_i64(d.range.max_ns, r.max_ns);
        d.too_late |= a.sure && l->max_ns != SYS_NO_LIMIT && r.min_ns > l->max_ns;
    }
    return d;
}

/* The n-th of both, in jobs of their own that come as often. */
static sys_range by_number(const system_work *x, const sys_limit *l, const event_point *a, const event_point *b)
{
    limit_releases source = releases_of(x, &l->source), target = releases_of(x, &l->target);
    bool fixed = !x->options->ignore_offsets;
    int64_t from = fixed ? target.offset - source.offset : 1 - source.period;
    int64_t to = fixed ? target.offset - source.offset : target.period - 1;
    sys_range r = {SYS_NO_LEAST, SYS_UNBOUNDED};
    if (a->times.max_ns != SYS_UNBOUNDED)
        r.min_ns = from + b->times.min_ns - a->times.max_ns;
    if (b->times.max_ns != SYS_UNBOUNDED)
        r.max_ns = to + b->times.max_ns - a->times.min_ns;
    return r;
}

static limit_delay one_to_one(limit_work *w, const sys_limit *l)
{
    const system_work *x = w->x;
    limit_releases source = releases_of(x, &l->source), target = releases_of(x, &l->target);
    bool is_same = root_of(x, &l->source) == root_of(x, &l->target);
    limit_delay d = {.range = {SYS_NO_LEAST, SYS_UNBOUNDED}};
    event_point a = point_of(w, &l->source, 0), b = point_of(w, &l->target, 0);
    if (!is_once(x, &l->source) || !is_once(x, &l->target))
        d.why = DELAY_SEVERAL;
    else if (is_same)
        d.range = difference(w, &a, &b);
    else if (source.sporadic || target.sporadic)
        d.why = DELAY_SPORADIC;
    else if (source.period == target.period)
        d.range = by_number(x, l, &a, &b);
    else
        d.why = DELAY_DRIFTS;
    /* a target that comes more often is ahead of its source some day, one that comes less often ever further behind */
    d.out_of_it = d.why == DELAY_DRIFTS && (target.period < source.period || l->max_ns != SYS_NO_LIMIT);
    if (d.why == DELAY_BOUNDED && d.range.max_ns == SYS_UNBOUNDED)
        d.why = DELAY_NO_BOUND;
    return d;
}

/* Is there never more than one target within the limits? */
static bool is_unique(limit_work *w, const sys_limit *l)
{
    if (!is_once(w->x, &l->target) || l->max_ns == SYS_NO_LIMIT)
        return false;
    event_point b = point_of(w, &l->target, 0);
    int64_t varies = less(b.times.max_ns, b.times.min_ns), period = releases_of(w->x, &l->target).period;
    return varies != SYS_UNBOUNDED && period - varies > l->max_ns - max_i64(0, l->min_ns);
}

limit_delay limit_delay_of(limit_work *w, const sys_limit *l)
{
    if (l->mapping == SYS_MAPPING_ONE_TO_ONE)
        return one_to_one(w, l);
    limit_delay d = reaction(w, l);
    bool in_time = l->max_ns == SYS_NO_LIMIT || d.range.max_ns <= l->max_ns;
    if (l->mapping == SYS_MAPPING_UNIQUE && d.why == DELAY_BOUNDED && in_time && !is_unique(w, l))
        d.why = DELAY_TWO_IN_ONE;
    return d;
}
