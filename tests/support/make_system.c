#include "support/make_system.h"

#include <stdio.h>

#include "base/vec.h"
#include "support/builders.h"
#include "support/support.h"

typedef VEC(sys_step) step_list;

struct make_system {
    sys_system *s; /* the first thing in its own arena */
    arena memory;
    int kind_count;
    VEC(sys_core) cores;
    VEC(sys_task) tasks;
    VEC(sys_place) places;
    VEC(step_list) steps; /* by task */
    VEC(sys_chain) chains;
    VEC(sys_limit) limits;
};

static void *keep(make_system *m, const void *data, size_t size)
{
    void *copy = data && size ? arena_copy(&m->memory, data, size) : arena_alloc(&m->memory, size ? size : 1);
    assert_non_null(copy);
    return copy;
}

static const char *keep_text(make_system *m, const char *text)
{
    const char *copy = arena_strdup(&m->memory, text);
    assert_non_null(copy);
    return copy;
}

make_system *make_system_new(const gcast_gpu *gpu)
{
    make_system *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->s = keep(m, NULL, sizeof *m->s);
    m->s->name = "made";
    m->s->source = "";
    m->s->gpu = gpu;
    m->s->gpu_name = gpu ? "gpu" : "";
    m->kind_count = 1;
    return m;
}

void make_slices(make_system *m, int64_t slice_ns, int64_t switch_ns)
{
    m->s->sharing = SYS_SLICES;
    m->s->slice_ns = slice_ns;
    m->s->switch_ns = switch_ns;
}

int add_core_of_kind(make_system *m, const char *name, int kind)
{
    sys_core core = {keep_text(m, name), kind};
    assert_true(kind >= 0 && kind < MAKE_KINDS);
    assert_true(vec_push(&m->cores, core));
    if (kind >= m->kind_count)
        m->kind_count = kind + 1;
    return (int)m->cores.count - 1;
}

int add_core(make_system *m, const char *name)
{
    return add_core_of_kind(m, name, 0);
}

static int add_task(make_system *m, const char *name, int core, int64_t priority, sys_arrival arrival,
                    int64_t period_ns)
{
    int index = (int)m->tasks.count;
    sys_task task = {.name = keep_text(m, name),
                     .arrival = arrival,
                     .period_ns = period_ns,
                     .trigger = SYS_NONE,
                     .root = index,
                     .waiter = SYS_NONE,
                     .deadline_name = ""};
    sys_place place = {.core = core, .priority = priority};
    step_list none = {0};
    assert_true(vec_push(&m->tasks, task) && vec_push(&m->places, place) && vec_push(&m->steps, none));
    return index;
}

int add_periodic(make_system *m, const char *name, int core, int64_t priority, int64_t period_ns)
{
    return add_task(m, name, core, priority, SYS_PERIODIC, period_ns);
}

int add_sporadic(make_system *m, const char *name, int core, int64_t priority, int64_t distance_ns)
{
    return add_task(m, name, core, priority, SYS_SPORADIC, distance_ns);
}

int add_triggered(make_system *m, const char *name, int core, int64_t priority)
{
    return add_task(m, name, core, priority, SYS_TRIGGERED, 0);
}

static size_t add_step(make_system *m, int task, sys_step step)
{
    step_list *list = &m->steps.at[task];
    assert_true(vec_push(list, step));
    return list->count - 1;
}

/* A RUN step with the same time on each kind of core. */
static sys_step run_step(make_system *m, const char *name, sys_range range)
{
    sys_range on[MAKE_KINDS], none = {0, 0};
    sys_range access[MAKE_KINDS];
    for (int i = 0; i < MAKE_KINDS; i++) {
        on[i] = range;
        access[i] = none;
    }
    return (sys_step){.kind = SYS_RUN,
                      .name = name,
                      .on = keep(m, on, sizeof on),
                      .access = keep(m, access, sizeof access),
                      .task = SYS_NONE};
}

size_t add_run(make_system *m, int task, int64_t min_ns, int64_t max_ns)
{
    return add_step(m, task, run_step(m, "code", (sys_range){min_ns, max_ns}));
}

