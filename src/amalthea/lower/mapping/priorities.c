#include "amalthea/lower/mapping/priorities.h"

#include <string.h>

#include "amalthea/lower/findings.h"
#include "amalthea/lower/mapping/given_tasks.h"
#include "amalthea/lower/mapping/gpu_order.h"
#include "amalthea/lower/mapping/task_units.h"
#include "amalthea/lower/properties.h"
#include "amalthea/scheduler_choice.h"

#define PRIORITY_KEY "priority" /* custom property of tasks in older models */

/* Schedulers whose order is not that of fixed priorities. */
static gcast_status rule_of(lowering *l, size_t task, scheduler_order *rule)
{
    const am_scheduler *s = task_scheduler(l, &l->tasks[task]);
    bool has_order = s && !s->interrupts && !l->m->tasks[task].isr;
    *rule = has_order ? scheduler_order_of(s) : BY_PRIORITY;
    l->s->fixed_priorities |= *rule != BY_PRIORITY;
    if (l->given->rate_monotonic) {
        *rule = BY_PERIOD;
        return GCAST_OK;
    }
    if (has_order && s->parent >= 0)
        return lower_error(l, s->at,
                           "Scheduler %s, which task %s is allocated to, is below scheduler %s: only schedulers that "
                           "are below no other are analysed. Give priorities by period instead.",
                           s->name, l->m->tasks[task].name, l->m->schedulers[s->parent].name);
    if (*rule != BY_OTHER)
        return GCAST_OK;
    return lower_error(l, s->at,
                       "Scheduler %s, which task %s is allocated to, is %s: only fixed priorities are "
                       "analysed.",
                       s->name, l->m->tasks[task].name, s->algorithm_name);
}

/* Schedulers of which the model does not say what they do. */
static gcast_status tell_silent(lowering *l)
{
    bool *used = lower_scratch(l, l->m->scheduler_count, sizeof *used);
    gcast_status status = used ? GCAST_OK : GCAST_RESOURCE;
    for (size_t i = 0; used && i < l->m->task_count; i++) {
        const lowered_task *t = &l->tasks[i];
        if (t->index >= 0 && task_scheduler(l, t) && l->places[t->index].core != SYS_GPU)
            used[l->m->allocations[t->allocation].scheduler] = true;
    }
    for (size_t i = 0; i < l->m->scheduler_count && status == GCAST_OK; i++) {
        const am_scheduler *s = &l->m->schedulers[i];
        if (used[i] && !s->interrupts && s->algorithm == AM_SCHEDULING_OTHER && !*s->algorithm_name)
            status = finding_add(l, s->at, SYS_CONDITION | SYS_APPROXIMATED,
                                 "Scheduler %s has no algorithm: fixed priorities are taken, preemptive.", s->name);
    }
    return status;
}

/* Shorter first: a higher number. */
static int64_t by_time(int64_t ns)
{
    return -ns;
}

static bool custom_priority(const am_task *t, int64_t *priority)
{
    const am_property *p = property_find(t->properties, t->property_count, PRIORITY_KEY);
    return p && property_number(p, priority);
}

static bool is_of_task(const lowering *l, const am_allocation *a)
{
    return a->has_priority && !(a->task >= 0 && l->m->tasks[a->task].isr);
}

/* The lowest of all priorities in the model, for those that have none. */
static int64_t lowest(const lowering *l)
{
    int64_t least = 1, custom;
    for (size_t i = 0; i < l->m->allocation_count; i++)
        if (is_of_task(l, &l->m->allocations[i]) && l->m->allocations[i].priority < least)
            least = l->m->allocations[i].priority;
    for (size_t i = 0; i < l->m->task_count; i++)
        if (custom_priority(&l->m->tasks[i], &custom) && custom < least)
            least = custom;
    return least > INT64_MIN ? least - 1 : least;
}

static bool anybody_has_priority(const lowering *l)
{
    for (size_t i = 0; i < l->m->allocation_count; i++)
        if (is_of_task(l, &l->m->allocations[i]))
            return true;
    return false;
}

/* A priority that is not where it should be: there is none, or it is a custom property. */
typedef enum { PRIORITY_SAID, PRIORITY_MISSING, PRIORITY_CUSTOM } priority_doubt;

