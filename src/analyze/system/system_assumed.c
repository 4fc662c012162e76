/* Repeats the analysis of a system with other values of assumed numbers of its GPU, and compares the verdicts. */
#include "analyze/system/system_assumed.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/assumed/parameters.h"
#include "analyze/assumed/sharing.h"
#include "analyze/system/answer_caveats.h"
#include "analyze/system/gpu_response.h"
#include "analyze/system/system_analysis.h"
#include "base/text.h"
#include "model/gpu.h"
#include "model/system_answer.h"
#include "model/workload/left_open.h"

#define MAX_NAMED 5 /* numbers of the GPU in one sentence */

static bool is_met(gcast_deadline_verdict v)
{
    return v == GCAST_DEADLINE_MET || v == GCAST_DEADLINE_MET_IF;
}

/* Can the GPU delay a task of the limit? */
static bool limit_reaches(const sys_answer *a, const sys_limit *l)
{
    bool reaches = l->kind == SYS_LIMIT_RESPONSE && a->tasks[l->task].reaches_gpu;
    for (size_t i = 0; i < l->span_count; i++)
        reaches |= a->tasks[l->spans[i].task].reaches_gpu;
    if (l->kind == SYS_LIMIT_DELAY)
        reaches |= a->tasks[l->source.task].reaches_gpu || a->tasks[l->target.task].reaches_gpu;
    return reaches;
}

static bool chain_reaches(const sys_answer *a, const sys_chain *chain)
{
    for (size_t i = 0; i < chain->task_count; i++)
        if (a->tasks[chain->tasks[i]].reaches_gpu)
            return true;
    return false;
}

/* Does any verdict depend on the GPU? */
static bool answer_may_rest(const sys_answer *a)
{
    const sys_system *s = a->of;
    for (size_t i = 0; i < s->task_count; i++)
        if (a->tasks[i].reaches_gpu && is_met(a->tasks[i].verdict))
            return true;
    for (size_t i = 0; a->chains && i < s->chain_count; i++)
        if (chain_reaches(a, &s->chains[i]) &&
            (is_met(a->chains[i].reaction_verdict) || is_met(a->chains[i].age_verdict)))
            return true;
    for (size_t i = 0; a->limits && i < s->limit_count; i++)
        if (limit_reaches(a, &s->limits[i]) &&
            (is_met(a->limits[i].verdict) || a->limits[i].verdict == GCAST_DEADLINE_MISSED))
            return true;
    return false;
}

/* Weakens a verdict that the other analysis does not confirm; GCAST_DEADLINE_NONE: it gives none. False: weakened. */
static bool compare_verdict(sys_answer *a, gcast_deadline_verdict *v, gcast_deadline_verdict other)
{
    if (!is_met(*v) || is_met(other))
        return true;
    a->rests_on_assumed = true;
    *v = GCAST_DEADLINE_MET_IF;
    return false;
}

/* A lower limit that all times of this analysis miss may be kept with other numbers of the GPU. */
static void doubt_missed(const sys_limit *l, sys_limit_answer *r, const sys_limit_answer *other)
{
    bool too_soon = r->verdict == GCAST_DEADLINE_MISSED && r->worst_ns < l->min_ns;
    if (too_soon && (!other || other->verdict != GCAST_DEADLINE_MISSED))
        r->verdict = GCAST_DEADLINE_OPEN;
}

/* Weakens the verdicts that the GPU affects and that `other` does not confirm; without `other`, all of them. False:
 * some verdict was weakened. */
static bool answer_compare(sys_answer *a, const sys_answer *other)
{
    const sys_system *s = a->of;
    sys_task_answer *tasks = (sys_task_answer *)(uintptr_t)a->tasks; /* in the answer's memory */
    sys_chain_answer *chains = (sys_chain_answer *)(uintptr_t)a->chains;
    sys_limit_answer *limits = (sys_limit_answer *)(uintptr_t)a->limits;
    const gcast_deadline_verdict none = GCAST_DEADLINE_NONE;
    bool confirmed = true;
    for (size_t i = 0; i < s->task_count; i++)
        if (tasks[i].reaches_gpu)
            confirmed &= compare_verdict(a, &tasks[i].verdict, other ? other->tasks[i].verdict : none);
    for (size_t i = 0; chains && i < s->chain_count; i++)
        if (chain_reaches(a, &s->chains[i])) {
            confirmed &=
                compare_verdict(a, &chains[i].reaction_verdict, other ? other->chains[i].reaction_verdict : none);
            confirmed &= compare_verdict(a, &chains[i].age_verdict, other ? other->chains[i].age_verdict : none);
        }
    for (size_t i = 0; limits && i < s->limit_count; i++)
        if (limit_reaches(a, &s->limits[i])) {
            confirmed &= compare_verdict(a, &limits[i].verdict, other ? other->limits[i].verdict : none);
            doubt_missed(&s->limits[i], &limits[i], other ? &other->limits[i] : NULL);
        }
    return confirmed;
}

