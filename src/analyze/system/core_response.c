/* Responses on cores: the ends of a task's pieces and steps one after the other (lemmas 5 to 9 of
 * docs/amalthea.md), pieces and least times of all tasks, and spans of a job (lemma 18). */
#include "analyze/system/core_response.h"

#include <stdlib.h>

#include "analyze/system/core_busy_window.h"

#define MOST_VISITS 500 /* a task that is analyzed more often has no bound */

/* How long the waits of a task can last, by the current times of other tasks. */
static void find_waits(system_work *x, const task_state *t)
{
    for (uint32_t i = 1; i < t->piece_count; i++) {
        core_piece *p = &x->pieces[t->first_piece + i];
        const task_state *other = &x->tasks[p->waits_for];
        int64_t most = max_i64(0, minus(other->worst, p[-1].end_min));
        p->wait_most = min_i64(most, max_i64(0, minus(other->own_worst, p->lead)));
        p->burst_wait = min_i64(most, max_i64(0, minus(other->own_worst, p->burst_lead)));
        p->job_wait = min_i64(most, max_i64(0, minus(other->own_worst, p->job_lead)));
    }
}

/* The latest end of the wait before a piece. */
static void end_wait(system_work *x, const task_state *t, core_piece *p)
{
    const core_piece *before = p - 1;
    const task_state *other = &x->tasks[p->waits_for];
    const step_state *trigger = &x->steps[t->first_step + x->s->tasks[p->waits_for].trigger_step];
    p->own_ready = min_i64(max_i64(before->own_end, sum_of(trigger->own_end, other->own_worst)),
                           sum_of(before->own_end, p->wait_most));
    p->ready_max = min_i64(max_i64(before->end_max, other->worst), sum_of(before->end_max, p->wait_most));
    p->ready_max = min_i64(p->ready_max, sum_of(t->release_max, p->own_ready));
}

/* The part of a job from the start of piece `from` until `done` of piece `to` has executed, at the end of `step`. */
static level_part part_of(const system_work *x, const task_state *t, const core_piece *from, const core_piece *to,
                          int64_t done, uint32_t step)
{
    bool whole = from == &x->pieces[t->first_piece];
    level_part part = {.ready_min = from->ready_min,
                       .ready_max = from->ready_max,
                       .burst = from->burst - t->first_burst,
                       .step = step,
                       .most = done,
                       .instant = done == 0,
                       .blockings = 1};
    for (const core_piece *p = from; p < to; p++) {
        part.most = sum_of(part.most, p->most);
        if (!p[1].covered) {
            part.most = sum_of(part.most, whole ? p[1].job_wait : p[1].burst_wait);
            part.blockings += p[1].suspends;
        }
    }
    return part;
}

/* Reduces *end to what a window from the start of piece `from` gives. */
static void try_from(system_work *x, core_level *l, const task_state *t, const core_piece *from, const core_piece *to,
                     int64_t done, uint32_t step, step_state *end, why_not *why)
{
    level_part part = part_of(x, t, from, to, done, step);
    part.alone = l->may_be_alone && (t->several || from > &x->pieces[t->first_piece]);
    level_end e = level_part_end(l, &part);
    end->end_max = min_i64(end->end_max, e.end);
    end->own_end = min_i64(end->own_end, sum_of(from->own_ready, e.own));
    if (e.why != WHY_BOUNDED && *why == WHY_BOUNDED)
        *why = e.why;
}

/* The latest time at which `done` of a piece has executed: the least of windows from the start of the piece, of its
 * burst, and of the job (lemma 9). A window begins within a burst only if the task can be preempted and is the only one
 * of its priority. */
static step_state point_end(system_work *x, core_level *l, const task_state *t, const core_piece *p, int64_t done,
                            uint32_t step, why_not *why)
{
    step_state end = {.end_max = SYS_UNBOUNDED, .own_end = SYS_UNBOUNDED};
    const core_piece *first = &x->pieces[t->first_piece], *burst = p;
    while (burst > first && !burst->suspends)
        burst--;
    try_from(x, l, t, first, p, done, step, &end, why);
    if (burst > first)
        try_from(x, l, t, burst, p, done, step, &end, why);
    if (p > burst && l->may_be_alone)
        try_from(x, l, t, p, p, done, step, &end, why);
    end.end_max = min_i64(end.end_max, sum_of(t->release_max, end.own_end));
    return end;
}

