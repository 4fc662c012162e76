/* The table of chains: reaction and age by communication. */
#include "base/minmax.h"
#include "report/system/grids/system_grids.h"
#include "report/system/system_words.h"

enum { CHAIN, COMMUNICATION, REACTION, REACTION_TO, FIRST_TO, AGE, AGE_TO, LIMITS, VERDICT };

#define NAME_COLUMNS 20 /* the most that the name of a chain takes */

static const char *const communications[] = {
#define X(id, name, text) name,
    SYS_COMMUNICATION_TABLE(X)
#undef X
};

static time_format format_of(const sys_answer *a)
{
    int64_t longest = 0;
    time_format f = bound_format(0);
    for (int pass = 0; pass < 2; pass++) {
        f = bound_format(longest);
        for (size_t i = 0; i < a->of->chain_count; i++)
            for (int c = 0; c < SYS_COMMUNICATIONS; c++) {
                const sys_latency *l = &a->chains[i].by[c];
                const int64_t times[] = {l->reaction_best_ns, l->reaction_worst_ns, l->age_best_ns, l->age_worst_ns,
                                         l->first_worst_ns};
                for (int n = 0; n < 5; n++) {
                    bound_include(&f, times[n]);
                    if (times[n] != SYS_UNBOUNDED)
                        longest = max_i64(longest, times[n]);
                }
            }
    }
    return f;
}

/* "reaction met, age missed" */
static void verdict_cell(grid *g, const sys_chain *chain, const sys_chain_answer *r)
{
    const char *reaction = gcast_deadline_verdict_name(r->reaction_verdict);
    const char *age = gcast_deadline_verdict_name(r->age_verdict);
    if (chain->reaction_ns && chain->age_ns)
        grid_print(g, VERDICT, "reaction %s, age %s", reaction, age);
    else if (chain->reaction_ns)
        grid_print(g, VERDICT, "reaction %s", reaction);
    else if (chain->age_ns)
        grid_print(g, VERDICT, "age %s", age);
}

static void limit_cell(grid *g, const sys_chain *chain, time_format f)
{
    char reaction[48] = "-", age[48] = "-";
    if (chain->reaction_ns)
        time_in_unit(chain->reaction_ns, f.unit, f.decimals, reaction, sizeof reaction);
    if (chain->age_ns)
        time_in_unit(chain->age_ns, f.unit, f.decimals, age, sizeof age);
    if (chain->reaction_ns && chain->age_ns)
        grid_print(g, LIMITS, "%s, %s", reaction, age);
    else if (chain->reaction_ns || chain->age_ns)
        grid_cell(g, LIMITS, chain->reaction_ns ? reaction : age);
}

static bool is_bad(const sys_chain_answer *r)
{
    return r->reaction_verdict == GCAST_DEADLINE_MISSED || r->reaction_verdict == GCAST_DEADLINE_OPEN ||
           r->age_verdict == GCAST_DEADLINE_MISSED || r->age_verdict == GCAST_DEADLINE_OPEN;
}

void grid_of_chains(sys_grid *t, const sys_answer *a, sys_communication asked)
{
    static const grid_column columns[] = {{"", false},         {"data", false}, {"reaction", true}, {"to", true},
                                          {"first, to", true}, {"age", true},   {"to", true},       {"limit", true},
                                          {"verdict", false},  {NULL, false}};
    time_format f = format_of(a);
    sys_grid_open(t, columns, "chain", f);
    for (size_t i = 0; i < a->of->chain_count; i++)
        for (int c = 0; c < SYS_COMMUNICATIONS; c++) {
            const sys_latency *l = &a->chains[i].by[c];
            bool is_asked = c == (int)asked;
            grid_add(&t->g, !is_asked ? GRID_DIM : is_bad(&a->chains[i]) ? GRID_ALARM : GRID_PLAIN);
            if (!c)
                system_label(&t->g, CHAIN, 0, a->of->chains[i].name, NAME_COLUMNS);
            grid_cell(&t->g, COMMUNICATION, communications[c]);
            bound_best(&t->g, REACTION, l->reaction_best_ns, f);
            bound_worst(&t->g, REACTION_TO, l->reaction_worst_ns, f);
            bound_worst(&t->g, FIRST_TO, l->first_worst_ns, f);
            bound_best(&t->g, AGE, l->age_best_ns, f);
            bound_worst(&t->g, AGE_TO, l->age_worst_ns, f);
            if (is_asked) {
                limit_cell(&t->g, &a->of->chains[i], f);
                verdict_cell(&t->g, &a->of->chains[i], &a->chains[i]);
            }
        }
}
