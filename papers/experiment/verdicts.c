/* Judges one set by the tests of an experiment. */
#include <stdlib.h>

#include "analyze/witness/witness.h"
#include "base/api.h"
#include "gridcast/simulate.h"
#include "papers/experiment/experiment.h"
#include "papers/experiment/owned_experiment.h"
#include "papers/thesis/thesis_method.h"

/* The longest response that meets the deadline. A response counts from the op's release, a deadline from its job's. */
static int64_t longest_allowed(const gcast_workload *w, size_t op)
{
    const gcast_task *t = &w->tasks[w->ops[op].task];
    return t->deadline_ns - w->ops[op].release_ns;
}

/* One simulation that meets all deadlines is no proof: other durations, offsets or jitter may be worse. */
static gcast_status judge_simulated(const gcast_workload *w, gcast_verdict *verdict, gcast_error *err)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *run;
    gcast_status status = gcast_workload_simulate(w, NULL, &options, &run, err);
    if (status != GCAST_OK)
        return status;
    *verdict = gcast_run_in_time(run) ? GCAST_VERDICT_ACCEPTED : GCAST_VERDICT_REJECTED;
    gcast_run_free(run);
    return GCAST_OK;
}

/* Tries executions with the longest, the shortest and random durations and releases, and variations of the latest one,
 * until an execution misses a deadline. All ops of a set belong to tasks with deadlines. */
static gcast_status judge_executions(const gcast_experiment *e, const gcast_workload *w, gcast_verdict *verdict,
                                     gcast_error *err)
{
    gcast_witness_options options = gcast_witness_options_default();
    gcast_witness *seen;
    int64_t *enough_ns = malloc((w->op_count + 1) * sizeof *enough_ns);
    if (!enough_ns)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < w->op_count; i++)
        enough_ns[i] = longest_allowed(w, i) + 1;
    options.enough_ns = enough_ns;
    options.max_executions = (uint64_t)e->executions - 1;
    options.max_ms = e->limits.max_ms;
    gcast_status status = gcast_workload_witness(w, NULL, &options, &seen, err);
    for (size_t i = 0; status == GCAST_OK && i < w->op_count; i++)
        if (seen->seen_ns[i] > longest_allowed(w, i))
            *verdict = GCAST_VERDICT_REJECTED;
    if (status == GCAST_OK)
        gcast_witness_free(seen);
    free(enough_ns);
    return status;
}

static bool in_time(const gcast_workload *w, const gcast_response *r)
{
    return r->deadline_ns == 0 || r->worst_ns <= longest_allowed(w, r->op);
}

static gcast_status judge_analysed(const gcast_experiment *e, const gcast_workload *w, int test, gcast_verdict *verdict,
                                   gcast_error *err)
{
    gcast_analysis *a;
    added_method thesis = thesis_method(NULL);
    gcast_status status = test == GCAST_TEST_THESIS
                              ? added_method_analyze(&thesis, w, NULL, &e->limits, &a, err)
                              : gcast_workload_analyze(w, NULL, (gcast_method)test, &e->limits, &a, err);
    if (status != GCAST_OK)
        return status;
    *verdict = a->complete ? GCAST_VERDICT_ACCEPTED : GCAST_VERDICT_UNKNOWN;
    for (size_t i = 0; i < a->response_count && a->complete; i++)
        if (!in_time(w, &a->responses[i]))
            *verdict = GCAST_VERDICT_REJECTED;
    gcast_analysis_free(a);
    return GCAST_OK;
}

static gcast_status judge(const gcast_experiment *e, const gcast_workload *w, int test, gcast_verdict *verdict,
                          gcast_error *err)
{
    if (test != GCAST_TEST_SIMULATE)
        return judge_analysed(e, w, test, verdict, err);
    gcast_status status = judge_simulated(w, verdict, err);
    if (status == GCAST_OK && *verdict == GCAST_VERDICT_ACCEPTED && e->executions > 1)
        status = judge_executions(e, w, verdict, err);
    return status;
}

/* If an analysis accepts a set although an execution misses a deadline, the analysis and all results are wrong. */
static gcast_status check_agreement(const gcast_experiment *e, uint32_t verdicts, gcast_error *err)
{
    bool is_missed = false;
    for (size_t i = 0; i < e->test_count; i++)
        is_missed =
            is_missed || (e->tests[i] == GCAST_TEST_SIMULATE && (verdicts >> (2 * i) & 3) == GCAST_VERDICT_REJECTED);
    for (size_t i = 0; i < e->test_count && is_missed; i++)
        if (experiment_is_proof(e->tests[i]) && (verdicts >> (2 * i) & 3) == GCAST_VERDICT_ACCEPTED)
            return gcast_error_set(err, GCAST_INTERNAL, NULL,
                                   "%s accepts the set, but an execution of it misses a deadline",
                                   gcast_test_name(e->tests[i]));
    return GCAST_OK;
}

gcast_status gcast_experiment_judge(const gcast_experiment *e, uint64_t set, uint32_t *verdicts, gcast_error *err)
{
    if (!e || !verdicts)
        return argument_missing(err);
    gcast_workload *w;
    gcast_status status = gcast_experiment_set(e, set, &w, err);
    *verdicts = 0;
    if (status != GCAST_OK)
        return status;
    for (size_t i = 0; i < e->test_count && status == GCAST_OK; i++) {
        gcast_verdict verdict = GCAST_VERDICT_UNKNOWN;
        status = judge(e, w, e->tests[i], &verdict, err);
        *verdicts |= (uint32_t)verdict << (2 * i);
    }
    gcast_workload_free(w);
    return status == GCAST_OK ? check_agreement(e, *verdicts, err) : status;
}