/* The latest ends of the steps of a piece; in searches only of those that something depends on. */
static void end_steps(system_work *x, core_level *l, const task_state *t, core_piece *p, why_not *why)
{
    const sys_task *def = &x->s->tasks[l->task];
    int core = x->places[l->task].core;
    int64_t done = 0, last_done = -1;
    step_state end = {0};
    for (uint32_t i = p->first; i < p->end; i++) {
        const sys_step *step = &def->steps[i];
        if (step->kind == SYS_RUN)
            done = sum_of(done, system_step_time(x->s, step, core).max_ns);
        bool needed = step->kind == SYS_TRIGGER || t->limited || !x->options->tasks_only;
        if (!needed)
            continue;
        if (done != last_done || step->kind == SYS_TRIGGER)
            end = point_end(x, l, t, p, done, i, why);
        last_done = done;
        x->steps[t->first_step + i].end_max = end.end_max;
        x->steps[t->first_step + i].own_end = end.own_end;
    }
    end = point_end(x, l, t, p, p->most, p->end, why);
    p->end_max = end.end_max;
    p->own_end = end.own_end;
}

void core_latest_start(system_work *x, int task, uint32_t step, int64_t *latest, int64_t *own)
{
    const sys_task *def = &x->s->tasks[task];
    const task_state *t = &x->tasks[task];
    const core_piece *p = &x->pieces[t->first_piece];
    core_level l;
    why_not why = WHY_BOUNDED;
    int64_t done = 0;
    while (p->end <= step)
        p++;
    x->patience -= step - p->first;
    for (uint32_t i = p->first; i < step && x->patience > 0; i++)
        if (def->steps[i].kind == SYS_RUN)
            done = sum_of(done, system_step_time(x->s, &def->steps[i], x->places[task].core).max_ns);
    level_make(x, task, &l);
    /* the step has started when its first ns is done; without code before it, as a step of no time */
    step_state end = point_end(x, &l, t, p, done ? sum_of(done, 1) : 0, step, &why);
    *latest = x->patience > 0 ? minus(end.end_max, done > 0) : SYS_UNBOUNDED;
    *own = x->patience > 0 ? minus(end.own_end, done > 0) : SYS_UNBOUNDED;
}

/* The latest ends of all pieces, one after the other. */
static void end_pieces(system_work *x, core_level *l, task_state *t, why_not *why, int *other)
{
    *why = WHY_BOUNDED;
    for (uint32_t i = 1; i < t->piece_count; i++)
        if (x->pieces[t->first_piece + i].wait_most == SYS_UNBOUNDED && *why == WHY_BOUNDED) {
            *why = WHY_WAITS;
            *other = x->pieces[t->first_piece + i].waits_for;
        }
    for (uint32_t i = 0; i < t->piece_count; i++) {
        core_piece *p = &x->pieces[t->first_piece + i];
        if (i) {
            end_wait(x, t, p);
            x->steps[t->first_step + p->first - 1].end_max = p->ready_max;
            x->steps[t->first_step + p->first - 1].own_end = p->own_ready;
        } else {
            p->ready_max = t->release_max;
            p->own_ready = 0;
        }
        end_steps(x, l, t, p, why);
    }
}

void task_changed(system_work *x, int task)
{
    const sys_task *def = &x->s->tasks[task];
    if (def->waiter != SYS_NONE)
        x->tasks[def->waiter].dirty = true;
}

/* Updates what other tasks see of the task. If that changes, marks the tasks of its core that it goes before. A task of
 * several bursts without a bound may still be pending at its next release, so it can be ready at any time. */
static bool set_bursts(system_work *x, const task_state *t)
{
    bool lost = t->several && t->worst == SYS_UNBOUNDED, changed = false;
    for (uint32_t i = t->first_piece; i < t->first_piece + t->piece_count;) {
        const core_piece *first = &x->pieces[i];
        core_burst *b = &x->bursts[first->burst];
        int64_t most = first->most, ready_max = lost ? SYS_UNBOUNDED : first->ready_max;
        for (i++; i < t->first_piece + t->piece_count && x->pieces[i].burst == first->burst; i++)
            most = sum_of(most, sum_of(x->pieces[i].covered ? 0 : x->pieces[i].burst_wait, x->pieces[i].most));
        changed |= b->ready_max != ready_max || b->most != most;
        b->ready_max = ready_max;
        b->most = most;
    }
    for (uint32_t i = t->class_begin; i < t->core_end && changed; i++)
        x->tasks[x->order[i]].dirty = true;
    return changed;
}

