/* gcast_answer_check: what an answer says is compared with executions: the workload simulated as it is, then some of
 * the search for late ones. No verdict leaves the program that an execution of its own contradicts. What is compared
 * does not depend on the machine, unless it takes too long. */
#include <stdlib.h>

#include "analyze/analysis.h"
#include "analyze/answer.h"
#include "analyze/time_limit.h"
#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "base/checked.h"
#include "base/minmax.h"
#include "gridcast/simulate.h"
#include "gridcast/witness.h"
#include "model/workload/jobs.h"

#define PART_OF_TIME 10      /* of the time of the analyses */
#define MIN_MS 50            /* so that small answers are tried, too */
#define MAX_MS 5000          /* so that it is never long */
#define MAX_OPERATIONS 20000 /* of the workload as it is */
#define MAX_EXECUTIONS 60    /* that are drawn, or changed */
#define MAX_DRAWN 100000     /* operations of these */
#define NS_OF_MS INT64_C(1000000)

typedef struct check {
    owned_answer *o;                      /* what is compared */
    const gcast_gpu *gpu;                 /* where it runs */
    const gcast_analyze_options *options; /* of the analyses */
    time_limit limit;                     /* of all */
    gcast_error *err;                     /* says what is outside */
} check;

static int64_t budget_ms(const gcast_answer *a)
{
    int64_t spent_ns = 0;
    for (size_t i = 0; i < a->analysis_count; i++)
        spent_ns += ((const owned_analysis *)a->analyses[i]->memory)->spent_ns;
    return min_i64(max_i64(spent_ns / NS_OF_MS / PART_OF_TIME, MIN_MS), MAX_MS);
}

static bool in_time(void *data, double fraction)
{
    const check *c = data;
    (void)fraction;
    return !limit_passed(&c->limit);
}

static uint64_t operations_before(const gcast_workload *w, int64_t horizon_ns)
{
    uint64_t count = w->once_count, jobs;
    for (size_t i = 0; i < w->task_count; i++) {
        const gcast_task *t = &w->tasks[i];
        jobs = horizon_ns <= t->offset_ns ? 0 : (uint64_t)((horizon_ns - t->offset_ns - 1) / t->period_ns) + 1;
        if (!checked_mul(jobs, (uint64_t)t->op_count, &jobs) || !checked_add(count, jobs, &count))
            return UINT64_MAX;
    }
    return count;
}

/* The latency that calls usually have, if the answer covers it; else the least that it covers. */
static int64_t covered_latency(const gcast_workload *w, const gcast_call_latency *range, int64_t usual_ns, bool kernels)
{
    int64_t extra_ns = 0;
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind) && (w->ops[i].kind == GCAST_KIND_KERNEL) == kernels)
            extra_ns = max_i64(extra_ns, w->ops[i].extra_latency_ns);
    return usual_ns >= range->min_ns && usual_ns <= range->max_ns - extra_ns ? usual_ns : range->min_ns;
}

/* The response of an op; NULL: it does not run on the GPU. Responses are in the order of ops. */
static const gcast_response *response_of(const gcast_answer *a, size_t op)
{
    size_t low = 0, high = a->response_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->responses[middle].op < op)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->response_count && a->responses[low].op == op ? &a->responses[low] : NULL;
}

/* Ends after end_ns may be other ones where there are more jobs. */
static gcast_status compare_run(const check *c, const gcast_run *run, int64_t end_ns)
{
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *x = &run->ops[i];
        const gcast_response *r = response_of(&c->o->a, x->op);
        int64_t ns = gcast_response_ns(x);
        if (r && !x->skipped && ns >= 0 && x->end_ns <= end_ns && (ns > r->worst_ns || ns < r->best_ns))
            return answer_contradicted(c->o, r, ns, c->err);
    }
    return GCAST_OK;
}

