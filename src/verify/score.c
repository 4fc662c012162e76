/* Agreement, score and limit, as docs/formats.md defines them. */
#include <stdlib.h>

#include "gridcast/races.h"
#include "gridcast/simulate.h"
#include "gridcast/verify.h"

#define LEAST_TOLERANCE 20000

static bool ran(const gcast_run *run, size_t i)
{
    return !run->ops[i].skipped && gcast_kind_on_gpu(run->workload->ops[run->ops[i].op].kind);
}

static int64_t earliest_start(const gcast_run *run)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < run->op_count; i++)
        if (ran(run, i) && run->ops[i].start_ns < first)
            first = run->ops[i].start_ns;
    return first;
}

gcast_agreement gcast_run_compare(const gcast_run *run, const gcast_run *reference)
{
    gcast_agreement a = {0};
    int64_t zero = earliest_start(run), reference_zero = earliest_start(reference), makespan = 0;
    for (size_t i = 0; i < reference->op_count && i < run->op_count; i++) {
        if (!ran(reference, i))
            continue;
        int64_t end = reference->ops[i].end_ns - reference_zero;
        int64_t error = ran(run, i) ? run->ops[i].end_ns - zero - end : INT64_MAX;
        error = error < 0 ? -error : error;
        makespan = end > makespan ? end : makespan;
        if (error > a.error_ns) {
            a.error_ns = error;
            a.worst_op = i;
        }
    }
    a.tolerance_ns = makespan / 100 > LEAST_TOLERANCE ? makespan / 100 : LEAST_TOLERANCE;
    a.agree = run->op_count == reference->op_count && a.error_ns <= a.tolerance_ns;
    return a;
}

/* Options that make its calls those of a recorded run; releases is to be freed. */
static gcast_status options_of(const gcast_run *run, gcast_simulate_options *options, gcast_error *err)
{
    int64_t *releases = malloc((run->op_count + 1) * sizeof *releases);
    if (!releases)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run->op_count; i++)
        releases[i] = run->ops[i].call_ns;
    *options = gcast_simulate_options_default();
    options->releases = releases;
    options->as_measured = true;
    options->release_count = run->op_count;
    return GCAST_OK;
}

gcast_status gcast_scenario_predict(const gcast_scenario *scenario, size_t index, const gcast_gpu *gpu,
                                    bool record_blocks, gcast_run **prediction, gcast_error *err)
{
    gcast_simulate_options options;
    gcast_status status = options_of(scenario->runs[index], &options, err);
    if (status != GCAST_OK)
        return status;
    options.record_blocks = record_blocks;
    status = gcast_workload_simulate(scenario->workload, gpu, &options, prediction, err);
    free((int64_t *)options.releases);
    return status;
}

void gcast_score_add(gcast_score *sum, const gcast_score *one)
{
    sum->scenarios += one->scenarios;
    sum->predictions += one->predictions;
    sum->hits += one->hits;
    sum->settled += one->settled;
    sum->settled_hits += one->settled_hits;
    sum->pairs += one->pairs;
    sum->agreeing += one->agreeing;
}

double gcast_score_value(const gcast_score *s)
{
    return s->predictions ? (double)s->hits / (double)s->predictions : 0;
}

double gcast_score_limit(const gcast_score *s)
{
    return s->pairs ? (double)s->agreeing / (double)s->pairs : -1;
}

double gcast_score_ratio(const gcast_score *s)
{
    double limit = gcast_score_limit(s);
    return limit > 0 ? gcast_score_value(s) / limit : -1;
}

double gcast_score_open(const gcast_score *s)
{
    return s->predictions ? (double)(s->predictions - s->settled) / (double)s->predictions : 0;
}

double gcast_score_settled(const gcast_score *s)
{
    return s->settled ? (double)s->settled_hits / (double)s->settled : -1;
}

/* a is worse than b: larger error for its tolerance. */
static bool worse(const gcast_agreement *a, const gcast_agreement *b)
{
    if (!b->tolerance_ns)
        return true;
    return (unsigned __int128)a->error_ns * (uint64_t)b->tolerance_ns >
           (unsigned __int128)b->error_ns * (uint64_t)a->tolerance_ns;
}

/* How much of a scenario is done: of one simulation after the other. */
typedef struct scoring {
    const gcast_score_options *options;
    size_t done, all; /* predictions, each with its trials */
    bool trials;      /* the prediction itself is there */
} scoring;

static bool show(void *data, double fraction)
{
    const scoring *s = data;
    int trials = s->options->trials > 0 ? s->options->trials : 0;
    double part = (s->trials ? 1 + fraction * trials : fraction) / (1 + trials);
    return s->options->progress(s->options->progress_data, ((double)s->done + part) / (double)s->all);
}

/* Predict one run of the scenario and compare; does a race leave the prediction open? */
static gcast_status judge(const gcast_scenario *scenario, size_t index, const gcast_gpu *gpu, scoring *s,
                          gcast_agreement *a, bool *open, gcast_error *err)
{
    const gcast_run *run = scenario->runs[index];
    gcast_simulate_options options;
    gcast_run *prediction;
    gcast_race *races;
    size_t count;
    gcast_status status = options_of(run, &options, err);
    if (status != GCAST_OK)
        return status;
    options.progress = s->options->progress ? show : NULL;
    options.progress_data = s;
    s->done = index;
    s->trials = false;
    status = gcast_workload_simulate(scenario->workload, gpu, &options, &prediction, err);
    if (status == GCAST_OK) {
        s->trials = true;
        *a = gcast_run_compare(prediction, run);
        status = gcast_run_find_races(prediction, gpu, &options, s->options->trials, &races, &count, err);
        gcast_run_free(prediction);
    }
    if (status == GCAST_OK) {
        *open = count > 0;
        free(races);
    }
    free((int64_t *)options.releases);
    return status;
}

gcast_status gcast_scenario_score(const gcast_scenario *scenario, const gcast_gpu *gpu,
                                  const gcast_score_options *options, gcast_score *score, gcast_agreement *worst,
                                  gcast_error *err)
{
    const gcast_score_options plain = {0};
    scoring s = {.options = options ? options : &plain, .all = scenario->run_count};
    *score = (gcast_score){.scenarios = 1};
    if (worst)
        *worst = (gcast_agreement){.agree = true};
    for (size_t i = 0; i < scenario->run_count; i++) {
        gcast_agreement a;
        bool open;
        gcast_status status = judge(scenario, i, gpu, &s, &a, &open, err);
        if (status != GCAST_OK)
            return status;
        score->predictions++;
        score->hits += a.agree;
        score->settled += !open;
        score->settled_hits += !open && a.agree;
        if (worst && worse(&a, worst))
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
