#include "support/random_system.h"

#include "support/make_system.h"

typedef struct drawing {
    make_system *m;
    support_random *r;
    const random_system_options *options;
    int cores;
    int tasks;     /* so far */
    int gpu_tasks; /* so far */
} drawing;

static bool one_in(drawing *d, int64_t n)
{
    return support_between(d->r, 1, n) == 1;
}

static void add_code(drawing *d, int task)
{
    int64_t most = support_between(d->r, 0, 4 * d->options->unit_ns);
    add_run(d->m, task, support_between(d->r, 0, most), most);
}

static void set_kind(drawing *d, int task)
{
    sys_task *t = made_task(d->m, task);
    if (d->options->any_preemption && one_in(d, 3))
        t->preemption = one_in(d, 2) ? SYS_COOPERATIVE : SYS_NON_PREEMPTIVE;
    t->isr = one_in(d, 10);
    made_place(d->m, task)->busy = d->options->busy && one_in(d, 2);
}

static int add_on_core(drawing *d)
{
    int task =
        add_triggered(d->m, "triggered", (int)support_between(d->r, 0, d->cores - 1), support_between(d->r, 1, 3));
    d->tasks++;
    set_kind(d, task);
    return task;
}

static int add_on_gpu(drawing *d)
{
    int task = add_triggered(d->m, "gpu", SYS_GPU, 0);
    int64_t unit = d->options->unit_ns;
    d->tasks++;
    d->gpu_tasks++;
    if (d->options->one_kernel) {
        int64_t most = support_between(d->r, 1, 4 * unit);
        add_kernel(d->m, task, 1, 1024, support_between(d->r, 1, most), most);
        return task;
    }
    for (int i = 0; i < 3; i++) {
        int64_t most = support_between(d->r, 1, 2 * unit), least = support_between(d->r, 1, most);
        if (i == 1)
            add_kernel(d->m, task, (uint32_t)support_between(d->r, 1, 6), 32 << support_between(d->r, 0, 5), least,
                       most);
        else if (one_in(d, 2))
            add_copy(d->m, task, i ? GCAST_D2H : GCAST_H2D, least, most);
    }
    return task;
}

/* The steps of a task: code, and tasks that it triggers, some of which it waits for. Those that are triggered get
 * theirs in the same way. */
static void add_steps(drawing *d, int first)
{
    int list[64], count = 0;
    list[count++] = first;
    for (int i = 0; i < count; i++) {
        int task = list[i];
        bool one = false;
        for (int64_t k = support_between(d->r, 0, 2); k > 0 && count < 64 && d->tasks < 12; k--) {
            bool gpu = d->gpu_tasks < d->options->gpu_tasks && one_in(d, 2);
            int other = gpu ? add_on_gpu(d) : add_on_core(d);
            if (!gpu)
                list[count++] = other;
            if (!one_in(d, 3))
                add_code(d, task);
            add_trigger(d->m, task, other);
            if (one_in(d, 3))
                add_code(d, task);
            if (!one_in(d, 3))
                add_wait(d->m, task, other);
            one = true;
        }
        if (!one || !one_in(d, 3))
            add_code(d, task);
    }
}

sys_system *random_system(support_random *r, const random_system_options *options)
{
    drawing d = {.m = make_system_new(options->gpu), .r = r, .options = options};
    if (options->slices)
        make_slices(d.m, support_between(r, 0, 3 * options->unit_ns), support_between(r, 0, options->unit_ns));
    d.cores = (int)support_between(r, 1, 3);
    for (int c = 0; c < d.cores; c++)
        add_core(d.m, "core");
    for (int64_t k = support_between(r, 1, 4); k > 0; k--) {
        int core = (int)support_between(r, 0, d.cores - 1);
        int64_t priority = support_between(r, 1, 3), period = (12 << support_between(r, 0, 2)) * options->unit_ns;
        int task = one_in(&d, 4) ? add_sporadic(d.m, "sporadic", core, priority, period)
                                 : add_periodic(d.m, "periodic", core, priority, period);
        d.tasks++;
        set_kind(&d, task);
        if (one_in(&d, 2))
            made_task(d.m, task)->offset_ns = support_between(r, 0, period);
        if (one_in(&d, 3))
            made_task(d.m, task)->jitter_ns = support_between(r, 0, period + period / 2);
        add_steps(&d, task);
    }
    return make_system_done(d.m);
}
