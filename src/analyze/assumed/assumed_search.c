/* gcast_answer_move_assumed: do deadlines that are met rest on numbers of the GPU that nobody has measured? First all
 * numbers are moved at once. If a deadline is then not shown to be met, each is moved on its own, and bisection finds
 * its farthest value with all deadlines met. The number of trials is limited, not their time, so that results do not
 * depend on the machine. Then come sharing.c and open_choices.c. */
#include <stdlib.h>
#include <string.h>

#include "analyze/added_method.h"
#include "analyze/answer.h"
#include "analyze/assumed/moved_trial.h"
#include "analyze/assumed/open_choices.h"
#include "analyze/assumed/parameters.h"
#include "analyze/assumed/sharing.h"
#include "base/api.h"

#define SMALL_TRIALS 40 /* for small workloads, besides one for each value of each parameter */
#define LARGE_TRIALS 2  /* for others: all parameters at once */
#define ROUNDS 5        /* of bisection between a value and 10 times it: leaves one part in 13 */

#define STEP 3 /* a factor to try besides the largest, where nothing follows for values between */

typedef struct move_search {
    owned_answer *o;
    moved_trial trial;
    int64_t failed[ASSUMED_MAX]; /* by parameter that matters: nearest value with a deadline not shown to be met */
    int trials_left;
    gcast_error *err;
} move_search;

/* Notes the deadlines that a trial does not show to be met. */
static void note_responses(move_search *s, const bool *shown)
{
    owned_answer *o = s->o;
    for (size_t i = 0; i < o->a.response_count; i++)
        o->responses[i].rests_on_assumed = o->responses[i].rests_on_assumed || !shown[i];
}

/* Notes that any deadline may rest on what is assumed. */
static void note_all(owned_answer *o)
{
    for (size_t i = 0; i < o->a.response_count; i++)
        if (is_shown_met(&o->a, i))
            o->responses[i].rests_on_assumed = true;
}

/* Tries all parameters but counts, moved by a factor; *moves: there are any. */
static gcast_status try_all_by(move_search *s, int times, bool *met, bool *moves)
{
    gcast_status status = moved_trial_reset(&s->trial, s->err);
    if (status != GCAST_OK || !(*moves = assumed_move_all(s->o->a.workload, &s->trial.moved, times)))
        return status;
    s->trials_left--;
    status = moved_trial_ask(&s->trial, met, s->err);
    if (status == GCAST_OK)
        note_responses(s, s->trial.shown);
    return status;
}

/* Tries all parameters but counts at their farthest values, and at a nearer one if nothing follows for values between.
 * Deadlines that are not shown for all of these values rest on what is assumed. */
static gcast_status try_all(move_search *s)
{
    bool met = true, moves = false;
    s->trial.covers_between = true;
    gcast_status status = try_all_by(s, ASSUMED_TIMES, &met, &moves);
    bool between_open = !s->trial.covers_between;
    if (status == GCAST_OK && moves)
        note_responses(s, s->trial.covered);
    if (between_open && met && status == GCAST_OK)
        status = try_all_by(s, STEP, &met, &moves);
    s->o->a.assumed_hold_at_once = met;
    for (size_t i = 0; i < s->o->a.assumed_count && met; i++) {
        gcast_assumed *p = &s->o->assumed[i];
        if (p->is_count)
            continue;
        p->tried = true;
        p->limit = assumed_moved(p, ASSUMED_TIMES);
        p->between_open = between_open;
    }
    return status;
}

/* Tries one parameter at a value, with the others unchanged. */
static gcast_status try_one(move_search *s, gcast_assumed *p, int64_t value, bool *met)
{
    gcast_status status = moved_trial_reset(&s->trial, s->err);
    if (status != GCAST_OK)
        return status;
    moved_trial_set(&s->trial, p, value);
    s->trials_left--;
    status = moved_trial_ask(&s->trial, met, s->err);
    s->trial.covers_between = s->trial.covers_between && !p->is_count;
    return status;
}

/* Tries the values of one parameter, the farthest first, until all values are covered or a deadline is not met. */
static gcast_status try_values(move_search *s, gcast_assumed *p, const int64_t *values, size_t count, bool are_all,
                               int64_t *failed)
{
    bool met = true, covered = false;
    gcast_status status = GCAST_OK;
    *failed = values[0];
    for (size_t i = 0; i < count && met && !covered && status == GCAST_OK; i++) {
        status = try_one(s, p, values[i], &met);
        *failed = met ? *failed : values[i];
        covered = covered || (i == 0 && met && s->trial.covers_between);
    }
    if (status == GCAST_OK && !met)
        note_responses(s, s->trial.shown);
    p->tried = true;
    p->matters = !met;
    p->between_open = met && !covered && !are_all;
    p->limit = met ? *failed : p->value;
    return status;
}

/* Tries the values of one parameter. A count is tried at all of its values or not at all, and any deadline may rest on
 * a count that was not. */
