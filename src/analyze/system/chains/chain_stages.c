/* How data goes from one task of a chain to the next. */
#include "analyze/system/chains/chain_stages.h"

/* The step by which `task` triggers `other`, directly or by others; -1: it does not. */
static int trigger_step(const sys_system *s, int task, int other)
{
    for (int j = other; s->tasks[j].arrival == SYS_TRIGGERED; j = s->tasks[j].trigger)
        if (s->tasks[j].trigger == task)
            return (int)s->tasks[j].trigger_step;
    return -1;
}

/* The step at which `task` waits for `other`, or for one that waits for it, and so on; -1: none. */
static int wait_step(const sys_system *s, int task, int other)
{
    for (int j = other; s->tasks[j].arrival == SYS_TRIGGERED && s->tasks[j].waiter == s->tasks[j].trigger;
         j = s->tasks[j].trigger)
        for (size_t i = 0; s->tasks[j].trigger == task && i < s->tasks[task].step_count; i++)
            if (s->tasks[task].steps[i].kind == SYS_WAIT && s->tasks[task].steps[i].task == j)
                return (int)i;
    return -1;
}

/* Least execution of a task's steps from one on, before another. */
static int64_t least_between(const system_work *x, int task, int from, int before)
{
    int64_t sum = 0;
    for (int i = from; i < before; i++)
        if (x->s->tasks[task].steps[i].kind == SYS_RUN)
            sum = sum_of(sum, system_step_time(x->s, &x->s->tasks[task].steps[i], x->places[task].core).min_ns);
    return sum;
}

static chain_stage new_stage(const system_work *x, int task, sys_communication how)
{
    const sys_task *root = &x->s->tasks[x->s->tasks[task].root];
    return (chain_stage){.sporadic = root->arrival == SYS_SPORADIC,
                         .period = root->period_ns,
                         .offset = root->offset_ns,
                         .read_min = how == SYS_LET ? 0 : x->tasks[task].release_min};
}

/* Data enters a task at its start, or at its wait for the task before it; it leaves at the task's end, or with the
 * trigger of the next one, where that is not before it enters. */
size_t chain_stages(const system_work *x, const sys_chain *chain, sys_communication how, chain_stage *stages)
{
    size_t count = 0;
    int enters = 0;
    bool follows = false;
    for (size_t i = 0; i < chain->task_count; i++) {
        int task = chain->tasks[i], next = i + 1 < chain->task_count ? chain->tasks[i + 1] : SYS_NONE;
        if (!follows)
            stages[count++] = new_stage(x, task, how);
        chain_stage *stage = &stages[count - 1];
        stage->skips |= !system_always_starts(x->s, task);
        stage->sporadic |= stage->skips;
        int leaves = (int)x->s->tasks[task].step_count, wait = next == SYS_NONE ? -1 : wait_step(x->s, next, task);
        int trigger = next == SYS_NONE ? -1 : trigger_step(x->s, task, next);
        bool triggers = trigger >= enters;
        if (how == SYS_IMPLICIT)
            stage->least = sum_of(stage->least, least_between(x, task, enters, triggers ? trigger : leaves));
        stage->write_max = x->tasks[task].worst;
        if (how == SYS_LET)
            stage->write_max = stage->least = stage->period;
        follows = triggers || wait >= 0;
        enters = max_int(wait, 0);
    }
    return count;
}