size_t add_trigger(make_system *m, int task, int other)
{
    sys_step step = {.kind = SYS_TRIGGER, .name = m->tasks.at[other].name, .task = other};
    size_t index = add_step(m, task, step);
    m->tasks.at[other].trigger = task;
    m->tasks.at[other].trigger_step = index;
    return index;
}

size_t add_wait(make_system *m, int task, int other)
{
    m->tasks.at[other].waiter = task;
    return add_step(m, task, (sys_step){.kind = SYS_WAIT, .name = m->tasks.at[other].name, .task = other});
}

/* How long an operation takes on an idle GPU, from its start. */
static int64_t alone_ns(const gcast_gpu *gpu, const gcast_op *op, gcast_durations durations)
{
    gcast_error err;
    gcast_workload *w = support_workload("alone", &err);
    gcast_op own = *op;
    gcast_run *run = NULL;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.durations = durations;
    assert_non_null(w);
    own.stream = support_get_stream(w, 1, &err);
    assert_ok(gcast_workload_add_op(w, &own, NULL, &err), &err);
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    int64_t ns = run->ops[0].end_ns - run->ops[0].start_ns;
    gcast_run_free(run);
    gcast_workload_free(w);
    return ns;
}

static size_t add_on_gpu(make_system *m, int task, const char *name, gcast_op op)
{
    sys_step step = run_step(m, name, (sys_range){SYS_NEVER, SYS_NEVER});
    step.on_gpu = true;
    op.label = name;
    step.op = op;
    step.alone = (sys_range){op.min_ns, op.max_ns};
    if (m->s->gpu) {
        step.alone.min_ns = alone_ns(m->s->gpu, &op, GCAST_DURATIONS_MIN);
        step.alone.max_ns = alone_ns(m->s->gpu, &op, GCAST_DURATIONS_MAX);
    }
    return add_step(m, task, step);
}

size_t add_copy(make_system *m, int task, gcast_direction direction, int64_t min_ns, int64_t max_ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.direction = direction;
    op.bytes = 1;
    op.min_ns = min_ns;
    op.max_ns = max_ns;
    return add_on_gpu(m, task, "copy", op);
}

size_t add_kernel(make_system *m, int task, uint32_t blocks, uint32_t threads, int64_t min_ns, int64_t max_ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.grid[0] = blocks;
    op.block[0] = threads;
    op.min_ns = min_ns;
    op.max_ns = max_ns;
    return add_on_gpu(m, task, "kernel", op);
}

int add_chain(make_system *m, const char *name, const int *tasks, size_t count)
{
    sys_chain chain = {.name = keep_text(m, name), .tasks = keep(m, tasks, count * sizeof *tasks), .task_count = count};
    assert_true(vec_push(&m->chains, chain));
    return (int)m->chains.count - 1;
}

static sys_limit *new_limit(make_system *m, const char *name, sys_limit_kind kind, int64_t min_ns, int64_t max_ns)
{
    sys_limit l = {.name = keep_text(m, name), .kind = kind, .min_ns = min_ns, .max_ns = max_ns, .on = "on"};
    assert_true(vec_push(&m->limits, l));
    return &m->limits.at[m->limits.count - 1];
}

int add_response_limit(make_system *m, const char *name, int task, int64_t min_ns)
{
    new_limit(m, name, SYS_LIMIT_RESPONSE, min_ns, SYS_NO_LIMIT)->task = task;
    return (int)m->limits.count - 1;
}

int add_span_limit(make_system *m, const char *name, const sys_span *spans, size_t count, int64_t min_ns,
                   int64_t max_ns)
{
    sys_limit *l = new_limit(m, name, SYS_LIMIT_RUNNABLE, min_ns, max_ns);
    l->spans = keep(m, spans, count * sizeof *spans);
    l->span_count = count;
    return (int)m->limits.count - 1;
}

static sys_event keep_event(make_system *m, sys_event e)
{
    e.points = keep(m, e.points, e.point_count * sizeof *e.points);
    return e;
}

