#include "analyze/mapping/mapping_changes.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/mapping/mapping_assign.h"

static bool is_of_class(const map_space *m, int core, int class)
{
    return core != SYS_GPU && m->class_of[core] == class;
}

/* The cores of one class get the names with which most tasks stay where they are. */
static gcast_status keep_class(const map_space *m, int class, const sys_place *places, int *name, gcast_error *err)
{
    const sys_system *s = m->of;
    size_t count = 0;
    int *members = calloc(3 * s->core_count, sizeof *members);
    int *number = members + s->core_count, *chosen = number + s->core_count; /* number: by core, in members[] */
    if (!members)
        return gcast_error_set_memory(err);
    for (size_t c = 0; c < s->core_count; c++)
        if (m->class_of[c] == class) {
            number[c] = (int)count;
            members[count++] = (int)c;
        }
    int64_t *gain = calloc(count * count, sizeof *gain); /* tasks that stay */
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

/* Parts of a place that can be taken back: all, the core with the priority, the priority, the way to wait. */
#define PARTS 4

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

/* Keeps the own part of a task's place where the score does not get worse. */
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

/* All priorities of the system at once. */
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
        changed = false; /* each change makes one part more that is the system's own: this ends */
        for (size_t i = 0; i < m->of->task_count; i++)
            for (int part = 0; part < PARTS && status == GCAST_OK; part++)
                status = try_part(m, evaluator, places, i, part, score, &changed, err);
    }
    return status;
}
