#include "analyze/mapping/score/mapping_floor.h"

#include "base/minmax.h"

#define ALL_OF_A_CORE (UINT64_C(1) << 32)
#define MOST_OF_A_CORE (UINT64_C(1) << 48) /* of one task: sums of it fit */

/* Orders tasks so that each comes before the one that triggers it: by their distance from the root. */
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
    f->asked_for = arena_alloc_array(&f->memory, s->core_count, sizeof *f->asked_for);
    f->order = order;
    if (order && f->own_ns && f->run_ns && f->trigger_ns && f->late_ns && f->asked_for && order_tasks(f, order))
        return GCAST_OK;
    map_floor_free(f);
    return gcast_error_set_memory(err);
}

void map_floor_free(map_floor *f)
{
    arena_free(&f->memory);
}

/* Its times from its release on, where those of the tasks that it triggers are known. */
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

/* The part of its core's time that its code needs, rounded down. Busy waiting does not count: it goes on while tasks of
 * higher priorities run. */
static uint64_t part_of_core(const map_floor *f, size_t task)
{
    unsigned __int128 part = ((unsigned __int128)f->run_ns[task] << 32) / (uint64_t)f->of->tasks[task].period_ns;
    return part > MOST_OF_A_CORE ? MOST_OF_A_CORE : (uint64_t)part;
}

/* One task at least has no bound, on each core that is asked for more than there is. It may be one that is late. */
static void tally_cores(const map_floor *f, map_score *score)
{
    for (size_t c = 0; c < f->of->core_count; c++) {
        if (f->asked_for[c] <= ALL_OF_A_CORE)
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
        f->asked_for[c] = 0;
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
        f->asked_for[core] += part_of_core(f, task);
    }
    tally_cores(f, &t.score);
    t.score.missed += map_broken(s, places);
    return t.score;
}
