#include "report/system/system_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "gridcast/names.h"
#include "report/system/search_report.h"
#include "report/system/system_grids.h"
#include "report/system/system_words.h"

static void put_finding(const sys_system *s, const sys_finding *f, text *out)
{
    char words[80];
    system_finding_words(f, words, sizeof words);
    text_printf(out, "%s: ", words);
    text_terminal(out, f->text);
    if (*f->file && strcmp(f->file, s->source) == 0) {
        text_printf(out, " (line %d)", f->line);
    } else if (*f->file) {
        text_str(out, " (");
        text_terminal(out, f->file);
        text_printf(out, ":%d)", f->line);
    }
    text_char(out, '\n');
}

static void put_findings(const sys_system *s, text *out)
{
    size_t *order = system_finding_order(s);
    if (!order)
        text_no_memory(out);
    for (size_t i = 0; order && i < s->finding_count; i++)
        put_finding(s, &s->findings[order[i]], out);
    text_str(out, s->finding_count ? "\n" : "");
    free(order);
}

/* Writes a table and an empty line, and closes the table; nothing where it has no rows. */
static void put_grid(sys_grid *t, bool color, text *out)
{
    if (t->g.rows.count || t->g.failed) {
        grid_text(&t->g, color, out);
        text_char(out, '\n');
    }
    grid_close(&t->g);
}

static void put_search(const sys_answer *a, const sys_search *s, bool color, text *out)
{
    sys_grid t;
    search_title(s, out);
    text_str(out, "\n\n");
    grid_of_scores(&t, s);
    put_grid(&t, color, out);
    grid_of_changes(&t, a);
    put_grid(&t, color, out);
}

static void put_tables(const sys_answer *a, const sys_report_options *options, text *out)
{
    sys_grid t;
    bool color = options->report.color;
    if (options->search)
        put_search(a, options->search, color, out);
    grid_of_tasks(&t, a);
    put_grid(&t, color, out);
    grid_of_gpu_ops(&t, a);
    put_grid(&t, color, out);
    if (options->all) {
        grid_of_parts(&t, a);
        put_grid(&t, color, out);
        grid_of_steps(&t, a);
        put_grid(&t, color, out);
    }
    if (a->chains && a->of->chain_count) {
        grid_of_chains(&t, a, options->communication);
        put_grid(&t, color, out);
    }
    if (a->limits && a->of->limit_count) {
        grid_of_limits(&t, a);
        put_grid(&t, color, out);
    }
}

/* Has a task before this one the same reason? */
static bool was_told(const sys_answer *a, size_t task)
{
    for (size_t i = 0; i < task; i++)
        if (a->tasks[i].why_not && strcmp(a->tasks[i].why_not, a->tasks[task].why_not) == 0)
            return true;
    return false;
}

/* Says why tasks have no bound; tasks with one reason are named together. */
static void put_unbounded(const sys_answer *a, text *out)
{
    for (size_t i = 0; i < a->of->task_count; i++) {
        const char *why = a->tasks[i].why_not;
        if (!why || was_told(a, i))
            continue;
        text_str(out, "no bound: ");
        for (size_t k = i; k < a->of->task_count; k++)
            if (a->tasks[k].why_not && strcmp(a->tasks[k].why_not, why) == 0) {
                text_str(out, k > i ? ", " : "");
                text_terminal(out, a->of->tasks[k].name);
            }
        text_str(out, ": ");
        text_terminal(out, why);
        text_char(out, '\n');
    }
    if (!a->gpu_bounded && a->gpu_why_not) {
        text_str(out, "no bound: the GPU: ");
        text_terminal(out, a->gpu_why_not);
        text_char(out, '\n');
    }
}

/* Says why limits have no bound. */
static void put_open_limits(const sys_answer *a, text *out)
{
    for (size_t i = 0; a->limits && i < a->of->limit_count; i++) {
        if (!a->limits[i].why_not)
            continue;
        text_printf(out, "%s: limit ", gcast_name(GCAST_NAMES_VERDICT, a->limits[i].verdict));
        text_terminal(out, a->of->limits[i].name);
        text_str(out, ": ");
        text_terminal(out, a->limits[i].why_not);
        text_char(out, '\n');
    }
}

