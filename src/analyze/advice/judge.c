/* Judges: from an analysis to a verdict on all deadlines, and what the verdict rests on. */
#include "analyze/advice/judge.h"

#include <stdio.h>

#include "analyze/added_method.h"
#include "analyze/assumed/moved_trial.h"
#include "analyze/assumed/open_choices.h"
#include "analyze/assumed/parameters.h"
#include "analyze/assumed/sharing.h"
#include "analyze/call_latency.h"
#include "base/api.h"
#include "base/integers.h"
#include "model/workload/left_open.h"

/* Properties of the methods; docs/analysis.md says why they hold. */
static const struct {
    bool covers_shorter, monotonic, opa_compatible;
} properties[GCAST_METHODS] = {
    [GCAST_METHOD_BOUND] = {.covers_shorter = true, .monotonic = true},
    [GCAST_METHOD_EXPLORE] = {.covers_shorter = true},
};

judge judge_by_method(gcast_method method, const gcast_analyze_options *options)
{
    judge j = {.method = method, .options = options};
    if ((unsigned)method < GCAST_METHODS) { /* gcast_workload_analyze refuses others */
        j.covers_shorter = properties[method].covers_shorter;
        j.monotonic = properties[method].monotonic;
        j.opa_compatible = properties[method].opa_compatible;
    }
    return j;
}

judge judge_by_added(const added_method *by, const gcast_analyze_options *options)
{
    return (judge){.method = GCAST_METHODS, .by = by, .options = options};
}

static gcast_status ask(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis **out,
                        gcast_error *err)
{
    gcast_analyze_options own = gcast_analyze_options_default();
    gcast_status status = options_copy(&own, sizeof own, j->options, "gcast_analyze_options", err);
    if (status != GCAST_OK)
        return status;
    if (own.progress && !own.progress(own.progress_data, 0)) { /* small analyses report no progress themselves */
        gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
        return GCAST_RESOURCE;
    }
    if (j->analyze)
        return j->analyze(j->data, w, gpu, out, err);
    if (j->by)
        return added_method_analyze(j->by, w, gpu, j->options, out, err);
    return gcast_workload_analyze(w, gpu, j->method, j->options, out, err);
}

/* A deadline counts from the release of the job, a response from that of the op, which is release_ns later. */
static void judge_responses(const gcast_workload *w, const gcast_analysis *a, judgement *verdict, int64_t *ends)
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

gcast_status judge_ends(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, judgement *verdict,
                        int64_t *ends, gcast_error *err)
{
    gcast_analysis *a;
    gcast_error own = {0};
    gcast_status status = ask(j, w, gpu, &a, &own);
    *verdict = (judgement){0};
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

gcast_status judge_ask(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, judgement *verdict,
                       gcast_error *err)
{
    gcast_status status = judge_ends(j, w, gpu, verdict, NULL, err);
    return status == GCAST_OK ? judge_assumed(j, w, gpu, verdict, err) : status;
}

/* judge_assumed tries what gcast_answer_move_assumed tries, but stops when a deadline rests on an assumption. */

typedef struct question {
    const judge *judge;
    const gcast_workload *w;
    const gcast_gpu *gpu;
    bool few;   /* the workload is large, and gets few analyses */
    bool meets; /* all deadlines are met in all trials so far */
    gcast_error *err;
} question;

/* Does bound show all deadlines to be met? */
static gcast_status ask_bound(question *q, const gcast_workload *w, const gcast_gpu *gpu, bool any_phase)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    judgement verdict = {0};
    gcast_status status = options_copy(&options, sizeof options, q->judge->options, "gcast_analyze_options", q->err);
    options.any_phase = options.any_phase || any_phase;
    judge by_bound = judge_by_method(GCAST_METHOD_BOUND, &options);
    if (status == GCAST_OK)
        status = judge_ends(&by_bound, w, gpu, &verdict, NULL, q->err);
    q->meets = verdict.meets;
    return status;
}

/* Does bound, or else the judge? */
static gcast_status ask_both(question *q, const gcast_workload *w, const gcast_gpu *gpu)
{
    judgement verdict = {0};
    gcast_status status = ask_bound(q, w, gpu, false);
    if (status != GCAST_OK || q->meets || (!q->judge->analyze && q->judge->method == GCAST_METHOD_BOUND))
        return status;
    status = judge_ends(q->judge, w, gpu, &verdict, NULL, q->err);
    q->meets = verdict.meets;
    return status;
}

