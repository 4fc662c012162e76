/* Analyzes a changed workload or GPU, and compares the deadlines that are met. */
#include "analyze/assumed/moved_trial.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/added_method.h"
#include "analyze/answer.h"
#include "analyze/assumed/parameters.h"

#define MAX_MS 20000    /* a safeguard; usually not reached, so that outputs do not depend on the machine */
#define MAX_STATES 1000 /* of explore */

bool is_shown_met(const gcast_answer *a, size_t i)
{
    gcast_deadline_verdict v = gcast_answer_verdict(a, &a->responses[i]);
    return v == GCAST_DEADLINE_MET || v == GCAST_DEADLINE_MET_IF;
}

static bool is_small(const moved_trial *t)
{
    return t->answer->workload->op_count <= ASSUMED_SMALL_OPS;
}

bool any_shown_met(const gcast_answer *answer)
{
    for (size_t i = 0; i < answer->response_count; i++)
        if (is_shown_met(answer, i))
            return true;
    return false;
}

void moved_trial_close(moved_trial *t)
{
    variant_free(&t->moved);
    free(t->shown);
    free(t->covered);
}

gcast_status moved_trial_reset(moved_trial *t, gcast_error *err)
{
    variant_free(&t->moved);
    return variant_open(&t->base, &t->moved, err);
}

void moved_trial_set(moved_trial *t, const gcast_assumed *p, int64_t value)
{
    assumed_set(&t->moved, p->field, value);
}

/* Notes which deadlines the method shows to be met; `by` NULL: one of the library. */
static gcast_status ask(moved_trial *t, gcast_method method, const added_method *by, bool any_phase, bool *met,
                        gcast_error *err)
{
    const gcast_answer *answer = t->answer;
    gcast_analysis *a;
    gcast_analyze_options options = t->options;
    options.max_ms = limit_left_ms(&t->limit);
    options.any_phase = options.any_phase || any_phase;
    gcast_status status = by ? added_method_analyze(by, t->w, t->moved.gpu, &options, &a, err)
                             : gcast_workload_analyze(t->w, t->moved.gpu, method, &options, &a, err);
    if (status != GCAST_OK)
        return status == GCAST_INPUT ? GCAST_OK : status;
    *met = true;
    for (size_t i = 0; i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        bool in_time = a->complete && r->worst_ns != GCAST_NO_BOUND && gcast_answer_slack_ns(answer, r) >= 0;
        t->shown[i] = t->shown[i] || in_time;
        *met = *met && t->shown[i];
    }
    gcast_analysis_free(a);
    return GCAST_OK;
}

gcast_status moved_trial_ask_method(moved_trial *t, gcast_method method, bool any_phase, bool *met, gcast_error *err)
{
    return ask(t, method, NULL, any_phase, met, err);
}

void moved_trial_clear(moved_trial *t)
{
    for (size_t i = 0; i < t->answer->response_count; i++)
        t->shown[i] = !is_shown_met(t->answer, i);
}

/* Is some deadline that is asked about shown to be met? */
static bool covers_any(const moved_trial *t)
{
    for (size_t i = 0; i < t->answer->response_count; i++)
        if (is_shown_met(t->answer, i) && t->shown[i])
            return true;
    return false;
}

gcast_status moved_trial_open(moved_trial *t, const gcast_answer *answer, const gcast_gpu *gpu,
                              const gcast_analyze_options *options, gcast_error *err)
{
    *t = (moved_trial){.answer = answer,
                       .w = answer->workload,
                       .base = {.gpu = gpu},
                       .options = *options,
                       .limit = limit_from_now(MAX_MS)};
    t->options.max_states = MAX_STATES;
    t->options.progress = NULL;
    t->shown = malloc(answer->response_count * sizeof *t->shown);
    t->covered = malloc(answer->response_count * sizeof *t->covered);
    gcast_status status = t->shown && t->covered ? moved_trial_reset(t, err) : gcast_error_set_memory(err);
    if (status != GCAST_OK)
        return status;
    moved_trial_clear(t);
    t->asks_any_phase = true;
    if (!is_small(t)) /* the first trial finds out */
        return GCAST_OK;
    bool met = false;
    status = moved_trial_ask_method(t, GCAST_METHOD_BOUND, true, &met, err);
    t->asks_any_phase = covers_any(t);
    return status;
}

/* May the method of this analysis be asked: did it contribute to the answer, and does it apply to the moved GPU?
 * Methods with a single execution do not cover noise. */
static bool may_ask(const moved_trial *t, const gcast_analysis *a)
{
    return a->complete && !(analysis_attains(a) && t->moved.gpu->noise_ns != t->base.gpu->noise_ns);
}

gcast_status moved_trial_ask(moved_trial *t, bool *met, gcast_error *err)
{
    bool asked = false;
    moved_trial_clear(t);
    *met = false;
    gcast_status status = t->asks_any_phase ? moved_trial_ask_method(t, GCAST_METHOD_BOUND, true, met, err) : GCAST_OK;
    memcpy(t->covered, t->shown, t->answer->response_count * sizeof *t->covered);
    t->covers_between = *met;
    t->asks_any_phase = t->asks_any_phase && (is_small(t) || covers_any(t));
    if (status == GCAST_OK && !*met)
        status = moved_trial_ask_method(t, GCAST_METHOD_BOUND, false, met, err);
    for (size_t i = 0; i < t->answer->analysis_count && status == GCAST_OK && !*met; i++) {
        const gcast_analysis *a = t->answer->analyses[i];
        if (a->method == GCAST_METHOD_BOUND || !may_ask(t, a))
            continue;
        asked = true;
        status = ask(t, a->method, ((const owned_analysis *)a->memory)->by, false, met, err);
    }
    if (status == GCAST_OK && !*met && !asked && t->answer->attained)
        status = moved_trial_ask_method(t, GCAST_METHOD_EXPLORE, false, met, err);
    return status;
}
