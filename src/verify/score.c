/* Predictions of recorded runs, and the score and limit of a scenario, as docs/formats.md defines them. */
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "gridcast/races.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"
#include "model/scenario.h"
#include "verify/score.h"

/* A prediction of a recorded run is a simulation whose calls are made at the times of the recorded calls. */

/* Sets options whose releases are the calls of a recorded run. The caller frees *calls. */
static gcast_status prediction_options(const gcast_run *run, gcast_simulate_options *options, int64_t **calls,
                                       gcast_error *err)
{
    int64_t *releases = *calls = malloc((run->op_count + 1) * sizeof *releases);
    if (!releases)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run->op_count; i++)
        releases[i] = run->ops[i].call_ns;
    *options = gcast_simulate_options_default();
    options->releases = releases;
    options->release_count = run->op_count;
    options->as_measured = strcmp(run->source, "measured") == 0; /* kernels of a program do not sleep */
    return GCAST_OK;
}

gcast_status gcast_scenario_predict(const gcast_scenario *scenario, size_t index, const gcast_gpu *gpu,
                                    bool record_blocks, gcast_run **prediction, gcast_error *err)
{
    if (prediction)
        *prediction = NULL;
    if (!scenario || !prediction)
        return argument_missing(err);
    if (index >= scenario->run_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the scenario has %zu runs, and none has the number %zu",
                               scenario->run_count, index);
    gcast_simulate_options options;
    int64_t *calls;
    gcast_status status = prediction_options(scenario->runs[index], &options, &calls, err);
    if (status != GCAST_OK)
        return status;
    options.record_blocks = record_blocks;
    status = gcast_workload_simulate(scenario->workload, gpu, &options, prediction, err);
    free(calls);
    return status;
}

void gcast_score_add(gcast_score *sum, const gcast_score *score)
{
    if (!sum || !score)
        return;
    sum->scenarios += score->scenarios;
    sum->predictions += score->predictions;
    sum->hits += score->hits;
    sum->settled += score->settled;
    sum->settled_hits += score->settled_hits;
    sum->pairs += score->pairs;
    sum->agreeing += score->agreeing;
}

double gcast_score_value(const gcast_score *s)
{
    if (!s)
        return 0;
    return s->predictions ? (double)s->hits / (double)s->predictions : 0;
}

double gcast_score_limit(const gcast_score *s)
{
    if (!s)
        return 0;
    return s->pairs ? (double)s->agreeing / (double)s->pairs : -1;
}

double gcast_score_ratio(const gcast_score *s)
{
    if (!s)
        return 0;
    double limit = gcast_score_limit(s);
    return limit > 0 ? gcast_score_value(s) / limit : -1;
}

double gcast_score_open(const gcast_score *s)
{
    if (!s)
        return 0;
    return s->predictions ? (double)(s->predictions - s->settled) / (double)s->predictions : 0;
}

double gcast_score_settled(const gcast_score *s)
{
    if (!s)
        return 0;
    return s->settled ? (double)s->settled_hits / (double)s->settled : -1;
}

/* Is a worse than b, by error over tolerance? */
static bool is_worse(const gcast_agreement *a, const gcast_agreement *b)
{
    if (!b->tolerance_ns)
        return true;
    return (unsigned __int128)a->error_ns * (uint64_t)b->tolerance_ns >
           (unsigned __int128)b->error_ns * (uint64_t)a->tolerance_ns;
}

/* The progress of a scenario. */
typedef struct scoring {
    const gcast_score_options *options;
    size_t done;       /* predictions that are done, each with its trials */
    size_t all;        /* predictions to make */
    bool is_predicted; /* the current prediction is made, and its trials are going on */
} scoring;

static bool show(void *data, double fraction)
{
    const scoring *s = data;
    int trials = max_int(s->options->trials, 0);
    double part = (s->is_predicted ? 1 + fraction * trials : fraction) / (1 + trials);
    return s->options->progress(s->options->progress_data, ((double)s->done + part) / (double)s->all);
}

/* Predicts one run of the scenario and compares. *open: a race leaves the prediction open. */
static gcast_status score_run(const gcast_scenario *scenario, size_t index, const gcast_gpu *gpu, scoring *s,
                              gcast_agreement *a, bool *open, gcast_error *err)
{
    const gcast_run *run = scenario->runs[index];
    gcast_simulate_options options;
    gcast_run *prediction;
    gcast_race *races;
    size_t count;
    int64_t *calls;
    gcast_status status = prediction_options(run, &options, &calls, err);
    if (status != GCAST_OK)
        return status;
    options.progress = s->options->progress ? show : NULL;
    options.progress_data = s;
    s->done = index;
    s->is_predicted = false;
    status = gcast_workload_simulate(scenario->workload, gpu, &options, &prediction, err);
    if (status == GCAST_OK) {
        s->is_predicted = true;
        *a = gcast_run_compare(prediction, run);
        status = gcast_run_find_races(prediction, gpu, &options, s->options->trials, &races, &count, err);
        gcast_run_free(prediction);
    }
    if (status == GCAST_OK) {
        *open = count > 0;
        free(races);
    }
    free(calls);
    return status;
}

gcast_status gcast_scenario_score(const gcast_scenario *scenario, const gcast_gpu *gpu,
                                  const gcast_score_options *given, gcast_score *score, gcast_agreement *worst,
                                  gcast_error *err)
{
    if (!scenario || !score)
        return argument_missing(err);
    gcast_score_options own = gcast_score_options_default();
    scoring s = {.options = &own, .all = scenario->run_count};
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_score_options", err);
    if (status != GCAST_OK)
        return status;
    *score = (gcast_score){.scenarios = 1};
    if (worst)
        *worst = (gcast_agreement){.agree = true};
    for (size_t i = 0; i < scenario->run_count; i++) {
        gcast_agreement a;
        bool open;
        status = score_run(scenario, i, gpu, &s, &a, &open, err);
        if (status != GCAST_OK)
            return status;
        score->predictions++;
        score->hits += a.agree;
        score->settled += !open;
        score->settled_hits += !open && a.agree;
        if (worst && is_worse(&a, worst))
            *worst = a;
        for (size_t k = 0; k < scenario->run_count; k++) {
            if (k == i)
                continue;
            score->pairs++;
            score->agreeing += gcast_run_compare(scenario->runs[k], scenario->runs[i]).agree;
        }
    }
    return GCAST_OK;
}
