#include "report/analysis/answer_table.h"
#include "analyze/answer.h"

#include <string.h>

#include "analyze/added_method.h"
#include "base/integers.h"
#include "gridcast/names.h"
#include "report/analysis/answer_conditions.h"
#include "report/grid.h"

#define DECIMALS 9 /* times are exact: a bound that is rounded down is none */

enum { OP, DEADLINE, BEST, SEEN, WORST, SLACK, VERDICT, COLUMNS };

/* Is its worst case known? */
static bool is_bounded(const gcast_response *r)
{
    return !r->never_called && r->worst_ns != GCAST_NO_BOUND;
}

static time_format format_of(const gcast_answer *a)
{
    int64_t longest = 0;
    for (size_t i = 0; i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        longest = max_i64(longest, max_i64(r->deadline_ns, r->seen_ns));
        if (is_bounded(r))
            longest = max_i64(longest, r->worst_ns);
    }
    time_format f = time_format_for(longest, DECIMALS);
    for (size_t i = 0; i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        time_format_include(&f, r->deadline_ns);
        time_format_include(&f, r->best_ns);
        time_format_include(&f, r->seen_ns);
        time_format_include(&f, a->workload->ops[r->op].release_ns);
        if (is_bounded(r))
            time_format_include(&f, r->worst_ns);
    }
    return f;
}

/* Where a column stands. Without a search there is no column SEEN. */
static int place_of(const gcast_answer *a, int column)
{
    return column > SEEN && !a->searched ? column - 1 : column;
}

static void add_row(grid *g, const gcast_answer *a, const gcast_response *r, time_format f)
{
    gcast_deadline_verdict v = gcast_answer_verdict(a, r);
    bool bounded = is_bounded(r);
    grid_add(g, v == GCAST_DEADLINE_MISSED || v == GCAST_DEADLINE_OPEN ? GRID_ALARM : GRID_PLAIN);
    grid_label(g, OP, a->workload->ops[r->op].label);
    time_format_cell(g, DEADLINE, r->deadline_ns, r->deadline_ns > 0, f);
    time_format_cell(g, BEST, r->best_ns, !r->never_called, f);
    if (a->searched)
        time_format_cell(g, SEEN, r->seen_ns, r->seen_ns > 0, f);
    time_format_cell(g, place_of(a, WORST), r->worst_ns, bounded, f);
    time_format_cell(g, place_of(a, SLACK), bounded ? gcast_answer_slack_ns(a, r) : 0, bounded && r->deadline_ns > 0,
                     f);
    bool piles_up = v == GCAST_DEADLINE_MISSED && a->growth == GCAST_BACKLOG_PILES_UP && r->growth_ns;
    grid_cell(g, place_of(a, VERDICT), piles_up ? "missed, piles up" : gcast_name(GCAST_NAMES_VERDICT, v));
}

static void put_conditions(const gcast_answer *a, text *out)
{
    latency_condition(a, out);
    assumed_condition(a, out);
    open_condition(a, out);
    note_condition(a, out);
}

void answer_summary(const gcast_answer *a, text *out)
{
    bool has_any = false;
    for (size_t i = 0; i < a->analysis_count; i++)
        if (analysis_has_times(a->analyses[i])) {
            text_printf(out, "%s%s", has_any ? ", " : "method ", analysis_method_name(a->analyses[i]));
            has_any = true;
        }
    if (!has_any)
        text_str(out, "no method gives an answer");
    size_t counts[GCAST_DEADLINES] = {0};
    for (size_t i = 0; i < a->response_count; i++)
        counts[gcast_answer_verdict(a, &a->responses[i])]++;
    size_t with_deadline = a->response_count - counts[GCAST_DEADLINE_NONE];
    size_t met_count = counts[GCAST_DEADLINE_MET] + counts[GCAST_DEADLINE_MET_IF];
    if (with_deadline && (a->complete || a->searched))
        text_printf(out, ": %zu of %zu deadlines met", met_count, with_deadline);
    else if (with_deadline)
        text_printf(out, ": of %zu deadlines", with_deadline);
    const char *before_count = a->complete || a->searched ? ", " : " ";
    for (int v = GCAST_DEADLINE_MISSED; v <= GCAST_DEADLINE_OPEN; v++)
        if (counts[v]) {
            text_printf(out, "%s%zu %s", before_count, counts[v],
                        gcast_name(GCAST_NAMES_VERDICT, (gcast_deadline_verdict)v));
            before_count = ", ";
        }
    if (met_count)
        put_conditions(a, out);
}

/* Has an earlier analysis the same assumption? */
static bool was_printed(const gcast_answer *a, size_t analysis, const char *sentence)
{
    for (size_t i = 0; i < analysis; i++)
        for (size_t k = 0; analysis_has_times(a->analyses[i]) && k < a->analyses[i]->assumption_count; k++)
            if (strcmp(a->analyses[i]->assumptions[k], sentence) == 0)
                return true;
    return false;
}

static void put_assumptions(const gcast_answer *a, text *out)
{
    for (size_t i = 0; i < a->analysis_count; i++)
        for (size_t k = 0; analysis_has_times(a->analyses[i]) && k < a->analyses[i]->assumption_count; k++) {
            if (was_printed(a, i, a->analyses[i]->assumptions[k]))
                continue;
            text_str(out, "assumes: ");
            text_terminal(out, a->analyses[i]->assumptions[k]);
            text_char(out, '\n');
        }
}

static void put_ops(const gcast_answer *a, bool color, text *out)
{
    time_format f = format_of(a);
    char titles[COLUMNS][32];
    static const char *const names[] = {
        [DEADLINE] = "deadline", [BEST] = "best", [SEEN] = "seen", [WORST] = "worst", [SLACK] = "slack"};
    grid_column columns[COLUMNS + 1] = {[OP] = {"op", false}};
    for (int i = DEADLINE; i <= SLACK; i++) {
        const char *title = time_format_title(titles[i], sizeof titles[i], names[i], f);
        columns[place_of(a, i)] = (grid_column){title, true}; /* WORST takes the place of SEEN where there is none */
    }
    columns[place_of(a, VERDICT)] = (grid_column){"verdict", false};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < a->response_count; i++)
        add_row(&g, a, &a->responses[i], f);
    grid_text(&g, color, out);
    grid_close(&g);
}

void answer_table(const gcast_answer *a, bool color, text *out)
{
    const owned_analysis *added = a->analysis_count == 1 ? answer_added(a) : NULL;
    (added ? added->by->table : put_ops)(a, color, out);
    text_char(out, '\n');
    answer_summary(a, out);
    text_char(out, '\n');
    if (added)
        added->by->legend(a, out);
    else
        text_printf(out, "best and worst are response times, from release to end%s; slack is deadline less worst\n",
                    a->attained ? ", which occur" : ", which no execution exceeds");
    if (a->searched)
        text_str(out, "seen is the longest response time of the executions that were tried\n");
    duration_line(a, out);
    growth_lines(a, out);
    latency_lines(a, out);
    assumed_lines(a, out);
    open_lines(a, out);
    note_lines(a, out);
    put_assumptions(a, out);
}
