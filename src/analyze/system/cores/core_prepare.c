/* cores_prepare: tasks of each core by priority, pieces and bursts, and least times. */
#include <stdlib.h>

#include "analyze/system/cores/core_response.h"

/* Before others on its core: a, at 1; b: -1; in any order: 0. */
static int goes_first(const system_work *x, int a, int b)
{
    bool isr_a = x->s->tasks[a].isr, isr_b = x->s->tasks[b].isr;
    int64_t priority_a = x->places[a].priority, priority_b = x->places[b].priority;
    if (isr_a != isr_b)
        return isr_a ? 1 : -1;
    return (priority_a > priority_b) - (priority_a < priority_b);
}

/* Should a come behind b in order[]? */
static bool comes_behind(const system_work *x, int a, int b)
{
    int core_a = x->places[a].core, core_b = x->places[b].core;
    if (core_a != core_b)
        return core_a > core_b;
    int first = goes_first(x, a, b);
    return first ? first < 0 : a > b;
}

/* A heap sort: fast for many tasks, and without a context for comparisons in a global. */
static void sift(const system_work *x, uint32_t *at, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && comes_behind(x, (int)at[child + 1], (int)at[child]))
            child++;
        if (!comes_behind(x, (int)at[child], (int)at[root]))
            return;
        uint32_t swap = at[root];
        at[root] = at[child];
        at[child] = swap;
    }
}

static void sort_tasks(system_work *x)
{
    uint32_t *at = x->order;
    size_t count = x->order_count;
    for (size_t i = count / 2; i-- > 0;)
        sift(x, at, i, count);
    for (size_t end = count; end-- > 1;) {
        uint32_t swap = at[0];
        at[0] = at[end];
        at[end] = swap;
        sift(x, at, 0, end);
    }
}

/* Tasks of one core, and among these tasks of one priority, are next to each other. */
static void find_ranges(system_work *x)
{
    for (uint32_t begin = 0, end; begin < x->order_count; begin = end) {
        int core = x->places[x->order[begin]].core;
        for (end = begin; end < x->order_count && x->places[x->order[end]].core == core; end++)
            ;
        for (uint32_t first = begin, last; first < end; first = last) {
            for (last = first; last < end && !goes_first(x, (int)x->order[first], (int)x->order[last]); last++)
                ;
            for (uint32_t i = first; i < last; i++) {
                task_state *t = &x->tasks[x->order[i]];
                t->core_begin = begin, t->core_end = end;
                t->class_begin = first, t->class_end = last;
                t->has_equals = last - first > 1;
            }
        }
    }
}

/* Does a task leave its core while it waits for `other`? One that kept `other` from running would wait for ever. */
static bool suspends(const system_work *x, int task, int other)
{
    return !x->places[task].busy || (x->places[task].core == x->places[other].core && goes_first(x, other, task) <= 0);
}

static bool has_several(const system_work *x, int task)
{
    const sys_task *of = &x->s->tasks[task];
    for (size_t i = 0; i < of->step_count; i++)
        if (of->steps[i].kind == SYS_WAIT && suspends(x, task, of->steps[i].task))
            return true;
    return false;
}

static void find_leads(const system_work *x, int task, core_piece *p)
{
    const sys_task *of = &x->s->tasks[task];
    const core_piece *burst = p;
    while (!burst->suspends && burst->waits_for != SYS_NONE)
        burst--;
    for (uint32_t i = (uint32_t)x->s->tasks[p->waits_for].trigger_step; i + 1 < p->first; i++) {
        if (of->steps[i].kind != SYS_RUN)
            continue;
        sys_range time = system_step_time(x->s, &of->steps[i], x->places[task].core);
        p->lead = sum_of(p->lead, time.min_ns);
        p->burst_lead = sum_of(p->burst_lead, i >= burst->first ? time.max_ns : time.min_ns);
        p->job_lead = sum_of(p->job_lead, time.max_ns);
    }
}

