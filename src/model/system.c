#include "model/system.h"

#include "base/integers.h"
#include "base/units.h"
#include "model/gpu.h"

/* The index of a place in sys_affinity.cores. */
static size_t core_index(const sys_system *s, const sys_place *place)
{
    return place->core == SYS_GPU ? s->core_count : (size_t)place->core;
}

static bool counts(const sys_system *s, const sys_affinity *a, const sys_place *place)
{
    return !a->cores || a->cores[core_index(s, place)];
}

bool system_affinity_holds(const sys_system *s, const sys_affinity *a, const sys_place *places)
{
    for (size_t i = 0; i < a->task_count; i++) {
        const sys_place *place = &places[a->tasks[i]];
        if (a->together && (place->core != places[a->tasks[0]].core || !counts(s, a, place)))
            return false;
        for (size_t k = 0; !a->together && k < i; k++)
            if (a->groups[i] != a->groups[k] && place->core == places[a->tasks[k]].core && counts(s, a, place))
                return false;
    }
    return true;
}

size_t system_broken(const sys_system *s, const sys_place *places)
{
    size_t count = 0;
    for (size_t i = 0; i < s->affinity_count; i++)
        count += !system_affinity_holds(s, &s->affinities[i], places);
    return count;
}

/* No time of a system is longer than a day. */

static gcast_status bad(const sys_task *t, const char *what, gcast_error *err)
{
    return gcast_error_set(err, GCAST_INPUT, NULL, "task %s: %s", t->name, what);
}

static bool range_ok(sys_range r)
{
    return r.min_ns >= 0 && r.max_ns >= r.min_ns && r.max_ns <= DAY_NS;
}

sys_range system_step_time(const sys_system *s, const sys_step *step, int core)
{
    sys_range never = {SYS_NEVER, SYS_NEVER};
    if (core == SYS_GPU)
        return step->on_gpu ? step->alone : never;
    return step->on[s->cores[core].kind];
}

bool system_can_run(const sys_system *s, const sys_task *t, int core)
{
    if (core == SYS_GPU && !s->gpu)
        return false;
    for (size_t i = 0; i < t->step_count; i++)
        if (t->steps[i].kind == SYS_RUN && system_step_time(s, &t->steps[i], core).min_ns == SYS_NEVER)
            return false;
    return true;
}

size_t system_unchecked(const sys_system *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->finding_count; i++)
        count += s->findings[i].effects & SYS_UNCHECKED ? s->findings[i].count : 0;
    return count;
}

bool system_runs_once(const sys_system *s, int task)
{
    return s->tasks[s->tasks[task].root].once;
}

bool system_always_starts(const sys_system *s, int task)
{
    for (int i = task; s->tasks[i].arrival == SYS_TRIGGERED; i = s->tasks[i].trigger)
        if (s->tasks[s->tasks[i].trigger].steps[s->tasks[i].trigger_step].maybe)
            return false;
    return true;
}

static gcast_status check_run(const sys_system *s, const sys_task *t, const sys_step *step, gcast_error *err)
{
    for (size_t k = 0; k < s->kind_count; k++)
        if (step->on[k].min_ns != SYS_NEVER &&
            (!range_ok(step->on[k]) || !range_ok(step->access[k]) || step->access[k].min_ns > step->on[k].min_ns ||
             step->access[k].max_ns > step->on[k].max_ns))
            return bad(t, "the time of a step is out of range", err);
    if (!step->on_gpu)
        return GCAST_OK;
    if (step->op.kind != GCAST_KIND_KERNEL && step->op.kind != GCAST_KIND_COPY)
        return bad(t, "a step on the GPU is a copy or a kernel", err);
    sys_range own = {step->op.min_ns, step->op.max_ns};
    return range_ok(own) && range_ok(step->alone) ? GCAST_OK
                                                  : bad(t, "the time of a step on the GPU is out of range", err);
}

