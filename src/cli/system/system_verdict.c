#include "cli/system/system_verdict.h"

#include <stdlib.h>

#include "analyze/system/late/late_runs.h"
#include "base/text/text.h"
#include "cli/say.h"
#include "cli/system/opened_system.h"
#include "cli/system/system_files.h"
#include "report/system/gantt/gantt_window.h"
#include "simulate/system/system_simulate.h"

#define MAX_NAMED 20 /* tasks in the list of those that miss their deadlines */

/* Lists tasks, chains and limits with a verdict behind a title; false: there are none. */
static bool list_verdicts(const sys_answer *r, gcast_deadline_verdict v, const char *title, text *t)
{
    size_t n = 0;
    const sys_system *s = r->of;
    for (size_t i = 0; i < s->task_count; i++)
        if (r->tasks[i].verdict == v && n++ < MAX_NAMED)
            text_printf(t, "%s%s", n == 1 ? title : ", ", s->tasks[i].name);
    for (size_t i = 0; r->chains && i < s->chain_count; i++)
        if ((r->chains[i].reaction_verdict == v || r->chains[i].age_verdict == v) && n++ < MAX_NAMED)
            text_printf(t, "%schain %s", n == 1 ? title : ", ", s->chains[i].name);
    for (size_t i = 0; r->limits && i < s->limit_count; i++)
        if (r->limits[i].verdict == v && n++ < MAX_NAMED)
            text_printf(t, "%slimit %s", n == 1 ? title : ", ", s->limits[i].name);
    if (n > MAX_NAMED)
        text_printf(t, " and %zu more", n - MAX_NAMED);
    return n > 0;
}

/* Lists tasks without a bound; false: there are none. */
static bool list_unbounded(const sys_answer *r, text *t)
{
    size_t n = 0;
    for (size_t i = 0; i < r->of->task_count; i++)
        if (r->tasks[i].worst_ns == SYS_UNBOUNDED && n++ < MAX_NAMED)
            text_printf(t, "%s%s", n == 1 ? "no bound is known for " : ", ", r->of->tasks[i].name);
    if (n > MAX_NAMED)
        text_printf(t, " and %zu more", n - MAX_NAMED);
    return n > 0;
}

/* What is said in the end. */
typedef struct verdict {
    gcast_status status;
    char *words; /* which tasks, chains and limits it is about */
} verdict;

/* Finds which deadlines are missed or open; false: no memory. */
static bool find_verdict(const sys_answer *r, verdict *v)
{
    text t;
    text_open(&t, NULL, NULL);
    bool missed = list_verdicts(r, GCAST_DEADLINE_MISSED, "deadlines missed: ", &t);
    bool open = list_verdicts(r, GCAST_DEADLINE_OPEN, missed ? "; open: " : "deadlines open: ", &t);
    bool bad = missed || open || list_unbounded(r, &t);
    bool conditional =
        !bad && list_verdicts(r, GCAST_DEADLINE_MET_IF, "what is assumed of the GPU holds; they are those of ", &t);
    v->words = text_take(&t, NULL);
    v->status = bad ? GCAST_NO : conditional ? GCAST_CONDITION : GCAST_OK;
    return v->words || v->status == GCAST_OK;
}

static gcast_status tell_verdict(const verdict *v)
{
    if (v->status == GCAST_NO)
        say(GCAST_NO, "%s", v->words);
    else if (v->status == GCAST_CONDITION)
        say(GCAST_CONDITION, "deadlines are met on the condition that %s", v->words);
    return v->status;
}

/* The execution that pictures show: the longest times, over the time that is shown. */
static gcast_status simulate_window(const sys_answer *r, sys_run **run)
{
    gcast_error err;
    sys_simulate_options o = {.durations = GCAST_DURATIONS_MAX, .record = true};
    o.horizon_ns = system_window_ns(r->of);
    gcast_status status = system_simulate(r->of, r->places, &o, run, &err);
    return status == GCAST_OK ? GCAST_OK : say_system_error(r->of, &err);
}

gcast_status system_tell(const args *a, sys_answer *r, const sys_search *search)
{
    gcast_error err;
    sys_run *run = NULL;
    system_output w = {.answer = r};
    verdict v = {0};
    gcast_status status = system_look_for_late(r, args_has(a, "ignore-offsets"), &err);
    if (status != GCAST_OK)
        return say_system_error(r->of, &err);
    status = system_report_options_from_args(a, &w.options);
    if (status == GCAST_OK && system_files_draw(a))
        status = simulate_window(r, &run);
    w.run = run;
    w.options.search = search;
    if (status == GCAST_OK && !find_verdict(r, &v)) /* before anything is written */
        status = say_no_memory();
    if (status == GCAST_OK)
        status = system_files_write(a, &w);
    if (run)
        system_run_free(run);
    if (status == GCAST_OK)
        status = tell_verdict(&v);
    free(v.words);
    return status;
}