/* A new piece, behind a wait or at the beginning. */
static core_piece *add_piece(system_work *x, int task, uint32_t first)
{
    task_state *t = &x->tasks[task];
    const sys_task *of = &x->s->tasks[task];
    core_piece *p = &x->pieces[x->piece_count++];
    *p = (core_piece){.first = first, .end = first, .waits_for = SYS_NONE};
    if (t->piece_count++) {
        int other = of->steps[first - 1].task;
        p->waits_for = other;
        p->suspends = suspends(x, task, other);
        p->covered = x->places[task].core == x->places[other].core && goes_first(x, other, task) >= 0 &&
                     !x->tasks[other].several;
    }
    if (t->piece_count == 1 || p->suspends) {
        x->bursts[x->burst_count++] = (core_burst){.task = task,
                                                   .root = of->root,
                                                   .sporadic = x->s->tasks[of->root].arrival == SYS_SPORADIC,
                                                   .period = of->period_ns};
        t->burst_count++;
    }
    p->burst = (uint32_t)x->burst_count - 1;
    if (p->waits_for != SYS_NONE)
        find_leads(x, task, p);
    x->bursts[p->burst].spins |= p->waits_for != SYS_NONE && !p->suspends && !p->covered;
    return p;
}

static void cut(system_work *x, int task)
{
    task_state *t = &x->tasks[task];
    const sys_task *of = &x->s->tasks[task];
    int core = x->places[task].core;
    t->first_piece = (uint32_t)x->piece_count;
    t->first_burst = (uint32_t)x->burst_count;
    core_piece *p = add_piece(x, task, 0);
    for (uint32_t i = 0; i < of->step_count; i++) {
        if (of->steps[i].kind == SYS_WAIT) {
            p = add_piece(x, task, i + 1);
            continue;
        }
        p->end = i + 1;
        if (of->steps[i].kind != SYS_RUN)
            continue;
        sys_range time = system_step_time(x->s, &of->steps[i], core);
        p->least = sum_of(p->least, time.min_ns);
        p->most = sum_of(p->most, time.max_ns);
        x->bursts[p->burst].most = sum_of(x->bursts[p->burst].most, time.max_ns);
        if (of->preemption == SYS_COOPERATIVE)
            t->section = max_i64(t->section, time.max_ns);
    }
}

/* Is a wait surely not over when the task comes to it? Only of one that follows its trigger without another wait. */
static bool surely_waits(const system_work *x, int task, const core_piece *p)
{
    const sys_task *of = &x->s->tasks[task], *other = &x->s->tasks[p->waits_for];
    int64_t run = 0;
    for (size_t i = other->trigger_step; i + 1 < p->first; i++) {
        if (of->steps[i].kind == SYS_WAIT)
            return false;
        if (of->steps[i].kind == SYS_RUN)
            run = sum_of(run, system_step_time(x->s, &of->steps[i], x->places[task].core).max_ns);
    }
    return of->preemption == SYS_NON_PREEMPTIVE &&
           run < x->tasks[p->waits_for].best - x->tasks[p->waits_for].release_min;
}

/* The longest time for which tasks that are not preemptive run: over waits that are over when the task comes to them.
 */
static void find_sections(system_work *x)
{
    for (uint32_t i = 0; i < x->order_count; i++) {
        task_state *t = &x->tasks[x->order[i]];
        int64_t section = 0;
        if (x->s->tasks[x->order[i]].preemption != SYS_NON_PREEMPTIVE)
            continue;
        for (uint32_t k = t->first_piece; k < t->first_piece + t->piece_count; k++) {
            const core_piece *p = &x->pieces[k];
            if (p->waits_for != SYS_NONE && surely_waits(x, (int)x->order[i], p))
                section = 0;
            section = sum_of(section, p->most);
            t->section = max_i64(t->section, section);
        }
    }
}

/* Bursts of roots that have no other on the same core. */
static void find_lone(system_work *x)
{
    for (size_t i = 0; i < x->burst_count; i++)
        x->group_of[x->bursts[i].root] = 0;
    for (uint32_t begin = 0, end; begin < x->order_count; begin = end) {
        end = x->tasks[x->order[begin]].core_end;
        for (int pass = 0; pass < 3; pass++) /* count, look, clear */
            for (uint32_t i = begin; i < end; i++) {
                const task_state *t = &x->tasks[x->order[i]];
                for (uint32_t b = t->first_burst; b < t->first_burst + t->burst_count; b++) {
                    uint32_t *count = &x->group_of[x->bursts[b].root];
                    if (pass == 0)
                        ++*count;
                    else if (pass == 1)
                        x->bursts[b].lone = *count == 1;
                    else
                        *count = 0;
                }
            }
    }
}