/* Updates the releases of the tasks that it triggers. */
static void release_triggered(system_work *x, const task_state *t, int task)
{
    const sys_task *def = &x->s->tasks[task];
    for (size_t i = 0; i < def->step_count; i++) {
        if (def->steps[i].kind != SYS_TRIGGER)
            continue;
        task_state *other = &x->tasks[def->steps[i].task];
        int64_t release_max = x->steps[t->first_step + i].end_max;
        if (other->release_max == release_max)
            continue;
        other->release_max = release_max;
        other->dirty = other->on_core;
        x->gpu_dirty |= !other->on_core;
    }
}

/* Decides whether the response has a bound, and if not, why. */
static void settle_response(system_work *x, task_state *t, why_not why, int other, int64_t before)
{
    int task = (int)(t - x->tasks);
    bool gives_up = ++t->visits > MOST_VISITS;
    if (t->release_max == SYS_UNBOUNDED)
        why = WHY_RELEASE, other = x->s->tasks[task].trigger;
    else if (gives_up)
        why = WHY_GIVES_UP;
    else if (t->worst != SYS_UNBOUNDED && t->several && t->worst > x->s->tasks[task].period_ns + t->release_min)
        why = WHY_PERIOD;
    else if (t->worst != SYS_UNBOUNDED)
        return;
    if (before != SYS_UNBOUNDED) {
        t->why = why;
        t->other = other;
    }
    t->worst = t->own_worst = SYS_UNBOUNDED;
    for (size_t i = 0; (t->several || gives_up) && i < x->s->tasks[task].step_count; i++)
        x->steps[t->first_step + i].end_max = x->steps[t->first_step + i].own_end = SYS_UNBOUNDED;
}

void core_respond(system_work *x, int task)
{
    task_state *t = &x->tasks[task];
    int64_t worst = t->worst, own_worst = t->own_worst;
    const core_piece *last = &x->pieces[t->first_piece + t->piece_count - 1];
    core_level l;
    why_not why;
    int other = SYS_NONE;
    find_waits(x, t);
    x->pieces[t->first_piece].ready_max = t->release_max;
    if (!t->several)
        set_bursts(x, t);
    t->dirty = false;
    level_make(x, task, &l);
    end_pieces(x, &l, t, &why, &other);
    t->blocking = l.blocking;
    if (t->why == WHY_BOUNDED)
        t->load = l.load;
    t->worst = last->end_max;
    t->own_worst = min_i64(last->own_end, minus(t->worst, t->release_min));
    settle_response(x, t, why, why == WHY_INTERFERES ? l.unknown : other, worst);
    if (t->several && !set_bursts(x, t))
        t->dirty = false;
    release_triggered(x, t, task);
    if (t->worst != worst || t->own_worst != own_worst)
        task_changed(x, task);
}

/* cores_prepare sorts the tasks of each core by priority, cuts them into pieces and bursts, and finds least times. */

/* Which of two tasks goes before the other on its core: 1: a; -1: b; 0: they run in any order. */
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

/* A heap sort, because qsort cannot pass `x` to the comparison. */
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

/* Finds the ranges of order[] of each core, and of each priority of a core. */
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

/* Does a task leave its core while it waits for `other`? If it kept `other` from running, it would wait for ever. */
static bool suspends(const system_work *x, int task, int other)
{
    return !x->places[task].busy || (x->places[task].core == x->places[other].core && goes_first(x, other, task) <= 0);
}

static bool has_several(const system_work *x, int task)
{
    const sys_task *def = &x->s->tasks[task];
    for (size_t i = 0; i < def->step_count; i++)
        if (def->steps[i].kind == SYS_WAIT && suspends(x, task, def->steps[i].task))
            return true;
    return false;
}

/* The execution of the task from its trigger of the awaited task to the wait before piece p. */
static void find_leads(const system_work *x, int task, core_piece *p)
{
    const sys_task *def = &x->s->tasks[task];
    const core_piece *burst = p;
    while (!burst->suspends && burst->waits_for != SYS_NONE)
        burst--;
    for (uint32_t i = (uint32_t)x->s->tasks[p->waits_for].trigger_step; i + 1 < p->first; i++) {
        if (def->steps[i].kind != SYS_RUN)
            continue;
        sys_range time = system_step_time(x->s, &def->steps[i], x->places[task].core);
        p->lead = sum_of(p->lead, time.min_ns);
        p->burst_lead = sum_of(p->burst_lead, i >= burst->first ? time.max_ns : time.min_ns);
        p->job_lead = sum_of(p->job_lead, time.max_ns);
    }
}

