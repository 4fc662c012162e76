/* The method: responses grow from 0 until each is what the others give for it, which
 * is the theorem of docs/bound.md. */
#include "analyze/bound/bound.h"

#define PATIENCE 128 /* rounds before responses that still grow are raised by more */
#define SHRINKS 8    /* rounds in which they come down again */

/* Longer than any response that is worth looking for: a hundred times all work and the longest period. */
static wide too_long(const bound *b)
{
    wide sum = 0, period = 0;
    for (size_t i = 0; i < b->count; i++) {
        const bound_op *k = &b->ops[i];
        sum = wide_add(sum, wide_add(k->holds, (wide)k->longest + k->latency + b->gap));
        period = wide_max(period, (wide)k->period + k->jitter);
    }
    return wide_min(wide_mul(wide_add(sum, period), 100), BOUND_LATEST);
}

/* One round over all ops; false where a response has no end. */
static bool grow(bound *b, bool *changed)
{
    *changed = bound_releases(b);
    for (size_t i = 0; i < b->count; i++) {
        bound_op *k = &b->ops[i];
        wide enter, end;
        if (k->never)
            continue;
        bound_response(b, k, &enter, &end);
        if (end > b->most || !bound_goes_on(b))
            return false;
        if (enter <= k->enter && end <= k->response)
            continue;
        k->enter = wide_max(enter, k->enter);
        k->response = wide_max(end, wide_add(k->response, wide_mul(wide_max(end - k->response, 0), 1 + b->hurry)));
        *changed = true;
    }
    return true;
}

/* All are bounds, and so is what they give for each other. */
static void shrink(bound *b)
{
    for (int round = 0; round < SHRINKS; round++) {
        bound_releases(b);
        for (size_t i = 0; i < b->count && bound_goes_on(b); i++) {
            bound_op *k = &b->ops[i];
            wide enter, end;
            if (k->never)
                continue;
            bound_response(b, k, &enter, &end);
            k->enter = wide_min(enter, k->enter);
            k->response = wide_min(end, k->response);
        }
    }
}

static gcast_status stopped(const gcast_analyze_options *options, const bound *b, gcast_error *err)
{
    double fraction = (double)b->steps / (double)b->most_steps;
    if (options->progress && !options->progress(options->progress_data, fraction))
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
    return GCAST_OK;
}

static const char *why_not(const bound *b)
{
    if (b->late)
        return "it took longer than it may";
    if (b->steps >= b->most_steps)
        return "it found no bound with the steps it may take";
    if (b->most == BOUND_LATEST)
        return "a response may be longer than 2^60 nanoseconds (36 years), the longest that it looks for";
    return "a response passes a hundred times all work and the longest period: the tasks ask for more of an engine "
           "than "
           "it can show that they get";
}

static gcast_status fill_in(owned_analysis *o, const bound *b, gcast_error *err)
{
    for (size_t i = 0; i < b->count; i++) {
        o->responses[i].best_ns = b->ops[i].best;
        o->responses[i].worst_ns = (int64_t)b->ops[i].response;
        if (b->ops[i].never && !analysis_never_called(o, b->w, &o->responses[i]))
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

static gcast_status solve(owned_analysis *o, bound *b, gcast_error *err)
{
    bool changed = true;
    b->most = too_long(b);
    for (int round = 0; changed; round++) {
        b->hurry = round / PATIENCE;
        gcast_status status = stopped(b->options, b, err);
        if (status != GCAST_OK)
            return status;
        if (grow(b, &changed))
            continue;
        analysis_give_up(o, why_not(b));
        return GCAST_OK;
    }
    if (b->hurry) {
        b->hurry = 0;
        shrink(b);
    }
    if (!bound_calls_late(b))
        return fill_in(o, b, err);
    analysis_give_up(o, "a host may make a call later than 2^60 nanoseconds (36 years), the latest that it looks at");
    return GCAST_OK;
}

gcast_status analyze_bound(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options, gcast_error *err)
{
    bound b = {.w = w, .gpu = gpu, .options = options, .limit = limit_from_now(options->max_ms), .memory = &o->memory};
    const char *why = NULL;
    if (o->hosts_may_wait) {
        analysis_give_up(o, "hosts wait for each other's barriers for ever unless calls are skipped, and whether they "
                            "are it does not tell");
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
