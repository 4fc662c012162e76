/* Scores of scenarios and families, of several corpora, and as JSON. */
#include "verify/corpora.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/scenario.h"
#include "verify/score.h"

/* The score of a family, which is added if it is new; NULL without memory. */
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

/* All corpora have the same share of the progress; within a corpus, progress is counted in bytes. */

typedef struct scoring {
    const verify_corpora *c;
    verify_scores *scores;
    double done;  /* fraction of the total progress before the current scenario */
    double step;  /* the current scenario's fraction of the total progress */
    bool stopped; /* `scored` stopped it */
} scoring;

static bool show(void *data, double fraction)
{
    const scoring *s = data;
    return s->c->progress(s->c->progress_data, s->done + s->step * fraction);
}

/* Begins a scenario of corpus `index` that ends at this fraction of the corpus. */
static void begin_scenario(scoring *s, size_t index, double corpus_done)
{
    double end = ((double)index + corpus_done) / (double)s->c->count;
    s->done += s->step;
    s->step = end > s->done ? end - s->done : 0;
    show(s, 0);
}

static bool is_wanted(const verify_corpora *c, const gcast_scenario *scenario)
{
    return (!c->family || strcmp(c->family, scenario->family) == 0) &&
           (!c->scenario || strcmp(c->scenario, scenario->workload->name) == 0);
}

static gcast_status score_scenario(scoring *s, const gcast_scenario *scenario, gcast_error *err)
{
    gcast_score_options options = gcast_score_options_default();
    options.trials = s->c->trials;
    options.progress = show;
    options.progress_data = s;
    gcast_status status = verify_scores_add(s->scores, scenario, s->c->gpu, &options, err);
    s->stopped = status == GCAST_OK && !s->c->scored(s->c->scored_data, scenario);
    return status;
}

static gcast_status score_corpus(scoring *s, size_t index, gcast_error *err)
{
    gcast_corpus *corpus;
    gcast_scenario *scenario;
    gcast_status status = gcast_corpus_open(s->c->paths[index], &corpus, err);
    if (status != GCAST_OK)
        return status;
    for (size_t count = 0; status == GCAST_OK && !s->stopped; count++) {
        status = gcast_corpus_next(corpus, &scenario, err);
        if (status == GCAST_OK && !scenario && !count)
            status = gcast_error_set(err, GCAST_INPUT, NULL, "%s: holds no scenario", s->c->paths[index]);
        if (status != GCAST_OK || !scenario)
            break;
        begin_scenario(s, index, gcast_corpus_done(corpus));
        if (is_wanted(s->c, scenario))
            status = score_scenario(s, scenario, err);
        gcast_scenario_free(scenario);
    }
    gcast_corpus_close(corpus);
    return status;
}

gcast_status verify_corpora_score(const verify_corpora *c, verify_scores *scores, gcast_error *err)
{
    scoring s = {.c = c, .scores = scores};
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < c->count && status == GCAST_OK && !s.stopped; i++)
        status = score_corpus(&s, i, err);
    return status;
}

#define SCORE_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(count, scenarios, true, s->scenarios, "scenarios that count")                                                \
    FIELD(share, score, true, gcast_score_value(s), "share of the predictions that hold")                              \
    FIELD(share, limit, gcast_score_limit(s) >= 0, gcast_score_limit(s), "score of one measured run for another")      \
    FIELD(share, ratio, gcast_score_ratio(s) >= 0, gcast_score_ratio(s), "score / limit")                              \
    FIELD(share, open, true, gcast_score_open(s), "share of scenarios with a race")                                    \
    FIELD(share, settled, gcast_score_settled(s) >= 0, gcast_score_settled(s), "score of the other scenarios")

FIELD_WRITER(put_score, SCORE_FIELDS, const gcast_score *s)

static void put_families(json_out *j, const verify_scores *scores)
{
    for (size_t i = 0; i < scores->families.count; i++) {
        json_line(j);
        json_begin(j, NULL, '{');
        json_put_text(j, "family", scores->families.at[i].name);
        put_score(j, &scores->families.at[i].score);
        json_end(j, '}');
    }
}

#define VERIFY_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, schema, true, "gridcast.verify/1", "the format")                                                       \
    FIELD(list, families, true, put_families(j, scores), "by `family`, with the keys below")

void verify_json(text *t, const verify_scores *scores)
{
    json_out *j = &(json_out){.out = t, .indent = 1};
    json_begin(j, NULL, '{');
    PUT_FIELDS(VERIFY_FIELDS);
    json_line(j);
    put_score(j, &scores->all);
    json_end(j, '}');
    text_char(t, '\n');
}

const record verify_schema[] = {RECORD("", VERIFY_FIELDS), RECORD("", SCORE_FIELDS), {NULL, NULL}};
