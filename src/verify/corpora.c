/* All corpora have the same share in the progress; within a corpus, bytes are counted. */
#include "verify/corpora.h"

#include <string.h>

typedef struct scoring {
    const verify_corpora *c;
    verify_scores *scores;
    double done;  /* of all corpora, before the scenario that is scored now */
    double step;  /* what that scenario is of all corpora */
    bool stopped; /* `scored` stopped it */
} scoring;

static bool show(void *data, double fraction)
{
    const scoring *s = data;
    return s->c->progress(s->c->progress_data, s->done + s->step * fraction);
}

/* A scenario of corpus `index` begins that ends at this fraction of the corpus. */
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
