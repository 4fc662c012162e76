/* Builds scores from answers, and floors of scores from execution times alone. */
#include "analyze/mapping/mapping_score.h"

#include "analyze/bound/wide.h"
#include "base/integers.h"

#define MOST_IN_SUM (INT64_MAX / 2)        /* sums saturate there */
#define ALL_OF_A_CORE (UINT64_C(1) << 32)  /* utilization 1 */
#define MOST_OF_A_CORE (UINT64_C(1) << 48) /* limit for one task, so that sums fit */

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

/* limit_ns 0: no limit. */
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

/* Counts both a time above the upper limit and one below the lower limit. */
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

/* What broken constraints add to `missed`. */
static int64_t broken_score(const sys_system *s, const sys_place *places)
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
    t.score.missed += broken_score(a->of, a->places);
    return t.score;
}

/* Orders tasks by decreasing distance from their root, so that each comes before the one that triggers it. */
static bool order_tasks(map_floor *f, int *order)
{
    const sys_system *s = f->of;
    size_t *hops = arena_alloc_array(&f->memory, s->task_count, sizeof *hops), most = 0, count = 0;
    if (!hops)
        return false;
    for (size_t i = 0; i < s->task_count; i++) {
        for (int t = s->tasks[i].trigger; t != SYS_NONE && hops[i] <= s->task_count; t = s->tasks[t].trigger)
            hops[i]++;
        most = max_size(most, hops[i]);
    }
    for (size_t h = most + 1; h-- > 0;)
        for (size_t i = 0; i < s->task_count; i++)
            if (hops[i] == h)
                order[count++] = (int)i;
    return true;
}

gcast_status map_floor_make(map_floor *f, const sys_system *s, gcast_error *err)
{
    *f = (map_floor){.of = s};
    int *order = arena_alloc_array(&f->memory, s->task_count, sizeof *order);
    f->own_ns = arena_alloc_array(&f->memory, s->task_count, sizeof *f->own_ns);
    f->run_ns = arena_alloc_array(&f->memory, s->task_count, sizeof *f->run_ns);
    f->trigger_ns = arena_alloc_array(&f->memory, s->task_count, sizeof *f->trigger_ns);
    f->late_ns = arena_alloc_array(&f->memory, s->core_count, sizeof *f->late_ns);
    f->load = arena_alloc_array(&f->memory, s->core_count, sizeof *f->load);
    f->order = order;
    if (order && f->own_ns && f->run_ns && f->trigger_ns && f->late_ns && f->load && order_tasks(f, order))
        return GCAST_OK;
    map_floor_free(f);
    return gcast_error_set_memory(err);
}

void map_floor_free(map_floor *f)
{
    arena_free(&f->memory);
}

/* The least times of a task, counted from its release. Needs those of the tasks that it triggers. */
static void add_steps(map_floor *f, const sys_place *places, int task)
{
    const sys_system *s = f->of;
    const sys_task *t = &s->tasks[task];
    int64_t now_ns = 0, run_ns = 0;
    for (size_t i = 0; i < t->step_count; i++) {
        const sys_step *step = &t->steps[i];
        if (step->kind == SYS_RUN) {
            int64_t ns = system_step_time(s, step, places[task].core).max_ns;
            now_ns = min_i64(now_ns + ns, MAP_UNBOUNDED_NS);
            run_ns = min_i64(run_ns + ns, MAP_UNBOUNDED_NS);
        } else if (step->kind == SYS_TRIGGER) {
            f->trigger_ns[step->task] = now_ns;
        } else {
            now_ns = min_i64(max_i64(now_ns, f->trigger_ns[step->task] + f->own_ns[step->task]), MAP_UNBOUNDED_NS);
        }
    }
    f->own_ns[task] = now_ns;
    f->run_ns[task] = run_ns;
}

/* The task's utilization of its core, rounded down. Busy waiting does not count: it goes on while tasks of higher
 * priority run. */
static uint64_t utilization_of(const map_floor *f, size_t task)
{
    unsigned __int128 part = ((unsigned __int128)f->run_ns[task] << 32) / (uint64_t)f->of->tasks[task].period_ns;
    return part > MOST_OF_A_CORE ? MOST_OF_A_CORE : (uint64_t)part;
}

/* On each overloaded core at least one task has no bound; it may be one that is already counted as late. */
static void tally_cores(const map_floor *f, map_score *score)
{
    for (size_t c = 0; c < f->of->core_count; c++) {
        if (f->load[c] <= ALL_OF_A_CORE)
            continue;
        score->missed += f->late_ns[c] == 0;
        score->late_ns += MAP_UNBOUNDED_NS - f->late_ns[c];
    }
}

map_score map_floor_score(map_floor *f, const sys_place *places, map_objective objective)
{
    const sys_system *s = f->of;
    map_tally t = map_tally_start(s, objective);
    for (size_t c = 0; c < s->core_count; c++) {
        f->late_ns[c] = 0;
        f->load[c] = 0;
    }
    for (size_t i = 0; i < s->task_count; i++)
        add_steps(f, places, f->order[i]);
    for (size_t i = s->task_count; i-- > 0;) {
        size_t task = (size_t)f->order[i];
        int64_t release_ns = 0, late_ns = t.score.late_ns;
        for (int from = (int)task; s->tasks[from].trigger != SYS_NONE; from = s->tasks[from].trigger)
            release_ns = min_i64(release_ns + f->trigger_ns[from], MAP_UNBOUNDED_NS);
        map_tally_task(&t, task, min_i64(release_ns + f->own_ns[task], MAP_UNBOUNDED_NS), f->own_ns[task]);
        int core = places[task].core;
        if (core == SYS_GPU)
            continue;
        f->late_ns[core] = max_i64(f->late_ns[core], t.score.late_ns - late_ns);
        f->load[core] += utilization_of(f, task);
    }
    tally_cores(f, &t.score);
    t.score.missed += broken_score(s, places);
    return t.score;
}
