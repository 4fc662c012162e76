#include "support/simple_responses.h"

#include <stdio.h>

#include "base/integers.h"
#include "support/make_system.h"

#define MS INT64_C(1000000)

/* What the tasks of a mapping need: of their core, of the GPU, and in waiting. */
static int64_t code_ns(const sys_system *s, const sys_place *places, size_t task)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->tasks[task].step_count; i++)
        if (s->tasks[task].steps[i].kind == SYS_RUN)
            sum += system_step_time(s, &s->tasks[task].steps[i], places[task].core).max_ns;
    return sum;
}

static bool goes_before(const sys_system *s, const sys_place *places, size_t a, size_t b)
{
    if (s->tasks[a].isr != s->tasks[b].isr)
        return s->tasks[a].isr;
    return places[a].priority >= places[b].priority;
}

/* From its release to its end without waits; unbounded where that is longer than its period. */
static int64_t response_ns(const sys_system *s, const sys_place *places, const int64_t *need_ns, size_t task)
{
    int64_t response = need_ns[task], limit = s->tasks[task].period_ns;
    for (;;) {
        int64_t next = need_ns[task];
        for (size_t i = 0; i < s->task_count && next <= limit; i++) {
            if (i == task || places[i].core != places[task].core)
                continue;
            if (need_ns[i] == SYS_UNBOUNDED)
                return SYS_UNBOUNDED;
            if (places[task].core == SYS_GPU)
                next += need_ns[i];
            else if (goes_before(s, places, i, task))
                next += (div_up(response, s->tasks[i].period_ns) + 1) * need_ns[i];
        }
        if (next > limit)
            return SYS_UNBOUNDED;
        if (next == response)
            return response;
        response = next;
    }
}

void simple_worst(const sys_system *s, const sys_place *places, int64_t *worst_ns)
{
    int64_t need_ns[64], own_ns[64];
    assert_true(s->task_count <= 64);
    for (size_t i = 0; i < s->task_count; i++)
        need_ns[i] = code_ns(s, places, i);
    for (size_t i = s->task_count; i-- > 0;) /* those that are triggered come after those that do */
        own_ns[i] = response_ns(s, places, need_ns, i);
    for (size_t i = s->task_count; i-- > 0;)
        for (size_t k = 0; k < s->tasks[i].step_count; k++) {
            const sys_step *step = &s->tasks[i].steps[k];
            if (step->kind != SYS_WAIT)
                continue;
            bool stuck = places[i].busy && places[i].core == places[step->task].core &&
                         goes_before(s, places, i, (size_t)step->task);
            if (stuck || own_ns[step->task] == SYS_UNBOUNDED || own_ns[i] == SYS_UNBOUNDED) {
                own_ns[i] = SYS_UNBOUNDED;
                continue;
            }
            if (places[i].busy && places[i].core != places[step->task].core)
                need_ns[i] += own_ns[step->task];
        }
    for (size_t i = 0; i < s->task_count; i++) /* again, with the time that others hold the core while they wait */
        if (own_ns[i] != SYS_UNBOUNDED)
            own_ns[i] = response_ns(s, places, need_ns, i);
    for (size_t i = 0; i < s->task_count; i++) {
        worst_ns[i] = own_ns[i];
        for (size_t k = 0; k < s->tasks[i].step_count && worst_ns[i] != SYS_UNBOUNDED; k++) {
            const sys_step *step = &s->tasks[i].steps[k];
            if (step->kind == SYS_WAIT)
                worst_ns[i] = own_ns[step->task] == SYS_UNBOUNDED ? SYS_UNBOUNDED : worst_ns[i] + own_ns[step->task];
        }
    }
    for (size_t i = 0; i < s->task_count; i++) {
        int from = s->tasks[i].trigger;
        if (from != SYS_NONE && worst_ns[i] != SYS_UNBOUNDED)
            worst_ns[i] = own_ns[from] == SYS_UNBOUNDED ? SYS_UNBOUNDED : worst_ns[i] + own_ns[from];
    }
}

gcast_status simple_evaluate(void *data, const sys_place *places, map_score *score, gcast_error *err)
{
    simple_responses *e = data;
    const sys_system *s = e->of;
    int64_t worst_ns[64];
    (void)err;
    e->calls++;
    simple_worst(s, places, worst_ns);
    map_tally t = map_tally_start(s, e->objective);
    for (size_t i = 0; i < s->task_count; i++)
        map_tally_task(&t, i, worst_ns[i], worst_ns[i]);
    for (size_t i = 0; i < s->chain_count; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < s->chains[i].task_count && sum != SYS_UNBOUNDED; k++) {
            int task = s->chains[i].tasks[k];
            sum = worst_ns[task] == SYS_UNBOUNDED ? SYS_UNBOUNDED : sum + s->tasks[task].period_ns + worst_ns[task];
        }
        map_tally_chain(&t, i, sum, sum, sum);
    }
    *score = t.score;
    return GCAST_OK;
}

