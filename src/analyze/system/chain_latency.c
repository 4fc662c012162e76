/* Latencies of chains: cuts a chain into stages, walks over the jobs of its stages where offsets are known, and gives
 * bounds for any phase otherwise. */
#include "analyze/system/chain_latency.h"

#include "analyze/system/answer_caveats.h"
#include "analyze/system/system_work.h"
#include "base/integers.h"

#define MOST_VISITS 2000000 /* of stages, in the walks over one chain */

/* Tasks of a chain that follow each other within one job of their root: one triggers the next, or the next waits for
 * it. Between stages data is sampled. Times count from the nominal release of the root. */
typedef struct chain_stage {
    bool sporadic;
    bool skips;             /* not every job of its first task leads to an output of its last one */
    int64_t period, offset; /* of the root */
    int64_t read_min;       /* its earliest reading */
    int64_t write_max;      /* its latest writing, or SYS_UNBOUNDED */
    int64_t least;          /* least time from reading to writing */
} chain_stage;

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

/* The least execution of a task's steps `from` to `before` - 1. */
static int64_t least_between(const system_work *x, int task, int from, int before)
{
    int64_t sum = 0;
    for (int i = from; i < before; i++)
        if (x->s->tasks[task].steps[i].kind == SYS_RUN)
            sum = sum_of(sum, system_step_time(x->s, &x->s->tasks[task].steps[i], x->places[task].core).min_ns);
    return sum;
}

static chain_stage new_stage(const system_work *x, int task, gcast_communication how)
{
    const sys_task *root = &x->s->tasks[x->s->tasks[task].root];
    return (chain_stage){.sporadic = root->arrival == SYS_SPORADIC,
                         .period = root->period_ns,
                         .offset = root->offset_ns,
                         .read_min = how == GCAST_COMMUNICATION_LET ? 0 : x->tasks[task].release_min};
}

/* Makes the stages of a chain under one communication, at most one for each task, and returns their number. Data enters
 * a task at its start, or at its wait for the previous task. It leaves at the task's end, or with the trigger of the
 * next task if that comes after the data has entered. */
static size_t chain_stages(const system_work *x, const sys_chain *chain, gcast_communication how, chain_stage *stages)
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
        int trigger = next == SYS_NONE ? -1 : system_trigger_step(x->s, task, next);
        bool triggers = trigger >= enters;
        if (how == GCAST_COMMUNICATION_IMPLICIT)
            stage->least = sum_of(stage->least, least_between(x, task, enters, triggers ? trigger : leaves));
        stage->write_max = x->tasks[task].worst;
        if (how == GCAST_COMMUNICATION_LET)
            stage->write_max = stage->least = stage->period;
        follows = triggers || wait >= 0;
        enters = max_int(wait, 0);
    }
    return count;
}

/* Bounds for any phase (17): each stage samples at most a period after the data is there, and then takes the time from
 * reading to writing. Data that is there before the first job of a stage can read waits for that job. */
static void latency_for_any_phase(const chain_stage *stages, size_t count, sys_latency *l)
{
    int64_t first = stages[0].skips ? SYS_UNBOUNDED : stages[0].write_max, age = 0, least = 0;
    bool sporadic = false;
    for (size_t i = 0; i < count; i++) {
        const chain_stage *s = &stages[i];
        int64_t takes = minus(s->write_max, s->read_min);
        if (i)
            first = s->sporadic ? SYS_UNBOUNDED : sum_of(max_i64(first, s->read_min), sum_of(s->period, takes));
        l->age_worst_ns = sporadic ? SYS_UNBOUNDED : sum_of(age, takes);
        age = sum_of(age, sum_of(s->period, takes));
        sporadic |= s->sporadic;
        least = sum_of(least, s->least);
    }
    l->any_phase = true;
    l->first_worst_ns = first;
    l->reaction_worst_ns = stages[0].sporadic ? SYS_UNBOUNDED : sum_of(first, stages[0].period - stages[0].read_min);
    l->reaction_best_ns = l->age_best_ns = least;
}

