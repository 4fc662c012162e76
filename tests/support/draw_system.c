#include "support/draw_system.h"

#include <stdio.h>

#include "base/integers.h"
#include "support/make_system.h"

#define MOST_TASKS 12

typedef struct drawing {
    make_system *m;
    support_random *r;
    const draw_options *options;
    int cores, tasks;
    int64_t load; /* of the system, in 1000 */
    bool any_kind, jitter, offsets, sporadic;
} drawing;

static bool one_in(drawing *d, int64_t n)
{
    return support_between(d->r, 1, n) == 1;
}

/* Code of so much at most, one to some steps. */
static void add_code(drawing *d, int task, int64_t most)
{
    do {
        int64_t part = one_in(d, 3) ? support_between(d->r, 0, most) : most;
        int64_t least = one_in(d, 3) ? part : one_in(d, 2) ? support_between(d->r, 0, part) : part * 3 / 4;
        add_run(d->m, task, least, part);
        most -= part;
    } while (most > 0);
}

static void set_kind(drawing *d, int task)
{
    sys_task *t = made_task(d->m, task);
    if (d->any_kind && one_in(d, 3))
        t->preemption = one_in(d, 2) ? SYS_COOPERATIVE : SYS_NON_PREEMPTIVE;
    t->isr = d->any_kind && one_in(d, 8);
    made_place(d->m, task)->busy = one_in(d, 2);
}

static int64_t share(drawing *d, int64_t period, int64_t parts)
{
    return max_i64(0, support_between(d->r, 0, 2 * period * d->load / 1000 / parts));
}

static int add_gpu_task(drawing *d, int64_t period)
{
    int task = add_triggered(d->m, "gpu", SYS_GPU, support_between(d->r, 0, 1));
    int kernels = (int)support_between(d->r, 1, 2);
    d->tasks++;
    if (one_in(d, 2))
        add_copy(d->m, task, GCAST_H2D, 1, 1 + share(d, period, 40));
    for (int i = 0; i < kernels; i++) {
        int64_t most = 1 + share(d, period, 10);
        add_kernel(d->m, task, (uint32_t)support_between(d->r, 1, 4), 256u << support_between(d->r, 0, 2),
                   one_in(d, 2) ? most : support_between(d->r, 1, most), most);
    }
    if (one_in(d, 2))
        add_copy(d->m, task, GCAST_D2H, 1, 1 + share(d, period, 40));
    if (one_in(d, 2))
        made_task(d->m, task)->slice_ns = support_between(d->r, 1, 10);
    return task;
}

static void add_body(drawing *d, int task, int64_t period, int64_t parts, int depth);

static int64_t any_priority(drawing *d)
{
    return support_between(d->r, 1, d->options->priorities ? d->options->priorities : 9);
}

static int add_other(drawing *d, int64_t period, int64_t parts, int depth)
{
    if (d->options->gpu && !one_in(d, 3))
        return add_gpu_task(d, period);
    int64_t priority = any_priority(d);
    int task = add_triggered(d->m, "triggered", (int)support_between(d->r, 0, d->cores - 1), priority);
    d->tasks++;
    set_kind(d, task);
    add_body(d, task, period, parts, depth + 1);
    return task;
}

/* The steps of a task, and the tasks that it triggers. */
static void add_body(drawing *d, int task, int64_t period, int64_t parts, int depth)
{
    int64_t others = d->options->plain || depth > 2 ? 0 : support_between(d->r, 0, 3) / 2;
    if (d->tasks >= MOST_TASKS)
        others = 0;
    for (int64_t k = 0; k < others && d->tasks < MOST_TASKS; k++) {
        int other = add_other(d, period, parts + 1, depth);
        if (!one_in(d, 4))
            add_code(d, task, share(d, period, 2 * parts));
        add_trigger(d->m, task, other);
        if (one_in(d, 3))
            add_code(d, task, share(d, period, 4 * parts));
        if (!one_in(d, 4))
            add_wait(d->m, task, other);
    }
    if (!others || !one_in(d, 4))
        add_code(d, task, share(d, period, parts * (others ? 2 : 1)));
}

static void add_root(drawing *d, int64_t parts)
{
    static const int64_t periods[] = {20, 30, 40, 60, 60, 120};
    int64_t period = periods[support_between(d->r, 0, 5)];
    int core = (int)support_between(d->r, 0, d->cores - 1);
    int64_t priority = d->options->priorities || one_in(d, 4) ? any_priority(d) : 1 + 120 / period;
    int task = d->sporadic && one_in(d, 3) ? add_sporadic(d->m, "sporadic", core, priority, period)
                                           : add_periodic(d->m, "periodic", core, priority, period);
    d->tasks++;
    set_kind(d, task);
    if (d->offsets)
        made_task(d->m, task)->offset_ns = support_between(d->r, 0, period);
    if (d->jitter && one_in(d, 2))
        made_task(d->m, task)->jitter_ns = support_between(d->r, 0, one_in(d, 4) ? period + period / 2 : period / 4);
    add_body(d, task, period, parts, 0);
}

static void add_chains(drawing *d)
{
    for (int64_t k = support_between(d->r, 1, 3); k > 0; k--) {
        int tasks[4];
        size_t count = (size_t)support_between(d->r, 1, 4);
        for (size_t i = 0; i < count; i++)
            tasks[i] = (int)support_between(d->r, 0, d->tasks - 1);
        add_chain(d->m, "chain", tasks, count);
    }
}

