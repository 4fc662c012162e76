#include "cli/analyze/answer.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text/text.h"
#include "cli/analyze/conditions/conditions.h"

#define MAX_NAMED 20 /* operations in the list of those that miss their deadlines */

gcast_status answer_make(gcast_answer **answer, const gcast_workload *w, const gcast_gpu *gpu,
                         const gcast_method *methods, size_t count, const gcast_analyze_options *options,
                         progress *shown)
{
    gcast_error err;
    gcast_analysis *analyses[GCAST_METHODS];
    size_t done = 0;
    bool attained = false;
    gcast_analyze_options watched = *options;
    watched.progress = progress_show;
    watched.progress_data = shown;
    for (; done < count && !attained; done++) {
        progress_next(shown, gcast_method_name(methods[done]), options->max_ms);
        if (gcast_workload_analyze(w, gpu, methods[done], &watched, &analyses[done], &err) != GCAST_OK) {
            while (done)
                gcast_analysis_free(analyses[--done]);
            snprintf(err.file, sizeof err.file, "%s", w->source);
            return say_error(&err);
        }
        attained = analyses[done]->complete && gcast_method_attains(methods[done]);
    }
    gcast_status status = gcast_answer_create(w, gpu, analyses, done, answer, &err);
    if (status == GCAST_OK && (status = gcast_answer_check(*answer, options, &err)) != GCAST_OK) {
        gcast_answer_free(*answer);
        *answer = NULL;
    }
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

/* Lists the operations with a verdict behind a title; false: there are none. */
static bool list_ops(const gcast_answer *a, gcast_deadline_verdict v, const char *title, text *t)
{
    size_t n = 0;
    for (size_t i = 0; i < a->response_count; i++)
        if (gcast_answer_verdict(a, &a->responses[i]) == v && n++ < MAX_NAMED) {
            text_str(t, n == 1 ? title : ", ");
            text_str(t, a->workload->ops[a->responses[i].op].label);
        }
    if (n > MAX_NAMED)
        text_printf(t, " and %zu more", n - MAX_NAMED);
    return n > 0;
}

gcast_status answer_status(const gcast_answer *a)
{
    text t;
    text_open(&t, NULL, NULL);
    bool missed = list_ops(a, GCAST_DEADLINE_MISSED, "deadlines missed: ", &t);
    bool open = list_ops(a, GCAST_DEADLINE_OPEN, missed ? "; open: " : "deadlines open: ", &t);
    char *message = text_take(&t, NULL);
    if (missed || open)
        say(GCAST_NO, "%s", message ? message : "deadlines missed");
    free(message);
    return missed || open || !a->complete ? GCAST_NO : conditions_status(a);
}