/* The hyperperiod of the stages. False if it is too long, or a stage is sporadic or has no bound. */
static bool find_hyperperiod(const chain_stage *stages, size_t count, int64_t *hyperperiod)
{
    *hyperperiod = 1;
    for (size_t i = 0; i < count; i++) {
        const chain_stage *s = &stages[i];
        if (s->sporadic || s->write_max == SYS_UNBOUNDED || !add_period(hyperperiod, s->period) ||
            *hyperperiod >= TIME_LIMIT)
            return false;
    }
    return true;
}

/* From the latest writing of the first stage to the end of the chain: each next stage reads with its first job that
 * cannot read too early. Returns the time of the output. */
static int64_t walk_forward(const chain_stage *stages, size_t count, int64_t release)
{
    int64_t t = release + stages[0].write_max;
    for (size_t i = 1; i < count; i++) {
        const chain_stage *s = &stages[i];
        int64_t job = max_i64(0, ceil_div(t - s->read_min - s->offset, s->period));
        t = s->offset + job * s->period + s->write_max;
    }
    return t;
}

/* From the earliest reading of the last stage back: each earlier stage wrote with its last job that surely had written.
 * Returns the time of the first reading. */
static int64_t walk_back(const chain_stage *stages, size_t count, int64_t release)
{
    int64_t t = release + stages[count - 1].read_min;
    for (size_t i = count - 1; i-- > 0;) {
        const chain_stage *s = &stages[i];
        t = s->offset + floor_div(t - s->write_max - s->offset, s->period) * s->period + s->read_min;
    }
    return t;
}

/* Latencies by walks over all jobs of a hyperperiod, and over those before every stage has read once (16). */
static bool walk_jobs(const chain_stage *stages, size_t count, sys_latency *l)
{
    const chain_stage *first = &stages[0], *last = &stages[count - 1];
    int64_t hyperperiod, latest = 0;
    if (!find_hyperperiod(stages, count, &hyperperiod))
        return false;
    for (size_t i = 0; i < count; i++)
        latest = max_i64(latest, stages[i].offset + stages[i].read_min);
    int64_t starts = (latest + hyperperiod) / first->period + 1, ends = hyperperiod / last->period;
    if (starts + ends > MOST_VISITS / (int64_t)count)
        return false;
    *l = (sys_latency){.reaction_best_ns = INT64_MAX, .age_best_ns = INT64_MAX};
    for (int64_t k = 0; k < starts; k++) {
        int64_t release = first->offset + k * first->period, takes = walk_forward(stages, count, release) - release;
        l->first_worst_ns = max_i64(l->first_worst_ns, takes);
        l->reaction_best_ns = min_i64(l->reaction_best_ns, takes - first->read_min);
    }
    l->reaction_worst_ns = l->first_worst_ns + first->period - first->read_min;
    for (int64_t k = 0; k < ends; k++) {
        int64_t release = last->offset + k * last->period;
        int64_t takes = release + last->write_max - walk_back(stages, count, release);
        l->age_worst_ns = max_i64(l->age_worst_ns, takes);
        l->age_best_ns = min_i64(l->age_best_ns, takes);
    }
    return true;
}

/* All latencies: by walks if `offsets` count and the stages allow it, else for any phase. */
static sys_latency chain_latency(const chain_stage *stages, size_t count, bool offsets)
{
    sys_latency any = {0}, l;
    if (!count)
        return any;
    latency_for_any_phase(stages, count, &any);
    if (!offsets || !walk_jobs(stages, count, &l))
        return any;
    /* the shortest walk is the best case only if times do not vary */
    bool exact = true;
    for (size_t i = 0; i < count; i++)
        exact &= stages[i].write_max - stages[i].read_min == stages[i].least;
    if (!exact) {
        l.reaction_best_ns = any.reaction_best_ns;
        l.age_best_ns = any.age_best_ns;
    }
    return l;
}

