/* Chains of an answer, and whether their limits hold. */
#include "analyze/system/chains/chain_stages.h"
#include "analyze/system/effects/task_effects.h"

static gcast_deadline_verdict verdict(int64_t limit, int64_t best, int64_t worst, bool happens, bool conditional)
{
    if (!limit)
        return GCAST_DEADLINE_NONE;
    if (worst <= limit)
        return conditional ? GCAST_DEADLINE_MET_IF : GCAST_DEADLINE_MET;
    return best > limit || happens ? GCAST_DEADLINE_MISSED : GCAST_DEADLINE_OPEN;
}

/* Does a chain rest on the analysis of the GPU? Marks are in group_of. */
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
        sys_communication how = x->options->communication;
        for (int k = 0; k < SYS_COMMUNICATIONS; k++) {
            if (x->options->tasks_only && k != (int)how)
                continue;
            size_t count = chain_stages(x, chain, (sys_communication)k, stages);
            chains[i].by[k] = chain_latency(stages, count, !x->options->ignore_offsets);
        }
        const sys_latency *l = &chains[i].by[how];
        unsigned effects = effects_of(a->tasks, chain);
        bool happens = how == SYS_LET && !l->any_phase, conditional = how != SYS_LET && rests_on_gpu(x, chain);
        chains[i].reaction_verdict = verdict(chain->reaction_ns, l->reaction_best_ns,
                                             system_reaction_ns(x->options->reaction, l), happens, conditional);
        chains[i].age_verdict = verdict(chain->age_ns, l->age_best_ns, l->age_worst_ns, happens, conditional);
        chains[i].reaction_verdict = verdict_with_effects(chains[i].reaction_verdict, effects, true, happens);
        chains[i].age_verdict = verdict_with_effects(chains[i].age_verdict, effects, true, happens);
        gcast_deadline_verdict both[] = {chains[i].reaction_verdict, chains[i].age_verdict};
        for (int k = 0; k < 2; k++)
            a->all_met &= both[k] != GCAST_DEADLINE_OPEN && both[k] != GCAST_DEADLINE_MISSED;
    }
    a->chains = chains;
    return true;
}