/* Adds the first piece of a task, or the one after a wait. */
static core_piece *add_piece(system_work *x, int task, uint32_t first)
{
    task_state *t = &x->tasks[task];
    const sys_task *def = &x->s->tasks[task];
    core_piece *p = &x->pieces[x->piece_count++];
    *p = (core_piece){.first = first, .end = first, .waits_for = SYS_NONE};
    if (t->piece_count++) {
        int other = def->steps[first - 1].task;
        p->waits_for = other;
        p->suspends = suspends(x, task, other);
        p->covered = x->places[task].core == x->places[other].core && goes_first(x, other, task) >= 0 &&
                     !x->tasks[other].several;
    }
    if (t->piece_count == 1 || p->suspends) {
        x->bursts[x->burst_count++] = (core_burst){.task = task,
                                                   .root = def->root,
                                                   .sporadic = x->s->tasks[def->root].arrival == SYS_SPORADIC,
                                                   .period = def->period_ns};
        t->burst_count++;
    }
    p->burst = (uint32_t)x->burst_count - 1;
    if (p->waits_for != SYS_NONE)
        find_leads(x, task, p);
    x->bursts[p->burst].spins |= p->waits_for != SYS_NONE && !p->suspends && !p->covered;
    return p;
}

static void cut_into_pieces(system_work *x, int task)
{
    task_state *t = &x->tasks[task];
    const sys_task *def = &x->s->tasks[task];
    int core = x->places[task].core;
    t->first_piece = (uint32_t)x->piece_count;
    t->first_burst = (uint32_t)x->burst_count;
    core_piece *p = add_piece(x, task, 0);
    for (uint32_t i = 0; i < def->step_count; i++) {
        if (def->steps[i].kind == SYS_WAIT) {
            p = add_piece(x, task, i + 1);
            continue;
        }
        p->end = i + 1;
        if (def->steps[i].kind != SYS_RUN)
            continue;
        sys_range time = system_step_time(x->s, &def->steps[i], core);
        p->least = sum_of(p->least, time.min_ns);
        p->most = sum_of(p->most, time.max_ns);
        x->bursts[p->burst].most = sum_of(x->bursts[p->burst].most, time.max_ns);
        if (def->preemption == SYS_COOPERATIVE)
            t->section = max_i64(t->section, time.max_ns);
    }
}

/* Is the awaited task surely still running when a non-preemptive task reaches its wait? No if another wait comes
 * between trigger and wait. */
static bool surely_waits(const system_work *x, int task, const core_piece *p)
{
    const sys_task *def = &x->s->tasks[task], *other = &x->s->tasks[p->waits_for];
    int64_t run = 0;
    for (size_t i = other->trigger_step; i + 1 < p->first; i++) {
        if (def->steps[i].kind == SYS_WAIT)
            return false;
        if (def->steps[i].kind == SYS_RUN)
            run = sum_of(run, system_step_time(x->s, &def->steps[i], x->places[task].core).max_ns);
    }
    return def->preemption == SYS_NON_PREEMPTIVE &&
           run < x->tasks[p->waits_for].best - x->tasks[p->waits_for].release_min;
}

/* The longest sections of non-preemptive tasks. A section goes on over a wait that may already be over. */
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

/* Finds bursts whose root has no other burst on the same core; counts in group_of, by root. */
static void find_single_bursts(system_work *x)
{
    for (size_t i = 0; i < x->burst_count; i++)
        x->group_of[x->bursts[i].root] = 0;
    for (uint32_t begin = 0, end; begin < x->order_count; begin = end) {
        end = x->tasks[x->order[begin]].core_end;
        for (int pass = 0; pass < 3; pass++) /* count, mark, clear */
            for (uint32_t i = begin; i < end; i++) {
                const task_state *t = &x->tasks[x->order[i]];
                for (uint32_t b = t->first_burst; b < t->first_burst + t->burst_count; b++) {
                    uint32_t *count = &x->group_of[x->bursts[b].root];
                    if (pass == 0)
                        ++*count;
                    else if (pass == 1)
                        x->bursts[b].single = *count == 1;
                    else
                        *count = 0;
                }
            }
    }
}

/* The least time of a step. */
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

/* The least times of a task from those of others. True if a time changed. */
static bool least_times(system_work *x, int task)
{
    task_state *t = &x->tasks[task];
    const sys_task *def = &x->s->tasks[task];
    int64_t at = t->release_min, before = t->best;
    core_piece *p = t->on_core ? &x->pieces[t->first_piece] : NULL;
    bool changed = false;
    if (p)
        p->ready_min = at;
    for (size_t i = 0; i < def->step_count; i++) {
        step_state *step = &x->steps[t->first_step + i];
        step->start_min = at;
        if (def->steps[i].kind == SYS_RUN) {
            at = sum_of(at, least_step(x, task, &def->steps[i]));
        } else if (def->steps[i].kind == SYS_TRIGGER) {
            task_state *other = &x->tasks[def->steps[i].task];
            changed |= other->release_min != at;
            other->release_min = at;
        } else {
            p->end_min = at;
            at = max_i64(at, x->tasks[def->steps[i].task].best);
            (++p)->ready_min = at;
        }
        step->end_min = at;
    }
    if (p)
        p->end_min = at;
    t->best = at;
    return changed || at != before;
}

