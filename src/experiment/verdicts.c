/* Judges one set by the tests of an experiment. */
#include "gridcast/experiment.h"
#include "gridcast/simulate.h"

/* A simulation that meets all deadlines does not prove that others do: other durations, offsets or jitter may be worse.
 */
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

/* A response counts from the op's own release, a deadline from its job's. */
static bool in_time(const gcast_workload *w, const gcast_response *r)
{
    return r->deadline_ns == 0 || r->worst_ns <= r->deadline_ns - w->ops[r->op].release_ns;
}

static gcast_status judge_analysed(const gcast_experiment *e, const gcast_workload *w, gcast_method method,
                                   gcast_verdict *verdict, gcast_error *err)
{
    gcast_analysis *a;
    gcast_status status = gcast_workload_analyze(w, NULL, method, &e->limits, &a, err);
    if (status != GCAST_OK)
        return status;
    *verdict = a->complete ? GCAST_VERDICT_ACCEPTED : GCAST_VERDICT_UNKNOWN;
    for (size_t i = 0; i < a->response_count && a->complete; i++)
        if (!in_time(w, &a->responses[i]))
            *verdict = GCAST_VERDICT_REJECTED;
    gcast_analysis_free(a);
    return GCAST_OK;
}

gcast_status gcast_experiment_judge(const gcast_experiment *e, uint64_t set, uint32_t *verdicts, gcast_error *err)
{
    gcast_workload *w;
    gcast_status status = gcast_experiment_set(e, set, &w, err);
    *verdicts = 0;
    if (status != GCAST_OK)
        return status;
    for (size_t i = 0; i < e->test_count && status == GCAST_OK; i++) {
        gcast_verdict verdict = GCAST_VERDICT_UNKNOWN;
        if (e->tests[i] == GCAST_TEST_SIMULATE)
            status = judge_simulated(w, &verdict, err);
        else
            status = judge_analysed(e, w, (gcast_method)e->tests[i], &verdict, err);
        *verdicts |= (uint32_t)verdict << (2 * i);
    }
    gcast_workload_free(w);
    return status;
}
