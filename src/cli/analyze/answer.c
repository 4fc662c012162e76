#include "cli/analyze/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "model/gpu.h"
#include "model/workload/workload.h"

#define MAX_MASKS 3        /* kernels with a note on their SM mask */
#define MAX_NAMED_FIELDS 5 /* numbers of the GPU in a line */
#define MAX_NAMED_OPS 20   /* operations in the list of those that miss their deadlines */

static void say_priorities(const gcast_workload *w, const gcast_gpu *gpu)
{
    for (size_t i = 0; i < w->stream_count; i++) {
        int p = w->streams[i].priority, taken = nearest_priority(gpu, p);
        if (p != taken)
            say(GCAST_OK, "note: stream %d: priority %d is taken as %d, the nearest the GPU has", w->streams[i].id, p,
                taken);
    }
}

static void say_masks(const gcast_workload *w, const gcast_gpu *gpu)
{
    for (size_t i = 0, noted = 0; i < w->op_count && noted < MAX_MASKS; i++) {
        int beyond = w->ops[i].mask == GCAST_ALL_SMS ? 0 : mask_beyond(&w->masks[w->ops[i].mask], gpu->sms);
        if (beyond)
            say(GCAST_OK, "note: " MASK_BEYOND_NOTE, w->ops[i].label, beyond, gpu->sms);
        noted += beyond > 0;
    }
}

void gpu_notes_say(const gcast_workload *w, const gcast_gpu *gpu)
{
    say_priorities(w, gpu);
    say_masks(w, gpu);
}

/* Is the latency used without having been measured? */
static bool is_assumed(const gcast_call_latency *c)
{
    return c->used && c->source == GCAST_LATENCY_ASSUMED;
}

/* Is some deadline met on a condition? */
static bool is_conditional(const gcast_answer *a)
{
    for (size_t i = 0; i < a->response_count; i++)
        if (gcast_answer_verdict(a, &a->responses[i]) == GCAST_DEADLINE_MET_IF)
            return true;
    return false;
}

/* May deadlines depend on this number? */
static bool may_matter(const gcast_assumed *p)
{
    return p->matters || p->between_open || (p->is_count && !p->tried);
}

/* Was the field named just before? A count has two entries in a row: for fewer and for more. */
static bool is_named(const gcast_answer *a, size_t i, bool all)
{
    return i && strcmp(a->assumed[i].field, a->assumed[i - 1].field) == 0 && (all || may_matter(&a->assumed[i - 1]));
}

/* Names the numbers that may matter; if none matters on its own, all of them. */
static void put_assumed(const gcast_answer *a, text *t)
{
    size_t named = 0, matter_count = 0;
    for (size_t i = 0; i < a->assumed_count; i++)
        matter_count += may_matter(&a->assumed[i]);
    for (size_t i = 0; i < a->assumed_count; i++)
        if ((!matter_count || may_matter(&a->assumed[i])) && !is_named(a, i, !matter_count)) {
            if (named < MAX_NAMED_FIELDS)
                text_printf(t, "%s%s", named ? ", " : "", a->assumed[i].field);
            named++;
        }
    if (named > MAX_NAMED_FIELDS)
        text_printf(t, " and %zu more", named - MAX_NAMED_FIELDS);
}

/* Names keys that the workload leaves open and that may matter. */
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
    return say(GCAST_CONDITION, "deadlines are met on a condition: the workload does not say, and it may matter: %s",
               names);
}

/* All deadlines are met: GCAST_CONDITION, and a line, if they are on a condition. */
static gcast_status conditions_status(const gcast_answer *a)
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
    say(GCAST_CONDITION, "deadlines are met on a condition: these values were not measured on %s, and may matter: %s",
        a->gpu->name, a->assumed_count ? names : "what is assumed");
    free(names);
    return GCAST_CONDITION;
}

static void show_activity(void *data, const char *activity, int64_t max_ms)
{
    progress_next(data, activity, max_ms);
}

gcast_status answer_make(gcast_answer **answer, const gcast_workload *w, const gcast_gpu *gpu,
                         const added_method *added, const gcast_method *methods, size_t count,
                         const gcast_analyze_options *options)
{
    gcast_error err;
    progress shown;
    gcast_analyze_options watched = *options;
    watched.progress = progress_show;
    watched.progress_data = &shown;
    watched.begins = show_activity;
    progress_start(&shown, "analysing");
    gcast_status status = added ? added_method_answer(added, w, gpu, &watched, answer, &err)
                                : gcast_workload_answer(w, gpu, methods, count, &watched, answer, &err);
    progress_end(&shown);
    if (status != GCAST_OK && status != GCAST_INTERNAL)
        snprintf(err.file, sizeof err.file, "%s", w->source);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

/* Lists the operations with this verdict behind a title; false: there are none. */
static bool list_ops(const gcast_answer *a, gcast_deadline_verdict v, const char *title, text *t)
{
    size_t n = 0;
    for (size_t i = 0; i < a->response_count; i++)
        if (gcast_answer_verdict(a, &a->responses[i]) == v && n++ < MAX_NAMED_OPS) {
            text_str(t, n == 1 ? title : ", ");
            text_str(t, a->workload->ops[a->responses[i].op].label);
        }
    if (n > MAX_NAMED_OPS)
        text_printf(t, " and %zu more", n - MAX_NAMED_OPS);
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