/* Repeats until nothing changes: a triggered task needs its trigger first, a wait needs the awaited task. */
static void find_least_times(system_work *x)
{
    bool changed = true;
    for (size_t round = 0; changed && round <= 2 * x->s->task_count; round++) {
        changed = false;
        for (size_t i = 0; i < x->s->task_count; i++)
            changed |= least_times(x, (int)i);
    }
}

/* The iteration starts with the least value of every time. */
static void start_from_least(system_work *x)
{
    for (size_t i = 0; i < x->s->task_count; i++) {
        task_state *t = &x->tasks[i];
        const sys_task *def = &x->s->tasks[i];
        t->release_max = t->release_min + (def->arrival == SYS_TRIGGERED ? 0 : def->jitter_ns);
        t->worst = t->best;
        t->own_worst = t->best - t->release_min;
        t->dirty = t->on_core;
        for (size_t k = 0; k < def->step_count; k++) {
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
        cut_into_pieces(x, (int)x->order[i]);
    find_single_bursts(x);
    find_least_times(x);
    find_sections(x);
    start_from_least(x);
    x->gpu_dirty = x->uses_gpu;
}

/* core_span_most bounds the time of a part of a job that begins while the task has its core (lemma 18). */

/* Sums over the steps of a span. */
typedef struct span_sum {
    int64_t most;      /* code, and waits that are not covered (lemma 6) */
    int64_t last_most; /* code after the last wait */
    bool waits;
    int64_t suspensions;
} span_sum;

static span_sum sum_up(const system_work *x, const core_span *span)
{
    const sys_task *def = &x->s->tasks[span->task];
    const core_piece *p = &x->pieces[x->tasks[span->task].first_piece];
    span_sum sum = {0};
    for (uint32_t i = span->first; i < span->end; i++) {
        if (def->steps[i].kind == SYS_RUN) {
            int64_t most = system_step_time(x->s, &def->steps[i], x->places[span->task].core).max_ns;
            sum.most = sum_of(sum.most, most);
            sum.last_most = sum_of(sum.last_most, most);
        } else if (def->steps[i].kind == SYS_WAIT) {
            while (p->first <= i)
                p++; /* the piece after the wait begins with the next step */
            sum.most = sum_of(sum.most, p->covered ? 0 : p->wait_most);
            sum.suspensions += !p->covered && p->suspends;
            sum.last_most = 0;
            sum.waits = true;
        }
    }
    return sum;
}

/* Can the model give way within the span where executions do not (yields)? */
static bool may_yield(const sys_task *def, const core_span *span)
{
    for (uint32_t i = span->first - (!span->starts && span->first); i < span->end; i++)
        if (def->steps[i].yields)
            return true;
    return false;
}

/* Does the task keep its core for the whole span? */
static bool keeps_core(const system_work *x, const core_span *span, const span_sum *sum)
{
    const sys_task *def = &x->s->tasks[span->task];
    bool one_step = span->end == span->first + 1 && span->starts && !span->to_start;
    return !sum->waits && !may_yield(def, span) &&
           (def->preemption == SYS_NON_PREEMPTIVE || (def->preemption == SYS_COOPERATIVE && one_step) ||
            (!sum->most && !span->to_start));
}

int64_t core_span_most(system_work *x, const core_span *span)
{
    core_level l;
    if ((x->patience -= span->end - span->first) <= 0)
        return SYS_UNBOUNDED;
    span_sum sum = sum_up(x, span);
    if (keeps_core(x, span, &sum))
        return sum.most;
    level_make(x, span->task, &l);
    if (!l.may_be_alone || sum.most >= TIME_LIMIT)
        return SYS_UNBOUNDED;
    level_part part = {.ready_min = span->ready.min_ns,
                       .ready_max = span->ready.max_ns,
                       .step = span->end,
                       .alone = true,
                       .most = sum.most,
                       .instant = span->to_start || (sum.waits && !sum.last_most),
                       .blockings = sum.suspensions};
    return level_part_end(&l, &part).own;
}
