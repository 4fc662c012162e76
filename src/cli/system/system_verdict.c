#include "cli/system/system_verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Who rests on what is assumed of the GPU, and who on what is left out or assumed of the model? */
static void find_conditions(const sys_answer *r, bool *gpu, bool *model)
{
    *model = false;
    *gpu = r->rests_on_assumed;
    for (size_t i = 0; i < r->of->task_count; i++)
        *gpu |= r->tasks[i].on_gpu;
    for (size_t i = 0; i < r->of->task_count; i++)
        *model |= (r->tasks[i].effects & SYS_CONDITION) != 0;
    for (size_t i = 0; i < r->of->limit_count; i++)
        *model |= (r->of->limits[i].effects & SYS_CONDITION) != 0;
    for (size_t i = 0; i < r->of->chain_count; i++)
        *model |= (r->of->chains[i].effects & SYS_CONDITION) != 0;
}

/* Lists what is met on conditions, and says which these are; false: there is none. */
static bool list_conditional(const sys_answer *r, text *t)
{
    bool gpu, model;
    char title[300];
    find_conditions(r, &gpu, &model);
    snprintf(title, sizeof title, "deadlines are met on the condition that %s%s%s; they are those of ",
             gpu ? "what is assumed of the GPU holds" : "", gpu && model ? ", and that " : "",
             model ? "what is left out or assumed of the model lengthens no time (lines with condition)" : "");
    return list_verdicts(r, GCAST_DEADLINE_MET_IF, title, t);
}

/* Lists constraints on where tasks run that are broken; false: there are none. */
static bool list_broken(const sys_answer *r, bool more, text *t)
{
    size_t n = 0;
    for (size_t i = 0; i < r->of->affinity_count; i++)
        if (!system_affinity_holds(r->of, &r->of->affinities[i], r->places) && n++ < MAX_NAMED)
            text_printf(t, "%s%s", n > 1 ? ", " : more ? "; broken: " : "broken: ", r->of->affinities[i].words);
    return n > 0;
}

/* Says how many requirements are not checked; false: none. */
static bool list_unchecked(const sys_answer *r, bool more, text *t)
{
    size_t count = system_unchecked(r->of);
    if (count)
        text_printf(t, "%s%zu requirement%s not checked (lines with not checked)",
                    more ? "; " : "deadlines are met, but ", count,
                    count == 1 ? " of the model is" : "s of the model are");
    return count > 0;
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
    bad = list_broken(r, bad, &t) || bad;
    bool conditional = !bad && list_conditional(r, &t);
    conditional = !bad && (list_unchecked(r, conditional, &t) || conditional);
    v->words = text_take(&t, NULL);
    v->status = bad ? GCAST_NO : conditional ? GCAST_CONDITION : GCAST_OK;
    return v->words || v->status == GCAST_OK;
}

static gcast_status tell_verdict(const verdict *v)
{
    return v->status == GCAST_OK ? GCAST_OK : say(v->status, "%s", v->words);
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

/* The command as a shell takes it; NULL without memory. */
static char *typed_command(const args *a)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_";
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, "gridcast");
    for (int i = 0; i < a->argc; i++) {
        bool quote = !*a->argv[i] || a->argv[i][strspn(a->argv[i], plain)];
        text_str(&t, quote ? " '" : " ");
        for (const char *c = a->argv[i]; *c; c++)
            if (*c == '\'')
                text_str(&t, "'\\''");
            else
                text_char(&t, *c);
        text_str(&t, quote ? "'" : "");
    }
    return text_take(&t, NULL);
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
    char *typed = typed_command(a);
    w.options.command = typed;
    if (status == GCAST_OK && !typed)
        status = say_no_memory();
    if (status == GCAST_OK && !find_verdict(r, &v)) /* before anything is written */
        status = say_no_memory();
    if (status == GCAST_OK)
        status = system_files_write(a, &w);
    if (run)
        system_run_free(run);
    if (status == GCAST_OK)
        status = tell_verdict(&v);
    free(typed);
    free(v.words);
    return status;
}