static gcast_status set_priority(lowering *l, size_t task, int64_t none, unsigned char *doubt)
{
    const lowered_task *lt = &l->tasks[task];
    const sys_task *t = &l->made[lt->index];
    const sys_given_task *g = given_task(l, task);
    int64_t *priority = &l->places[lt->index].priority;
    scheduler_order rule;
    gcast_status status = rule_of(l, task, &rule);
    const am_allocation *a = lt->allocation < 0 ? NULL : &l->m->allocations[lt->allocation];
    if (g && g->has_priority)
        *priority = g->priority;
    else if (rule == BY_PERIOD)
        *priority = by_time(t->period_ns);
    else if (rule == BY_DEADLINE)
        *priority = by_time(t->deadline_ns ? t->deadline_ns : t->period_ns);
    else if (a && a->has_priority)
        *priority = a->priority;
    else if (custom_priority(&l->m->tasks[task], priority))
        *doubt = PRIORITY_CUSTOM;
    else {
        *priority = none;
        if (!t->isr)
            *doubt = PRIORITY_MISSING;
    }
    return status;
}

/* Tasks of one core that have the same priority. */
static gcast_status tell_equal(lowering *l, size_t core)
{
    name_list equal = {0};
    size_t tasks = 0;
    for (size_t i = 0; i < l->s->task_count; i++) {
        bool same = false;
        if (l->places[i].core != (int)core || l->made[i].isr)
            continue;
        tasks++;
        for (size_t k = 0; k < l->s->task_count && !same; k++)
            same = k != i && l->places[k].core == (int)core && !l->made[k].isr &&
                   l->places[k].priority == l->places[i].priority;
        if (same)
            names_add(&equal, l->made[i].name);
    }
    if (!equal.count)
        return GCAST_OK;
    bool all = equal.count == tasks;
    return finding_add(l, lower_nowhere(), 0,
                       all ? "On %s all priorities are equal (%s): any order is assumed."
                           : "On %s some priorities are equal, of %s: any order is assumed between equal ones.",
                       l->s->cores[core].name, names_text(&equal));
}

/* Nobody has one: it is about all. */
static gcast_status tell_none(lowering *l, const unsigned char *doubts)
{
    name_list missing = {0};
    for (size_t i = 0; i < l->m->task_count; i++)
        if (doubts[i] == PRIORITY_MISSING)
            names_add(&missing, l->m->tasks[i].name);
    return missing.count ? finding_add(l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
                                       "No priority is said for %s: all are equal.", names_text(&missing))
                         : GCAST_OK;
}

static gcast_status tell_doubts(lowering *l, const unsigned char *doubts, size_t core, priority_doubt doubt,
                                const char *format)
{
    name_list names = {0};
    size_t first = 0;
    for (size_t i = 0; i < l->m->task_count; i++) {
        int index = l->tasks[i].index;
        if (doubts[i] != doubt || l->places[index].core != (int)core)
            continue;
        first = names.count ? first : i;
        names_add(&names, l->m->tasks[i].name);
    }
    if (names.count && l->given->searched)
        return finding_add(l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED, format, names_text(&names));
    return names.count ? finding_of_task(l, lower_nowhere(), first, SYS_CONDITION | SYS_APPROXIMATED, format,
                                         names_text(&names))
                       : GCAST_OK;
}

static gcast_status tell_all(lowering *l, const unsigned char *doubts)
{
    bool any = anybody_has_priority(l);
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->task_count; i++)
        any |= doubts[i] == PRIORITY_CUSTOM;
    if (!any)
        status = tell_none(l, doubts);
    for (size_t i = 0; any && i < l->s->core_count && status == GCAST_OK; i++)
        status = tell_doubts(l, doubts, i, PRIORITY_MISSING, "No priority is said for %s: the lowest is taken.");
    for (size_t i = 0; i < l->s->core_count && status == GCAST_OK; i++)
        status = tell_doubts(l, doubts, i, PRIORITY_CUSTOM,
                             "The allocations of %s have no priority: the custom property " PRIORITY_KEY
                             " is taken, a higher number first.");
    return status;
}

gcast_status priorities_make(lowering *l)
{
    unsigned char *doubts = lower_scratch(l, l->m->task_count, sizeof *doubts);
    int64_t none = lowest(l);
    gcast_status status = doubts ? GCAST_OK : GCAST_RESOURCE;
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++) {
        int index = l->tasks[i].index;
        if (index < 0)
            continue;
        if (l->places[index].core == SYS_GPU)
            l->places[index].priority = stream_priority(l, &l->made[index]);
        else
            status = set_priority(l, i, none, &doubts[i]);
    }
    if (status == GCAST_OK)
        status = tell_all(l, doubts);
    for (size_t i = 0; i < l->s->core_count && status == GCAST_OK; i++)
        status = tell_equal(l, i);
    return status == GCAST_OK ? tell_silent(l) : status;
}
