/* level_make: what goes before a task on its core. */
#include "analyze/system/cores/core_level.h"

/* The step by which `task` triggers `other`, directly or by others; UINT32_MAX: it does not. */
static uint32_t leaves_by(const sys_task *tasks, int task, int other)
{
    for (int j = other; tasks[j].arrival == SYS_TRIGGERED; j = tasks[j].trigger)
        if (tasks[j].trigger == task)
            return (uint32_t)tasks[j].trigger_step;
    return UINT32_MAX;
}

/* The piece of `task` that goes on after its wait for `other`. */
static const core_piece *piece_after(const system_work *x, int task, int other)
{
    const core_piece *p = &x->pieces[x->tasks[task].first_piece];
    while (p->waits_for != other)
        p++;
    return p;
}

/* A burst of another task of the own root: which of its jobs can be ready while one of `task` is not over? What `task`
 * triggers later is not, nor is what its next job triggers. A task that waits for `task`, or for one that waits for it
 * and so on, goes on only after it: so does what that triggers then, and its next job. */
static own_term related(const system_work *x, int task, const core_burst *b)
{
    const sys_task *tasks = x->s->tasks;
    own_term term = {b, leaves_by(tasks, task, b->task), INT64_MAX};
    if (term.leaves != UINT32_MAX)
        return term;
    for (int j = task; tasks[j].arrival == SYS_TRIGGERED && tasks[j].waiter == tasks[j].trigger; j = tasks[j].trigger) {
        int above = tasks[j].trigger;
        const core_piece *after = piece_after(x, above, j);
        uint32_t leaves = leaves_by(tasks, above, b->task);
        if (above == b->task)
            term.last = b <= &x->bursts[after[-1].burst] ? 0 : -1;
        else if (leaves != UINT32_MAX)
            term.last = leaves < after->first ? 0 : -1;
        else
            continue;
        break;
    }
    return term;
}

static void add_burst(system_work *x, core_level *l, const core_burst *b)
{
    if (b->ready_max >= TIME_LIMIT || b->most >= TIME_LIMIT)
        l->unknown = b->task;
    l->spins |= b->spins;
    if (b->root == x->s->tasks[l->task].root)
        l->own[l->own_count++] = related(x, l->task, b);
    else if (b->lone || b->sporadic)
        l->lone[l->lone_count++] = b;
    else
        l->joint[l->group_count++] = b; /* grouped below */
}

/* Puts bursts of one root next to each other: a stable sort by where a root comes first. */
static void group(system_work *x, core_level *l)
{
    size_t count = l->group_count, groups = 0;
    l->group_count = 0;
    for (size_t i = 0; i < count;) {
        int root = l->joint[i]->root;
        size_t end = i + 1;
        for (size_t k = end; k < count; k++)
            if (l->joint[k]->root == root) {
                const core_burst *other = l->joint[k];
                l->joint[k] = l->joint[end];
                l->joint[end++] = other;
            }
        x->group_end[groups++] = i = end;
    }
    l->group_count = groups;
}

void level_make(system_work *x, int task, core_level *l)
{
    const task_state *t = &x->tasks[task];
    *l = (core_level){.x = x,
                      .task = task,
                      .lone = x->lone,
                      .joint = x->joint,
                      .group_end = x->group_end,
                      .own = x->own,
                      .cap = x->cap,
                      .unknown = SYS_NONE};
    double load = 0;
    for (uint32_t i = t->core_begin; i < t->class_end; i++) {
        const task_state *other = &x->tasks[x->order[i]];
        for (uint32_t b = other->first_burst; b < other->first_burst + other->burst_count; b++) {
            load += (double)x->bursts[b].most / (double)x->bursts[b].period;
            if (other != t)
                add_burst(x, l, &x->bursts[b]);
        }
    }
    if (l->group_count)
        group(x, l);
    l->own_others = l->own_count;
    for (uint32_t b = t->first_burst; b < t->first_burst + t->burst_count; b++)
        l->own[l->own_count++] = (own_term){&x->bursts[b], UINT32_MAX, -1};
    for (uint32_t i = t->class_end; i < t->core_end; i++)
        l->blocking = max_i64(l->blocking, x->tasks[x->order[i]].section);
    l->may_be_alone = !t->has_equals && x->s->tasks[task].preemption == SYS_PREEMPTIVE;
    l->load = load;
    l->overloaded = load > 1 + 1e-9;
}
