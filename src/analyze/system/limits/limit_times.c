#include "analyze/system/limits/limit_times.h"

#include "analyze/system/cores/core_response.h"

/* A trigger takes no time, and a wait begins when the step before it ends. */
static int64_t settle(const sys_task *of, int64_t at)
{
    if (at < 0 || at % 2)
        return at;
    sys_step_kind kind = of->steps[at / 2].kind;
    return kind == SYS_RUN ? at : kind == SYS_TRIGGER ? at + 1 : at > 0 ? at - 1 : JOB_RELEASE;
}

static const step_state *state_of(const system_work *x, int task, int64_t at)
{
    return &x->steps[x->tasks[task].first_step + at / 2];
}

/* The latest time of a point; from the root's release and from the own one. */
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
    *from_root = min_i64(less(s->end_max, least), start);
    *own = min_i64(less(s->own_end, least), own_start);
}

static int64_t earliest(const system_work *x, int task, int64_t at)
{
    if (at == JOB_RELEASE)
        return x->tasks[task].release_min;
    const step_state *s = state_of(x, task, at);
    return at % 2 ? s->end_min : s->start_min;
}

sys_range job_place_times(limit_work *w, const job_place *p)
{
    const sys_task *of = &w->x->s->tasks[p->task];
    int64_t own;
    sys_range r = {.min_ns = earliest(w->x, p->task, settle(of, p->from))};
    latest(w->x, p->task, settle(of, p->to), &r.max_ns, &own);
    return r;
}

/* Steps that lie between two points, the first of which is not the release. */
static size_t first_between(int64_t from)
{
    return (size_t)(from % 2 ? from / 2 + 1 : from / 2);
}

static size_t end_between(int64_t to)
{
    return (size_t)(to % 2 ? to / 2 + 1 : to / 2);
}

/* When a wait for `other` ends at the soonest, from the begin of steps of which `first` is the first. One that was
 * triggered before that may have ended already. */
static int64_t least_wait_end(const limit_work *w, int other, size_t first, bool at_end_of_step)
{
    const system_work *x = w->x;
    size_t trigger = x->s->tasks[other].trigger_step;
    int64_t takes = x->tasks[other].best - x->tasks[other].release_min;
    if (trigger >= first)
        return sum_of(w->room[trigger], takes);
    return at_end_of_step && trigger + 1 == first ? takes : 0;
}

int64_t job_least(limit_work *w, int task, int64_t from, int64_t to)
{
    system_work *x = w->x;
    const sys_task *of = &x->s->tasks[task];
    from = settle(of, from);
    to = settle(of, to);
    if (from >= to)
        return 0;
    if (from == JOB_RELEASE)
        return earliest(x, task, to) - x->tasks[task].release_min;
    size_t first = first_between(from), end = end_between(to);
    int64_t sum = 0;
    if ((x->patience -= (int64_t)(end - first)) <= 0)
        return 0;
    for (size_t i = first; i < end; i++) {
        const sys_step *step = &of->steps[i];
        const step_state *s = &x->steps[x->tasks[task].first_step + i];
        if (step->kind == SYS_RUN)
            sum = sum_of(sum, s->end_min - s->start_min);
        else if (step->kind == SYS_WAIT)
            sum = max_i64(sum, least_wait_end(w, step->task, first, from % 2 != 0));
        w->room[i] = sum;
    }
    return sum;
}

/* From a time at which the task has its core. */
static int64_t most_on_core(system_work *x, int task, int64_t from, int64_t to, sys_range ready)
{
    const sys_task *of = &x->s->tasks[task];
    if (!x->tasks[task].on_core || from == JOB_RELEASE || of->steps[from / 2].kind == SYS_WAIT)
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
    const sys_task *of = &x->s->tasks[task];
    int64_t to_latest, to_own, own;
    from = settle(of, from);
    to = settle(of, to);
    if (from >= to)
        return 0;
    sys_range ready = {.min_ns = earliest(x, task, from)};
    latest(x, task, from, &ready.max_ns, &own);
    latest(x, task, to, &to_latest, &to_own);
    int64_t most = min_i64(less(to_latest, ready.min_ns), less(to_own, ready.min_ns - x->tasks[task].release_min));
    return min_i64(most, most_on_core(x, task, from, to, ready));
}