/* A wait is for a task that an earlier step of the same task triggers, and each is waited for once. */
static gcast_status check_wait(const sys_system *s, size_t task, size_t step, gcast_error *err)
{
    const sys_task *t = &s->tasks[task];
    int other = t->steps[step].task;
    bool triggered = false;
    for (size_t i = 0; i < step; i++) {
        if (t->steps[i].kind == SYS_WAIT && t->steps[i].task == other)
            return bad(t, "it waits twice for one task", err);
        triggered |= t->steps[i].kind == SYS_TRIGGER && t->steps[i].task == other;
    }
    if (!triggered || s->tasks[other].waiter != (int)task)
        return bad(t, "it waits for a task that it has not triggered", err);
    return GCAST_OK;
}

static gcast_status check_steps(const sys_system *s, size_t task, gcast_error *err)
{
    const sys_task *t = &s->tasks[task];
    gcast_status status = t->step_count ? GCAST_OK : bad(t, "it has no steps", err);
    for (size_t i = 0; status == GCAST_OK && i < t->step_count; i++) {
        const sys_step *step = &t->steps[i];
        if (step->kind == SYS_RUN) {
            status = check_run(s, t, step, err);
            continue;
        }
        if (step->task < 0 || (size_t)step->task >= s->task_count)
            return bad(t, "it triggers or waits for a task that is not there", err);
        const sys_task *other = &s->tasks[step->task];
        if (step->kind == SYS_TRIGGER && (other->trigger != (int)task || other->trigger_step != i))
            return bad(t, "it triggers a task that another step triggers", err);
        if (step->maybe && (other->waiter != SYS_NONE || !s->loose))
            return bad(t, "it waits for a task that it need not trigger", err);
        if (step->kind == SYS_WAIT)
            status = check_wait(s, task, i, err);
    }
    return status;
}

/* Triggers lead from a task that is not triggered to this one. */
static gcast_status check_root(const sys_system *s, size_t task, gcast_error *err)
{
    const sys_task *t = &s->tasks[task];
    int root = (int)task;
    for (size_t hops = 0; s->tasks[root].arrival == SYS_TRIGGERED; hops++) {
        int from = s->tasks[root].trigger;
        if (from < 0 || (size_t)from >= s->task_count)
            return bad(t, "nothing triggers it", err);
        const sys_task *source = &s->tasks[from];
        if (s->tasks[root].trigger_step >= source->step_count ||
            source->steps[s->tasks[root].trigger_step].kind != SYS_TRIGGER ||
            source->steps[s->tasks[root].trigger_step].task != root)
            return bad(t, "nothing triggers it", err);
        if (hops == s->task_count)
            return bad(t, "tasks trigger each other in a circle", err);
        root = from;
    }
    if (t->root != root || t->period_ns != s->tasks[root].period_ns)
        return bad(t, "its root or its period is wrong", err);
    return GCAST_OK;
}

static gcast_status check_task(const sys_system *s, size_t task, gcast_error *err)
{
    const sys_task *t = &s->tasks[task];
    if (t->period_ns < 1 || t->period_ns > DAY_NS)
        return bad(t, "its period is out of range", err);
    if (t->offset_ns < 0 || t->offset_ns > DAY_NS || t->jitter_ns < 0 || t->jitter_ns > DAY_NS)
        return bad(t, "its offset or its jitter is out of range", err);
    if (t->deadline_ns < 0 || t->deadline_ns > DAY_NS)
        return bad(t, "its deadline is out of range", err);
    gcast_status status = check_root(s, task, err);
    if (status == GCAST_OK)
        status = check_steps(s, task, err);
    return status;
}

gcast_status system_check_places(const sys_system *s, const sys_place *places, gcast_error *err)
{
    for (size_t i = 0; i < s->task_count; i++) {
        int core = places[i].core;
        if (core != SYS_GPU && (core < 0 || (size_t)core >= s->core_count))
            return bad(&s->tasks[i], "its core is not there", err);
        if (!system_can_run(s, &s->tasks[i], core))
            return bad(&s->tasks[i],
                       core == SYS_GPU ? "it cannot run on the GPU" : "it cannot run on cores of this kind", err);
        if (core != SYS_GPU)
            continue;
        if (s->tasks[i].arrival != SYS_TRIGGERED)
            return bad(&s->tasks[i], "a task on the GPU is triggered by one on a core", err);
        for (size_t k = 0; k < s->tasks[i].step_count; k++)
            if (s->tasks[i].steps[k].kind != SYS_RUN)
                return bad(&s->tasks[i], "a task on the GPU cannot trigger others or wait for them", err);
    }
    return GCAST_OK;
}

