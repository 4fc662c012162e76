/* gcast_answer: the analyses of a workload by several methods as one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/answer.h"
#include "analyze/call_latency.h"
#include "base/api/argument_missing.h"
#include "base/checked.h"
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

/* Is it the same as one before it? */
static bool is_there_twice(gcast_analysis *const *analyses, size_t i)
{
    size_t before = 0;
    while (before < i && analyses[before] != analyses[i])
        before++;
    return before < i;
}

static void free_analyses(gcast_analysis *const *analyses, size_t count)
{
    for (size_t i = count; analyses && i--;)
        if (!is_there_twice(analyses, i))
            gcast_analysis_free(analyses[i]);
}

/* Are all analyses of this workload? */
static gcast_status check_given(const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis *const *analyses,
                                size_t count, gcast_answer **answer, gcast_error *err)
{
    bool given = w && gpu && analyses && answer && count;
    for (size_t i = 0; given && i < count; i++)
        given = analyses[i];
    if (!given)
        return argument_missing(err);
    bool same = true;
    for (size_t i = 0; i < count; i++) {
        if (is_there_twice(analyses, i))
            return gcast_error_set(err, GCAST_USAGE, NULL, "the same analysis is given twice");
        same = same && analysis_is_of(analyses[i], w);
    }
    return same ? GCAST_OK : gcast_error_set(err, GCAST_USAGE, NULL, "the analyses are not all of this workload");
}

gcast_status gcast_answer_create(const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis *const *analyses,
                                 size_t count, gcast_answer **answer, gcast_error *err)
{
    if (answer)
        *answer = NULL;
    gcast_status status = check_given(w, gpu, analyses, count, answer, err);
    if (status != GCAST_OK) {
        free_analyses(analyses, count);
        return status;
    }
    owned_answer *o = calloc(1, sizeof *o);
    size_t responses = analyses[0]->response_count;
    gcast_analysis **copy = malloc(count * sizeof *copy);
    gcast_response *merged = malloc((responses + 1) * sizeof *merged);
    if (!o || !copy || !merged) {
        free_analyses(analyses, count);
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
    if (!a)
        return NULL;
    for (size_t i = 0; i < a->analysis_count; i++)
        if (a->analyses[i]->thesis)
            return a->analyses[i]->thesis;
    return NULL;
}

gcast_status answer_contradicted(owned_answer *o, const gcast_response *r, int64_t response_ns, gcast_error *err)
{
    bool is_longer = response_ns > r->worst_ns;
    gcast_error_set(err, GCAST_INTERNAL, NULL,
                    "a defect of gridcast: an execution of %.200s takes %lld ns, and the analysis says at %s %lld ns; "
                    "no deadline is said to be met, please send this file",
                    o->a.workload->ops[r->op].label, (long long)response_ns, is_longer ? "most" : "least",
                    (long long)(is_longer ? r->worst_ns : r->best_ns));
    snprintf(err->file, sizeof err->file, "%s", o->a.workload->source ? o->a.workload->source : "");
    o->a.complete = o->a.attained = false;
    for (size_t i = 0; i < o->a.response_count; i++) {
        o->responses[i].best_ns = o->responses[i].reached_ns = o->responses[i].seen_ns = 0;
        o->responses[i].worst_ns = GCAST_NO_BOUND;
    }
    return GCAST_INTERNAL;
}

gcast_status gcast_answer_add_witness(gcast_answer *answer, const gcast_witness *witness, gcast_error *err)
{
    if (!answer || !witness)
        return argument_missing(err);
    if (witness->workload != answer->workload)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the executions are of another workload");
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
            return answer_contradicted(o, r, r->seen_ns, err);
    }
    return GCAST_OK;
}

/* The difference, or what is nearest to it. */
static int64_t difference(int64_t a, int64_t b)
{
    int64_t ns;
    return checked_sub(a, b, &ns) ? ns : a < b ? INT64_MIN : INT64_MAX;
}

/* The deadline, from the release of the op. */
static int64_t relative_deadline(const gcast_answer *a, const gcast_response *r)
{
    const gcast_op *op = &a->workload->ops[r->op];
    return op->task == GCAST_ONCE ? r->deadline_ns : difference(r->deadline_ns, op->release_ns);
}

/* Is it a response of an op of the answer's workload? */
static bool is_response_of(const gcast_answer *a, const gcast_response *r)
{
    return a && r && r->op < a->workload->op_count;
}

int64_t gcast_answer_slack_ns(const gcast_answer *a, const gcast_response *r)
{
    return is_response_of(a, r) ? difference(relative_deadline(a, r), r->worst_ns) : 0;
}

gcast_deadline_verdict gcast_answer_verdict(const gcast_answer *a, const gcast_response *r)
{
    if (!is_response_of(a, r))
        return GCAST_DEADLINE_NONE;
    if (!r->deadline_ns || r->never_called)
        return GCAST_DEADLINE_NONE;
    if (r->worst_ns != GCAST_NO_BOUND && gcast_answer_slack_ns(a, r) >= 0)
        return a->conditional || r->rests_on_assumed || a->workload->note_count ? GCAST_DEADLINE_MET_IF
                                                                                : GCAST_DEADLINE_MET;
    /* every execution takes best_ns, and some execution takes the others */
    int64_t happens_ns = max_i64(r->best_ns, max_i64(r->reached_ns, r->seen_ns));
    return a->attained || relative_deadline(a, r) < happens_ns ? GCAST_DEADLINE_MISSED : GCAST_DEADLINE_OPEN;
}
