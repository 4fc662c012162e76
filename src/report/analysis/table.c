#include "report/analysis/table.h"

#include <string.h>

#include "base/minmax.h"
#include "report/tables/time_format.h"

#define DECIMALS 9 /* exact: a bound that is rounded down is none */

enum { OP, DEADLINE, BEST, WORST, SLACK, VERDICT, COLUMNS };

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
        longest = max_i64(longest, r->deadline_ns);
        if (is_bounded(r))
            longest = max_i64(longest, r->worst_ns);
    }
    time_format f = time_format_for(longest, DECIMALS);
    for (size_t i = 0; i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        time_format_include(&f, r->deadline_ns);
        time_format_include(&f, r->best_ns);
        time_format_include(&f, a->workload->ops[r->op].release_ns);
        if (is_bounded(r))
            time_format_include(&f, r->worst_ns);
    }
    return f;
}

static void add_row(grid *g, const gcast_answer *a, const gcast_response *r, time_format f)
{
    gcast_deadline_verdict v = gcast_answer_verdict(a, r);
    bool bounded = is_bounded(r);
    grid_add(g, v == GCAST_DEADLINE_MISSED || v == GCAST_DEADLINE_OPEN ? GRID_ALARM : GRID_PLAIN);
    grid_label(g, OP, a->workload->ops[r->op].label);
    time_format_cell(g, DEADLINE, r->deadline_ns, r->deadline_ns > 0, f);
    time_format_cell(g, BEST, r->best_ns, !r->never_called, f);
    time_format_cell(g, WORST, r->worst_ns, bounded, f);
    time_format_cell(g, SLACK, bounded ? gcast_answer_slack_ns(a, r) : 0, bounded && r->deadline_ns > 0, f);
    grid_cell(g, VERDICT, gcast_deadline_verdict_name(v));
}

static void put_methods(const gcast_answer *a, text *out)
{
    const char *before = "method ";
    for (size_t i = 0; i < a->analysis_count; i++)
        if (a->analyses[i]->complete) {
            text_str(out, before);
            text_str(out, gcast_method_name(a->analyses[i]->method));
            before = ", ";
        }
    size_t met_count = 0, with_deadline = 0;
    for (size_t i = 0; i < a->response_count; i++) {
        gcast_deadline_verdict v = gcast_answer_verdict(a, &a->responses[i]);
        met_count += v == GCAST_DEADLINE_MET;
        with_deadline += v != GCAST_DEADLINE_NONE;
    }
    if (with_deadline)
        text_printf(out, ": %zu of %zu deadlines met", met_count, with_deadline);
    text_char(out, '\n');
}

/* Is this assumption that of an analysis before this one? */
static bool was_printed(const gcast_answer *a, size_t analysis, const char *sentence)
{
    for (size_t i = 0; i < analysis; i++)
        for (size_t k = 0; a->analyses[i]->complete && k < a->analyses[i]->assumption_count; k++)
            if (strcmp(a->analyses[i]->assumptions[k], sentence) == 0)
                return true;
    return false;
}

static void put_assumptions(const gcast_answer *a, text *out)
{
    for (size_t i = 0; i < a->analysis_count; i++)
        for (size_t k = 0; a->analyses[i]->complete && k < a->analyses[i]->assumption_count; k++) {
            if (was_printed(a, i, a->analyses[i]->assumptions[k]))
                continue;
            text_str(out, "assumes: ");
            text_terminal(out, a->analyses[i]->assumptions[k]);
            text_char(out, '\n');
        }
}

void answer_table(const gcast_answer *a, bool color, text *out)
{
    time_format f = format_of(a);
    char titles[COLUMNS][32];
    static const char *const names[] = {[DEADLINE] = "deadline", [BEST] = "best", [WORST] = "worst", [SLACK] = "slack"};
    grid_column columns[COLUMNS + 1] = {[OP] = {"op", false}, [VERDICT] = {"verdict", false}};
    for (int i = DEADLINE; i <= SLACK; i++)
        columns[i] = (grid_column){time_format_title(titles[i], sizeof titles[i], names[i], f), true};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < a->response_count; i++)
        add_row(&g, a, &a->responses[i], f);
    grid_text(&g, color, out);
    grid_close(&g);
    text_char(out, '\n');
    put_methods(a, out);
    text_printf(out, "best and worst are response times, from release to end%s; slack is deadline less worst\n",
                a->attained ? ", and happen" : ": no execution is beyond them");
    put_assumptions(a, out);
}
