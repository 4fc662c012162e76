/* Mappings in short, and the order of priorities on each core; see mapping_space.h. */
#include <stdlib.h>

#include "analyze/mapping/space/mapping_space.h"

/* Bits of a number: the core + 1, the place in the order of its core, and how it waits. */
#define CORE_SHIFT 16
#define ORDER_SHIFT 1
#define ORDER_MASK 0x1fffu

_Static_assert(MAP_MAX_TASKS - 1 <= ORDER_MASK, "an order has room");
_Static_assert(MAP_MAX_CORES <= UINT16_MAX - 1, "a core has room");

/* Does task a go before task b of the same core by their places? Equal priorities: in order of deadline. */
static bool goes_before(const map_space *m, const sys_place *places, size_t a, size_t b)
{
    if (m->of->tasks[a].isr != m->of->tasks[b].isr)
        return m->of->tasks[a].isr;
    if (places[a].priority != places[b].priority)
        return places[a].priority > places[b].priority;
    return m->rank[a] < m->rank[b];
}

/* How many tasks of its core go before it. */
static uint32_t order_on_core(const map_space *m, const sys_place *places, size_t task)
{
    uint32_t before = 0;
    for (size_t i = 0; i < m->of->task_count; i++)
        before += i != task && places[i].core == places[task].core && goes_before(m, places, i, task);
    return before;
}

/* The next core of the same class. */
static int next_alike(const map_space *m, int core)
{
    int next = core + 1;
    while (next < (int)m->of->core_count && m->class_of[next] != m->class_of[core])
        next++;
    return next;
}

/* Interchangeable cores are named in the order of the first tasks on them. */
static void name_cores(const map_space *m, const sys_place *places, int *name)
{
    int next[MAP_MAX_CORES]; /* by class: the next name */
    for (size_t c = 0; c < m->of->core_count; c++) {
        name[c] = SYS_NONE;
        next[c] = (int)c;
    }
    for (size_t i = 0; i < m->of->task_count; i++) {
        int core = places[i].core;
        if (core == SYS_GPU || name[core] != SYS_NONE)
            continue;
        int class = m->class_of[core];
        name[core] = next[class];
        next[class] = next_alike(m, next[class]);
    }
}

void map_pack(const map_space *m, const sys_place *places, uint32_t *packed)
{
    int name[MAP_MAX_CORES];
    name_cores(m, places, name);
    for (size_t i = 0; i < m->of->task_count; i++) {
        int core = places[i].core;
        bool on_core = core != SYS_GPU;
        uint32_t order = m->may.priority && on_core ? order_on_core(m, places, i) : 0;
        packed[i] = (uint32_t)((on_core ? name[core] : SYS_GPU) + 1) << CORE_SHIFT | order << ORDER_SHIFT |
                    (m->tasks[i].may_wait_either_way && places[i].busy);
    }
}

void map_unpack(const map_space *m, const uint32_t *packed, sys_place *places)
{
    size_t count = m->of->task_count;
    for (size_t i = 0; i < count; i++) {
        places[i] = m->of->places[i];
        places[i].core = (int)(packed[i] >> CORE_SHIFT) - 1;
        if (m->may.priority && places[i].core != SYS_GPU)
            places[i].priority = (int64_t)count - (packed[i] >> ORDER_SHIFT & ORDER_MASK);
        if (m->tasks[i].may_wait_either_way)
            places[i].busy = packed[i] & 1;
    }
}

void map_by_deadline(const map_space *m, sys_place *places)
{
    for (size_t i = 0; i < m->of->task_count; i++)
        if (places[i].core != SYS_GPU)
            places[i].priority = (int64_t)m->of->task_count - m->rank[i];
}

void map_own(const map_space *m, sys_place *places)
{
    size_t count = m->of->task_count;
    for (size_t i = 0; i < count; i++)
        places[i] = m->of->places[i];
    for (size_t i = 0; m->may.priority && i < count; i++)
        if (places[i].core != SYS_GPU)
            places[i].priority = (int64_t)count - order_on_core(m, m->of->places, i);
}
