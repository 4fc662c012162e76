#include "cli/analyze/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "cli/say.h"

#define MAX_NAMED 20 /* operations in the list of those that miss their deadlines */

static const char *const verdict_names[] = {
#define X(id, name) name,
    VERDICT_TABLE(X)
#undef X
};

static const char *const method_names[] = {
#define X(id, name, text) name,
    GCAST_METHOD_TABLE(X)
#undef X
};

const char *verdict_name(verdict v)
{
    return verdict_names[v];
}

const char *method_name(gcast_method m)
{
    return method_names[m];
}

/* All bounds hold, so the tightest holds, too. */
static gcast_status merge(answer *a, const gcast_analysis *part)
{
    if (!a->responses) {
        a->count = part->response_count;
        a->responses = malloc((a->count + 1) * sizeof *a->responses);
        if (!a->responses)
            return say_no_memory();
        memcpy(a->responses, part->responses, a->count * sizeof *a->responses);
    }
    for (size_t i = 0; i < a->count; i++) {
        const gcast_response *r = &part->responses[i];
        gcast_response *merged = &a->responses[i];
        merged->worst_ns = min_i64(merged->worst_ns, r->worst_ns);
        merged->best_ns = max_i64(merged->best_ns, r->best_ns);
        merged->never_called = merged->never_called || r->never_called;
    }
    a->complete = a->complete || part->complete;
    return GCAST_OK;
}

bool method_attains(gcast_method m)
{
    return m == GCAST_METHOD_EXACT || m == GCAST_METHOD_THESIS;
}

gcast_status answer_make(answer *a, const gcast_workload *w, const gcast_gpu *gpu, const gcast_method *methods,
                         size_t count, const gcast_analyze_options *options, progress *shown)
{
    gcast_status status = GCAST_OK;
    gcast_analyze_options watched = *options;
    watched.progress = progress_show;
    watched.progress_data = shown;
    *a = (answer){.w = w, .gpu = gpu};
    for (size_t i = 0; i < count && status == GCAST_OK && !a->attained; i++) {
        gcast_error err;
        gcast_analysis *part;
        progress_next(shown, method_name(methods[i]), options->max_ms);
        if (gcast_workload_analyze(w, gpu, methods[i], &watched, &part, &err) != GCAST_OK) {
            snprintf(err.file, sizeof err.file, "%s", w->source);
            status = say_error(&err);
            break;
        }
        a->parts[a->part_count++] = part;
        a->attained = part->complete && method_attains(methods[i]);
        status = merge(a, part);
    }
    if (status != GCAST_OK)
        answer_free(a);
    return status;
}

void answer_free(answer *a)
{
    for (size_t i = 0; i < a->part_count; i++)
        gcast_analysis_free(a->parts[i]);
    free(a->responses);
    *a = (answer){0};
}

bool answer_bounded(const gcast_response *r)
{
    return !r->never_called && r->worst_ns != GCAST_NO_BOUND;
}

int64_t answer_slack(const answer *a, const gcast_response *r)
{
    return r->deadline_ns - a->w->ops[r->op].release_ns - r->worst_ns;
}

verdict answer_verdict(const answer *a, const gcast_response *r)
{
    if (!r->deadline_ns || r->never_called)
        return VERDICT_NONE;
    if (answer_bounded(r) && answer_slack(a, r) >= 0)
        return VERDICT_MET;
    bool always_missed = r->deadline_ns - a->w->ops[r->op].release_ns < r->best_ns;
    return a->attained || always_missed ? VERDICT_MISSED : VERDICT_OPEN;
}

/* Lists the operations with a verdict behind a title; false: there are none. */
static bool list_ops(const answer *a, verdict v, const char *title, text *t)
{
    size_t n = 0;
    for (size_t i = 0; i < a->count; i++)
        if (answer_verdict(a, &a->responses[i]) == v && n++ < MAX_NAMED) {
            text_str(t, n == 1 ? title : ", ");
            text_str(t, a->w->ops[a->responses[i].op].label);
        }
    if (n > MAX_NAMED)
        text_printf(t, " and %zu more", n - MAX_NAMED);
    return n > 0;
}

gcast_status answer_status(const answer *a)
{
    text t;
    text_open(&t, NULL, NULL);
    bool missed = list_ops(a, VERDICT_MISSED, "deadlines missed: ", &t);
    bool open = list_ops(a, VERDICT_OPEN, missed ? "; not shown to be met: " : "deadlines not shown to be met: ", &t);
    char *message = text_take(&t, NULL);
    if (missed || open)
        say(GCAST_NO, "%s", message ? message : "deadlines missed");
    free(message);
    return missed || open || !a->complete ? GCAST_NO : GCAST_OK;
}
