/* The iteration of docs/bound.md: all responses start at 0 and grow until none is shorter than the others imply; then
 * they may shrink again. Bounds job by job (lemmas 10 and 11) come first where they apply. */
#include "analyze/bound/bound.h"

#include "analyze/bound/bound_hosts.h"
#include "analyze/bound/bound_state.h"
#include "analyze/bound/busy_period.h"
#include "analyze/bound/by_job/by_job.h"
#include "analyze/bound/response.h"
#include "base/integers.h"

#define WIDEN_ROUNDS 128 /* after each so many rounds, growing responses are widened more */
#define SHRINK_ROUNDS 8  /* rounds of shrinking after widening */
#define PHASE_ROUNDS 2   /* of these, rounds that try busy periods with the tasks' offsets */

/* The search gives up at this response: a hundred times the sum of all work and the longest period. */
static wide longest_response(const bound *b)
{
    wide work_ns = 0, period_ns = 0;
    for (size_t i = 0; i < b->op_count; i++) {
        const bound_op *k = &b->ops[i];
        work_ns = wide_add(work_ns, wide_add(k->hold_sum_ns, (wide)k->max_ns + k->max_latency_ns + b->gap_ns));
        period_ns = wide_max(period_ns, (wide)k->period_ns + k->jitter_ns);
    }
    return wide_min(wide_mul(wide_add(work_ns, period_ns), 100), BOUND_MAX_NS);
}

/* The smallest of the bounds. Busy periods are tried only where they may give less. */
static void respond(bound *b, bound_op *k, wide *entry_ns, wide *end_ns)
{
    bound_response(b, k, entry_ns, end_ns);
    if (*end_ns > bound_busy_least(b, k))
        *end_ns = wide_min(*end_ns, bound_busy_response(b, k, b->gpu->copy_channels));
    *end_ns = wide_min(*end_ns, k->max_response_ns);
    *entry_ns = wide_min(wide_min(*entry_ns, k->max_entry_ns), *end_ns);
}

/* One round over all ops; false if a response grows too long or the search takes too long. */
static bool grow(bound *b, bool *changed)
{
    *changed = bound_update_latest(b);
    for (size_t i = 0; i < b->op_count; i++) {
        bound_op *k = &b->ops[i];
        wide entry_ns, end_ns;
        if (k->never_called)
            continue;
        respond(b, k, &entry_ns, &end_ns);
        if (!bound_may_continue(b) || (end_ns > b->max_response_ns && b->w->host_count))
            return false;
        if (end_ns > b->max_response_ns) /* others may have a bound */
            entry_ns = end_ns = WIDE_HUGE;
        if (entry_ns <= k->entry_ns && end_ns <= k->response_ns)
            continue;
        k->entry_ns = wide_max(entry_ns, k->entry_ns);
        wide growth_ns = wide_max(end_ns - k->response_ns, 0);
        k->response_ns = wide_max(end_ns, wide_add(k->response_ns, wide_mul(growth_ns, 1 + b->widening)));
        k->response_ns = wide_min(k->response_ns, k->max_response_ns);
        if (k->response_ns > b->max_response_ns)
            k->entry_ns = k->response_ns = WIDE_HUGE;
        *changed = true;
    }
    return true;
}

/* All responses are bounds now, so what they imply for each other are bounds, too, and may be smaller. Busy periods
 * with the tasks' offsets are slower to compute, so they are tried only here. */
static void shrink(bound *b, int rounds, int phase_rounds)
{
    for (int round = 0; round < rounds; round++) {
        bound_update_latest(b);
        for (size_t i = 0; i < b->op_count && bound_may_continue(b); i++) {
            bound_op *k = &b->ops[i];
            wide entry_ns, end_ns;
            if (k->never_called || k->response_ns == WIDE_HUGE)
                continue;
            respond(b, k, &entry_ns, &end_ns);
            if (k->period_ns && round < phase_rounds)
                end_ns = wide_min(end_ns, bound_busy_response(b, k, true));
            if (k->period_ns && !b->options->any_phase && round < phase_rounds)
                end_ns = wide_min(end_ns, bound_busy_response_in_phase(b, k));
            k->response_ns = wide_min(end_ns, k->response_ns);
            k->entry_ns = wide_min(wide_min(entry_ns, k->entry_ns), k->response_ns);
        }
    }
}

static const char *why_not(const bound *b)
{
    if (b->is_late)
        return "it reached its time limit";
    if (b->steps >= b->max_steps)
        return "it found no bound within its maximum number of steps";
    if (b->max_response_ns == BOUND_MAX_NS)
        return "a response time may be longer than 2^60 nanoseconds (36 years), its limit";
    return "a response time exceeds a hundred times all work and the longest period: an engine may be overloaded";
}

static bool has_some_bound(const bound *b)
{
    for (size_t i = 0; i < b->op_count; i++)
        if (b->ops[i].response_ns < WIDE_HUGE)
            return true;
    return !b->op_count;
}

