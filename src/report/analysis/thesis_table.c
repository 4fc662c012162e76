#include "report/analysis/thesis_table.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "report/analysis/thousandths.h"
#include "report/tables/time_format.h"

#define DECIMALS 9

enum { OP, PERIOD, C, G, RELEASE, F, R, U, DEADLINE, VERDICT, COLUMNS };

static int64_t call_ns(const gcast_thesis *t, size_t kernel)
{
    return t->completions_ns[kernel] - t->responses_ns[kernel];
}

static time_format format_of(const gcast_answer *a, const gcast_thesis *t)
{
    int64_t longest = 0;
    for (size_t i = 0; i < t->count; i++)
        longest = max_i64(longest, max_i64(t->completions_ns[i], t->periods_ns[i]));
    time_format f = time_format_for(longest, DECIMALS);
    for (size_t i = 0; i < t->count; i++) {
        time_format_include(&f, t->periods_ns[i]);
        time_format_include(&f, t->kernels[i].execution_ns);
        time_format_include(&f, call_ns(t, i));
        time_format_include(&f, t->completions_ns[i]);
        time_format_include(&f, t->responses_ns[i]);
    }
    for (size_t i = 0; i < a->response_count; i++)
        time_format_include(&f, a->responses[i].deadline_ns);
    return f;
}

static void add_row(grid *g, const gcast_answer *a, const gcast_response *r, const gcast_thesis *t, size_t kernel,
                    time_format f)
{
    char u[THOUSANDTHS_SIZE];
    gcast_deadline_verdict v = gcast_answer_verdict(a, r);
    grid_add(g, v == GCAST_DEADLINE_MISSED || v == GCAST_DEADLINE_OPEN ? GRID_ALARM : GRID_PLAIN);
    grid_label(g, OP, a->workload->ops[r->op].label);
    time_format_cell(g, PERIOD, t->periods_ns[kernel], t->periods_ns[kernel] > 0, f);
    time_format_cell(g, C, t->kernels[kernel].execution_ns, true, f);
    grid_print(g, G, "%llu", (unsigned long long)t->kernels[kernel].blocks);
    time_format_cell(g, RELEASE, call_ns(t, kernel), true, f);
    time_format_cell(g, F, t->completions_ns[kernel], true, f);
    time_format_cell(g, R, t->responses_ns[kernel], true, f);
    grid_cell(g, U, t->periods_ns[kernel] ? thousandths_text(t->utilisations[kernel], u) : "-");
    time_format_cell(g, DEADLINE, r->deadline_ns, r->deadline_ns > 0, f);
    grid_cell(g, VERDICT, gcast_deadline_verdict_name(v));
}

/* Which kernel of the thesis each op is; NULL without memory. */
static size_t *kernels_by_op(const gcast_answer *a, const gcast_thesis *t)
{
    size_t *kernels = calloc(a->workload->op_count + 1, sizeof *kernels);
    for (size_t i = 0; kernels && i < t->count; i++)
        kernels[t->ops[i]] = i;
    return kernels;
}

static void put_total(const gcast_thesis *t, text *out)
{
    char total[THOUSANDTHS_SIZE];
    if (!t->period_count) {
        text_str(out,
                 "no kernel has a period T, so that u, U_t and deadlines are not known: --period TIME gives one\n");
        return;
    }
    int64_t permille =
        (int64_t)(((__int128)t->total_utilisation + t->total_threads / 2) / ((__int128)t->total_threads));
    text_printf(out, "U_t %s of %lld threads (%lld.%lld %%)", thousandths_text(t->total_utilisation, total),
                (long long)t->total_threads, (long long)(permille / 10), (long long)(permille % 10));
    if (t->period_count < t->count)
        text_printf(out, ", by the kernels that have a T: %zu of %zu", t->period_count, t->count);
    text_char(out, '\n');
}

void thesis_table(const gcast_answer *a, bool color, text *out)
{
    const gcast_thesis *t = gcast_answer_thesis(a);
    time_format f = format_of(a, t);
    char titles[COLUMNS][32];
    static const char *const names[] = {
        [PERIOD] = "T", [C] = "C", [RELEASE] = "r", [F] = "f", [R] = "R", [DEADLINE] = "deadline", [VERDICT] = NULL};
    grid_column columns[COLUMNS + 1] = {
        [OP] = {"op", false}, [G] = {"g", true}, [U] = {"u (threads)", true}, [VERDICT] = {"verdict", false}};
    for (int i = 0; i < COLUMNS; i++)
        if (names[i])
            columns[i] = (grid_column){time_format_title(titles[i], sizeof titles[i], names[i], f), true};
    grid g;
    grid_open(&g, columns);
    size_t *kernels = kernels_by_op(a, t);
    for (size_t i = 0; kernels && i < a->response_count; i++)
        add_row(&g, a, &a->responses[i], t, kernels[a->responses[i].op], f);
    g.failed = g.failed || !kernels;
    free(kernels);
    grid_text(&g, color, out);
    grid_close(&g);
    put_total(t, out);
}
