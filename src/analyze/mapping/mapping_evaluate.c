/* Tries mappings with a cache of scores; evaluates them by the analysis of systems. */
#include "analyze/mapping/mapping_evaluate.h"

#include <string.h>

#define MOST_KNOWN (1u << 20) /* remembered scores */

gcast_status map_trier_make(map_trier *t, const map_space *space, map_objective objective, map_evaluator evaluator,
                            gcast_error *err)
{
    *t = (map_trier){.space = space, .objective = objective, .evaluator = evaluator};
    gcast_status status = map_floor_make(&t->floor, space->of, err);
    if (status != GCAST_OK)
        return status;
    t->packed = calloc(space->of->task_count + 1, sizeof *t->packed);
    if (t->packed)
        return GCAST_OK;
    map_trier_free(t);
    return gcast_error_set_memory(err);
}

void map_trier_free(map_trier *t)
{
    map_floor_free(&t->floor);
    free(t->packed);
    index_free(&t->index);
    vec_free(&t->known);
    vec_free(&t->keys);
}

void map_trier_reset(map_trier *t)
{
    index_free(&t->index);
    t->index = (hash_index){0};
    t->known.count = t->keys.count = 0;
    t->counts = (map_counts){0};
}

static uint64_t hash_packed(const map_trier *t)
{
    return index_hash(t->packed, t->space->of->task_count * sizeof *t->packed);
}

static const map_score *find_known(const map_trier *t, uint64_t hash)
{
    size_t count = t->space->of->task_count;
    for (index_probe p = index_start(&t->index, hash); index_next(&t->index, &p);)
        if (memcmp(&t->keys.at[p.value * count], t->packed, count * sizeof *t->packed) == 0)
            return &t->known.at[p.value];
    return NULL;
}

static bool remember(map_trier *t, uint64_t hash, map_score score)
{
    size_t count = t->space->of->task_count;
    if (t->known.count == MOST_KNOWN)
        return true;
    if (!vec_reserve(&t->keys, t->keys.count + count) || !vec_push(&t->known, score))
        return false;
    memcpy(&t->keys.at[t->keys.count], t->packed, count * sizeof *t->packed);
    t->keys.count += count;
    return index_add(&t->index, hash, (uint32_t)t->known.count - 1);
}

gcast_status map_try_new(map_trier *t, const sys_place *places, const map_score *most, map_score *score, bool *good,
                         gcast_error *err)
{
    gcast_status status = GCAST_OK;
    t->counts.tried++;
    *score = map_floor_score(&t->floor, places, t->objective);
    *good = map_score_compare(score, most) <= 0;
    if (*good) {
        t->counts.analyzed++;
        status = t->evaluator.evaluate(t->evaluator.data, places, score, err);
        *good = map_score_compare(score, most) <= 0;
    }
    return status;
}

gcast_status map_try(map_trier *t, const sys_place *places, const map_score *most, map_score *score, bool *good,
                     gcast_error *err)
{
    map_pack(t->space, places, t->packed);
    uint64_t hash = hash_packed(t), analyzed = t->counts.analyzed;
    const map_score *known = find_known(t, hash);
    if (known) {
        t->counts.repeated++;
        *score = *known;
        *good = map_score_compare(score, most) <= 0;
        return GCAST_OK;
    }
    gcast_status status = map_try_new(t, places, most, score, good, err);
    if (status == GCAST_OK && t->counts.analyzed > analyzed && !remember(t, hash, *score))
        status = gcast_error_set_memory(err);
    return status;
}

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
