#include "model/system/system.h"

/* Of a place in sys_affinity.cores. */
static size_t number_of(const sys_system *s, const sys_place *place)
{
    return place->core == SYS_GPU ? s->core_count : (size_t)place->core;
}

static bool counts(const sys_system *s, const sys_affinity *a, const sys_place *place)
{
    return !a->cores || a->cores[number_of(s, place)];
}

bool system_affinity_holds(const sys_system *s, const sys_affinity *a, const sys_place *places)
{
    for (size_t i = 0; i < a->task_count; i++) {
        const sys_place *one = &places[a->tasks[i]];
        if (a->together && (one->core != places[a->tasks[0]].core || !counts(s, a, one)))
            return false;
        for (size_t k = 0; !a->together && k < i; k++)
            if (a->groups[i] != a->groups[k] && one->core == places[a->tasks[k]].core && counts(s, a, one))
                return false;
    }
    return true;
}

size_t system_broken(const sys_system *s, const sys_place *places)
{
    size_t count = 0;
    for (size_t i = 0; i < s->affinity_count; i++)
        count += !system_affinity_holds(s, &s->affinities[i], places);
    return count;
}
