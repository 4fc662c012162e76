/* Times between points of one job and of jobs of one root (18, 19), delays to the next target (20), and the kinds of
 * delays (21 of docs/amalthea.md). */
#include "analyze/system/event_delay.h"

#include "analyze/system/core_response.h"
#include "base/integers.h"

#define MOST_JOBS 100000        /* of a source in a hyperperiod; with more, offsets are ignored */
#define QUICK_JOBS 1000         /* the same in searches */
#define JOB_RELEASE INT64_C(-1) /* the first point of a job */

/* Something happens at any time between two points of a job; they may be equal. */
typedef struct job_place {
    int task;
    int64_t from, to;
} job_place;

/* The same point by a number with known times: a trigger takes no time, a wait begins when the step before it ends. */
static int64_t known_point(const sys_task *def, int64_t at)
{
    if (at < 0 || at % 2)
        return at;
    sys_step_kind kind = def->steps[at / 2].kind;
    return kind == SYS_RUN ? at : kind == SYS_TRIGGER ? at + 1 : at > 0 ? at - 1 : JOB_RELEASE;
}

static const step_state *state_of(const system_work *x, int task, int64_t at)
{
    return &x->steps[x->tasks[task].first_step + at / 2];
}

/* The latest time of a point: from the nominal release of the root, and from the job's own release. */
static void latest(system_work *x, int task, int64_t at, int64_t *from_root, int64_t *own)
{
    const task_state *t = &x->tasks[task];
    if (at == JOB_RELEASE) {
        *from_root = t->release_max;
        *own = 0;
        return;
    }
    const step_state *s = state_of(x, task, at);
    bool is_last = (size_t)at == 2 * x->s->tasks[task].step_count - 1;
    *from_root = is_last ? t->worst : s->end_max;
    *own = is_last ? t->own_worst : s->own_end;
    if (at % 2)
        return;
    int64_t least = s->end_min - s->start_min, start = SYS_UNBOUNDED, own_start = SYS_UNBOUNDED;
    if (t->on_core && s->end_max != SYS_UNBOUNDED)
        core_latest_start(x, task, (uint32_t)(at / 2), &start, &own_start);
    *from_root = min_i64(minus(s->end_max, least), start);
    *own = min_i64(minus(s->own_end, least), own_start);
}

static int64_t earliest(const system_work *x, int task, int64_t at)
{
    if (at == JOB_RELEASE)
        return x->tasks[task].release_min;
    const step_state *s = state_of(x, task, at);
    return at % 2 ? s->end_min : s->start_min;
}

/* When a place can be, from the nominal release of the root. */
static sys_range job_place_times(limit_work *w, const job_place *p)
{
    const sys_task *def = &w->x->s->tasks[p->task];
    int64_t own;
    sys_range r = {.min_ns = earliest(w->x, p->task, known_point(def, p->from))};
    latest(w->x, p->task, known_point(def, p->to), &r.max_ns, &own);
    return r;
}

/* The steps between two points are first_between(from) to end_between(to) - 1; `from` is not the release. */
static size_t first_between(int64_t from)
{
    return (size_t)(from % 2 ? from / 2 + 1 : from / 2);
}

static size_t end_between(int64_t to)
{
    return (size_t)(to % 2 ? to / 2 + 1 : to / 2);
}

/* The earliest end of a wait for `other`, counted from the start of step `first`. A task that was triggered before that
 * may have ended already. */
static int64_t least_wait_end(const limit_work *w, int other, size_t first, bool at_end_of_step)
{
    const system_work *x = w->x;
    size_t trigger = x->s->tasks[other].trigger_step;
    int64_t takes = x->tasks[other].best - x->tasks[other].release_min;
    if (trigger >= first)
        return sum_of(w->step_ends[trigger], takes);
    return at_end_of_step && trigger + 1 == first ? takes : 0;
}

int64_t job_least(limit_work *w, int task, int64_t from, int64_t to)
{
    system_work *x = w->x;
    const sys_task *def = &x->s->tasks[task];
    from = known_point(def, from);
    to = known_point(def, to);
    if (from >= to)
        return 0;
    if (from == JOB_RELEASE)
        return earliest(x, task, to) - x->tasks[task].release_min;
    size_t first = first_between(from), end = end_between(to);
    int64_t sum = 0;
    if ((x->patience -= (int64_t)(end - first)) <= 0)
        return 0;
    for (size_t i = first; i < end; i++) {
        const sys_step *step = &def->steps[i];
        const step_state *s = &x->steps[x->tasks[task].first_step + i];
        if (step->kind == SYS_RUN)
            sum = sum_of(sum, s->end_min - s->start_min);
        else if (step->kind == SYS_WAIT)
            sum = max_i64(sum, least_wait_end(w, step->task, first, from % 2 != 0));
        w->step_ends[i] = sum;
    }
    return sum;
}