sys_system *draw_system(uint64_t seed, const draw_options *options)
{
    support_random r = {seed * 0x9e3779b97f4a7c15u + 77};
    drawing d = {.m = make_system_new(options->gpu), .r = &r, .options = options};
    support_next(&r);
    d.cores = (int)support_between(&r, 1, 3);
    d.load = support_between(&r, 100, 700);
    d.any_kind = !options->plain && one_in(&d, 3);
    d.jitter = one_in(&d, 2);
    d.offsets = one_in(&d, 2);
    d.sporadic = one_in(&d, 3);
    if (options->gpu && one_in(&d, 2))
        make_slices(d.m, one_in(&d, 3) ? 0 : support_between(&r, 1, 10), support_between(&r, 0, 2));
    for (int c = 0; c < d.cores; c++)
        add_core(d.m, "core");
    int64_t roots = support_between(&r, 1, 2 * d.cores);
    for (int64_t k = 0; k < roots && d.tasks < MOST_TASKS; k++)
        add_root(&d, max_i64(1, roots / d.cores));
    if (options->chains)
        add_chains(&d);
    return make_system_done(d.m);
}

static sys_range *kept(const sys_step *step, size_t kinds)
{
    return (sys_range *)(uintptr_t)&step->access[kinds]; /* entries that no kind uses */
}

static sys_range chosen(draw_how how, sys_range of)
{
    if (how == DRAW_LEAST)
        of.max_ns = of.min_ns;
    else if (how == DRAW_MOST)
        of.min_ns = of.max_ns;
    return of;
}

void draw_hows(support_random *r, draw_how *hows)
{
    int64_t same = support_between(r, 0, 6);
    for (size_t i = 0; i < DRAW_STEPS; i++)
        hows[i] = same < DRAW_HOWS ? (draw_how)same : (draw_how)support_between(r, 0, DRAW_HOWS - 1);
}

void draw_durations(sys_system *s, const draw_how *hows)
{
    for (size_t i = 0; i < s->task_count; i++)
        for (size_t k = 0; k < s->tasks[i].step_count; k++) {
            sys_step *step = (sys_step *)(uintptr_t)&s->tasks[i].steps[k];
            draw_how how = *hows++;
            if (step->kind != SYS_RUN)
                continue;
            sys_range *on = (sys_range *)(uintptr_t)step->on, *keep = kept(step, s->kind_count);
            keep[0] = on[0];
            keep[1] = (sys_range){step->op.min_ns, step->op.max_ns};
            keep[2] = step->alone;
            for (size_t kind = 0; kind < s->kind_count && on[0].min_ns != SYS_NEVER; kind++)
                on[kind] = chosen(how, keep[0]);
            if (!step->on_gpu)
                continue;
            sys_range op = chosen(how, keep[1]);
            step->op.min_ns = op.min_ns;
            step->op.max_ns = op.max_ns;
            step->alone = chosen(how, keep[2]);
        }
}

void draw_restore(sys_system *s)
{
    for (size_t i = 0; i < s->task_count; i++)
        for (size_t k = 0; k < s->tasks[i].step_count; k++) {
            sys_step *step = (sys_step *)(uintptr_t)&s->tasks[i].steps[k];
            if (step->kind != SYS_RUN)
                continue;
            sys_range *on = (sys_range *)(uintptr_t)step->on, *keep = kept(step, s->kind_count);
            for (size_t kind = 0; kind < s->kind_count; kind++)
                on[kind] = keep[0];
            step->op.min_ns = keep[1].min_ns;
            step->op.max_ns = keep[1].max_ns;
            step->alone = keep[2];
        }
}

static void print_step(const sys_step *step)
{
    if (step->kind == SYS_TRIGGER)
        fprintf(stderr, " trigger(%d)", step->task);
    else if (step->kind == SYS_WAIT)
        fprintf(stderr, " wait(%d)", step->task);
    else if (step->on_gpu)
        fprintf(stderr, " %s[%lld..%lld alone %lld..%lld grid %u block %u]", step->name, (long long)step->op.min_ns,
                (long long)step->op.max_ns, (long long)step->alone.min_ns, (long long)step->alone.max_ns,
                step->op.grid[0], step->op.block[0]);
    else
        fprintf(stderr, " run[%lld..%lld]", (long long)step->on[0].min_ns, (long long)step->on[0].max_ns);
}

void draw_print(const sys_system *s)
{
    static const char *const arrivals[] = {"periodic", "sporadic", "triggered"};
    static const char *const kinds[] = {"preemptive", "cooperative", "non-preemptive"};
    if (s->sharing == SYS_SLICES)
        fprintf(stderr, "slices %lld switch %lld\n", (long long)s->slice_ns, (long long)s->switch_ns);
    for (size_t i = 0; i < s->task_count; i++) {
        const sys_task *t = &s->tasks[i];
        const sys_place *p = &s->places[i];
        fprintf(stderr, "%zu %s T %lld O %lld J %lld root %d core %d prio %lld %s%s %s slice %lld:", i,
                arrivals[t->arrival], (long long)t->period_ns, (long long)t->offset_ns, (long long)t->jitter_ns,
                t->root, p->core, (long long)p->priority, p->busy ? "busy " : "", t->isr ? "isr" : "",
                kinds[t->preemption], (long long)t->slice_ns);
        for (size_t k = 0; k < t->step_count; k++)
            print_step(&t->steps[k]);
        fprintf(stderr, "\n");
    }
    for (size_t i = 0; i < s->chain_count; i++) {
        fprintf(stderr, "chain");
        for (size_t k = 0; k < s->chains[i].task_count; k++)
            fprintf(stderr, " %d", s->chains[i].tasks[k]);
        fprintf(stderr, "\n");
    }
}
