#include "report/system/system_html.h"

#include <stdlib.h>

#include "base/text.h"
#include "gridcast/names.h"
#include "report/canvas/font.h"
#include "report/canvas/svg.h"
#include "report/system/gantt_draw.h"
#include "report/system/search_report.h"
#include "report/system/system_execution.h"
#include "report/system/system_grids.h"
#include "report/system/system_words.h"

static const char style[] = "body{font:14px/1.5 system-ui,sans-serif;color:#222;margin:2em auto;max-width:1100px;"
                            "padding:0 1em}\n"
                            "svg{max-width:100%;height:auto}\n"
                            "table{border-collapse:collapse;margin:1em 0}\n"
                            "th,td{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd}\n"
                            ".number{text-align:right;font-variant-numeric:tabular-nums}\n"
                            ".dim{color:#888}\n.alarm{color:#b00020}\n"
                            "rect:hover,polygon:hover{opacity:.8}\n";

static void page_begin(const char *name, text *out)
{
    char title[LABEL_SIZE];
    text_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    text_xml(out, label_cut(name, LABEL_CHARS, title));
    text_str(out, "</title>\n<style>\n");
    text_str(out, style);
    text_str(out, "</style>\n</head>\n<body>\n");
}

static void page_end(text *out)
{
    text_str(out, "</body>\n</html>\n");
}

#define MAX_ROWS 1000 /* of a table: a page is for reading */

/* Writes an element with the words that `put` makes, escaped. */
static void put_made(text *out, const char *tag, void (*put)(const void *of, text *line), const void *of)
{
    text line;
    text_open(&line, NULL, NULL);
    put(of, &line);
    char *words = text_take(&line, NULL);
    if (!words) {
        text_no_memory(out);
        return;
    }
    text_printf(out, "<%s>", tag);
    text_xml(out, words);
    text_printf(out, "</%s>\n", tag);
    free(words);
}

/* What made_by names: the files of a system, and the command. */
typedef struct made_of {
    const sys_system *s;
    const char *command;
} made_of;

static void made_by(const void *of, text *line)
{
    const made_of *m = of;
    system_made_by(m->s, m->command, line);
}

static void title_of(const void *of, text *line)
{
    system_title(of, line);
}

static void summary_of(const void *answer, text *line)
{
    system_summary(answer, line);
}

static void seen_of(const void *run, text *line)
{
    run_seen_summary(run, line);
}

static gcast_status put_picture(const sys_run *run, const sys_report_options *options, text *out, gcast_error *err)
{
    canvas *c;
    gcast_status status = system_draw(run, options, &c, err);
    return status == GCAST_OK ? canvas_svg_last(c, out, err) : status;
}

static void put_finding(const sys_finding *f, text *out)
{
    char words[80];
    system_finding_words(f, words, sizeof words);
    text_str(out, f->doubtful || f->effects ? "<li class=\"alarm\">" : "<li>");
    text_printf(out, "%s: ", words);
    text_xml(out, f->text);
    if (*f->file) {
        text_str(out, " <span class=\"dim\">");
        text_xml(out, f->file);
        text_printf(out, ":%d</span>", f->line);
    }
    text_str(out, "</li>\n");
}

static void put_findings(const sys_system *s, text *out)
{
    if (!s->finding_count)
        return;
    size_t *order = system_finding_order(s);
    if (!order) {
        text_no_memory(out);
        return;
    }
    text_str(out, "<h2>What the model says that its reader should know</h2>\n<ul>\n");
    for (size_t i = 0; i < s->finding_count; i++)
        put_finding(&s->findings[order[i]], out);
    text_str(out, "</ul>\n");
    free(order);
}

/* A table with its heading; nothing where it has no rows. */
static void put_grid(sys_grid *t, const char *heading, const char *note, text *out)
{
    if (t->g.rows.count || t->g.failed) {
        text_printf(out, "<h2>%s</h2>\n", heading);
        if (*note)
            text_printf(out, "<p>%s</p>\n", note);
        grid_html(&t->g, MAX_ROWS, out);
    }
    grid_close(&t->g);
}

static void search_of(const void *search, text *line)
{
    search_title(search, line);
}

static void put_search(const sys_answer *a, const sys_search *s, text *out)
{
    sys_grid t;
    grid_of_scores(&t, s);
    put_grid(&t, "The search for a mapping", "", out);
    put_made(out, "p", search_of, s);
    grid_of_changes(&t, a);
    put_grid(&t, "What changes", "", out);
}

