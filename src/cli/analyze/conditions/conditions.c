#include "cli/analyze/conditions/conditions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "cli/say.h"

#define MAX_NAMED 5 /* numbers of the GPU in a line */

gcast_status conditions_find(gcast_answer **answer, const gcast_analyze_options *options)
{
    gcast_error err;
    if (gcast_answer_find_limit(*answer, options, &err) == GCAST_OK &&
        gcast_answer_move_assumed(*answer, options, &err) == GCAST_OK)
        return GCAST_OK;
    gcast_answer_free(*answer);
    *answer = NULL;
    return say_error(&err);
}

gcast_status conditions_find_durations(gcast_answer *answer, const gcast_analyze_options *options, progress *shown)
{
    gcast_error err;
    gcast_analyze_options watched = *options;
    watched.progress = progress_show;
    watched.progress_data = shown;
    progress_next(shown, "shorter kernels", options->max_ms);
    return gcast_answer_find_durations(answer, &watched, &err) == GCAST_OK ? GCAST_OK : say_error(&err);
}

/* Does it count, and was not measured? */
static bool is_assumed(const gcast_call_latency *c)
{
    return c->used && c->source == GCAST_LATENCY_ASSUMED;
}

/* Is a deadline that the answer shows to be met so on a condition? */
static bool is_conditional(const gcast_answer *a)
{
    for (size_t i = 0; i < a->response_count; i++)
        if (gcast_answer_verdict(a, &a->responses[i]) == GCAST_DEADLINE_MET_IF)
            return true;
    return false;
}

/* May deadlines hang on it, for all that is known? */
static bool may_matter(const gcast_assumed *p)
{
    return p->matters || p->between_open || (p->is_count && !p->tried);
}

/* Fewer and more of a count are two, one behind the other. */
static bool is_named(const gcast_answer *a, size_t i, bool all)
{
    return i && strcmp(a->assumed[i].field, a->assumed[i - 1].field) == 0 && (all || may_matter(&a->assumed[i - 1]));
}

/* Names the numbers that may matter; where none does on its own, all of them. */
static void put_assumed(const gcast_answer *a, text *t)
{
    size_t named = 0, matter_count = 0;
    for (size_t i = 0; i < a->assumed_count; i++)
        matter_count += may_matter(&a->assumed[i]);
    for (size_t i = 0; i < a->assumed_count; i++)
        if ((!matter_count || may_matter(&a->assumed[i])) && !is_named(a, i, !matter_count)) {
            if (named < MAX_NAMED)
                text_printf(t, "%s%s", named ? ", " : "", a->assumed[i].field);
            named++;
        }
    if (named > MAX_NAMED)
        text_printf(t, " and %zu more", named - MAX_NAMED);
}

/* Names what the workload leaves open and may matter. */
static gcast_status say_open(const gcast_answer *a)
{
    const char *open[] = {a->rests_on_carveouts ? "\"carveout\" of kernels" : NULL,
                          a->rests_on_blocking ? "\"blocking\" of streams" : NULL,
                          a->rests_on_registers ? "\"registers\" of kernels" : NULL};
    char names[100] = "";
    size_t at = 0;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (open[i])
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", open[i]);
    return say(GCAST_CONDITION, "deadlines are met on a condition: the workload leaves open, and may matter: %s",
               names);
}

gcast_status conditions_status(const gcast_answer *a)
{
    text t;
    const char *calls = !is_assumed(&a->copy) ? "launches" : is_assumed(&a->launch) ? "launches and copies" : "copies";
    if (!is_conditional(a))
        return GCAST_OK;
    if (a->conditional)
        return say(GCAST_CONDITION,
                   "deadlines are met on a condition: how long %s take to reach the GPU was not measured on %s; "
                   "give --launch-latency",
                   calls, a->gpu->name);
    if (!a->rests_on_assumed && a->rests_on_open)
        return say_open(a);
    if (!a->rests_on_assumed)
        return say(GCAST_CONDITION,
                   "deadlines are met on a condition: something was left out of the workload, as its notes say");
    text_open(&t, NULL, NULL);
    put_assumed(a, &t);
    char *names = text_take(&t, NULL);
    if (!names)
        return say_no_memory();
    say(GCAST_CONDITION, "deadlines are met on a condition: not measured on %s, and may matter: %s", a->gpu->name,
        a->assumed_count ? names : "what is assumed");
    free(names);
    return GCAST_CONDITION;
}