static gcast_status fill_responses(owned_analysis *o, const bound *b, gcast_error *err)
{
    for (size_t i = 0; i < b->op_count; i++) {
        o->responses[i].best_ns = b->ops[i].best_ns;
        o->responses[i].worst_ns = b->ops[i].response_ns == WIDE_HUGE ? GCAST_NO_BOUND : (int64_t)b->ops[i].response_ns;
        if (b->ops[i].never_called && !analysis_never_called(o, b->w, &o->responses[i]))
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

/* Keeps only the bounds of lemmas 10 and 11; false if there are none. */
static bool keep_known(bound *b)
{
    for (size_t i = 0; i < b->op_count; i++) {
        b->ops[i].entry_ns = b->ops[i].max_entry_ns;
        b->ops[i].response_ns = b->ops[i].max_response_ns;
    }
    return has_some_bound(b);
}

/* Is some response shorter than by lemmas 10 and 11, or not bounded by them? */
static bool improves_on_by_job(const bound *b)
{
    for (size_t i = 0; i < b->op_count; i++)
        if (b->ops[i].response_ns < b->ops[i].max_response_ns || b->ops[i].max_response_ns == WIDE_HUGE)
            return true;
    return false;
}

/* Lets responses grow from 0, up to the bounds known so far, until none is shorter than the others imply. */
static gcast_status find_responses(owned_analysis *o, bound *b, gcast_error *err)
{
    bool changed = true;
    for (size_t i = 0; i < b->op_count; i++) {
        bound_op *k = &b->ops[i];
        k->max_entry_ns = k->entry_ns;
        k->max_response_ns = k->response_ns;
        k->entry_ns = k->response_ns = 0;
    }
    for (int round = 0; changed; round++) {
        b->widening = round / WIDEN_ROUNDS;
        gcast_status status = bound_report_progress(b, (double)b->steps / (double)b->max_steps, err);
        if (status != GCAST_OK)
            return status;
        if (grow(b, &changed))
            continue;
        if (!keep_known(b))
            analysis_give_up(o, why_not(b));
        return GCAST_OK;
    }
    if (!has_some_bound(b)) {
        analysis_give_up(o, why_not(b));
        return GCAST_OK;
    }
    bool is_widened = b->widening > 0;
    b->widening = 0;
    shrink(b, is_widened ? SHRINK_ROUNDS : b->w->task_count ? PHASE_ROUNDS : 0, PHASE_ROUNDS);
    return GCAST_OK;
}

/* Bounds job by job, within three quarters of the time: the rest is for responses by the theorem. */
static gcast_status try_by_job(bound *b, bool *found, gcast_error *err)
{
    time_limit whole = b->limit;
    b->limit = limit_from_now(max_i64(limit_left_ms(&whole) * 3 / 4, 1));
    b->by_job_is_limited = true;
    gcast_status status = bound_by_job(b, found, err);
    b->by_job_is_limited = false;
    b->limit = whole;
    b->is_late = false;
    return status;
}

static gcast_status solve(owned_analysis *o, bound *b, gcast_error *err)
{
    bool found;
    b->max_response_ns = longest_response(b);
    for (size_t i = 0; i < b->op_count; i++)
        b->ops[i].entry_ns = b->ops[i].response_ns = b->ops[i].max_entry_ns = b->ops[i].max_response_ns = WIDE_HUGE;
    gcast_status status = try_by_job(b, &found, err);
    if (status == GCAST_OK && !found)
        status = find_responses(o, b, err);
    if (status != GCAST_OK || o->a.why_not)
        return status;
    if (found)
        shrink(b, 1, 0);
    else if (improves_on_by_job(b) &&
             (status = bound_by_job(b, &found, err)) != GCAST_OK) /* these responses limit it */
        return status;
    if (!bound_has_unlimited_call(b))
        return fill_responses(o, b, err);
    analysis_give_up(o, "a host may make a call later than 2^60 nanoseconds (36 years), its limit");
    return GCAST_OK;
}

gcast_status analyze_bound(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options, gcast_error *err)
{
    bound b = {.w = w, .gpu = gpu, .options = options, .limit = limit_from_now(options->max_ms), .memory = &o->memory};
    const char *why = NULL;
    if (o->hosts_may_wait) {
        analysis_give_up(
            o,
            "hosts wait for each other's barriers forever unless calls are skipped; it cannot decide whether they are");
        return GCAST_OK;
    }
    gcast_status status = bound_prepare(&b, &why, err);
    if (status == GCAST_OK && !bound_busy_prepare(&b))
        status = gcast_error_set_memory(err);
    if (status != GCAST_OK)
        return status;
    bool has_sporadic = false;
    for (size_t i = 0; i < w->task_count; i++)
        has_sporadic = has_sporadic || w->tasks[i].sporadic;
    if (!analysis_assume_model(o, w, gpu, options) ||
        (has_sporadic && !analysis_assume(o, "jobs of sporadic tasks are released at any times at least their period "
                                             "apart, at most their jitter later")))
        return gcast_error_set_memory(err);
    if (!why)
        return solve(o, &b, err);
    analysis_give_up(o, why);
    return GCAST_OK;
}
