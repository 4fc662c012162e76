#include "cli/system/system_outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/system/late_runs.h"
#include "base/text.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/simulated.h"
#include "cli/system/model_args.h"
#include "report/format_names.h"
#include "report/system/gantt.h"
#include "simulate/system/system_simulate.h"

#define FORMATS_DRAWN (FORMATS_PICTURE | FORMAT_BIT(HTML))
#define MAX_NAMED 20 /* tasks, chains and limits in a list */

static gcast_status check_file(const args *a, const char *path)
{
    if (path_ends_with(path, ".amxmi")) /* the model, with another mapping */
        return args_has(a, "map") ? GCAST_OK : say(GCAST_USAGE, "%s: only --map writes a model", path);
    return output_check_format(path, FORMATS_DRAWN | FORMAT_BIT(TABLE) | FORMAT_BIT(JSON),
                               "an analysis of a model is written as .txt .json .html .svg .png .pdf");
}

gcast_status system_files_check(const args *a)
{
    gcast_status status = GCAST_OK;
    if (args_has(a, "json") && args_has(a, "quiet"))
        return say(GCAST_USAGE, "give one of --quiet and --json");
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "output"))
            status = check_file(a, a->given[i].value);
    return status == GCAST_OK ? outputs_check(a, args_has(a, "json") ? "--json" : NULL) : status;
}

/* Does a -o write a picture, or a page with one? */
static bool system_files_draw(const args *a)
{
    gcast_format format;
    for (size_t i = 0; i < a->given_count; i++)
        if (args_is(a, i, "output") && gcast_format_from_name(a->given[i].value, &format) &&
            FORMATS_DRAWN >> format & 1)
            return true;
    return false;
}

gcast_status system_report_options_from_args(const args *a, sys_report_options *o)
{
    int64_t width = 0;
    int communication = SYS_IMPLICIT;
    *o = system_report_options_default();
    gcast_status status = ranges_from_args(a, &o->report);
    if (status == GCAST_OK)
        status = args_int(a, "width", GCAST_MIN_WIDTH, GCAST_MAX_WIDTH, &width);
    if (status == GCAST_OK)
        status = args_choice(a, "communication", communication_choices, &communication);
    o->report.width = (int)width;
    o->report.fold = !args_has(a, "no-fold");
    o->report.no_blocks = args_has(a, "no-blocks");
    o->report.color = want_color(a);
    o->communication = (sys_communication)communication;
    o->all = args_has(a, "all");
    return status;
}

static gcast_status write_one(const args *a, const system_output *w, const char *path, gcast_format format)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    sys_report_options options = w->options;
    options.report.color = options.report.color && out.file == stdout;
    if (w->answer)
        status = system_answer_report(w->answer, w->run, format, &options, output_write, &out, &err);
    else
        status = system_run_report(w->run, format, &options, output_write, &out, &err);
    return output_finish(&out, status, &err);
}

gcast_status system_files_write(const args *a, const system_output *w)
{
    gcast_status status = GCAST_OK;
    bool quiet = args_has(a, "quiet");
    for (size_t i = 0; i < a->given_count; i++)
        quiet = quiet || (args_is(a, i, "output") && output_is_standard(a->given[i].value));
    if (!quiet)
        status = write_one(a, w, "-", args_has(a, "json") ? GCAST_FORMAT_JSON : GCAST_FORMAT_TABLE);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        gcast_format format;
        if (args_is(a, i, "output") && gcast_format_from_name(a->given[i].value, &format))
            status = write_one(a, w, a->given[i].value, format);
    }
    return status;
}

/* Lists tasks, chains and limits with this verdict behind a title; false: there are none. */
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

/* Does anything depend on what is assumed of the GPU, or on what is left out or assumed of the model? */
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

/* Lists deadlines that are met on conditions, and says on which; false: there are none. */
static bool list_conditional(const sys_answer *r, text *t)
{
    bool gpu, model;
    char title[300];
    find_conditions(r, &gpu, &model);
    snprintf(title, sizeof title,
             "deadlines are met on the condition that %s%s%s: ", gpu ? "the assumed values of the GPU hold" : "",
             gpu && model ? ", and that " : "",
             model ? "nothing left out or assumed of the model makes a time longer (see the lines with condition)"
                   : "");
    return list_verdicts(r, GCAST_DEADLINE_MET_IF, title, t);
}

/* Lists broken constraints on where tasks run; false: there are none. */
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
        text_printf(t, "%s%zu requirement%s not checked (see the lines with not checked)",
                    more ? "; " : "deadlines are met, but ", count,
                    count == 1 ? " of the model is" : "s of the model are");
    return count > 0;
}

typedef struct verdict {
    gcast_status status; /* of the command */
    char *words;         /* a line that names tasks, chains and limits */
} verdict;

/* Finds which deadlines are missed or open; false without memory. */
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

/* Simulates what pictures show: an execution with the longest times, over the window of the report. */
static gcast_status simulate_window(const sys_answer *r, sys_run **run)
{
    gcast_error err;
    sys_simulate_options o = {.durations = GCAST_DURATIONS_MAX, .record = true};
    o.horizon_ns = system_window_ns(r->of);
    gcast_status status = system_simulate(r->of, r->places, &o, run, &err);
    return status == GCAST_OK ? GCAST_OK : say_system_error(r->of, &err);
}

/* The command line for a shell; NULL without memory. */
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
