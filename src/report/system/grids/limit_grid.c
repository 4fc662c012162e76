/* The table of limits: on responses from below, on runnables, and on delays. */
#include <stdio.h>

#include "base/minmax.h"
#include "report/system/grids/system_grids.h"
#include "report/system/system_words.h"

enum { LIMIT, WHAT, BEST, WORST, LEAST, MOST, VERDICT };

#define NAME_COLUMNS 24 /* the most that the name of a limit takes */
#define WHAT_COLUMNS 32

static time_format format_of(const sys_answer *a)
{
    int64_t longest = 0;
    time_format f = bound_format(0);
    for (int pass = 0; pass < 2; pass++) {
        f = bound_format(longest);
        for (size_t i = 0; i < a->of->limit_count; i++) {
            const sys_limit *l = &a->of->limits[i];
            const int64_t times[] = {a->limits[i].best_ns, a->limits[i].worst_ns, l->min_ns, l->max_ns};
            for (int n = 0; n < 4; n++) {
                bound_include(&f, times[n]);
                if (times[n] != SYS_UNBOUNDED)
                    longest = max_i64(longest, times[n]);
            }
        }
    }
    return f;
}

/* A target that comes before its source has a delay below 0. */
static void delay_cell(grid *g, int column, int64_t ns, bool is_worst, time_format f)
{
    char time[48];
    if (ns >= 0 && is_worst) {
        bound_worst(g, column, ns, f);
    } else if (ns >= 0 || ns == SYS_NO_LEAST) {
        bound_best(g, column, ns, f);
    } else {
        time_in_unit(-ns, f.unit, f.decimals, time, sizeof time);
        grid_print(g, column, "-%s", time);
    }
}

void grid_of_limits(sys_grid *t, const sys_answer *a)
{
    static const grid_column columns[] = {{"", false},     {"of", false},  {"best", true},     {"worst", true},
                                          {"least", true}, {"most", true}, {"verdict", false}, {NULL, false}};
    time_format f = format_of(a);
    sys_grid_open(t, columns, "limit", f);
    for (size_t i = 0; i < a->of->limit_count; i++) {
        const sys_limit *l = &a->of->limits[i];
        const sys_limit_answer *r = &a->limits[i];
        char words[500];
        bool bad = r->verdict == GCAST_DEADLINE_MISSED || r->verdict == GCAST_DEADLINE_OPEN;
        grid_add(&t->g, bad ? GRID_ALARM : GRID_PLAIN);
        system_label(&t->g, LIMIT, 0, l->name, NAME_COLUMNS);
        system_limited_words(l, words, sizeof words);
        system_label(&t->g, WHAT, 0, words, WHAT_COLUMNS);
        delay_cell(&t->g, BEST, r->best_ns, false, f);
        delay_cell(&t->g, WORST, r->worst_ns, true, f);
        time_format_cell(&t->g, LEAST, l->min_ns, l->min_ns != SYS_NO_LIMIT, f);
        time_format_cell(&t->g, MOST, l->max_ns, l->max_ns != SYS_NO_LIMIT, f);
        grid_cell(&t->g, VERDICT, gcast_deadline_verdict_name(r->verdict));
    }
}
