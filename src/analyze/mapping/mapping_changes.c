/* Keeps cores by an assignment, priorities by a longest chain, and takes back changes one by one. */
#include "analyze/mapping/mapping_changes.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/mapping/mapping_assign.h"
#include "base/integers.h"

/* Parts of a place that can be taken back: all, core and priority, priority, how it waits. */
#define PARTS 4

static bool is_of_class(const map_space *m, int core, int class)
{
    return core != SYS_GPU && m->class_of[core] == class;
}

/* Gives the cores of a class the names with which most tasks stay where they are. */
static gcast_status keep_class(const map_space *m, int class, const sys_place *places, int *name, gcast_error *err)
{
    const sys_system *s = m->of;
    size_t count = 0;
    int *members = calloc(3 * s->core_count, sizeof *members);
    int *number = members + s->core_count,
        *chosen = number + s->core_count; /* number: by core, its index in members[] */
    if (!members)
        return gcast_error_set_memory(err);
    for (size_t c = 0; c < s->core_count; c++)
        if (m->class_of[c] == class) {
            number[c] = (int)count;
            members[count++] = (int)c;
        }
    int64_t *gain = calloc(count * count, sizeof *gain); /* by core and name: how many tasks stay */
    for (size_t i = 0; gain && i < s->task_count; i++)
        if (is_of_class(m, places[i].core, class) && is_of_class(m, s->places[i].core, class))
            gain[(size_t)number[places[i].core] * count + (size_t)number[s->places[i].core]]++;
    bool ok = gain && map_assign(gain, count, chosen);
    for (size_t i = 0; ok && i < count; i++)
        name[members[i]] = members[chosen[i]];
    free(members);
    free(gain);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status map_keep_cores(const map_space *m, sys_place *places, gcast_error *err)
{
    size_t cores = m->of->core_count;
    int *name = calloc(cores + 1, sizeof *name);
    gcast_status status = name ? GCAST_OK : gcast_error_set_memory(err);
    for (size_t c = 0; c < cores && status == GCAST_OK; c++)
        if (m->class_of[c] == (int)c)
            status = keep_class(m, (int)c, places, name, err);
    for (size_t i = 0; i < m->of->task_count && status == GCAST_OK; i++)
        if (places[i].core != SYS_GPU)
            places[i].core = name[places[i].core];
    free(name);
    return status;
}

static bool is_same(const sys_place *a, const sys_place *b)
{
    return a->core == b->core && a->priority == b->priority && a->busy == b->busy;
}

size_t map_count_changes(const sys_system *s, const sys_place *places)
{
    size_t count = 0;
    for (size_t i = 0; i < s->task_count; i++)
        count += !is_same(&places[i], &s->places[i]);
    return count;
}

static sys_place take_back(sys_place place, const sys_place *own, int part)
{
    if (part < 2)
        place.core = own->core;
    if (part < 3)
        place.priority = own->priority;
    if (part == 0 || part == 3)
        place.busy = own->busy;
    return place;
}

/* Takes back a part of a task's place if the score does not get worse. */
static gcast_status try_part(const map_space *m, map_evaluator e, sys_place *places, size_t task, int part,
                             map_score *score, bool *changed, gcast_error *err)
{
    sys_place before = places[task], back = take_back(before, &m->of->places[task], part);
    map_score without;
    if (is_same(&before, &back))
        return GCAST_OK;
    places[task] = back;
    gcast_status status = e.evaluate(e.data, places, &without, err);
    if (status == GCAST_OK && map_score_compare(&without, score) <= 0) {
        *score = without;
        *changed = true;
    } else {
        places[task] = before;
    }
    return status;
}

/* Takes back all priorities at once if the score does not get worse. */
static gcast_status try_priorities(const map_space *m, map_evaluator e, sys_place *places, map_score *score,
                                   gcast_error *err)
{
    size_t count = m->of->task_count;
    map_score own_score;
    sys_place *own = calloc(count + 1, sizeof *own);
    if (!own)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < count; i++) {
        own[i] = places[i];
        own[i].priority = m->of->places[i].priority;
    }
    gcast_status status = e.evaluate(e.data, own, &own_score, err);
    if (status == GCAST_OK && map_score_compare(&own_score, score) <= 0) {
        memcpy(places, own, count * sizeof *own);
        *score = own_score;
    }
    free(own);
    return status;
}