static gcast_status try_farthest(move_search *s, gcast_assumed *p, int64_t *failed)
{
    int64_t values[ASSUMED_VALUES];
    bool are_all;
    gcast_status status = GCAST_OK;
    size_t count = assumed_values(s->o->a.workload, p, values, &are_all);
    if (!p->is_count || (int)count <= s->trials_left)
        status = try_values(s, p, values, count, are_all, failed);
    if (p->is_count && (!p->tried || p->between_open))
        note_all(s->o);
    return status;
}

/* Tries each remaining parameter on its own. */
static gcast_status try_each(move_search *s)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->o->a.assumed_count && status == GCAST_OK; i++)
        if (!s->o->assumed[i].tried && (s->trials_left > 0 || s->o->assumed[i].is_count))
            status = try_farthest(s, &s->o->assumed[i], &s->failed[i]);
    return status;
}

/* One round of bisection for each parameter that matters. */
static gcast_status bisect_round(move_search *s)
{
    owned_answer *o = s->o;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < o->a.assumed_count && status == GCAST_OK; i++) {
        gcast_assumed *p = &o->assumed[i];
        bool met = false;
        int64_t value = p->matters ? assumed_between(p, s->failed[i]) : p->limit;
        if (value == p->limit || s->trials_left <= 0)
            continue;
        status = try_one(s, p, value, &met);
        *(met ? &p->limit : &s->failed[i]) = value;
        p->between_open = p->between_open || (met && !s->trial.covers_between);
    }
    return status;
}

static gcast_status search(move_search *s)
{
    gcast_status status = s->o->a.assumed_count ? try_all(s) : GCAST_OK;
    if (status == GCAST_OK)
        status = try_each(s);
    for (int round = 0; round < ROUNDS && status == GCAST_OK; round++)
        status = bisect_round(s);
    if (status == GCAST_OK)
        status = sharing_try(s->o, &s->trial, s->err);
    for (size_t i = 0; i < s->o->a.response_count; i++)
        s->o->a.rests_on_assumed = s->o->a.rests_on_assumed || s->o->responses[i].rests_on_assumed;
    return status;
}

/* Lists the parameters in the answer. */
static gcast_status list_assumed(owned_answer *o, const gcast_gpu *gpu, gcast_error *err)
{
    gcast_assumed found[ASSUMED_MAX];
    size_t count = assumed_parameters(o->a.workload, gpu, found);
    free(o->assumed);
    o->assumed = malloc((count + SHARING_MAX) * sizeof *found);
    o->a.assumed = o->assumed;
    o->a.assumed_count = 0;
    if (!o->assumed)
        return gcast_error_set_memory(err);
    memcpy(o->assumed, found, count * sizeof *found);
    o->a.assumed_count = count;
    return GCAST_OK;
}

/* How many trials to make. */
static int trials_of(const owned_answer *o)
{
    int trials = SMALL_TRIALS;
    for (size_t i = 0; i < o->a.assumed_count; i++) {
        int64_t values[ASSUMED_VALUES];
        bool all;
        trials += (int)assumed_values(o->a.workload, &o->assumed[i], values, &all);
    }
    return o->a.workload->op_count <= ASSUMED_SMALL_OPS ? trials : LARGE_TRIALS;
}

/* Moves the assumed numbers of the GPU. */
static gcast_status move(owned_answer *o, const gcast_gpu *gpu, const gcast_analyze_options *options, gcast_error *err)
{
    move_search s = {.o = o, .trials_left = trials_of(o), .err = err};
    gcast_status status = moved_trial_open(&s.trial, &o->a, gpu, options, err);
    if (status == GCAST_OK)
        status = search(&s);
    moved_trial_close(&s.trial);
    return status;
}

gcast_status gcast_answer_move_assumed(gcast_answer *answer, const gcast_analyze_options *given, gcast_error *err)
{
    if (!answer)
        return argument_missing(err);
    owned_answer *o = answer->memory;
    const gcast_gpu *gpu = answer->gpu ? answer->gpu : answer->workload->gpu;
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_status status = options_copy(&options, sizeof options, given, "gcast_analyze_options", err);
    if (status != GCAST_OK || !any_shown_met(answer))
        return status;
    const char *rooms[SHARING_MAX];
    bool is_sharing = sharing_assume_placement(gpu) || sharing_assume_quarters(gpu) ||
                      sharing_assumed_rooms(o->a.workload, gpu, rooms);
    status = list_assumed(o, gpu, err);
    if (status == GCAST_OK && answer_has_own_deadlines(answer)) { /* no method can be asked */
        if (answer->assumed_count || is_sharing) {
            note_all(o);
            o->a.rests_on_assumed = true;
        }
        open_choices_rest(o, gpu);
        return GCAST_OK;
    }
    if (status == GCAST_OK && (answer->assumed_count || is_sharing))
        status = move(o, gpu, &options, err);
    return status == GCAST_OK ? open_choices_try(o, gpu, &options, err) : status;
}
