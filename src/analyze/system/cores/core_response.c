#include "analyze/system/cores/core_response.h"

#include "analyze/system/cores/core_level.h"

#define MOST_VISITS 500 /* of a task, before it is taken to have no bound */

/* How long the waits of a task may last, as others are known now. */
static void find_waits(system_work *x, const task_state *t)
{
    for (uint32_t i = 1; i < t->piece_count; i++) {
        core_piece *p = &x->pieces[t->first_piece + i];
        const task_state *other = &x->tasks[p->waits_for];
        int64_t most = max_i64(0, less(other->worst, p[-1].end_min));
        p->wait_most = min_i64(most, max_i64(0, less(other->own_worst, p->lead)));
        p->burst_wait = min_i64(most, max_i64(0, less(other->own_worst, p->burst_lead)));
        p->job_wait = min_i64(most, max_i64(0, less(other->own_worst, p->job_lead)));
    }
}

/* When the wait before a piece is over. */
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

/* The part of a job from the start of piece `from` until `done` of piece `to` is executed, after step `step`. */
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

/* The smaller of what is known and what a window from the start of piece `from` gives. */
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

/* When `done` of a piece is executed at the latest. A window may begin with this piece, with the burst or with the job:
 * each of these holds. With others of the same priority, or where it cannot be preempted, a window does not begin
 * within a burst. */
static step_state point(system_work *x, core_level *l, const task_state *t, const core_piece *p, int64_t done,
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

/* Ends of the steps of a piece. For searches only those that something depends on. */
static void end_steps(system_work *x, core_level *l, const task_state *t, core_piece *p, why_not *why)
{
    const sys_task *of = &x->s->tasks[l->task];
    int core = x->places[l->task].core;
    int64_t done = 0, known = -1;
    step_state end = {0};
    for (uint32_t i = p->first; i < p->end; i++) {
        const sys_step *step = &of->steps[i];
        if (step->kind == SYS_RUN)
            done = sum_of(done, system_step_time(x->s, step, core).max_ns);
        bool needed = step->kind == SYS_TRIGGER || t->limited || !x->options->tasks_only;
        if (!needed)
            continue;
        if (done != known || step->kind == SYS_TRIGGER)
            end = point(x, l, t, p, done, i, why);
        known = done;
        x->steps[t->first_step + i].end_max = end.end_max;
        x->steps[t->first_step + i].own_end = end.own_end;
    }
    end = point(x, l, t, p, p->most, p->end, why);
    p->end_max = end.end_max;
    p->own_end = end.own_end;
}

void core_latest_start(system_work *x, int task, uint32_t step, int64_t *latest, int64_t *own)
{
    const sys_task *of = &x->s->tasks[task];
    const task_state *t = &x->tasks[task];
    const core_piece *p = &x->pieces[t->first_piece];
    core_level l;
    why_not why = WHY_BOUNDED;
    int64_t done = 0;
    while (p->end <= step)
        p++;
    x->patience -= step - p->first;
    for (uint32_t i = p->first; i < step && x->patience > 0; i++)
        if (of->steps[i].kind == SYS_RUN)
            done = sum_of(done, system_step_time(x->s, &of->steps[i], x->places[task].core).max_ns);
    level_make(x, task, &l);
    /* the first ns of the step is code of its own; where nothing comes before it, it may be a step of no time */
    step_state end = point(x, &l, t, p, done ? sum_of(done, 1) : 0, step, &why);
    *latest = x->patience > 0 ? less(end.end_max, done > 0) : SYS_UNBOUNDED;
    *own = x->patience > 0 ? less(end.own_end, done > 0) : SYS_UNBOUNDED;
}

/* All pieces, one after the other. */
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
    const sys_task *of = &x->s->tasks[task];
    if (of->waiter != SYS_NONE)
        x->tasks[of->waiter].dirty = true;
}

/* What others see of the task, as it is known now. Where that has changed, those on its core that it may go before are
 * to be looked at again. A job of several bursts that may meet the next one may be ready at any time. */
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

/* Tasks that it triggers are released when those steps are over. */
static void release_triggered(system_work *x, const task_state *t, int task)
{
    const sys_task *of = &x->s->tasks[task];
    for (size_t i = 0; i < of->step_count; i++) {
        if (of->steps[i].kind != SYS_TRIGGER)
            continue;
        task_state *other = &x->tasks[of->steps[i].task];
        int64_t release_max = x->steps[t->first_step + i].end_max;
        if (other->release_max == release_max)
            continue;
        other->release_max = release_max;
        other->dirty = other->on_core;
        x->gpu_dirty |= !other->on_core;
    }
}

/* Is the response known, and why not? */
static void settle(system_work *x, task_state *t, why_not why, int other, int64_t before)
{
    int task = (int)(t - x->tasks);
    bool tired = ++t->visits > MOST_VISITS;
    if (t->release_max == SYS_UNBOUNDED)
        why = WHY_RELEASE, other = x->s->tasks[task].trigger;
    else if (tired)
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
    for (size_t i = 0; (t->several || tired) && i < x->s->tasks[task].step_count; i++)
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
    t->own_worst = min_i64(last->own_end, less(t->worst, t->release_min));
    settle(x, t, why, why == WHY_INTERFERES ? l.unknown : other, worst);
    if (t->several && !set_bursts(x, t))
        t->dirty = false;
    release_triggered(x, t, task);
    if (t->worst != worst || t->own_worst != own_worst)
        task_changed(x, task);
}
