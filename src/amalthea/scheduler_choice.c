#include "amalthea/scheduler_choice.h"

#include <string.h>

scheduler_order scheduler_order_of(const am_scheduler *s)
{
    switch (s->algorithm) {
    case AM_SCHEDULING_FIXED_PRIORITY:
    case AM_SCHEDULING_OSEK:
        return BY_PRIORITY;
    case AM_SCHEDULING_RATE_MONOTONIC:
        return BY_PERIOD;
    case AM_SCHEDULING_DEADLINE_MONOTONIC:
        return BY_DEADLINE;
    default:
        return *s->algorithm_name ? BY_OTHER : BY_PRIORITY;
    }
}

bool scheduler_has(const am_scheduler *s, int unit)
{
    for (size_t i = 0; i < s->unit_count; i++)
        if (s->units[i] == unit)
            return true;
    return false;
}

/* Do they order their tasks in the same way? */
static bool same_order(const am_scheduler *a, const am_scheduler *own)
{
    scheduler_order order = own ? scheduler_order_of(own) : BY_PRIORITY;
    if (scheduler_order_of(a) != order)
        return false;
    return order != BY_OTHER || strcmp(a->algorithm_name, own->algorithm_name) == 0;
}

int scheduler_for(const am_model *m, int own, int unit, bool interrupts, bool gpu)
{
    if (own >= 0 && scheduler_has(&m->schedulers[own], unit))
        return own;
    for (size_t i = 0; i < m->scheduler_count; i++) {
        const am_scheduler *s = &m->schedulers[i];
        bool fits = gpu || interrupts || (s->parent < 0 && same_order(s, own < 0 ? NULL : &m->schedulers[own]));
        if (s->interrupts == interrupts && scheduler_has(s, unit) && fits)
            return (int)i;
    }
    return -1;
}