static bool event_ok(const sys_system *s, const sys_event *e)
{
    if (e->task < 0 || (size_t)e->task >= s->task_count || !e->point_count)
        return false;
    for (size_t i = 0; i < e->point_count; i++)
        if (e->points[i].step >= s->tasks[e->task].step_count)
            return false;
    return true;
}

static bool limit_ok(const sys_system *s, const sys_limit *l)
{
    if (l->min_ns < SYS_NO_LIMIT || l->max_ns < SYS_NO_LIMIT || l->min_ns > DAY_NS || l->max_ns > DAY_NS)
        return false;
    if (l->kind == SYS_LIMIT_RESPONSE)
        return l->task >= 0 && (size_t)l->task < s->task_count;
    if (l->kind == SYS_LIMIT_DELAY)
        return event_ok(s, &l->source) && event_ok(s, &l->target);
    for (size_t i = 0; i < l->span_count; i++) {
        const sys_span *span = &l->spans[i];
        if (span->task < 0 || (size_t)span->task >= s->task_count || span->first > span->end ||
            span->end > s->tasks[span->task].step_count)
            return false;
    }
    return l->span_count > 0;
}

gcast_status system_check(const sys_system *s, gcast_error *err)
{
    for (size_t i = 0; i < s->core_count; i++)
        if (s->cores[i].kind < 0 || (size_t)s->cores[i].kind >= s->kind_count)
            return gcast_error_set(err, GCAST_INPUT, NULL, "core %s is of no kind", s->cores[i].name);
    for (size_t i = 0; i < s->task_count; i++) {
        gcast_status status = check_task(s, i, err);
        if (status != GCAST_OK)
            return status;
    }
    for (size_t i = 0; i < s->chain_count; i++)
        for (size_t k = 0; k < s->chains[i].task_count; k++)
            if (s->chains[i].tasks[k] < 0 || (size_t)s->chains[i].tasks[k] >= s->task_count)
                return gcast_error_set(err, GCAST_INPUT, NULL, "chain %s has a task that is not there",
                                       s->chains[i].name);
    for (size_t i = 0; i < s->limit_count; i++)
        if (!limit_ok(s, &s->limits[i]))
            return gcast_error_set(err, GCAST_INPUT, NULL, "limit %s is out of range, or on what is not there",
                                   s->limits[i].name);
    return system_check_places(s, s->places, err);
}

void system_free(sys_system *s)
{
    if (!s)
        return;
    arena memory = s->memory; /* the system lives in it */
    arena_free(&memory);
}

/* CUDA's priority of the stream of a task: lower numbers come first, and 0 is the lowest priority. */
static int stream_priority(const sys_system *s, int64_t priority)
{
    int64_t levels_above_lowest = -(int64_t)highest_priority(s->gpu);
    return priority < 0 ? 0 : (int)-min_i64(priority, levels_above_lowest);
}

static gcast_op op_of(const sys_step *step, int stream)
{
    gcast_op op = step->op;
    op.label = step->name;
    op.stream = stream;
    op.host = GCAST_NO_HOST;
    op.host_waits = false;
    op.release_ns = op.delay_ns = 0;
    op.skip_ns = GCAST_NEVER;
    op.after = NULL;
    op.after_count = 0;
    op.min_ns = max_i64(op.min_ns, 1); /* nothing on the GPU takes no time */
    op.max_ns = max_i64(op.max_ns, 1);
    return op;
}

gcast_status system_add_gpu_task(const sys_system *s, const sys_place *place, const sys_task *of,
                                 const gcast_task *when, int number, gcast_workload *w, gcast_error *err)
{
    gcast_stream stream = {.id = number + 1, .priority = stream_priority(s, place->priority)};
    gcast_task own = *when;
    own.name = of->name;
    gcast_status status = gcast_workload_add_stream(w, &stream, &own.stream, err);
    if (status == GCAST_OK)
        status = gcast_workload_add_task(w, &own, NULL, err);
    for (size_t i = 0; i < of->step_count && status == GCAST_OK; i++) {
        gcast_op op = op_of(&of->steps[i], own.stream);
        status = gcast_workload_add_op(w, &op, NULL, err);
    }
    return status;
}
