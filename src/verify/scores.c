#include "verify/scores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The score of a family, which is added where it is new; NULL without memory. */
static gcast_score *family_score(verify_scores *s, const char *name)
{
    for (size_t i = 0; i < s->families.count; i++)
        if (strcmp(s->families.at[i].name, name) == 0)
            return &s->families.at[i].score;
    verify_family f = {.name = arena_strdup(&s->memory, name)};
    return f.name && vec_push(&s->families, f) ? &s->families.at[s->families.count - 1].score : NULL;
}

gcast_status verify_scores_add(verify_scores *s, const gcast_scenario *scenario, const gcast_gpu *gpu,
                               const gcast_score_options *options, gcast_error *err)
{
    const gcast_workload *w = scenario->workload;
    gcast_score score;
    gcast_agreement worst;
    gcast_status status = gcast_scenario_score(scenario, gpu, options, &score, &worst, err);
    if (status != GCAST_OK) {
        snprintf(err->file, sizeof err->file, "%s: %s", w->source, w->name);
        return status;
    }
    gcast_score *sum = family_score(s, scenario->family);
    verify_miss miss = {.scenario = arena_strdup(&s->memory, w->name),
                        .op = arena_strdup(&s->memory, w->ops[worst.worst_op].label),
                        .worst = worst};
    if (!sum || !miss.scenario || !miss.op || (!worst.agree && !vec_push(&s->misses, miss)))
        return gcast_error_set_memory(err);
    gcast_score_add(sum, &score);
    gcast_score_add(&s->all, &score);
    return GCAST_OK;
}

static int by_error(const void *a, const void *b)
{
    const verify_miss *x = a, *y = b;
    unsigned __int128 left = (unsigned __int128)x->worst.error_ns * (uint64_t)y->worst.tolerance_ns;
    unsigned __int128 right = (unsigned __int128)y->worst.error_ns * (uint64_t)x->worst.tolerance_ns;
    int names = strcmp(x->scenario, y->scenario);
    return left > right ? -1 : left < right ? 1 : names ? names : strcmp(x->op, y->op);
}

void verify_scores_sort(verify_scores *s)
{
    if (s->misses.count)
        qsort(s->misses.at, s->misses.count, sizeof *s->misses.at, by_error);
}

void verify_scores_free(verify_scores *s)
{
    vec_free(&s->families);
    vec_free(&s->misses);
    arena_free(&s->memory);
}