int add_delay_limit(make_system *m, const char *name, sys_event source, sys_event target, int64_t min_ns,
                    int64_t max_ns)
{
    sys_limit *l = new_limit(m, name, SYS_LIMIT_DELAY, min_ns, max_ns);
    l->source = keep_event(m, source);
    l->target = keep_event(m, target);
    return (int)m->limits.count - 1;
}

sys_limit *made_limit(make_system *m, int limit)
{
    return &m->limits.at[limit];
}

sys_task *made_task(make_system *m, int task)
{
    return &m->tasks.at[task];
}

sys_place *made_place(make_system *m, int task)
{
    return &m->places.at[task];
}

sys_step *made_step(make_system *m, int task, size_t step)
{
    return &m->steps.at[task].at[step];
}

sys_range *made_on(make_system *m, int task, size_t step)
{
    return (sys_range *)(uintptr_t)made_step(m, task, step)->on;
}

sys_range *made_access(make_system *m, int task, size_t step)
{
    return (sys_range *)(uintptr_t)made_step(m, task, step)->access;
}

/* Roots of triggered tasks, and their periods. */
static void find_roots(make_system *m)
{
    for (size_t i = 0; i < m->tasks.count; i++) {
        int root = (int)i;
        for (size_t hops = 0; hops < m->tasks.count && m->tasks.at[root].trigger != SYS_NONE; hops++)
            root = m->tasks.at[root].trigger;
        m->tasks.at[i].root = root;
        m->tasks.at[i].period_ns = m->tasks.at[root].period_ns;
    }
}

static void find_choices(make_system *m)
{
    sys_system *s = m->s;
    sys_choice *choices = keep(m, NULL, m->tasks.count * sizeof *choices);
    for (size_t i = 0; i < m->tasks.count; i++) {
        int *cores = keep(m, NULL, (m->cores.count + 1) * sizeof *cores);
        for (int c = SYS_GPU; c < (int)m->cores.count; c++)
            if (system_can_run(s, &s->tasks[i], c) && (c != SYS_GPU || s->tasks[i].arrival == SYS_TRIGGERED))
                cores[choices[i].core_count++] = c;
        choices[i].cores = cores;
        choices[i].may_busy = choices[i].may_suspend = true;
    }
    s->choices = choices;
}

sys_system *make_system_unchecked(make_system *m)
{
    sys_system *s = m->s;
    const char **kinds = keep(m, NULL, MAKE_KINDS * sizeof *kinds);
    for (int i = 0; i < MAKE_KINDS; i++) {
        char name[16];
        snprintf(name, sizeof name, "kind%d", i);
        kinds[i] = keep_text(m, name);
    }
    find_roots(m);
    for (size_t i = 0; i < m->tasks.count; i++) {
        m->tasks.at[i].steps = keep(m, m->steps.at[i].at, m->steps.at[i].count * sizeof(sys_step));
        m->tasks.at[i].step_count = m->steps.at[i].count;
        vec_free(&m->steps.at[i]);
    }
    s->kinds = kinds;
    s->kind_count = (size_t)m->kind_count;
    s->cores = keep(m, m->cores.at, m->cores.count * sizeof *m->cores.at);
    s->core_count = m->cores.count;
    s->tasks = keep(m, m->tasks.at, m->tasks.count * sizeof *m->tasks.at);
    s->task_count = m->tasks.count;
    s->places = keep(m, m->places.at, m->places.count * sizeof *m->places.at);
    s->chains = keep(m, m->chains.at, m->chains.count * sizeof *m->chains.at);
    s->chain_count = m->chains.count;
    s->limits = keep(m, m->limits.at, m->limits.count * sizeof *m->limits.at);
    s->limit_count = m->limits.count;
    find_choices(m);
    s->memory = m->memory;
    vec_free(&m->cores);
    vec_free(&m->tasks);
    vec_free(&m->places);
    vec_free(&m->steps);
    vec_free(&m->chains);
    vec_free(&m->limits);
    free(m);
    return s;
}

sys_system *make_system_done(make_system *m)
{
    gcast_error err;
    sys_system *s = make_system_unchecked(m);
    assert_ok(system_check(s, &err), &err);
    return s;
}