static void put_tables(const sys_answer *a, const sys_report_options *options, text *out)
{
    sys_grid t;
    if (options->search)
        put_search(a, options->search, out);
    grid_of_tasks(&t, a);
    put_grid(&t, "Tasks",
             "Response times from the release of a task, or of the task whose release starts it. Worst times are "
             "rounded up, best times down. Deadlines of tasks that are triggered count from when they are triggered.",
             out);
    grid_of_gpu_ops(&t, a);
    put_grid(
        &t, "On the GPU",
        "alone: its time on an idle GPU; shared: from the time when it could start to its end; ends after: from the "
        "release of the task whose release starts it.",
        out);
    if (a->chains && a->of->chain_count) {
        grid_of_chains(&t, a, options->communication);
        put_grid(&t, "Chains",
                 "Reaction: from a change that the first task just missed to the first output that shows it; first: "
                 "the same from the release of the first task. Age: from a reading to the last output that uses it.",
                 out);
        text_printf(out, "<p>Limits on reactions count from %s (--reaction %s).</p>\n",
                    system_reaction_words(a->reaction), system_reaction_name(a->reaction));
    }
    if (a->limits && a->of->limit_count) {
        grid_of_limits(&t, a);
        put_grid(&t, "Limits", "Runnables: from start to end. Delays: from an event to the other event of the limit.",
                 out);
    }
    grid_of_parts(&t, a);
    put_grid(&t, "The parts of worst times", "", out);
    grid_of_steps(&t, a);
    put_grid(&t, "Steps on cores", "", out);
}

static void put_list(const char *heading, const sys_answer *a, text *out)
{
    text_printf(out, "<h2>%s</h2>\n<ul>\n", heading);
    for (size_t i = 0; i < a->assumption_count; i++) {
        text_str(out, "<li>");
        text_xml(out, a->assumptions[i]);
        text_str(out, "</li>\n");
    }
    text_str(out, "</ul>\n");
}

static void put_affinities(const sys_answer *a, text *out)
{
    text_str(out, "<h2>Constraints on cores</h2>\n<ul>\n");
    for (size_t i = 0; i < a->of->affinity_count; i++) {
        bool kept = system_affinity_holds(a->of, &a->of->affinities[i], a->places);
        text_str(out, kept ? "<li>kept: " : "<li class=\"alarm\">broken: ");
        text_xml(out, a->of->affinities[i].words);
        text_str(out, "</li>\n");
    }
    text_str(out, "</ul>\n");
}

static void put_unbounded(const sys_answer *a, text *out)
{
    for (size_t i = 0; i < a->of->task_count; i++)
        if (a->tasks[i].why_not) {
            text_str(out, "<p class=\"alarm\">");
            text_xml(out, a->of->tasks[i].name);
            text_str(out, " has no bound: ");
            text_xml(out, a->tasks[i].why_not);
            text_str(out, "</p>\n");
        }
    for (size_t i = 0; a->limits && i < a->of->limit_count; i++)
        if (a->limits[i].why_not) {
            text_str(out, "<p class=\"alarm\">Limit ");
            text_xml(out, a->of->limits[i].name);
            text_printf(out, " is %s: ", gcast_name(GCAST_NAMES_VERDICT, a->limits[i].verdict));
            text_xml(out, a->limits[i].why_not);
            text_str(out, "</p>\n");
        }
    if (!a->gpu_bounded && a->gpu_why_not) {
        text_str(out, "<p class=\"alarm\">The GPU has no bound: ");
        text_xml(out, a->gpu_why_not);
        text_str(out, "</p>\n");
    }
}

gcast_status system_html(const sys_answer *a, const sys_run *run, const sys_report_options *options, text *out,
                         gcast_error *err)
{
    gcast_status status = GCAST_OK;
    page_begin(a->of->name, out);
    put_made(out, "h1", title_of, a->of);
    put_made(out, "p", summary_of, a);
    put_made(out, "p", made_by, &(made_of){a->of, options->command});
    put_unbounded(a, out);
    put_findings(a->of, out);
    if (run) {
        text_str(out, "<h2>An execution</h2>\n");
        status = put_picture(run, options, out, err);
    }
    if (status != GCAST_OK)
        return status;
    put_tables(a, options, out);
    if (a->of->affinity_count)
        put_affinities(a, out);
    if (a->assumption_count)
        put_list("Assumptions of the answer", a, out);
    page_end(out);
    return GCAST_OK;
}

gcast_status system_run_html(const sys_run *run, const sys_report_options *options, text *out, gcast_error *err)
{
    sys_grid t;
    page_begin(run->of->name, out);
    put_made(out, "h1", title_of, run->of);
    gcast_status status = put_picture(run, options, out, err);
    if (status != GCAST_OK)
        return status;
    put_made(out, "p", seen_of, run);
    grid_of_run(&t, run);
    put_grid(&t, "Tasks", "Response times that were seen.", out);
    put_findings(run->of, out);
    page_end(out);
    return GCAST_OK;
}
