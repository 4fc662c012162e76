/* Creates, fills and frees an analysis; the sentences that say what it assumes. */
#include "analyze/analysis.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/added_method.h"
#include "gridcast/names.h"
#include "model/workload/workload.h"
#include "simulate/duration.h"

owned_analysis *analysis_create(const gcast_workload *w, gcast_method method)
{
    owned_analysis *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->a = (gcast_analysis){.method = method, .complete = true, .memory = o};
    o->responses = arena_alloc_array(&o->memory, w->op_count + 1, sizeof *o->responses);
    if (!o->responses) {
        gcast_analysis_free(&o->a);
        return NULL;
    }
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        int64_t deadline = op->task == GCAST_ONCE ? 0 : w->tasks[op->task].deadline_ns;
        o->responses[o->a.response_count++] =
            (gcast_response){.op = i, .worst_ns = GCAST_NO_BOUND, .deadline_ns = deadline, .launch_limit_ns = -1};
    }
    o->a.responses = o->responses;
    return o;
}

bool analysis_is_of(const gcast_analysis *a, const gcast_workload *w)
{
    size_t count = 0;
    if (a->response_count && !a->responses)
        return false;
    for (size_t i = 0; i < w->op_count; i++) {
        if (!gcast_kind_on_gpu(w->ops[i].kind))
            continue;
        if (count == a->response_count || a->responses[count].op != i)
            return false;
        count++;
    }
    return count == a->response_count;
}

bool analysis_assume(owned_analysis *o, const char *sentence)
{
    char *copy = arena_strdup(&o->memory, sentence);
    if (!copy || !vec_push(&o->assumptions, copy))
        return false;
    o->a.assumptions = o->assumptions.at;
    o->a.assumption_count = o->assumptions.count;
    return true;
}

const char *analysis_method_name(const gcast_analysis *a)
{
    const owned_analysis *o = a->memory;
    return o->by ? o->by->name : gcast_name(GCAST_NAMES_METHOD, a->method);
}

bool analysis_has_times(const gcast_analysis *a)
{
    const owned_analysis *o = a->memory;
    return a->complete || o->result;
}

bool analysis_attains(const gcast_analysis *a)
{
    const owned_analysis *o = a->memory;
    return o->by ? o->by->attains : gcast_method_attains(a->method);
}

static bool assume_noise(owned_analysis *o, const gcast_gpu *gpu)
{
    char text[96];
    snprintf(text, sizeof text,
             "every block and copy may take up to %" PRId64 " ns longer than that: the noise of the GPU",
             gpu->noise_ns);
    return !gpu->noise_ns || analysis_assume(o, text);
}

static bool assume_slow_copies(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu)
{
    char text[128];
    bool any = false;
    for (size_t i = 0; i < w->op_count; i++)
        any = any || (w->ops[i].max_ns == GCAST_UNKNOWN_NS && copy_slowest_ns(gpu, &w->ops[i], 100) > 100);
    snprintf(text, sizeof text,
             "a copy without a duration may take up to %d %% of its usual time, the longest that was measured",
             gpu->copy_slow_percent);
    return !any || analysis_assume(o, text);
}

bool analysis_assume_model(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options)
{
    return analysis_assume(o, "the GPU behaves as docs/model.md says, with the times of its description") &&
           analysis_assume(o, "blocks and copies take no longer than their ranges say") && assume_noise(o, gpu) &&
           assume_slow_copies(o, w, gpu) &&
           analysis_assume(o, "jobs are released a multiple of their period after their offset, at most their jitter "
                              "later; all operations of a job together") &&
           analysis_assume(o, options->any_order
                                  ? "operations without a host that are released together are called in any order; "
                                    "those of one job keep their order"
                                  : "operations released together are called in the order of the workload") &&
           analysis_assume(o, "a response time counts from the operation's own release, late or not, to its end");
}

bool analysis_never_called(owned_analysis *o, const gcast_workload *w, gcast_response *r)
{
    char text[300];
    r->best_ns = r->worst_ns = 0;
    r->never_called = true;
    snprintf(text, sizeof text, "%.200s is never called and has no response time", w->ops[r->op].label);
    return analysis_assume(o, text);
}

void analysis_give_up(owned_analysis *o, const char *why)
{
    char *copy = arena_strdup(&o->memory, why);
    o->a.complete = false;
    o->a.why_not = copy;
    o->no_memory = !copy;
    for (size_t i = 0; i < o->a.response_count; i++) {
        o->responses[i].best_ns = 0;
        o->responses[i].worst_ns = GCAST_NO_BOUND;
    }
}

void gcast_analysis_free(gcast_analysis *a)
{
    if (!a)
        return;
    owned_analysis *o = a->memory;
    vec_free(&o->assumptions);
    if (o->result)
        o->by->free_result(o->result);
    arena_free(&o->memory);
    free(o);
}
