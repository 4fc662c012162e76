/* gcast_workload_answer: analyses by several methods, compared with executions, and with what they rest on. So does
 * added_method_answer, by one that a program adds. */
#include "analyze/added_method.h"
#include "analyze/answer.h"
#include "base/api.h"
#include "gridcast/analyze.h"
#include "gridcast/names.h"

/* Where exact applies it is enough; else the tighter of the other two counts for each op. */
static const gcast_method automatic[] = {GCAST_METHOD_EXACT, GCAST_METHOD_BOUND, GCAST_METHOD_EXPLORE};

/* Analyzes by one method after another, until one attains its worst times. */
static gcast_status analyze_by(const gcast_workload *w, const gcast_gpu *gpu, const gcast_method *methods, size_t count,
                               const gcast_analyze_options *o, gcast_answer **answer, gcast_error *err)
{
    gcast_analysis *analyses[GCAST_METHODS];
    size_t done = 0;
    bool attained = false;
    for (; done < count && !attained; done++) {
        if (o->begins)
            o->begins(o->progress_data, gcast_name(GCAST_NAMES_METHOD, methods[done]), o->max_ms);
        gcast_status status = gcast_workload_analyze(w, gpu, methods[done], o, &analyses[done], err);
        if (status != GCAST_OK) {
            while (done)
                gcast_analysis_free(analyses[--done]);
            return status;
        }
        attained = analyses[done]->complete && gcast_method_attains(methods[done]);
    }
    return gcast_answer_create(w, gpu, analyses, done, answer, err);
}

/* Compares the answer with executions, and finds what it rests on. */
static gcast_status complete(gcast_answer *answer, const gcast_analyze_options *o, gcast_error *err)
{
    gcast_analyze_options quiet = *o; /* for what is short */
    quiet.progress = NULL;
    gcast_status status = gcast_answer_check(answer, &quiet, err);
    if (status == GCAST_OK)
        status = gcast_answer_find_limit(answer, &quiet, err);
    if (status == GCAST_OK)
        status = gcast_answer_move_assumed(answer, &quiet, err);
    if (status == GCAST_OK && o->search)
        status = answer_search(answer, o->search, o, err);
    if (status == GCAST_OK && o->begins)
        o->begins(o->progress_data, "shorter kernels", o->max_ms);
    return status == GCAST_OK ? gcast_answer_find_durations(answer, o, err) : status;
}

/* Completes the answer, or frees it if that fails. */
static gcast_status finish(gcast_answer *made, const gcast_analyze_options *o, gcast_answer **answer, gcast_error *err)
{
    gcast_status status = complete(made, o, err);
    if (status == GCAST_OK)
        *answer = made;
    else
        gcast_answer_free(made);
    return status;
}

gcast_status gcast_workload_answer(const gcast_workload *w, const gcast_gpu *gpu, const gcast_method *methods,
                                   size_t count, const gcast_analyze_options *given, gcast_answer **answer,
                                   gcast_error *err)
{
    if (answer)
        *answer = NULL;
    if (!w || !answer || (count && !methods))
        return argument_missing(err);
    gcast_analyze_options own = gcast_analyze_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_analyze_options", err);
    if (status != GCAST_OK)
        return status;
    if (count > GCAST_METHODS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "more methods than there are");
    gpu = gpu ? gpu : w->gpu;
    if (!gpu)
        return hint_add(err, GCAST_HINT_GPU, gcast_error_set(err, GCAST_INPUT, "/gpu", "no GPU is named"));
    if (!count) {
        methods = automatic;
        count = sizeof automatic / sizeof *automatic;
        own.max_states =
            own.max_states && own.max_states < GCAST_AUTO_MAX_STATES ? own.max_states : GCAST_AUTO_MAX_STATES;
    }
    gcast_answer *made = NULL;
    status = analyze_by(w, gpu, methods, count, &own, &made, err);
    return status == GCAST_OK ? finish(made, &own, answer, err) : status;
}

gcast_status added_method_answer(const added_method *m, const gcast_workload *w, const gcast_gpu *gpu,
                                 const gcast_analyze_options *o, gcast_answer **answer, gcast_error *err)
{
    gcast_analysis *analysis;
    gcast_answer *made;
    *answer = NULL;
    gpu = gpu ? gpu : w->gpu;
    if (o->begins)
        o->begins(o->progress_data, m->name, o->max_ms);
    gcast_status status = added_method_analyze(m, w, gpu, o, &analysis, err);
    if (status == GCAST_OK)
        status = gcast_answer_create(w, gpu, &analysis, 1, &made, err);
    return status == GCAST_OK ? finish(made, o, answer, err) : status;
}