/* Tries all numbers but counts at once: results of bound for any phase hold for all smaller changes, too. */
static gcast_status try_numbers(question *q)
{
    variant_base base = {.gpu = q->gpu};
    variant moved;
    gcast_status status = variant_open(&base, &moved, q->err);
    if (status == GCAST_OK && assumed_move_all(q->w, &moved, ASSUMED_TIMES))
        status = ask_bound(q, q->w, moved.gpu, true);
    variant_free(&moved);
    return status;
}

static gcast_status try_value(question *q, const char *field, int64_t value)
{
    variant_base base = {.gpu = q->gpu};
    variant moved;
    gcast_status status = variant_open(&base, &moved, q->err);
    if (status == GCAST_OK) {
        assumed_set(&moved, field, value);
        status = ask_both(q, q->w, moved.gpu);
    }
    variant_free(&moved);
    return status;
}

/* Tries each count at all of its values; if these are too many, deadlines may rest on it. */
static gcast_status try_counts(question *q)
{
    gcast_assumed found[ASSUMED_MAX];
    gcast_status status = GCAST_OK;
    size_t count = assumed_parameters(q->w, q->gpu, found);
    for (size_t i = 0; i < count && q->meets; i++) {
        int64_t values[ASSUMED_VALUES];
        bool are_all;
        if (!found[i].is_count)
            continue;
        size_t n = assumed_values(q->w, &found[i], values, &are_all);
        q->meets = are_all && !q->few;
        for (size_t k = 0; k < n && q->meets && status == GCAST_OK; k++)
            status = try_value(q, found[i].field, values[k]);
    }
    return status;
}

/* Tries how blocks share the GPU. Bound holds for every placement, other methods only for the GPU's own. */
static gcast_status try_shares(question *q)
{
    gcast_status status = GCAST_OK;
    bool by_bound = !q->judge->analyze && q->judge->method == GCAST_METHOD_BOUND;
    const char *rooms[SHARING_MAX];
    q->meets = !sharing_assumed_rooms(q->w, q->gpu, rooms);
    if (!q->meets)
        return GCAST_OK;
    if (!by_bound && sharing_assume_placement(q->gpu))
        status = ask_bound(q, q->w, q->gpu, false);
    if (status != GCAST_OK || !q->meets || !sharing_assume_quarters(q->gpu))
        return status;
    change other = {.kind = CHANGE_GPU_FIELD, .name = "register_quarters", .value = !q->gpu->register_quarters};
    variant_base base = {.gpu = q->gpu};
    variant moved;
    status = variant_make(&base, &other, 1, &moved, q->err);
    if (status == GCAST_OK)
        status = ask_bound(q, q->w, moved.gpu, false);
    variant_free(&moved);
    return status;
}

/* Tries what the workload leaves open. */
static gcast_status try_open_choices(question *q)
{
    open_combinations c;
    gcast_status status = GCAST_OK;
    open_combinations_find(q->w, q->gpu, q->few, &c);
    q->meets = c.are_all && workload_open_registers(q->w, q->gpu) == REGISTERS_OPEN_NOWHERE;
    for (size_t i = 0; i < c.count && q->meets && status == GCAST_OK; i++) {
        gcast_workload *other;
        status = open_combination_make(&c, i, q->w, &other, q->err);
        if (status == GCAST_OK)
            status = ask_both(q, other, q->gpu);
        gcast_workload_free(other);
    }
    return status;
}

gcast_status judge_assumed(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, judgement *verdict,
                           gcast_error *err)
{
    static gcast_status (*const tries[])(question *) = {try_numbers, try_counts, try_shares, try_open_choices};
    question q = {j, w, gpu ? gpu : w->gpu, w->op_count > ASSUMED_SMALL_OPS, true, err};
    gcast_status status = GCAST_OK;
    if (!verdict->deadlines || !verdict->meets || verdict->conditional)
        return GCAST_OK;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0] && q.meets && status == GCAST_OK; i++)
        status = tries[i](&q);
    verdict->conditional = !q.meets;
    return status;
}
