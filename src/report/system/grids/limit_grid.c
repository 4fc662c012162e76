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
        bound_best(&t->g, BEST, r->best_ns, f);
        bound_worst(&t->g, WORST, r->worst_ns, f);
        time_format_cell(&t->g, LEAST, l->min_ns, l->min_ns != SYS_NO_LIMIT, f);
        time_format_cell(&t->g, MOST, l->max_ns, l->max_ns != SYS_NO_LIMIT, f);
        grid_cell(&t->g, VERDICT, gcast_deadline_verdict_name(r->verdict));
    }
}
