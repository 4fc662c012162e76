#include "analyze/mapping/score/mapping_score.h"

#include "analyze/bound/wide.h"
#include "base/minmax.h"

#define MOST_IN_SUM (INT64_MAX / 2) /* sums stay there */

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

int map_score_compare(const map_score *a, const map_score *b)
{
    int by = compare(a->missed, b->missed);
    if (!by)
        by = compare(a->late_ns, b->late_ns);
    return by ? by : compare(a->value, b->value);
}

map_tally map_tally_start(const sys_system *s, map_objective objective)
{
    map_tally t = {.of = s, .objective = objective};
    if (objective.kind == MAP_SLACK)
        t.score.value = INT64_MIN; /* no task has a deadline */
    return t;
}

static int64_t limited(int64_t ns)
{
    return min_i64(ns, MAP_UNBOUNDED_NS);
}

static void add(int64_t *sum, int64_t ns)
{
    *sum = min_i64(*sum + limited(ns), MOST_IN_SUM);
}

/* A limit of 0 is none. */
static void tally_limit(map_tally *t, int64_t worst_ns, int64_t limit_ns)
{
    if (limit_ns == 0 || worst_ns <= limit_ns)
        return;
    t->score.missed++;
    add(&t->score.late_ns, worst_ns - limit_ns);
}

/* The slack in millionths of the deadline, negated. */
static int64_t negated_slack(int64_t worst_ns, int64_t deadline_ns)
{
    wide late = wide_mul((wide)limited(worst_ns) - deadline_ns, 1000000) / deadline_ns;
    return late > -MAP_LEAST_SLACK ? -MAP_LEAST_SLACK : (int64_t)late;
}

void map_tally_task(map_tally *t, size_t task, int64_t worst_ns, int64_t own_worst_ns)
{
    int64_t deadline_ns = t->of->tasks[task].deadline_ns;
    if (deadline_ns == 0 && worst_ns == SYS_UNBOUNDED) {
        t->score.missed++;
        add(&t->score.late_ns, SYS_UNBOUNDED);
    }
    tally_limit(t, own_worst_ns, deadline_ns);
    if (t->objective.kind == MAP_RESPONSES)
        add(&t->score.value, worst_ns);
    if (t->objective.kind == MAP_SLACK && deadline_ns)
        t->score.value = max_i64(t->score.value, negated_slack(own_worst_ns, deadline_ns));
}

void map_tally_chain(map_tally *t, size_t chain, int64_t reaction_ns, int64_t limited_ns, int64_t age_ns)
{
    tally_limit(t, limited_ns, t->of->chains[chain].reaction_ns);
    tally_limit(t, age_ns, t->of->chains[chain].age_ns);
    if (t->objective.kind == MAP_CHAIN && (t->objective.chain == SYS_NONE || t->objective.chain == (int)chain))
        add(&t->score.value, reaction_ns);
}

/* Above the upper limit and below the lower one both count. */
static void tally_answer(map_tally *t, const sys_limit *l, const sys_limit_answer *a)
{
    bool has_most = l->max_ns != SYS_NO_LIMIT, needs_bound = has_most || l->kind == SYS_LIMIT_DELAY;
    if (a->verdict != GCAST_DEADLINE_OPEN && a->verdict != GCAST_DEADLINE_MISSED)
        return;
    t->score.missed++;
    if (needs_bound && a->worst_ns == SYS_UNBOUNDED)
        add(&t->score.late_ns, SYS_UNBOUNDED);
    else if (has_most && a->worst_ns > l->max_ns)
        add(&t->score.late_ns, a->worst_ns - l->max_ns);
    if (a->best_ns == SYS_NO_LEAST)
        add(&t->score.late_ns, SYS_UNBOUNDED);
    else if (a->best_ns < l->min_ns)
        add(&t->score.late_ns, l->min_ns - a->best_ns);
}

int64_t map_broken(const sys_system *s, const sys_place *places)
{
    return MAP_BROKEN * (int64_t)min_size(system_broken(s, places), 1000);
}

map_score map_score_answer(const sys_answer *a, map_objective objective)
{
    map_tally t = map_tally_start(a->of, objective);
    for (size_t i = 0; i < a->of->task_count; i++)
        map_tally_task(&t, i, a->tasks[i].worst_ns, a->tasks[i].own_worst_ns);
    for (size_t i = 0; a->chains && i < a->of->chain_count; i++) {
        const sys_latency *l = &a->chains[i].by[objective.communication];
        map_tally_chain(&t, i, l->reaction_worst_ns, system_reaction_ns(a->reaction, l), l->age_worst_ns);
    }
    for (size_t i = 0; a->limits && i < a->of->limit_count; i++)
        tally_answer(&t, &a->of->limits[i], &a->limits[i]);
    t.score.missed += map_broken(a->of, a->places);
    return t.score;
}