/* The longest time from a point at which the task has its core (lemma 18). */
static int64_t most_on_core(system_work *x, int task, int64_t from, int64_t to, sys_range ready)
{
    const sys_task *def = &x->s->tasks[task];
    if (!x->tasks[task].on_core || from == JOB_RELEASE || def->steps[from / 2].kind == SYS_WAIT)
        return SYS_UNBOUNDED;
    core_span span = {.task = task,
                      .first = (uint32_t)first_between(from),
                      .end = (uint32_t)end_between(to),
                      .starts = from % 2 == 0,
                      .to_start = to % 2 == 0,
                      .ready = ready};
    return core_span_most(x, &span);
}

int64_t job_most(limit_work *w, int task, int64_t from, int64_t to)
{
    system_work *x = w->x;
    const sys_task *def = &x->s->tasks[task];
    int64_t to_latest, to_own, own;
    from = known_point(def, from);
    to = known_point(def, to);
    if (from >= to)
        return 0;
    sys_range ready = {.min_ns = earliest(x, task, from)};
    latest(x, task, from, &ready.max_ns, &own);
    latest(x, task, to, &to_latest, &to_own);
    int64_t most = min_i64(minus(to_latest, ready.min_ns), minus(to_own, ready.min_ns - x->tasks[task].release_min));
    return min_i64(most, most_on_core(x, task, from, to, ready));
}

/* The least difference the other way round. */
static int64_t negated(int64_t most)
{
    return most == SYS_UNBOUNDED ? SYS_NO_LEAST : -most;
}

/* How much later b is than a, in one job. */
static sys_range in_one_job(limit_work *w, const job_place *a, const job_place *b)
{
    sys_range r;
    r.max_ns = a->from <= b->to ? job_most(w, a->task, a->from, b->to) : -job_least(w, a->task, b->to, a->from);
    r.min_ns = a->to <= b->from ? job_least(w, a->task, a->to, b->from) : negated(job_most(w, a->task, b->from, a->to));
    return r;
}

/* A place in a job, described from its task or from one that triggers it, directly or not. */
typedef struct climber {
    job_place at;
    sys_range after; /* time from `at` to the place */
    int below;       /* the task that `at` triggers; SYS_NONE: `at` is the place itself */
    bool held;       /* every task on the way is awaited by the task that triggers it */
} climber;

static void climb_to_trigger(limit_work *w, climber *c)
{
    const sys_task *def = &w->x->s->tasks[c->at.task];
    c->after.min_ns = sum_of(c->after.min_ns, job_least(w, c->at.task, JOB_RELEASE, c->at.from));
    c->after.max_ns = sum_of(c->after.max_ns, job_most(w, c->at.task, JOB_RELEASE, c->at.to));
    c->below = c->at.task;
    c->held &= def->waiter == def->trigger;
    int64_t trigger = end_of_step(def->trigger_step);
    c->at = (job_place){def->trigger, trigger, trigger};
}

static size_t depth_of(const sys_system *s, int task)
{
    size_t depth = 0;
    for (; s->tasks[task].trigger != SYS_NONE; task = s->tasks[task].trigger)
        depth++;
    return depth;
}

/* The step at which a task waits for one that it triggers. */
static size_t wait_for(const sys_task *def, int other)
{
    size_t i = 0;
    while (def->steps[i].kind != SYS_WAIT || def->steps[i].task != other)
        i++;
    return i;
}

/* The least difference if b comes after a wait for the task of a: then it is later than all of that task. */
static int64_t least_after_wait(limit_work *w, const climber *a, const climber *b)
{
    if (a->below == SYS_NONE || !a->held)
        return SYS_NO_LEAST;
    int64_t over = end_of_step(wait_for(&w->x->s->tasks[a->at.task], a->below));
    return b->at.from < over ? SYS_NO_LEAST : sum_of(job_least(w, a->at.task, over, b->at.from), b->after.min_ns);
}