typedef struct assumed_trials {
    sys_answer *a;
    const sys_system *s;
    sys_analyze_options options;
    gcast_workload *w; /* the GPU's part of the system */
    gcast_assumed found[ASSUMED_MAX];
    size_t found_count;
    const char *named[ASSUMED_MAX + SHARING_MAX]; /* numbers on which some verdict rests */
    size_t named_count;
    gcast_error *err;
} assumed_trials;

static void add_name(assumed_trials *t, const char *field)
{
    for (size_t i = 0; i < t->named_count; i++)
        if (strcmp(t->named[i], field) == 0)
            return;
    t->named[t->named_count++] = field;
}

/* Compares with an analysis on another GPU. A GPU on which the system cannot run confirms nothing. */
static gcast_status analyze_with(assumed_trials *t, const gcast_gpu *gpu, bool *confirmed)
{
    sys_system moved = *t->s;
    sys_answer *other = NULL;
    moved.gpu = gpu;
    gcast_status status = system_analyze_once(&moved, t->a->places, &t->options, true, &other, t->err);
    if (status != GCAST_OK && status != GCAST_INPUT)
        return status;
    *confirmed = answer_compare(t->a, other);
    system_answer_free(other);
    return GCAST_OK;
}

/* Changes one number and leaves the others. */
static gcast_status analyze_with_value(assumed_trials *t, const gcast_assumed *p, int64_t value, bool *confirmed)
{
    variant_base base = {.gpu = t->s->gpu};
    variant moved;
    gcast_status status = variant_open(&base, &moved, t->err);
    if (status == GCAST_OK) {
        assumed_set(&moved, p->field, value);
        status = analyze_with(t, moved.gpu, confirmed);
    }
    variant_free(&moved);
    return status;
}

/* Names the times that matter on their own; if none does, all of them. */
static gcast_status name_times(assumed_trials *t)
{
    gcast_status status = GCAST_OK;
    size_t before = t->named_count;
    for (size_t i = 0; i < t->found_count && status == GCAST_OK; i++) {
        const gcast_assumed *p = &t->found[i];
        bool confirmed = true;
        if (!p->is_count)
            status = analyze_with_value(t, p, assumed_moved(p, ASSUMED_TIMES), &confirmed);
        if (!confirmed)
            add_name(t, p->field);
    }
    bool none = t->named_count == before;
    for (size_t i = 0; i < t->found_count && none; i++)
        if (!t->found[i].is_count)
            add_name(t, t->found[i].field);
    return status;
}

/* Tries all times, bandwidths and percentages at their worst at once: no bound is shorter then. */
static gcast_status try_times(assumed_trials *t)
{
    variant_base base = {.gpu = t->s->gpu};
    variant moved;
    bool confirmed = true;
    gcast_status status = variant_open(&base, &moved, t->err);
    if (status == GCAST_OK && assumed_move_all(t->w, &moved, ASSUMED_TIMES))
        status = analyze_with(t, moved.gpu, &confirmed);
    variant_free(&moved);
    return status == GCAST_OK && !confirmed ? name_times(t) : status;
}

/* Tries a count at all of its values; with too many values every verdict rests on it. */
static gcast_status try_count(assumed_trials *t, const gcast_assumed *p)
{
    int64_t values[ASSUMED_VALUES];
    bool all, confirmed = true;
    gcast_status status = GCAST_OK;
    size_t count = assumed_values(t->w, p, values, &all);
    if (!all)
        confirmed = answer_compare(t->a, NULL);
    for (size_t i = 0; i < count && all && confirmed && status == GCAST_OK; i++)
        status = analyze_with_value(t, p, values[i], &confirmed);
    if (!confirmed)
        add_name(t, p->field);
    return status;
}

/* Bound holds for all placements. */
static gcast_status try_placement(assumed_trials *t)
{
    bool confirmed = true;
    gcast_status status = GCAST_OK;
    if (sharing_assume_placement(t->s->gpu) && t->options.gpu_method != GCAST_METHOD_BOUND)
        status = analyze_with(t, t->s->gpu, &confirmed);
    if (!confirmed)
        add_name(t, gcast_gpu_assumes(t->s->gpu, "placement") ? "placement" : "tie_order");
    return status;
}