/* Says which deadlines do not count from the same time as the worst times of the table. */
static void put_own_deadlines(const sys_answer *a, text *out)
{
    char time[40];
    for (size_t i = 0; i < a->of->task_count; i++) {
        const sys_task *t = &a->of->tasks[i];
        bool triggered = t->arrival == SYS_TRIGGERED;
        if (!t->deadline_ns || (!triggered && !t->jitter_ns))
            continue;
        text_str(out, "deadline of ");
        text_terminal(out, t->name);
        text_str(out, triggered ? ": from the time when " : ": from its release, which its jitter may delay");
        if (triggered) {
            text_terminal(out, a->of->tasks[t->trigger].name);
            text_str(out, " triggers it");
        }
        units_format_time(a->tasks[i].own_worst_ns, time, sizeof time);
        if (a->tasks[i].own_worst_ns != SYS_UNBOUNDED)
            text_printf(out, ", after which it takes at most %s", time);
        text_char(out, '\n');
    }
}

static void put_affinities(const sys_answer *a, text *out)
{
    for (size_t i = 0; i < a->of->affinity_count; i++) {
        const sys_affinity *f = &a->of->affinities[i];
        text_str(out, system_affinity_holds(a->of, f, a->places) ? "kept: " : "broken: ");
        text_terminal(out, f->words);
        text_char(out, '\n');
    }
}

static void put_chain_paths(const sys_answer *a, text *out)
{
    const sys_system *s = a->of;
    bool limited = false;
    for (size_t i = 0; i < s->chain_count; i++)
        limited |= s->chains[i].reaction_ns > 0;
    if (s->chain_count)
        text_str(out, "reaction: from a change that the first task just missed to the first output that shows it;\n"
                      "first: the same from the release of the first task; age: from a reading to the last output that "
                      "uses it\n");
    if (limited)
        text_printf(out, "limits on reactions count from %s (--reaction %s)\n", system_reaction_words(a->reaction),
                    system_reaction_name(a->reaction));
    for (size_t i = 0; i < s->chain_count; i++) {
        text_str(out, "chain ");
        text_terminal(out, s->chains[i].name);
        for (size_t k = 0; k < s->chains[i].task_count; k++) {
            text_str(out, k ? " > " : ": ");
            text_terminal(out, s->tasks[s->chains[i].tasks[k]].name);
        }
        text_char(out, '\n');
    }
}

/* Says which executions miss deadlines or limits. */
static void put_missed(const sys_answer *a, text *out)
{
    for (int k = 0; k < (int)a->tried_count; k++) {
        char words[128];
        size_t n = 0;
        for (size_t i = 0; i < a->of->task_count; i++) {
            if (a->tasks[i].verdict != GCAST_DEADLINE_MISSED || a->tasks[i].missed_in != k)
                continue;
            text_str(out, n++ ? ", " : "missed: ");
            text_terminal(out, a->of->tasks[i].name);
        }
        for (size_t i = 0; a->limits && i < a->of->limit_count; i++) {
            if (a->limits[i].verdict != GCAST_DEADLINE_MISSED || a->limits[i].seen_in != k)
                continue;
            text_str(out, n++ ? ", limit " : "missed: limit ");
            text_terminal(out, a->of->limits[i].name);
        }
        system_tried_words(&a->tried[k], words, sizeof words);
        if (n)
            text_printf(out, ": seen with simulate %s\n", words);
    }
}

void system_text(const sys_answer *a, const sys_report_options *options, text *out)
{
    text line;
    text_open(&line, NULL, NULL);
    system_title(a->of, &line);
    text_char(&line, '\n');
    system_made_by(a->of, options->command, &line);
    char *title = text_take(&line, NULL);
    if (!title) {
        text_no_memory(out);
        return;
    }
    char *made_by = strchr(title, '\n');
    *made_by++ = '\0';
    text_terminal(out, title);
    text_char(out, '\n');
    text_terminal(out, made_by);
    free(title);
    text_str(out, "\n\n");
    put_findings(a->of, out);
    put_tables(a, options, out);
    system_summary(a, out);
    text_str(out, "\nbest, seen (in executions that were tried) and worst are response times from the release of "
                  "a\ntask, or of the task whose release starts it; percent of a core: the longest code of its tasks "
                  "and\nthe longest waits that hold it\n");
    put_missed(a, out);
    put_affinities(a, out);
    put_own_deadlines(a, out);
    put_chain_paths(a, out);
    put_unbounded(a, out);
    put_open_limits(a, out);
    for (size_t i = 0; i < a->assumption_count; i++) {
        text_str(out, "assumes: ");
        text_terminal(out, a->assumptions[i]);
        text_char(out, '\n');
    }
}
