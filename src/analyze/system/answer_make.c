/* Fills the answer: times, parts of responses, verdicts, chains and limits. */
#include "analyze/system/answer_make.h"

#include <string.h>

#include "analyze/system/answer_caveats.h"
#include "analyze/system/chain_latency.h"
#include "analyze/system/limits_answer.h"

#define LARGE_BLOCK 8193 /* the arena gives such a block exactly its size */

/* Takes the next part of a block. */
static void *cut(char **at, size_t size)
{
    void *p = *at;
    *at += (size + 15) / 16 * 16;
    return p;
}

/* The longest execution of a task's own code, and how much of it is memory accesses. */
static void own_code(const system_work *x, int task, int64_t *code, int64_t *access)
{
    const sys_task *def = &x->s->tasks[task];
    int core = x->places[task].core;
    *code = *access = 0;
    for (size_t i = 0; i < def->step_count; i++) {
        const sys_step *step = &def->steps[i];
        if (step->kind != SYS_RUN)
            continue;
        *code = sum_of(*code, system_step_time(x->s, step, core).max_ns);
        if (core != SYS_GPU && step->access)
            *access = sum_of(*access, step->access[x->s->cores[core].kind].max_ns);
    }
}

/* Notes a task if it contributes more than those before. */
static void note_contributor(int task, int64_t time, int *who, int64_t *most)
{
    if (time > *most) {
        *most = time;
        *who = task;
    }
}

static int64_t waits_of(const system_work *x, const task_state *t, int *who, int64_t *most)
{
    int64_t sum = 0;
    for (uint32_t i = 1; i < t->piece_count; i++) {
        const core_piece *p = &x->pieces[t->first_piece + i];
        sum = sum_of(sum, p->wait_most);
        note_contributor(p->waits_for, p->wait_most, who, most);
    }
    return sum;
}

/* Notes how much each other task of the core can delay a response: by going before it, or by blocking it. */
static void note_interference(const system_work *x, const task_state *t, int64_t response, int *who, int64_t *most)
{
    for (uint32_t i = t->core_begin; i < t->class_end; i++) {
        const task_state *other = &x->tasks[x->order[i]];
        int64_t sum = 0;
        for (uint32_t b = other->first_burst; b < other->first_burst + other->burst_count && other != t; b++) {
            const core_burst *burst = &x->bursts[b];
            int64_t window = sum_of(response, minus(burst->ready_max, burst->ready_min)), part;
            if (window >= TIME_LIMIT || burst->most >= TIME_LIMIT ||
                __builtin_mul_overflow(div_up(window, burst->period), burst->most, &part))
                part = TIME_LIMIT;
            sum = sum_of(sum, part);
        }
        note_contributor((int)x->order[i], sum, who, most);
    }
    for (uint32_t i = t->class_end; i < t->core_end; i++)
        note_contributor((int)x->order[i], x->tasks[x->order[i]].section, who, most);
}

/* Splits a response into parts: code in full, then waits, then blocking; the rest is interference. */
static void find_parts(const system_work *x, int task, sys_task_answer *a)
{
    const task_state *t = &x->tasks[task];
    int64_t code, left, most = 0;
    own_code(x, task, &code, &a->access_ns);
    int64_t waits = waits_of(x, t, &a->limited_by, &most);
    if (t->on_core)
        note_interference(x, t, t->own_worst == SYS_UNBOUNDED ? x->s->tasks[task].period_ns : t->own_worst,
                          &a->limited_by, &most);
    if (t->own_worst == SYS_UNBOUNDED) {
        a->computation_ns = minus(code, a->access_ns);
        if (t->other != SYS_NONE)
            a->limited_by = t->other;
        return;
    }
    code = min_i64(code, t->own_worst);
    a->access_ns = min_i64(a->access_ns, code);
    a->computation_ns = code - a->access_ns;
    left = t->own_worst - code;
    left -= a->waiting_ns = min_i64(waits, left);
    left -= a->blocking_ns = t->on_core ? min_i64(t->blocking, left) : 0;
    a->interference_ns = left;
}