/* How much later `to` is than `from`, in jobs of one release of their root; negative: earlier. */
static sys_range job_difference(limit_work *w, const job_place *from, const job_place *to)
{
    const sys_system *s = w->x->s;
    sys_range whole_from = job_place_times(w, from), whole_to = job_place_times(w, to);
    climber a = {.at = *from, .below = SYS_NONE, .held = true}, b = {.at = *to, .below = SYS_NONE, .held = true};
    size_t depth_a = depth_of(s, from->task), depth_b = depth_of(s, to->task);
    while (a.at.task != b.at.task) {
        size_t deepest = max_size(depth_a, depth_b);
        if (depth_a == deepest) {
            climb_to_trigger(w, &a);
            depth_a--;
        }
        if (depth_b == deepest) {
            climb_to_trigger(w, &b);
            depth_b--;
        }
    }
    sys_range r = in_one_job(w, &a.at, &b.at);
    if (r.min_ns != SYS_NO_LEAST)
        r.min_ns = a.after.max_ns == SYS_UNBOUNDED ? SYS_NO_LEAST : r.min_ns + b.after.min_ns - a.after.max_ns;
    r.min_ns = max_i64(r.min_ns, least_after_wait(w, &a, &b));
    r.max_ns = r.max_ns == SYS_UNBOUNDED ? r.max_ns : minus(sum_of(r.max_ns, b.after.max_ns), a.after.min_ns);
    if (whole_from.max_ns != SYS_UNBOUNDED)
        r.min_ns = max_i64(r.min_ns, whole_to.min_ns - whole_from.max_ns);
    r.max_ns = min_i64(r.max_ns, minus(whole_to.max_ns, whole_from.min_ns));
    return r;
}

/* Nominal releases of jobs: every `period` from `offset` on. */
typedef struct releases {
    bool sporadic; /* `period` or more apart */
    int64_t period, offset;
} releases;

/* The question for the first target that comes `least` or more after a source; both come with jobs of their own. */
typedef struct next_target {
    releases source, target;
    sys_range from, to; /* times of source and target, from their nominal releases */
    int64_t least;
    bool fixed;        /* offsets count; else each is anything below its period */
    int64_t most_jobs; /* of the source that may be tried one by one */
} next_target;

/* Lemma 20: from a source to the next target, for any phase, or job by job over a hyperperiod if offsets are known. */

/* How many jobs of the source to try: a hyperperiod, and those before the first target. 0: unknown, or too many. */
static int64_t source_jobs(const next_target *n)
{
    int64_t hyperperiod = n->source.period;
    if (!n->fixed || n->source.sporadic || n->target.sporadic || n->from.max_ns == SYS_UNBOUNDED ||
        n->to.max_ns == SYS_UNBOUNDED || !add_period(&hyperperiod, n->target.period) || hyperperiod >= TIME_LIMIT)
        return 0;
    int64_t first_target = n->target.offset + max_i64(0, n->to.max_ns - n->from.min_ns - n->least);
    int64_t jobs = (max_i64(n->source.offset, first_target) + hyperperiod) / n->source.period + 1;
    return jobs > n->most_jobs ? 0 : jobs;
}

/* A source that just misses a job of the target waits for the next one, a period later. */
static int64_t just_missed(const next_target *n)
{
    return sum_of(n->least, sum_of(n->target.period - 1, n->to.max_ns - n->to.min_ns));
}

/* The longest delay from the source's job that is released at `nominal`. */
static int64_t most_of_job(const next_target *n, int64_t nominal)
{
    int64_t first = nominal + n->from.min_ns, last = nominal + n->from.max_ns;
    int64_t job = max_i64(0, ceil_div(first + n->least - n->to.min_ns - n->target.offset, n->target.period));
    int64_t release = n->target.offset + job * n->target.period, most = release + n->to.max_ns - first;
    bool misses = release + n->to.min_ns - n->least < last;
    return misses ? max_i64(most, just_missed(n)) : most;
}

static int64_t longest_to_next(const next_target *n)
{
    if (n->target.sporadic || n->to.max_ns == SYS_UNBOUNDED)
        return SYS_UNBOUNDED;
    int64_t jobs = source_jobs(n), most = INT64_MIN;
    for (int64_t k = 0; k < jobs; k++)
        most = max_i64(most, most_of_job(n, n->source.offset + k * n->source.period));
    if (jobs)
        return most;
    int64_t first_target = n->fixed ? n->target.offset - n->source.offset : n->target.period - 1;
    return max_i64(just_missed(n), sum_of(first_target, n->to.max_ns - n->from.min_ns));
}

/* The least delay from the source's job that is released at `nominal`. */
static int64_t least_of_job(const next_target *n, int64_t nominal)
{
    int64_t first = nominal + n->from.min_ns + n->least;
    int64_t job = max_i64(0, ceil_div(first - n->to.max_ns - n->target.offset, n->target.period));
    int64_t release = n->target.offset + job * n->target.period;
    return max_i64(n->least, release + n->to.min_ns - nominal - n->from.max_ns);
}

static int64_t least_to_next(const next_target *n)
{
    int64_t jobs = source_jobs(n), least = jobs ? INT64_MAX : n->least;
    for (int64_t k = 0; k < jobs; k++)
        least = min_i64(least, least_of_job(n, n->source.offset + k * n->source.period));
    return least;
}

