/* Responses grow from 0 until each is at least what the others give for it: the iteration at the end of docs/bound.md.
 */
#include "analyze/bound/bound.h"

#include "analyze/bound/hosts.h"
#include "analyze/bound/prepare/op_table.h"
#include "analyze/bound/response.h"

#define WIDEN_ROUNDS 128 /* rounds after which responses are widened, and again after as many more */
#define SHRINK_ROUNDS 8  /* rounds that shrink responses which were widened */

/* The longest response that the search goes on to: a hundred times all work and the longest period. */
static wide longest_response(const bound *b)
{
    wide work_ns = 0, period_ns = 0;
    for (size_t i = 0; i < b->op_count; i++) {
        const bound_op *k = &b->ops[i];
        work_ns = wide_add(work_ns, wide_add(k->hold_sum_ns, (wide)k->max_ns + k->latency_ns + b->gap_ns));
        period_ns = wide_max(period_ns, (wide)k->period_ns + k->jitter_ns);
    }
    return wide_min(wide_mul(wide_add(work_ns, period_ns), 100), BOUND_MAX_NS);
}

/* One round over all ops; false where a response grows too long or the search takes too long. */
static bool grow(bound *b, bool *changed)
{
    *changed = bound_update_latest(b);
    for (size_t i = 0; i < b->op_count; i++) {
        bound_op *k = &b->ops[i];
        wide entry_ns, end_ns;
        if (k->never_called)
            continue;
        bound_response(b, k, &entry_ns, &end_ns);
        if (end_ns > b->max_response_ns || !bound_may_continue(b))
            return false;
        if (entry_ns <= k->entry_ns && end_ns <= k->response_ns)
            continue;
        k->entry_ns = wide_max(entry_ns, k->entry_ns);
        wide growth_ns = wide_max(end_ns - k->response_ns, 0);
        k->response_ns = wide_max(end_ns, wide_add(k->response_ns, wide_mul(growth_ns, 1 + b->widening)));
        *changed = true;
    }
    return true;
}

/* All responses are bounds now, so that what they give for each other are bounds too, and may be smaller. */
static void shrink(bound *b)
{
    for (int round = 0; round < SHRINK_ROUNDS; round++) {
        bound_update_latest(b);
        for (size_t i = 0; i < b->op_count && bound_may_continue(b); i++) {
            bound_op *k = &b->ops[i];
            wide entry_ns, end_ns;
            if (k->never_called)
                continue;
            bound_response(b, k, &entry_ns, &end_ns);
            k->entry_ns = wide_min(entry_ns, k->entry_ns);
            k->response_ns = wide_min(end_ns, k->response_ns);
        }
    }
}

static gcast_status report_progress(const gcast_analyze_options *options, const bound *b, gcast_error *err)
{
    double fraction = (double)b->steps / (double)b->max_steps;
    if (options->progress && !options->progress(options->progress_data, fraction))
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
    return GCAST_OK;
}

static const char *why_not(const bound *b)
{
    if (b->is_late)
        return "it took longer than it may";
    if (b->steps >= b->max_steps)
        return "it found no bound with the steps it may take";
    if (b->max_response_ns == BOUND_MAX_NS)
        return "a response may be longer than 2^60 nanoseconds (36 years), the longest that it looks for";
    return "a response passes a hundred times all work and the longest period: the tasks may need more of an engine "
           "than there is";
}

static gcast_status fill_responses(owned_analysis *o, const bound *b, gcast_error *err)
{
    for (size_t i = 0; i < b->op_count; i++) {
        o->responses[i].best_ns = b->ops[i].best_ns;
        o->responses[i].worst_ns = (int64_t)b->ops[i].response_ns;
        if (b->ops[i].never_called && !analysis_never_called(o, b->w, &o->responses[i]))
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

static gcast_status solve(owned_analysis *o, bound *b, gcast_error *err)
{
    bool changed = true;
    b->max_response_ns = longest_response(b);
    for (int round = 0; changed; round++) {
        b->widening = round / WIDEN_ROUNDS;
        gcast_status status = report_progress(b->options, b, err);
        if (status != GCAST_OK)
            return status;
        if (grow(b, &changed))
            continue;
        analysis_give_up(o, why_not(b));
        return GCAST_OK;
    }
    if (b->widening) {
        b->widening = 0;
        shrink(b);
    }
    if (!bound_has_unlimited_call(b))
        return fill_responses(o, b, err);
    analysis_give_up(o, "a host may make a call later than 2^60 nanoseconds (36 years), the latest that it looks at");
    return GCAST_OK;
}

gcast_status analyze_bound(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options, gcast_error *err)
{
    bound b = {.w = w, .gpu = gpu, .options = options, .limit = limit_from_now(options->max_ms), .memory = &o->memory};
    const char *why = NULL;
    if (o->hosts_may_wait) {
        analysis_give_up(o, "hosts wait for each other's barriers for ever unless calls are skipped, which it does not "
                            "decide");
        return GCAST_OK;
    }
    gcast_status status = bound_prepare(&b, &why, err);
    if (status != GCAST_OK)
        return status;
    if (!analysis_assume_model(o, gpu, options))
        return gcast_error_set_memory(err);
    if (!why)
        return solve(o, &b, err);
    analysis_give_up(o, why);
    return GCAST_OK;
}