gcast_status map_fewest_changes(const map_space *m, map_evaluator evaluator, sys_place *places, map_score *score,
                                gcast_error *err)
{
    gcast_status status = map_keep_cores(m, places, err);
    if (status == GCAST_OK)
        status = map_keep_priorities(m, places, err);
    if (status == GCAST_OK)
        status = evaluator.evaluate(evaluator.data, places, score, err);
    if (status == GCAST_OK)
        status = try_priorities(m, evaluator, places, score, err);
    for (bool changed = true; changed && status == GCAST_OK;) {
        changed = false; /* each round takes back at least one part, so this ends */
        for (size_t i = 0; i < m->of->task_count; i++)
            for (int part = 0; part < PARTS && status == GCAST_OK; part++)
                status = try_part(m, evaluator, places, i, part, score, &changed, err);
    }
    return status;
}

/* map_keep_priorities numbers the tasks of each core so that most keep their own priority. */

/* The tasks of a core that compete by priority, highest first. */
typedef struct row {
    const map_space *m;
    sys_place *places;
    size_t *tasks;
    size_t count;
    int64_t least; /* the lowest priority allowed */
    size_t *kept;  /* by position: length of the longest chain that ends there; 0: it cannot keep its own */
    size_t *from;  /* by position: the one before it in that chain; itself: none */
} row;

static int64_t own_priority(const row *r, size_t position)
{
    return r->m->of->places[r->tasks[position]].priority;
}

/* Can a task keep its own priority? There must be room below it for the tasks after it. */
static bool may_keep(const row *r, size_t position)
{
    const sys_place *own = &r->m->of->places[r->tasks[position]];
    return own->core != SYS_GPU && own->priority < INT64_MAX / 2 &&
           own->priority >= r->least + (int64_t)(r->count - 1 - position);
}

/* Finds the longest chain of tasks that can keep their own priorities, with room for those in between. Returns its last
 * position; count: no task can. */
static size_t find_chain(row *r)
{
    size_t last = r->count, most = 0;
    for (size_t i = 0; i < r->count; i++) {
        r->kept[i] = 0;
        r->from[i] = i;
        if (!may_keep(r, i))
            continue;
        r->kept[i] = 1;
        for (size_t k = 0; k < i; k++)
            if (r->kept[k] && r->kept[k] + 1 > r->kept[i] &&
                own_priority(r, k) - own_priority(r, i) >= (int64_t)(i - k)) {
                r->kept[i] = r->kept[k] + 1;
                r->from[i] = k;
            }
        if (r->kept[i] > most) {
            most = r->kept[i];
            last = i;
        }
    }
    return last;
}

static void number_row(row *r)
{
    size_t next = find_chain(r); /* the next position that keeps its own priority, from the last one up */
    int64_t priority = r->least - 1;
    if (next < r->count)
        priority = own_priority(r, next) - (int64_t)(r->count - next);
    for (size_t i = r->count; i-- > 0;) {
        priority = i == next ? own_priority(r, i) : priority + 1;
        r->places[r->tasks[i]].priority = priority;
        if (i == next)
            next = r->from[i] == i ? r->count : r->from[i];
    }
}

/* Collects the tasks of a core, interrupts or others, by priority. */
static void fill_row(row *r, int core, bool isr)
{
    const sys_system *s = r->m->of;
    r->count = 0;
    for (size_t i = 0; i < s->task_count; i++) {
        if (r->places[i].core != core || s->tasks[i].isr != isr)
            continue;
        size_t at = r->count++;
        for (; at > 0 && r->places[r->tasks[at - 1]].priority < r->places[i].priority; at--)
            r->tasks[at] = r->tasks[at - 1];
        r->tasks[at] = i;
    }
}

gcast_status map_keep_priorities(const map_space *m, sys_place *places, gcast_error *err)
{
    size_t count = m->of->task_count;
    size_t *numbers = calloc(3 * count + 1, sizeof *numbers);
    row r = {.m = m, .places = places, .tasks = numbers, .least = 1};
    if (!numbers)
        return gcast_error_set_memory(err);
    r.kept = numbers + count;
    r.from = numbers + 2 * count;
    for (size_t i = 0; i < count; i++)
        if (m->of->places[i].core != SYS_GPU)
            r.least = min_i64(r.least, max_i64(m->of->places[i].priority, -INT64_MAX / 2));
    for (int core = 0; m->may.priority && core < (int)m->of->core_count; core++)
        for (int isr = 0; isr < 2; isr++) {
            fill_row(&r, core, isr);
            number_row(&r);
        }
    free(numbers);
    return GCAST_OK;
}
