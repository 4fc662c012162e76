#include "analyze/mapping/score/mapping_analysis.h"

static bool needs_chains(const sys_system *s, map_objective objective)
{
    for (size_t i = 0; i < s->chain_count; i++)
        if (s->chains[i].reaction_ns || s->chains[i].age_ns)
            return true;
    return objective.kind == MAP_CHAIN;
}

gcast_status map_analysis_make(map_analysis *m, const sys_system *s, const sys_analyze_options *options,
                               map_objective objective, bool quick, gcast_error *err)
{
    *m = (map_analysis){.of = s, .objective = objective, .options = *options};
    m->options.communication = objective.communication;
    m->options.tasks_only = quick;
    m->options.asked_chains = needs_chains(s, objective);
    m->options.cache = system_gpu_cache_create();
    return m->options.cache ? GCAST_OK : gcast_error_set_memory(err);
}

void map_analysis_free(map_analysis *m)
{
    system_gpu_cache_free(m->options.cache);
}

static gcast_status evaluate(void *data, const sys_place *places, map_score *score, gcast_error *err)
{
    map_analysis *m = data;
    sys_answer *answer;
    gcast_status status = system_analyze(m->of, places, &m->options, &answer, err);
    if (status != GCAST_OK)
        return status;
    *score = map_score_answer(answer, m->objective);
    system_answer_free(answer);
    return GCAST_OK;
}

map_evaluator map_analysis_evaluator(map_analysis *m)
{
    return (map_evaluator){evaluate, m};
}
