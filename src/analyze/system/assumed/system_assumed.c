#include "analyze/system/assumed/system_assumed.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/assumed/parameters.h"
#include "analyze/assumed/sharing.h"
#include "analyze/system/analyze_once.h"
#include "analyze/system/answer_texts.h"
#include "analyze/system/assumed/answer_rests.h"
#include "analyze/system/gpu/gpu_part.h"
#include "base/text/text.h"
#include "model/workload/attributes/left_open.h"

#define MAX_NAMED 5 /* numbers of the GPU in a line */

typedef struct assumed_trials {
    sys_answer *a;
    const sys_system *s;
    sys_analyze_options options;
    gcast_workload *w; /* what the system asks of the GPU */
    gcast_assumed found[ASSUMED_MAX];
    size_t found_count;
    const char *named[ASSUMED_MAX + SHARING_MAX]; /* on which something rests */
    size_t named_count;
    gcast_error *err;
} assumed_trials;

static void name(assumed_trials *t, const char *field)
{
    for (size_t i = 0; i < t->named_count; i++)
        if (strcmp(t->named[i], field) == 0)
            return;
    t->named[t->named_count++] = field;
}

/* Analyses the system with another GPU. One that it cannot run on shows nothing. */
static gcast_status ask(assumed_trials *t, const gcast_gpu *gpu, bool *shown)
{
    sys_system moved = *t->s;
    sys_answer *other = NULL;
    moved.gpu = gpu;
    gcast_status status = system_analyze_once(&moved, t->a->places, &t->options, true, &other, t->err);
    if (status != GCAST_OK && status != GCAST_INPUT)
        return status;
    *shown = answer_compare(t->a, other);
    system_answer_free(other);
    return GCAST_OK;
}

/* One number at a value, the others as they are. */
static gcast_status ask_value(assumed_trials *t, const gcast_assumed *p, int64_t value, bool *shown)
{
    gcast_gpu *gpu;
    gcast_status status = gcast_gpu_copy(t->s->gpu, &gpu, t->err);
    if (status != GCAST_OK)
        return status;
    assumed_set(gpu, p->field, value);
    status = ask(t, gpu, shown);
    gcast_gpu_free(gpu);
    return status;
}

/* Which times matter: those that do on their own, or all. */
static gcast_status name_times(assumed_trials *t)
{
    gcast_status status = GCAST_OK;
    size_t before = t->named_count;
    for (size_t i = 0; i < t->found_count && status == GCAST_OK; i++) {
        const gcast_assumed *p = &t->found[i];
        bool shown = true;
        if (!p->is_count)
            status = ask_value(t, p, assumed_moved(p, ASSUMED_TIMES), &shown);
        if (!shown)
            name(t, p->field);
    }
    bool none = t->named_count == before;
    for (size_t i = 0; i < t->found_count && none; i++)
        if (!t->found[i].is_count)
            name(t, t->found[i].field);
    return status;
}

/* All times, bandwidths and percentages as far as they are moved: no bound is shorter for less. */
static gcast_status try_times(assumed_trials *t)
{
    gcast_gpu *gpu;
    bool shown = true;
    gcast_status status = gcast_gpu_copy(t->s->gpu, &gpu, t->err);
    if (status != GCAST_OK)
        return status;
    if (assumed_move_all(t->w, gpu, ASSUMED_TIMES))
        status = ask(t, gpu, &shown);
    gcast_gpu_free(gpu);
    return status == GCAST_OK && !shown ? name_times(t) : status;
}

/* A count at all of its values; where these are too many, anything may rest on it. */
static gcast_status try_count(assumed_trials *t, const gcast_assumed *p)
{
    int64_t values[ASSUMED_VALUES];
    bool all, shown = true;
    gcast_status status = GCAST_OK;
    size_t count = assumed_values(t->w, p, values, &all);
    if (!all)
        shown = answer_compare(t->a, NULL);
    for (size_t i = 0; i < count && all && shown && status == GCAST_OK; i++)
        status = ask_value(t, p, values[i], &shown);
    if (!shown)
        name(t, p->field);
    return status;
}

/* Bound holds for all placements. */
static gcast_status try_placement(assumed_trials *t)
{
    bool shown = true;
    gcast_status status = GCAST_OK;
    if (sharing_assume_placement(t->s->gpu) && t->options.gpu_method != GCAST_METHOD_BOUND)
        status = ask(t, t->s->gpu, &shown);
    if (!shown)
        name(t, gcast_gpu_assumes(t->s->gpu, "placement") ? "placement" : "tie_order");
    return status;
}

static gcast_status try_quarters(assumed_trials *t)
{
    gcast_gpu *gpu;
    bool shown = true;
    if (!sharing_assume_quarters(t->s->gpu))
        return GCAST_OK;
    gcast_status status = gcast_gpu_copy(t->s->gpu, &gpu, t->err);
    if (status != GCAST_OK)
        return status;
    gpu->register_quarters = !gpu->register_quarters;
    status = ask(t, gpu, &shown);
    gcast_gpu_free(gpu);
    if (!shown)
        name(t, "register_quarters");
    return status;
}

/* With slices of time none of these numbers counts in the analysis, though they do on the GPU. */
static void rest_on_times(assumed_trials *t)
{
    for (size_t i = 0; i < t->found_count; i++)
        if (!t->found[i].is_count && !answer_compare(t->a, NULL))
            name(t, t->found[i].field);
}

/* Less room than is assumed may make anything later. */
static void rest_on_rooms(assumed_trials *t)
{
    const char *rooms[SHARING_MAX];
    size_t count = sharing_assumed_rooms(t->w, t->s->gpu, rooms);
    for (size_t i = 0; i < count; i++)
        if (!answer_compare(t->a, NULL))
            name(t, rooms[i]);
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
    bool good = list && add_assumption(t->a, system_sentence(&t->a->memory,
                                                             "GPU: numbers that nobody has measured on %.200s, and on "
                                                             "which verdicts rest: %.600s",
                                                             t->s->gpu->name, list));
    free(list);
    return good;
}

/* No model says which carveouts its kernels have. */
static bool tell_carveouts(const assumed_trials *t)
{
    if (!workload_leaves_open(t->w, t->s->gpu, LEFT_OPEN_CARVEOUTS) || answer_compare(t->a, NULL))
        return true;
    return add_assumption(t->a, system_sentence(&t->a->memory, "GPU: kernels have the most shared memory as carveout, "
                                                               "which no model says, and which may matter; CUDA's "
                                                               "default is another"));
}

gcast_status system_assumed_try(sys_answer *a, const sys_analyze_options *options, gcast_error *err)
{
    assumed_trials t = {.a = a, .s = a->of, .options = *options, .err = err};
    if (!answer_may_rest(a))
        return GCAST_OK;
    t.options.cache = NULL; /* it is of this GPU */
    gcast_status status = gpu_workload_make(t.s, a->places, NULL, &t.w, NULL, err);
    if (status != GCAST_OK)
        return status;
    status = try_numbers(&t);
    if (status == GCAST_OK && (!tell_numbers(&t) || !tell_carveouts(&t)))
        status = gcast_error_set_memory(err);
    gcast_workload_free(t.w);
    return status;
}