/* The workload as it is, with the longest durations. What cannot be simulated is not compared. */
static gcast_status compare_plain(check *c)
{
    const gcast_answer *a = &c->o->a;
    const gcast_workload *w = a->workload;
    gcast_error own;
    gcast_gpu *gpu;
    gcast_run *run = NULL;
    gcast_simulate_options by = gcast_simulate_options_default();
    by.horizon_ns = c->options->horizon_ns;
    if (jobs_horizon(w, &by.horizon_ns, &own) != GCAST_OK)
        by.horizon_ns = INT64_MAX / 4;
    while (!c->options->horizon_ns && by.horizon_ns > 1 && operations_before(w, by.horizon_ns) > MAX_OPERATIONS)
        by.horizon_ns /= 2;
    if (operations_before(w, by.horizon_ns) > MAX_OPERATIONS)
        return GCAST_OK;
    gcast_status status = gcast_gpu_copy(c->gpu, &gpu, c->err);
    if (status != GCAST_OK)
        return status;
    gpu->launch_latency_ns = covered_latency(w, &a->launch, gpu->launch_latency_ns, true);
    gpu->copy_latency_ns = covered_latency(w, &a->copy, gpu->copy_latency_ns, false);
    by.progress = in_time;
    by.progress_data = c;
    if (gcast_workload_simulate(w, gpu, &by, &run, &own) == GCAST_OK && !run->hang)
        status = compare_run(c, run, w->task_count && !c->options->horizon_ns ? by.horizon_ns : INT64_MAX);
    gcast_run_free(run);
    gcast_gpu_free(gpu);
    return status;
}

/* Executions that the search for late ones tries. It goes on until one is later than the answer says. */
static gcast_status compare_drawn(check *c)
{
    const gcast_answer *a = &c->o->a;
    const gcast_analyze_options *o = c->options;
    gcast_witness_options by = gcast_witness_options_default();
    gcast_witness *seen;
    gcast_status status = GCAST_OK;
    int64_t *enough_ns = calloc(a->workload->op_count + 1, sizeof *enough_ns);
    if (!enough_ns)
        return gcast_error_set_memory(c->err);
    for (size_t i = 0; i < a->response_count; i++)
        if (a->responses[i].worst_ns < GCAST_NO_BOUND)
            enough_ns[a->responses[i].op] = a->responses[i].worst_ns + 1;
    by.enough_ns = enough_ns;
    by.any_order = o->any_order;
    by.any_phase = o->any_phase;
    by.horizon_ns = o->horizon_ns;
    by.launch_min_ns = o->launch_min_ns;
    by.launch_max_ns = o->launch_max_ns;
    by.copy_min_ns = o->copy_min_ns;
    by.copy_max_ns = o->copy_max_ns;
    by.quantile = o->quantile;
    by.max_executions = MAX_EXECUTIONS;
    by.max_operations = MAX_DRAWN;
    by.max_ms = limit_left_ms(&c->limit);
    if (gcast_workload_witness(a->workload, c->gpu, &by, &seen, &(gcast_error){0}) == GCAST_OK) {
        for (size_t i = 0; i < a->response_count && status == GCAST_OK; i++)
            if (seen->seen_ns[a->responses[i].op] > a->responses[i].worst_ns)
                status = answer_contradicted(c->o, &a->responses[i], seen->seen_ns[a->responses[i].op], c->err);
        gcast_witness_free(seen);
    }
    free(enough_ns);
    return status;
}

gcast_status gcast_answer_check(gcast_answer *answer, const gcast_analyze_options *given, gcast_error *err)
{
    gcast_analyze_options own = gcast_analyze_options_default();
    if (!answer)
        return argument_missing(err);
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_analyze_options", err);
    if (status != GCAST_OK || !answer->complete)
        return status;
    check c = {.o = answer->memory,
               .gpu = answer->gpu ? answer->gpu : answer->workload->gpu,
               .options = &own,
               .limit = limit_from_now(budget_ms(answer)),
               .err = err};
    status = compare_plain(&c);
    return status == GCAST_OK && !limit_passed(&c.limit) ? compare_drawn(&c) : status;
}