/* Marks in x->group_of the tasks whose response the GPU can make longer: tasks on the GPU, and tasks that such a task
 * triggers, that wait for it, or that go after it on its core. */
static void find_reaching_gpu(const system_work *x)
{
    uint32_t *reached = x->group_of;
    bool changed = x->uses_gpu;
    for (size_t i = 0; i < x->s->task_count; i++)
        reached[i] = changed && !x->tasks[i].on_core;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < x->s->task_count; i++) {
            const sys_task *def = &x->s->tasks[i];
            const task_state *t = &x->tasks[i];
            bool now = reached[i] || (def->trigger != SYS_NONE && reached[def->trigger]);
            for (size_t k = 0; k < def->step_count && !now; k++)
                now = def->steps[k].kind == SYS_WAIT && reached[def->steps[k].task];
            for (uint32_t k = t->core_begin; t->on_core && k < t->class_end && !now; k++)
                now = reached[x->order[k]];
            changed |= now && !reached[i];
            reached[i] = now;
        }
    }
}

static gcast_deadline_verdict verdict(const system_work *x, int task)
{
    int64_t deadline = x->s->tasks[task].deadline_ns;
    const task_state *t = &x->tasks[task];
    if (!deadline)
        return GCAST_DEADLINE_NONE;
    if (t->own_worst <= deadline)
        return x->group_of[task] ? GCAST_DEADLINE_MET_IF : GCAST_DEADLINE_MET;
    return t->best - t->release_min > deadline ? GCAST_DEADLINE_MISSED : GCAST_DEADLINE_OPEN;
}

static void fill_steps(const system_work *x, int task, sys_step_times *steps)
{
    const sys_task *def = &x->s->tasks[task];
    const task_state *t = &x->tasks[task];
    int64_t before = t->release_max, own_before = 0;
    const core_piece *p = t->on_core ? &x->pieces[t->first_piece] : NULL;
    for (size_t i = 0; i < def->step_count; i++) {
        const step_state *s = &x->steps[t->first_step + i];
        steps[i] =
            (sys_step_times){.start_best_ns = s->start_min, .end_best_ns = s->end_min, .end_worst_ns = s->end_max};
        if (def->steps[i].kind == SYS_RUN) {
            sys_range time = system_step_time(x->s, &def->steps[i], x->places[task].core);
            steps[i].alone_best_ns = time.min_ns;
            steps[i].alone_worst_ns = time.max_ns;
        } else if (def->steps[i].kind == SYS_WAIT) {
            steps[i].alone_worst_ns = (++p)->wait_most;
        }
        /* from the latest end of the previous step, as both count from one release */
        steps[i].own_worst_ns =
            t->on_core ? minus(s->end_max, min_i64(before, s->end_max)) : minus(s->own_end, own_before);
        before = s->end_max;
        own_before = s->own_end == SYS_UNBOUNDED ? 0 : s->own_end;
    }
}

static gcast_status fill_task(const system_work *x, int task, sys_task_answer *a, sys_answer *answer)
{
    const task_state *t = &x->tasks[task];
    unsigned effects = a->effects;
    bool reaches = a->reaches_gpu;
    *a = (sys_task_answer){.release_min_ns = t->release_min,
                           .release_max_ns = t->release_max,
                           .best_ns = t->best,
                           .worst_ns = t->worst,
                           .own_worst_ns = t->own_worst,
                           .limited_by = SYS_NONE,
                           .seen_ns = -1,
                           .seen_in = SYS_NONE,
                           .missed_in = SYS_NONE,
                           .effects = effects,
                           .on_gpu = x->group_of[task],
                           .reaches_gpu = reaches,
                           .verdict = verdict_with_effects(verdict(x, task), effects, true, false)};
    answer->all_met &= a->verdict != GCAST_DEADLINE_OPEN && a->verdict != GCAST_DEADLINE_MISSED;
    if (x->options->tasks_only)
        return GCAST_OK;
    find_parts(x, task, a);
    a->steps = arena_alloc_array(&answer->memory, x->s->tasks[task].step_count + 1, sizeof *a->steps);
    if (a->steps)
        fill_steps(x, task, a->steps);
    if (t->worst == SYS_UNBOUNDED)
        a->why_not = system_why_not(x, task, &answer->memory);
    return a->steps && (a->why_not || t->worst != SYS_UNBOUNDED) ? GCAST_OK : gcast_error_set_memory(x->err);
}

