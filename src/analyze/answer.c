/* gcast_answer: the analyses of a workload by several methods as one. */
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "gridcast/analyze.h"

typedef struct owned_answer {
    gcast_answer a;            /* first, so that a gcast_answer is its handle */
    gcast_analysis **analyses; /* of a.analyses */
    gcast_response *responses; /* of a.responses */
} owned_answer;

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
                          .memory = o};
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
    free(o);
}

/* The deadline, from the release of the op. */
static int64_t relative_deadline(const gcast_answer *a, const gcast_response *r)
{
    return r->deadline_ns - a->workload->ops[r->op].release_ns;
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
        return GCAST_DEADLINE_MET;
    bool always_missed = relative_deadline(a, r) < r->best_ns;
    return a->attained || always_missed ? GCAST_DEADLINE_MISSED : GCAST_DEADLINE_OPEN;
}