/* One of the points at which an event may happen, under the communication asked for. */
typedef struct event_point {
    bool timed; /* LET: only nominal releases determine its time */
    job_place place;
    sys_range times; /* from the nominal release of the root */
    bool sure;       /* it happens in every job */
} event_point;

/* Is the event an access to data that is read or written at one time of the job? */
static bool is_buffered(const system_work *x, const sys_event *e)
{
    return e->data != SYS_NO_DATA && x->options->communication != GCAST_COMMUNICATION_DIRECT;
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
    p.timed = is_buffered(w->x, e) && w->x->options->communication == GCAST_COMMUNICATION_LET;
    if (p.timed)
        p.times.min_ns = p.times.max_ns = e->data == SYS_READ ? 0 : w->x->s->tasks[e->task].period_ns;
    else
        p.times = job_place_times(w, &p.place);
    return p;
}

/* Does the event happen exactly once in each job? */
static bool is_once(const system_work *x, const sys_event *e)
{
    return system_always_starts(x->s, e->task) &&
           (is_buffered(x, e) || (e->point_count == 1 && e->points[0].sure && e->points[0].at != SYS_AT_ANY));
}

static int root_of(const system_work *x, const sys_event *e)
{
    return x->s->tasks[e->task].root;
}

static releases releases_of(const system_work *x, const sys_event *e)
{
    const sys_task *root = &x->s->tasks[root_of(x, e)];
    return (releases){root->arrival == SYS_SPORADIC, root->period_ns, root->offset_ns};
}

/* The time from a to b in jobs of one release. */
static sys_range difference(limit_work *w, const event_point *a, const event_point *b)
{
    if (!a->timed && !b->timed)
        return job_difference(w, &a->place, &b->place);
    sys_range r = {SYS_NO_LEAST, minus(b->times.max_ns, a->times.min_ns)};
    if (a->times.max_ns != SYS_UNBOUNDED)
        r.min_ns = b->times.min_ns - a->times.max_ns;
    return r;
}

/* The least time from a source to a target of another job of the same root. */
static int64_t least_of_others(const next_target *n)
{
    int64_t latest = minus(n->to.max_ns, n->from.min_ns), period = n->target.period;
    if (latest == SYS_UNBOUNDED || latest - period >= n->least || n->from.max_ns == SYS_UNBOUNDED)
        return n->least;
    int64_t jobs = n->target.sporadic ? 1 : max_i64(1, ceil_div(n->least - latest, period));
    return max_i64(n->least, jobs * period + n->to.min_ns - n->from.max_ns);
}

/* The time from a point of the source to the next target at a point of the target. */
static sys_range to_next(limit_work *w, const sys_limit *l, const event_point *a, const event_point *b)
{
    const system_work *x = w->x;
    next_target n = {.source = releases_of(x, &l->source),
                     .target = releases_of(x, &l->target),
                     .from = a->times,
                     .to = b->times,
                     .least = max_i64(0, l->min_ns),
                     .fixed = !x->options->ignore_offsets,
                     .most_jobs = x->options->tasks_only ? QUICK_JOBS : MOST_JOBS};
    if (root_of(x, &l->source) != root_of(x, &l->target))
        return (sys_range){least_to_next(&n), longest_to_next(&n)};
    n.source.offset = n.target.offset = 0;
    n.fixed = true;
    sys_range r = {least_of_others(&n), longest_to_next(&n)}, same = difference(w, a, b);
    if (same.max_ns >= n.least)
        r.min_ns = min_i64(r.min_ns, max_i64(n.least, same.min_ns));
    if (same.min_ns >= n.least)
        r.max_ns = min_i64(r.max_ns, same.max_ns);
    return r;
}

/* The time from a point of the source to the next target at any of its points. */
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

/* The time from the n-th source to the n-th target, of two roots with equal periods. */
static sys_range by_number(const system_work *x, const sys_limit *l, const event_point *a, const event_point *b)
{
    releases source = releases_of(x, &l->source), target = releases_of(x, &l->target);
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
    releases source = releases_of(x, &l->source), target = releases_of(x, &l->target);
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
    /* a target that comes more often will precede its source some time; one that comes less often falls ever behind */
    d.out_of_it = d.why == DELAY_DRIFTS && (target.period < source.period || l->max_ns != SYS_NO_LIMIT);
    if (d.why == DELAY_BOUNDED && d.range.max_ns == SYS_UNBOUNDED)
        d.why = DELAY_NO_BOUND;
    return d;
}

/* Can at most one target come within the limits? */
static bool is_unique(limit_work *w, const sys_limit *l)
{
    if (!is_once(w->x, &l->target) || l->max_ns == SYS_NO_LIMIT)
        return false;
    event_point b = point_of(w, &l->target, 0);
    int64_t varies = minus(b.times.max_ns, b.times.min_ns), period = releases_of(w->x, &l->target).period;
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
