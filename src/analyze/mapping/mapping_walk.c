/* A walk counts like the digits of a number: the last task takes its next choice; if it has none it is reset, and the
 * task before it takes its next one. The choices of a task depend on the tasks before it: of the interchangeable cores
 * that these leave free it may only take the first. */
#include "analyze/mapping/mapping_walk.h"

#include <string.h>

static int core_of(const map_walk *w, size_t task)
{
    return w->space->tasks[task].cores[w->digits[task].core];
}

/* Is the core free, and another free one that is interchangeable with it comes first? */
static bool is_another_first(const map_walk *w, int core)
{
    if (core == SYS_GPU || w->on_core[core])
        return false;
    for (int c = w->space->class_of[core]; c < core; c++)
        if (w->space->class_of[c] == w->space->class_of[core] && w->on_core[c] == 0)
            return true;
    return false;
}

/* Advances digit.core to the next core that may be taken, if it is not at one; false: there is none. */
static bool find_core(const map_walk *w, size_t task)
{
    map_digit *d = &w->digits[task];
    const map_task *t = &w->space->tasks[task];
    while (d->core < t->core_count && is_another_first(w, t->cores[d->core]))
        d->core++;
    return d->core < t->core_count;
}

/* The tasks of a core, highest priority first. */
static int *order_of(const map_walk *w, int core)
{
    return w->order + (size_t)core * w->space->of->task_count;
}

/* Positions that a task may take on a core: interrupts among the interrupts, other tasks after them. */
static void position_range(const map_walk *w, size_t task, int core, uint32_t *least, uint32_t *most)
{
    const sys_task *tasks = w->space->of->tasks;
    uint32_t isrs = 0;
    for (uint32_t i = 0; i < w->on_core[core]; i++)
        isrs += tasks[order_of(w, core)[i]].isr;
    *least = tasks[task].isr ? 0 : isrs;
    *most = tasks[task].isr ? isrs : w->on_core[core];
}

static void number_core(map_walk *w, int core)
{
    for (uint32_t i = 0; i < w->on_core[core]; i++)
        w->places[order_of(w, core)[i]].priority = (int64_t)w->space->of->task_count - i;
}

/* Places a task as its digit says. */
static void place_task(map_walk *w, size_t task)
{
    const sys_system *s = w->space->of;
    const map_digit *d = &w->digits[task];
    sys_place *place = &w->places[task];
    int core = core_of(w, task);
    *place = s->places[task];
    place->core = core;
    if (w->space->tasks[task].may_wait_either_way)
        place->busy = d->busy;
    if (core == SYS_GPU)
        return;
    if (w->orders == MAP_ORDERS_BY_DEADLINE)
        place->priority = (int64_t)s->task_count - w->space->rank[task];
    if (w->orders == MAP_ORDERS_ALL) {
        int *order = order_of(w, core);
        memmove(&order[d->position + 1], &order[d->position], (w->on_core[core] - d->position) * sizeof *order);
        order[d->position] = (int)task;
    }
    w->on_core[core]++;
    if (w->orders == MAP_ORDERS_ALL)
        number_core(w, core);
}

static void remove_task(map_walk *w, size_t task)
{
    int core = core_of(w, task);
    if (core == SYS_GPU)
        return;
    w->on_core[core]--;
    if (w->orders == MAP_ORDERS_ALL) {
        int *order = order_of(w, core);
        uint32_t position = w->digits[task].position;
        memmove(&order[position], &order[position + 1], (w->on_core[core] - position) * sizeof *order);
        number_core(w, core);
    }
}

/* Sets the first position of a task on the core of its digit. */
static void reset_position(map_walk *w, size_t task)
{
    uint32_t least = 0, most;
    if (w->orders == MAP_ORDERS_ALL && core_of(w, task) != SYS_GPU)
        position_range(w, task, core_of(w, task), &least, &most);
    w->digits[task].position = least;
}

/* Places a task by its first choice. There is always one. */
static void place_first(map_walk *w, size_t task)
{
    w->digits[task] = (map_digit){0};
    find_core(w, task);
    reset_position(w, task);
    place_task(w, task);
}

/* Places a removed task by its next choice; false: there is none. */
static bool place_next(map_walk *w, size_t task)
{
    map_digit *d = &w->digits[task];
    int core = core_of(w, task);
    uint32_t least = 0, most = 0;
    if (w->orders == MAP_ORDERS_ALL && core != SYS_GPU)
        position_range(w, task, core, &least, &most);
    if (w->space->tasks[task].may_wait_either_way && !d->busy) {
        d->busy = true;
    } else if (d->position < most) {
        d->position++;
        d->busy = false;
    } else {
        d->core++;
        d->busy = false;
        if (!find_core(w, task))
            return false;
        reset_position(w, task);
    }
    place_task(w, task);
    return true;
}

bool map_walk_next(map_walk *w)
{
    size_t count = w->space->of->task_count, task = count;
    do {
        if (task == 0)
            return false;
        remove_task(w, --task);
    } while (!place_next(w, task));
    while (++task < count)
        place_first(w, task);
    return true;
}

gcast_status map_walk_start(map_walk *w, const map_space *space, map_orders orders, const map_digit *digits,
                            gcast_error *err)
{
    size_t count = space->of->task_count, cores = space->of->core_count;
    *w = (map_walk){.space = space, .orders = orders};
    w->digits = arena_alloc_array(&w->memory, count, sizeof *w->digits);
    w->places = arena_alloc_array(&w->memory, count, sizeof *w->places);
    w->on_core = arena_alloc_array(&w->memory, cores, sizeof *w->on_core);
    w->order = orders == MAP_ORDERS_ALL ? arena_alloc_array(&w->memory, cores * count, sizeof *w->order) : NULL;
    if (!w->digits || !w->places || !w->on_core || (orders == MAP_ORDERS_ALL && !w->order)) {
        map_walk_free(w);
        return gcast_error_set_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        if (digits) {
            w->digits[i] = digits[i];
            place_task(w, i);
        } else {
            place_first(w, i);
        }
    }
    return GCAST_OK;
}

void map_walk_free(map_walk *w)
{
    arena_free(&w->memory);
}

gcast_status map_walk_count(const map_space *space, map_orders orders, uint64_t most, uint64_t step, map_digit *starts,
                            uint64_t *count, gcast_error *err)
{
    map_walk w;
    size_t tasks = space->of->task_count;
    gcast_status status = map_walk_start(&w, space, orders, NULL, err);
    if (status != GCAST_OK)
        return status;
    *count = 0;
    do {
        if (starts && *count % step == 0 && *count < most)
            memcpy(&starts[*count / step * tasks], w.digits, tasks * sizeof *w.digits);
        ++*count;
    } while (*count <= most && map_walk_next(&w));
    map_walk_free(&w);
    return GCAST_OK;
}