/* `happens`: `worst` occurs in some execution. */
static gcast_deadline_verdict chain_verdict(int64_t limit, int64_t best, int64_t worst, bool happens, bool conditional)
{
    if (!limit)
        return GCAST_DEADLINE_NONE;
    if (worst <= limit)
        return conditional ? GCAST_DEADLINE_MET_IF : GCAST_DEADLINE_MET;
    return best > limit || happens ? GCAST_DEADLINE_MISSED : GCAST_DEADLINE_OPEN;
}

/* Do the times of a chain rest on assumed latencies of the GPU? group_of says so by task. */
static bool rests_on_gpu(const system_work *x, const sys_chain *chain)
{
    for (size_t i = 0; i < chain->task_count; i++)
        if (x->group_of[chain->tasks[i]])
            return true;
    return false;
}

static unsigned effects_of(const sys_task_answer *tasks, const sys_chain *chain)
{
    unsigned effects = chain->effects;
    for (size_t i = 0; i < chain->task_count; i++)
        effects |= tasks[chain->tasks[i]].effects;
    return effects;
}

bool chains_answer(const system_work *x, sys_answer *a)
{
    const sys_system *s = x->s;
    sys_chain_answer *chains = arena_alloc_array(&a->memory, s->chain_count + 1, sizeof *chains);
    size_t longest = 1;
    for (size_t i = 0; i < s->chain_count; i++)
        longest = max_size(longest, s->chains[i].task_count);
    chain_stage *stages = arena_alloc_array(&a->memory, longest, sizeof *stages);
    if (!chains || !stages)
        return false;
    for (size_t i = 0; i < s->chain_count; i++) {
        const sys_chain *chain = &s->chains[i];
        gcast_communication how = x->options->communication;
        for (int k = 0; k < GCAST_COMMUNICATIONS; k++) {
            if (x->options->tasks_only && k != (int)how)
                continue;
            size_t count = chain_stages(x, chain, (gcast_communication)k, stages);
            chains[i].by[k] = chain_latency(stages, count, !x->options->ignore_offsets);
        }
        const sys_latency *l = &chains[i].by[how];
        unsigned effects = effects_of(a->tasks, chain);
        bool happens = how == GCAST_COMMUNICATION_LET && !l->any_phase,
             conditional = how != GCAST_COMMUNICATION_LET && rests_on_gpu(x, chain);
        chains[i].reaction_verdict = chain_verdict(chain->reaction_ns, l->reaction_best_ns,
                                                   system_reaction_ns(x->options->reaction, l), happens, conditional);
        chains[i].age_verdict = chain_verdict(chain->age_ns, l->age_best_ns, l->age_worst_ns, happens, conditional);
        chains[i].reaction_verdict = verdict_with_effects(chains[i].reaction_verdict, effects, true, happens);
        chains[i].age_verdict = verdict_with_effects(chains[i].age_verdict, effects, true, happens);
        gcast_deadline_verdict both[] = {chains[i].reaction_verdict, chains[i].age_verdict};
        for (int k = 0; k < 2; k++)
            a->all_met &= both[k] != GCAST_DEADLINE_OPEN && both[k] != GCAST_DEADLINE_MISSED;
    }
    a->chains = chains;
    return true;
}

sys_app4rta_let system_app4rta_let(const sys_system *s, const sys_chain *chain)
{
    sys_app4rta_let l = {0};
    for (size_t i = 0; i < chain->task_count; i++) {
        int64_t period = s->tasks[chain->tasks[i]].period_ns;
        int64_t before = i ? s->tasks[chain->tasks[i - 1]].period_ns : 0;
        bool is_last = i + 1 == chain->task_count;
        l.best_ns = sum_of(l.best_ns, period);
        l.worst_ns = sum_of(l.worst_ns, is_last ? period : sum_of(period, period));
        l.initial_ns = sum_of(l.initial_ns, sum_of(period, min_i64(before, period)));
    }
    return l;
}