static int64_t least_step(const system_work *x, int task, const sys_step *step)
{
    int core = x->places[task].core;
    int64_t least = system_step_time(x->s, step, core).min_ns;
    if (core != SYS_GPU)
        return least;
    if (step->op.kind != GCAST_KIND_KERNEL)
        least = min_i64(least, step->op.min_ns);
    return max_i64(least, 1); /* nothing on the GPU takes no time */
}

/* Least times of a task from those of others; true where something is later than it was. */
static bool least_times(system_work *x, int task)
{
    task_state *t = &x->tasks[task];
    const sys_task *of = &x->s->tasks[task];
    int64_t at = t->release_min, before = t->best;
    core_piece *p = t->on_core ? &x->pieces[t->first_piece] : NULL;
    bool changed = false;
    if (p)
        p->ready_min = at;
    for (size_t i = 0; i < of->step_count; i++) {
        step_state *step = &x->steps[t->first_step + i];
        step->start_min = at;
        if (of->steps[i].kind == SYS_RUN) {
            at = sum_of(at, least_step(x, task, &of->steps[i]));
        } else if (of->steps[i].kind == SYS_TRIGGER) {
            task_state *other = &x->tasks[of->steps[i].task];
            changed |= other->release_min != at;
            other->release_min = at;
        } else {
            p->end_min = at;
            at = max_i64(at, x->tasks[of->steps[i].task].best);
            (++p)->ready_min = at;
        }
        step->end_min = at;
    }
    if (p)
        p->end_min = at;
    t->best = at;
    return changed || at != before;
}

/* A task that triggers comes before, one that waits after: as often as it takes. */
static void find_least_times(system_work *x)
{
    bool changed = true;
    for (size_t round = 0; changed && round <= 2 * x->s->task_count; round++) {
        changed = false;
        for (size_t i = 0; i < x->s->task_count; i++)
            changed |= least_times(x, (int)i);
    }
}

/* Where the iteration begins: nothing takes longer than it must. */
static void begin(system_work *x)
{
    for (size_t i = 0; i < x->s->task_count; i++) {
        task_state *t = &x->tasks[i];
        const sys_task *of = &x->s->tasks[i];
        t->release_max = t->release_min + (of->arrival == SYS_TRIGGERED ? 0 : of->jitter_ns);
        t->worst = t->best;
        t->own_worst = t->best - t->release_min;
        t->dirty = t->on_core;
        for (size_t k = 0; k < of->step_count; k++) {
            step_state *step = &x->steps[t->first_step + k];
            step->end_max = step->end_min;
            step->own_end = step->end_min - t->release_min;
        }
        for (uint32_t p = t->first_piece; p < t->first_piece + t->piece_count; p++) {
            core_piece *piece = &x->pieces[p];
            core_burst *b = &x->bursts[piece->burst];
            piece->ready_max = p == t->first_piece ? t->release_max : piece->ready_min;
            if (p == t->first_piece || piece->suspends) {
                b->ready_min = piece->ready_min;
                b->ready_max = piece->ready_max;
            }
        }
    }
}

void cores_prepare(system_work *x)
{
    uint32_t step = 0;
    x->order_count = 0;
    x->piece_count = x->burst_count = 0;
    for (size_t i = 0; i < x->s->task_count; i++) {
        task_state *t = &x->tasks[i];
        *t = (task_state){.on_core = x->places[i].core != SYS_GPU, .first_step = step, .other = SYS_NONE};
        step += (uint32_t)x->s->tasks[i].step_count;
        x->uses_gpu |= !t->on_core;
        if (!t->on_core)
            continue;
        x->order[x->order_count++] = (uint32_t)i;
        t->several = has_several(x, (int)i);
    }
    sort_tasks(x);
    find_ranges(x);
    for (uint32_t i = 0; i < x->order_count; i++)
        cut(x, (int)x->order[i]);
    find_lone(x);
    find_least_times(x);
    find_sections(x);
    begin(x);
    x->gpu_dirty = x->uses_gpu;
}
