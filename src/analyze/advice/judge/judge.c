/* From an analysis to a verdict. A deadline counts from the release of the job, a response
 * from that of the op, which may be later by the op's own release_ns. */
#include "analyze/advice/judge/judge.h"

#include <stdio.h>

#include "analyze/analysis.h"
#include "analyze/call_latency.h"
#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "base/checked.h"

/* Properties of the methods; docs/advice.md says why they hold. */
static const struct {
    bool covers_shorter, monotonic, opa_compatible;
} properties[GCAST_METHODS] = {
    [GCAST_METHOD_BOUND] = {.covers_shorter = true, .monotonic = true},
    [GCAST_METHOD_EXPLORE] = {.covers_shorter = true},
};

gcast_judge gcast_judge_by_method(gcast_method method, const gcast_analyze_options *options)
{
    gcast_judge judge = {.method = method, .options = options};
    if ((unsigned)method < GCAST_METHODS) { /* of others nothing is known, and gcast_workload_analyze refuses them */
        judge.covers_shorter = properties[method].covers_shorter;
        judge.monotonic = properties[method].monotonic;
        judge.opa_compatible = properties[method].opa_compatible;
    }
    return judge;
}

static const struct {
    const char *name, *text;
} limits[] = {
#define X(id, name, text) {name, text},
    GCAST_LIMIT_TABLE(X)
#undef X
};

const char *gcast_limit_name(gcast_limit limit)
{
    return (unsigned)limit < GCAST_LIMITS ? limits[limit].name : "?";
}

const char *gcast_limit_text(gcast_limit limit)
{
    return (unsigned)limit < GCAST_LIMITS ? limits[limit].text : "?";
}

/* The caller's own call, which may answer anything. */
static gcast_status ask_caller(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                               gcast_analysis **out, gcast_error *err)
{
    *out = NULL;
    gcast_status status = judge->analyze(judge->data, w, gpu, out, err);
    if (status != GCAST_OK || (*out && analysis_is_of(*out, w)))
        return status;
    const char *odd = *out ? "the judge's analysis is of another workload" : "the judge gave no analysis";
    gcast_analysis_free(*out);
    *out = NULL;
    return gcast_error_set(err, GCAST_USAGE, NULL, "%s", odd);
}

static gcast_status ask(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis **out,
                        gcast_error *err)
{
    gcast_analyze_options own = gcast_analyze_options_default();
    gcast_status status = options_copy(&own, sizeof own, judge->options, "gcast_analyze_options", err);
    if (status != GCAST_OK)
        return status;
    if (own.progress && !own.progress(own.progress_data, 0)) { /* small analyses do not report progress themselves */
        gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
        return GCAST_RESOURCE;
    }
    if (judge->analyze)
        return ask_caller(judge, w, gpu, out, err);
    return gcast_workload_analyze(w, gpu, judge->method, judge->options, out, err);
}

static void judge_responses(const gcast_workload *w, const gcast_analysis *a, gcast_judgement *verdict, int64_t *ends)
{
    for (size_t i = 0; i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        const gcast_op *op = &w->ops[r->op];
        if (i == 0 || r->worst_ns > verdict->worst_ns) {
            verdict->worst_ns = r->worst_ns;
            verdict->worst_op = r->op;
        }
        if (op->task == GCAST_ONCE)
            continue;
        int64_t end;
        if (r->worst_ns == GCAST_NO_BOUND || !checked_add(r->worst_ns, op->release_ns, &end))
            end = GCAST_NO_BOUND;
        const gcast_task *t = &w->tasks[op->task];
        verdict->deadlines = verdict->deadlines || t->deadline_ns;
        verdict->meets = verdict->meets && judge_in_time(t, end);
        if (ends && end > ends[op->task])
            ends[op->task] = end;
    }
}

gcast_status judge_ends(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                        gcast_judgement *verdict, int64_t *ends, gcast_error *err)
{
    gcast_analysis *a;
    gcast_error own = {0};
    gcast_status status = ask(judge, w, gpu, &a, &own);
    *verdict = (gcast_judgement){0};
    for (size_t k = 0; ends && k < w->task_count; k++)
        ends[k] = status == GCAST_OK && a->complete ? 0 : GCAST_NO_BOUND;
    if (status == GCAST_INPUT) {
        snprintf(verdict->why, sizeof verdict->why, "%s", own.message);
        return GCAST_OK;
    }
    if (status != GCAST_OK) {
        if (err)
            *err = own;
        return status;
    }
    if (a->complete) {
        verdict->known = verdict->meets = true;
        judge_responses(w, a, verdict, ends);
        verdict->conditional =
            call_latency_is_assumed(&a->launch) || call_latency_is_assumed(&a->copy) || w->note_count;
    } else {
        snprintf(verdict->why, sizeof verdict->why, "%s", a->why_not ? a->why_not : "");
    }
    gcast_analysis_free(a);
    return GCAST_OK;
}

gcast_status gcast_judge_ask(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                             gcast_judgement *verdict, gcast_error *err)
{
    if (!judge || !w || !verdict)
        return argument_missing(err);
    gcast_status status = judge_ends(judge, w, gpu, verdict, NULL, err);
    return status == GCAST_OK ? judge_assumed(judge, w, gpu, verdict, err) : status;
}
