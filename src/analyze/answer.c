/* gcast_answer: the analyses of a workload by several methods as one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer.h"
#include "analyze/call_latency.h"
#include "base/minmax.h"
#include "gridcast/witness.h"

static const char *const method_names[] = {
#define X(id, name, text) name,
    GCAST_METHOD_TABLE(X)
#undef X
};

static const char *const verdict_names[] = {
#define X(id, name) name,
    GCAST_DEADLINE_TABLE(X)
#undef X
};

const char *gcast_method_name(gcast_method m)
{
    return (unsigned)m < GCAST_METHODS ? method_names[m] : "?";
}

bool gcast_method_attains(gcast_method m)
{
    return m == GCAST_METHOD_EXACT || m == GCAST_METHOD_THESIS;
}

const char *gcast_deadline_verdict_name(gcast_deadline_verdict v)
{
    return (unsigned)v < GCAST_DEADLINES ? verdict_names[v] : "?";
}

/* All bounds hold, so the tightest holds, too. */
static void merge(owned_answer *o, const gcast_analysis *analysis)
{
    for (size_t i = 0; i < o->a.response_count; i++) {
        const gcast_response *r = &analysis->responses[i];
        gcast_response *merged = &o->responses[i];
        merged->worst_ns = min_i64(merged->worst_ns, r->worst_ns);
        merged->best_ns = max_i64(merged->best_ns, r->best_ns);
        merged->reached_ns = max_i64(merged->reached_ns, r->reached_ns);
        merged->never_called = merged->never_called || r->never_called;
    }
    o->a.complete = o->a.complete || analysis->complete;
    o->a.attained = o->a.attained || (analysis->complete && gcast_method_attains(analysis->method));
}

gcast_status gcast_answer_create(const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis *const *analyses,
                                 size_t count, gcast_answer **answer, gcast_error *err)
{
    owned_answer *o = calloc(1, sizeof *o);
    size_t responses = analyses[0]->response_count;
    gcast_analysis **copy = malloc(count * sizeof *copy);
    gcast_response *merged = malloc((responses + 1) * sizeof *merged);
    *answer = NULL;
    if (!o || !copy || !merged) {
        for (size_t i = 0; i < count; i++)
            gcast_analysis_free(analyses[i]);
        free(o);
        free(copy);
        free(merged);
        return gcast_error_set_memory(err);
    }
    memcpy(copy, analyses, count * sizeof *copy);
    if (responses)
        memcpy(merged, analyses[0]->responses, responses * sizeof *merged);
    *o = (owned_answer){.analyses = copy, .responses = merged};
    o->a = (gcast_answer){.workload = w,
                          .gpu = gpu,
                          .analyses = copy,
                          .analysis_count = count,
                          .responses = merged,
                          .response_count = responses,
                          .launch = analyses[0]->launch,
                          .copy = analyses[0]->copy,
                          .launch_limit_ns = -1,
                          .memory = o};
    o->a.conditional = call_latency_is_assumed(&o->a.launch) || call_latency_is_assumed(&o->a.copy);
    for (size_t i = 0; i < count; i++)
        merge(o, analyses[i]);
    *answer = &o->a;
    return GCAST_OK;
}

void gcast_answer_free(gcast_answer *answer)
{
    if (!answer)
        return;
    owned_answer *o = answer->memory;
    for (size_t i = 0; i < o->a.analysis_count; i++)
        gcast_analysis_free(o->analyses[i]);
    free(o->analyses);
    free(o->responses);
    free(o->assumed);
    free(o);
}

const gcast_thesis *gcast_answer_thesis(const gcast_answer *a)
{
    for (size_t i = 0; i < a->analysis_count; i++)
        if (a->analyses[i]->thesis)
            return a->analyses[i]->thesis;
    return NULL;
}

gcast_status gcast_answer_add_witness(gcast_answer *answer, const gcast_witness *witness, gcast_error *err)
{
    owned_answer *o = answer->memory;
    o->a.searched = true;
    o->a.growth_searched = witness->growth_searched;
    o->a.growth = witness->growth;
    o->a.growth_hyperperiods = witness->growth_hyperperiods;
    if (witness->growth_why) {
        snprintf(o->growth_why, sizeof o->growth_why, "%s", witness->growth_why);
        o->a.growth_why = o->growth_why;
    }
    for (size_t i = 0; i < o->a.response_count; i++) {
        gcast_response *r = &o->responses[i];
        r->seen_ns = max_i64(r->seen_ns, witness->seen_ns[r->op]);
        r->growth_ns = witness->growth_ns ? witness->growth_ns[r->op] : 0;
        if (r->seen_ns > r->worst_ns)
            return gcast_error_set(err, GCAST_INTERNAL, NULL,
                                   "an execution of %.200s takes %lld ns, the bound is %lld ns",
                                   o->a.workload->ops[r->op].label, (long long)r->seen_ns, (long long)r->worst_ns);
    }
    return GCAST_OK;
}

/* The deadline, from the release of the op. */
static int64_t relative_deadline(const gcast_answer *a, const gcast_response *r)
{
    const gcast_op *op = &a->workload->ops[r->op];
    return op->task == GCAST_ONCE ? r->deadline_ns : r->deadline_ns - op->release_ns;
}

int64_t gcast_answer_slack_ns(const gcast_answer *a, const gcast_response *r)
{
    return relative_deadline(a, r) - r->worst_ns;
}

gcast_deadline_verdict gcast_answer_verdict(const gcast_answer *a, const gcast_response *r)
{
    if (!r->deadline_ns || r->never_called)
        return GCAST_DEADLINE_NONE;
    if (r->worst_ns != GCAST_NO_BOUND && gcast_answer_slack_ns(a, r) >= 0)
        return a->conditional || r->rests_on_assumed ? GCAST_DEADLINE_MET_IF : GCAST_DEADLINE_MET;
    /* every execution takes best_ns, and some execution takes the others */
    int64_t happens_ns = max_i64(r->best_ns, max_i64(r->reached_ns, r->seen_ns));
    return a->attained || relative_deadline(a, r) < happens_ns ? GCAST_DEADLINE_MISSED : GCAST_DEADLINE_OPEN;
}
