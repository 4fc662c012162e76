/* gcast_answer_find_durations: where deadlines are open, how much of their time may kernels take so that bound shows
 * all deadlines to be met? Found by bisection, in hundredths. A share with which they are met is one, wherever the
 * search stops. */
#include "analyze/advice/judge/judge.h"
#include "analyze/time_limit.h"
#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "base/minmax.h"
#include "model/workload/edit.h"

#define TRIALS 7 /* that bisection of 100 takes */

/* The options of the caller, and how many trials have been made. */
typedef struct trials {
    gcast_analyze_options options;
    int done;
} trials;

static bool show_trial(void *data, double fraction)
{
    const trials *t = data;
    return t->options.progress(t->options.progress_data, (t->done + (fraction > 0 ? fraction : 0)) / TRIALS);
}

/* Is a deadline open, and was bound asked? */
static bool is_wanted(const gcast_answer *a)
{
    bool is_open = false, has_bound = false;
    for (size_t i = 0; i < a->response_count; i++)
        is_open = is_open || gcast_answer_verdict(a, &a->responses[i]) == GCAST_DEADLINE_OPEN;
    for (size_t i = 0; i < a->analysis_count; i++)
        has_bound = has_bound || a->analyses[i]->method == GCAST_METHOD_BOUND;
    return is_open && has_bound;
}

/* No block of a kernel takes more than this share of the longest one of its kernel. */
static void shorten(gcast_workload *copy, const gcast_workload *w, int percent)
{
    for (size_t i = 0; i < w->op_count; i++) {
        int64_t longest_ns = workload_longest_block(&w->ops[i]);
        if (w->ops[i].kind != GCAST_KIND_KERNEL || longest_ns == GCAST_UNKNOWN_NS)
            continue;
        int64_t share_ns = longest_ns / 100 * percent + longest_ns % 100 * percent / 100;
        workload_stretch_op(copy, i, &w->ops[i], max_i64(share_ns, 1));
    }
}

/* The largest share with which all deadlines are met, until the limit passes; 0: none is known. */
static gcast_status bisect(gcast_answer *answer, trials *t, gcast_workload *copy, gcast_error *err)
{
    gcast_analyze_options options = t->options;
    gcast_judge judge = gcast_judge_by_method(GCAST_METHOD_BOUND, &options);
    time_limit limit = limit_from_now(t->options.max_ms);
    int failed = 100;
    options.progress = t->options.progress ? show_trial : NULL;
    options.progress_data = t;
    for (; failed - answer->duration_percent > 1; t->done++) {
        int percent = (answer->duration_percent + failed) / 2;
        gcast_judgement verdict;
        shorten(copy, answer->workload, percent);
        options.max_ms = limit_left_ms(&limit);
        gcast_status status = judge_ends(&judge, copy, answer->gpu, &verdict, NULL, err);
        if (status != GCAST_OK)
            return status;
        *(verdict.known && verdict.meets ? &answer->duration_percent : &failed) = percent;
        if (limit_passed(&limit)) {
            answer->percent_may_be_larger = true;
            break;
        }
    }
    return GCAST_OK;
}

gcast_status gcast_answer_find_durations(gcast_answer *answer, const gcast_analyze_options *given, gcast_error *err)
{
    if (!answer)
        return argument_missing(err);
    trials t = {.options = gcast_analyze_options_default()};
    gcast_workload *copy = NULL;
    gcast_status status = options_copy(&t.options, sizeof t.options, given, "gcast_analyze_options", err);
    if (status != GCAST_OK || !is_wanted(answer))
        return status;
    status = gcast_workload_copy(answer->workload, &copy, err);
    if (status == GCAST_OK)
        status = bisect(answer, &t, copy, err);
    gcast_workload_free(copy);
    return status;
}