/* A step of code that takes other times on the second kind of cores. */
static void add_code(make_system *m, int task, int64_t first_ns, int64_t second_ns)
{
    size_t step = add_run(m, task, first_ns, first_ns);
    made_on(m, task, step)[1] = (sys_range){second_ns, second_ns};
}

/* A kernel that cores can run as well, where first_ns is not SYS_NEVER. */
static void add_either(make_system *m, int task, int64_t gpu_ns, int64_t first_ns, int64_t second_ns)
{
    size_t step = add_kernel(m, task, 1, 32, gpu_ns, gpu_ns);
    made_on(m, task, step)[0] = (sys_range){first_ns, first_ns};
    made_on(m, task, step)[1] = (sys_range){second_ns, second_ns};
}

sys_system *drawn_system(support_random *r, int cores, int tasks, const gcast_gpu *gpu)
{
    static const int64_t periods[] = {5, 10, 15, 20, 33, 50, 66, 100};
    make_system *m = make_system_new(gpu);
    for (int i = 0; i < cores; i++)
        add_core_of_kind(m, "core", i % 3 == 2);
    for (int i = 0; i < tasks; i++) {
        int64_t period = periods[support_between(r, 0, 7)] * MS;
        int core = (int)support_between(r, 0, cores - 1);
        int task = add_periodic(m, "task", core, support_between(r, 1, 3), period);
        int64_t code = period * cores / tasks * support_between(r, 20, 120) / 200 + 1;
        made_task(m, task)->deadline_ns = period * support_between(r, 60, 100) / 100;
        made_task(m, task)->isr = support_between(r, 0, 9) == 0;
        add_code(m, task, code, code * support_between(r, 70, 100) / 100);
        if (i + 1 == tasks || support_between(r, 0, 3))
            continue;
        int kernel = add_triggered(m, "kernel", gpu ? SYS_GPU : core, support_between(r, 1, 3));
        made_place(m, task)->busy = support_between(r, 0, 1);
        add_trigger(m, task, kernel);
        add_wait(m, task, kernel);
        if (gpu)
            add_either(m, kernel, code / 4 + 1, code, code * 9 / 10 + 1);
        else
            add_code(m, kernel, code / 2 + 1, code / 2 + 1);
        i++;
    }
    if (support_between(r, 0, 1)) {
        int chain[2] = {0, tasks - 1};
        add_chain(m, "chain", chain, 2);
    }
    return make_system_done(m);
}

typedef struct vehicle_task {
    const char *name;
    int64_t period_us, deadline_us, first_us, second_us;
    int core;
    const char *kernel;
    int64_t gpu_us, kernel_first_us, kernel_second_us;
} vehicle_task;

static const vehicle_task vehicle[] = {
    {"overhead", 100000, 0, 50000, 50000, 3, NULL, 0, 0, 0},
    {"lidar", 33000, 33000, 25690, 12946, 4, NULL, 0, 0, 0},
    {"dasm", 5000, 5000, 1874, 1302, 0, NULL, 0, 0, 0},
    {"can", 10000, 10000, 603, 600, 0, NULL, 0, 0, 0},
    {"ekf", 15000, 15000, 4791, 4435, 0, NULL, 0, 0, 0},
    {"planner", 15000, 13000, 13358, 12480, 1, NULL, 0, 0, 0},
    {"sfm", 33000, 33000, 8900, 7000, 2, "sfm_kernel", 7900, 36000, 30190},
    {"localization", 400000, 400000, 20000, 15500, 2, "localization_kernel", 124000, 392590, 296000},
    {"lane", 66000, 66000, 9200, 8000, 3, "lane_kernel", 27333, 58000, 44000},
    {"detection", 200000, 200000, 5200, 4300, 5, "detection_kernel", 116000, SYS_NEVER, SYS_NEVER},
};

sys_system *vehicle_system(const gcast_gpu *gpu)
{
    make_system *m = make_system_new(gpu);
    int chain[5] = {1, 0, 4, 5, 2};
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof name, "core%d", i);
        add_core_of_kind(m, name, i < 2);
    }
    for (size_t i = 0; i < sizeof vehicle / sizeof *vehicle; i++) {
        const vehicle_task *v = &vehicle[i];
        int task = add_periodic(m, v->name, v->core, 1, v->period_us * 1000);
        made_task(m, task)->deadline_ns = v->deadline_us * 1000;
        add_code(m, task, v->first_us * 1000, v->second_us * 1000);
        if (!v->kernel)
            continue;
        int kernel = add_triggered(m, v->kernel, SYS_GPU, 1);
        made_place(m, task)->busy = i < 9;
        add_trigger(m, task, kernel);
        add_wait(m, task, kernel);
        int64_t first_ns = v->kernel_first_us == SYS_NEVER ? SYS_NEVER : v->kernel_first_us * 1000;
        add_either(m, kernel, v->gpu_us * 1000, first_ns,
                   first_ns == SYS_NEVER ? first_ns : v->kernel_second_us * 1000);
        if (i == 7)
            chain[1] = task;
    }
    add_chain(m, "lidar to dasm", chain, 5);
    return make_system_done(m);
}
