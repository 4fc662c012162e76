/* Numbers of priorities that give an order, most of them the system's own; see mapping_changes.h. */
#include <stdlib.h>

#include "analyze/mapping/mapping_changes.h"
#include "base/minmax.h"

/* The tasks of a core that are compared with each other, in order; the first goes first. */
typedef struct row {
    const map_space *m;
    sys_place *places;
    size_t *tasks;
    size_t count;
    int64_t least; /* no priority is below */
    size_t *kept;  /* by task: how many tasks keep theirs up to it, if it does */
    size_t *from;  /* by task: the one before it that keeps its own; itself: none */
} row;

static int64_t own_priority(const row *r, size_t position)
{
    return r->m->of->places[r->tasks[position]].priority;
}

/* Can it keep its own, whatever the others do? There must be room for those after it. */
static bool may_keep(const row *r, size_t position)
{
    const sys_place *own = &r->m->of->places[r->tasks[position]];
    return own->core != SYS_GPU && own->priority < INT64_MAX / 2 &&
           own->priority >= r->least + (int64_t)(r->count - 1 - position);
}

/* The longest chain of tasks that can keep theirs: between two of them there is room for those in between. */
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
    size_t next = find_chain(r); /* that keeps its own, going up */
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

/* Tasks of a core, interrupts or others, by priority. */
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