static int64_t negated(int64_t most)
{
    return most == SYS_UNBOUNDED ? SYS_NO_LEAST : -most;
}

/* The same job of one task. */
static sys_range in_one_job(limit_work *w, const job_place *a, const job_place *b)
{
    sys_range r;
    r.max_ns = a->from <= b->to ? job_most(w, a->task, a->from, b->to) : -job_least(w, a->task, b->to, a->from);
    r.min_ns = a->to <= b->from ? job_least(w, a->task, a->to, b->from) : negated(job_most(w, a->task, b->from, a->to));
    return r;
}

/* A place in a job, seen from the trigger of its task, or of one that triggers it by others. */
typedef struct climber {
    job_place at;
    sys_range after; /* what comes later than `at` */
    int below;       /* the task that `at` triggers; SYS_NONE: it has not climbed */
    bool held;       /* each task that it came from is waited for by the one that triggers it */
} climber;

static void climb(limit_work *w, climber *c)
{
    const sys_task *of = &w->x->s->tasks[c->at.task];
    c->after.min_ns = sum_of(c->after.min_ns, job_least(w, c->at.task, JOB_RELEASE, c->at.from));
    c->after.max_ns = sum_of(c->after.max_ns, job_most(w, c->at.task, JOB_RELEASE, c->at.to));
    c->below = c->at.task;
    c->held &= of->waiter == of->trigger;
    int64_t trigger = end_of_step(of->trigger_step);
    c->at = (job_place){of->trigger, trigger, trigger};
}

static size_t depth_of(const sys_system *s, int task)
{
    size_t depth = 0;
    for (; s->tasks[task].trigger != SYS_NONE; task = s->tasks[task].trigger)
        depth++;
    return depth;
}

/* The step at which a task waits for one that it triggers. */
static size_t wait_for(const sys_task *of, int other)
{
    size_t i = 0;
    while (of->steps[i].kind != SYS_WAIT || of->steps[i].task != other)
        i++;
    return i;
}

/* What comes after a wait is later than all that was waited for. */
static int64_t least_after_wait(limit_work *w, const climber *a, const climber *b)
{
    if (a->below == SYS_NONE || !a->held)
        return SYS_NO_LEAST;
    int64_t over = end_of_step(wait_for(&w->x->s->tasks[a->at.task], a->below));
    return b->at.from < over ? SYS_NO_LEAST : sum_of(job_least(w, a->at.task, over, b->at.from), b->after.min_ns);
}

sys_range job_difference(limit_work *w, const job_place *from, const job_place *to)
{
    const sys_system *s = w->x->s;
    sys_range whole_from = job_place_times(w, from), whole_to = job_place_times(w, to);
    climber a = {.at = *from, .below = SYS_NONE, .held = true}, b = {.at = *to, .below = SYS_NONE, .held = true};
    size_t depth_a = depth_of(s, from->task), depth_b = depth_of(s, to->task);
    while (a.at.task != b.at.task) {
        size_t deepest = max_size(depth_a, depth_b);
        if (depth_a == deepest) {
            climb(w, &a);
            depth_a--;
        }
        if (depth_b == deepest) {
            climb(w, &b);
            depth_b--;
        }
    }
    sys_range r = in_one_job(w, &a.at, &b.at);
    if (r.min_ns != SYS_NO_LEAST)
        r.min_ns = a.after.max_ns == SYS_UNBOUNDED ? SYS_NO_LEAST : r.min_ns + b.after.min_ns - a.after.max_ns;
    r.min_ns = max_i64(r.min_ns, least_after_wait(w, &a, &b));
    r.max_ns = r.max_ns == SYS_UNBOUNDED ? r.max_ns : less(sum_of(r.max_ns, b.after.max_ns), a.after.min_ns);
    if (whole_from.max_ns != SYS_UNBOUNDED)
        r.min_ns = max_i64(r.min_ns, whole_to.min_ns - whole_from.max_ns);
    r.max_ns = min_i64(r.max_ns, less(whole_to.max_ns, whole_from.min_ns));
    return r;
}