/* Utilization: code, and waits in which a task holds its core; a wait without a bound counts with its least time. */
static void fill_cores(const system_work *x, sys_core_answer *cores)
{
    for (size_t i = 0; i < x->s->core_count; i++)
        cores[i] = (sys_core_answer){0};
    for (size_t i = 0; i < x->piece_count; i++) {
        const core_piece *p = &x->pieces[i];
        const core_burst *b = &x->bursts[p->burst];
        double time = (double)p->most;
        if (p->waits_for != SYS_NONE && !p->suspends && !p->covered)
            time += (double)(p->burst_wait < TIME_LIMIT ? p->burst_wait : p->ready_min - p[-1].end_min);
        cores[x->places[b->task].core].utilization += time / (double)b->period;
    }
}

void system_answer_free(sys_answer *a)
{
    if (!a)
        return;
    arena memory = a->memory; /* the answer lives in it */
    arena_free(&memory);
}

gcast_status system_answer_make(system_work *x, sys_answer **out)
{
    size_t n = x->s->task_count;
    size_t size = sizeof(sys_answer) + n * (sizeof(sys_task_answer) + sizeof(sys_place)) +
                  x->s->core_count * sizeof(sys_core_answer) + 4 * 16;
    arena memory = {0};
    char *at = arena_alloc(&memory, size < LARGE_BLOCK ? LARGE_BLOCK : size);
    if (!at)
        return gcast_error_set_memory(x->err);
    sys_answer *a = cut(&at, sizeof *a);
    sys_task_answer *tasks = cut(&at, n * sizeof *tasks);
    sys_core_answer *cores = cut(&at, x->s->core_count * sizeof *cores);
    sys_place *places = cut(&at, n * sizeof *places);
    if (n)
        memcpy(places, x->places, n * sizeof *places);
    *a = (sys_answer){.of = x->s,
                      .places = places,
                      .tasks = tasks,
                      .cores = cores,
                      .communication = x->options->communication,
                      .reaction = x->options->reaction,
                      .gpu_bounded = !x->uses_gpu || x->gpu_bounded,
                      .iterations = x->rounds,
                      .all_met = !system_broken(x->s, x->places),
                      .memory = memory};
    gcast_status status = GCAST_OK;
    find_reaching_gpu(x);
    for (size_t i = 0; i < n; i++) {
        tasks[i].effects = 0;
        tasks[i].reaches_gpu = x->group_of[i];
        x->group_of[i] &= x->gpu_conditional; /* from here on: it reached on an assumed latency of calls */
    }
    if (!x->options->tasks_only && !task_effects_find(x, &a->memory, tasks))
        status = gcast_error_set_memory(x->err);
    for (size_t i = 0; i < n && status == GCAST_OK; i++)
        status = fill_task(x, (int)i, &tasks[i], a);
    fill_cores(x, cores);
    if (status == GCAST_OK && !x->options->tasks_only) {
        if (!a->gpu_bounded && !(a->gpu_why_not = arena_strdup(&a->memory, x->gpu_why_not)))
            status = gcast_error_set_memory(x->err);
        if (status == GCAST_OK && (!chains_answer(x, a) || !system_assumptions(x, a)))
            status = gcast_error_set_memory(x->err);
    }
    if (status == GCAST_OK && x->options->tasks_only && x->options->asked_chains && !chains_answer(x, a))
        status = gcast_error_set_memory(x->err);
    if (status == GCAST_OK && !limits_answer(x, a))
        status = gcast_error_set_memory(x->err);
    if (status == GCAST_OK)
        *out = a;
    else
        system_answer_free(a);
    return status;
}