static gcast_status try_quarters(assumed_trials *t)
{
    change other = {.kind = CHANGE_GPU_FIELD, .name = "register_quarters", .value = !t->s->gpu->register_quarters};
    variant_base base = {.gpu = t->s->gpu};
    variant moved;
    bool confirmed = true;
    if (!sharing_assume_quarters(t->s->gpu))
        return GCAST_OK;
    gcast_status status = variant_make(&base, &other, 1, &moved, t->err);
    if (status == GCAST_OK)
        status = analyze_with(t, moved.gpu, &confirmed);
    variant_free(&moved);
    if (!confirmed)
        add_name(t, "register_quarters");
    return status;
}

/* With time slices these numbers are not part of the analysis, but they matter on a real GPU. */
static void rest_on_times(assumed_trials *t)
{
    for (size_t i = 0; i < t->found_count; i++)
        if (!t->found[i].is_count && !answer_compare(t->a, NULL))
            add_name(t, t->found[i].field);
}

/* With less room than assumed anything may take longer. */
static void rest_on_rooms(assumed_trials *t)
{
    const char *rooms[SHARING_MAX];
    size_t count = sharing_assumed_rooms(t->w, t->s->gpu, rooms);
    for (size_t i = 0; i < count; i++)
        if (!answer_compare(t->a, NULL))
            add_name(t, rooms[i]);
}

static gcast_status try_numbers(assumed_trials *t)
{
    t->found_count = assumed_parameters(t->w, t->s->gpu, t->found);
    rest_on_rooms(t);
    if (t->s->sharing == SYS_SLICES) {
        rest_on_times(t);
        return GCAST_OK;
    }
    gcast_status status = try_times(t);
    for (size_t i = 0; i < t->found_count && status == GCAST_OK; i++)
        if (t->found[i].is_count)
            status = try_count(t, &t->found[i]);
    if (status == GCAST_OK)
        status = try_placement(t);
    return status == GCAST_OK ? try_quarters(t) : status;
}

static bool add_assumption(sys_answer *a, const char *sentence)
{
    const char **texts = arena_alloc_array(&a->memory, a->assumption_count + 1, sizeof *texts);
    if (!texts || !sentence)
        return false;
    for (size_t i = 0; i < a->assumption_count; i++)
        texts[i] = a->assumptions[i];
    texts[a->assumption_count] = sentence;
    a->assumptions = texts;
    a->assumption_count++;
    return true;
}

static bool tell_numbers(const assumed_trials *t)
{
    text names;
    if (!t->named_count)
        return true;
    text_open(&names, NULL, NULL);
    for (size_t i = 0; i < t->named_count && i < MAX_NAMED; i++)
        text_printf(&names, "%s%s", i ? ", " : "", t->named[i]);
    if (t->named_count > MAX_NAMED)
        text_printf(&names, " and %zu more", t->named_count - MAX_NAMED);
    char *list = text_take(&names, NULL);
    bool good =
        list &&
        add_assumption(t->a, system_sentence(&t->a->memory,
                                             "GPU: verdicts depend on numbers that were not measured on %.200s: %.600s",
                                             t->s->gpu->name, list));
    free(list);
    return good;
}

/* No model gives the carveouts of its kernels. */
static bool tell_carveouts(const assumed_trials *t)
{
    if (!workload_leaves_open(t->w, t->s->gpu, LEFT_OPEN_CARVEOUTS) || answer_compare(t->a, NULL))
        return true;
    return add_assumption(t->a, system_sentence(&t->a->memory,
                                                "GPU: kernels have the largest shared memory carveout, which the model "
                                                "does not say and which may matter; CUDA's default is different"));
}

gcast_status system_assumed_try(sys_answer *a, const sys_analyze_options *options, gcast_error *err)
{
    assumed_trials t = {.a = a, .s = a->of, .options = *options, .err = err};
    if (!answer_may_rest(a))
        return GCAST_OK;
    t.options.cache = NULL; /* the cache is for the system's own GPU */
    gcast_status status = gpu_workload_make(t.s, a->places, NULL, &t.w, NULL, err);
    if (status != GCAST_OK)
        return status;
    status = try_numbers(&t);
    if (status == GCAST_OK && (!tell_numbers(&t) || !tell_carveouts(&t)))
        status = gcast_error_set_memory(err);
    gcast_workload_free(t.w);
    return status;
}
