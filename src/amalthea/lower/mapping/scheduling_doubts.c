#include "amalthea/lower/mapping/scheduling_doubts.h"

#include <string.h>
#include <strings.h>

#include "amalthea/lower/findings.h"
#include "amalthea/lower/mapping/given_tasks.h"
#include "amalthea/lower/mapping/gpu_order.h"
#include "amalthea/lower/mapping/task_units.h"
#include "amalthea/lower/points/yield_points.h"
#include "amalthea/scheduler_choice.h"

#define TAKEN (SYS_CONDITION | SYS_APPROXIMATED) /* times may be longer, and may be shorter */

/* Tasks of a core, without interrupts. */
typedef struct core_tasks {
    size_t count;
    name_list silent; /* of which it is not said whether they can be preempted */
    size_t first;     /* of these, in the model */
} core_tasks;

/* In a search all cores are one: any tasks may meet there. */
static bool is_on(const lowering *l, size_t task, size_t core)
{
    int index = l->tasks[task].index;
    return index >= 0 && !l->m->tasks[task].isr && (l->given->searched || l->places[index].core == (int)core);
}

static core_tasks tasks_of(const lowering *l, size_t core)
{
    core_tasks t = {0};
    for (size_t i = 0; i < l->m->task_count; i++) {
        if (!is_on(l, i, core))
            continue;
        t.count++;
        if (!l->m->tasks[i].preemption_unsaid)
            continue;
        t.first = t.silent.count ? t.first : i;
        names_add(&t.silent, l->m->tasks[i].name);
    }
    return t;
}

static gcast_status tell_preemption(lowering *l, size_t core)
{
    core_tasks t = tasks_of(l, core);
    if (t.count < 2 || !t.silent.count)
        return GCAST_OK;
    if (l->given->searched)
        return finding_add(l, l->m->tasks[t.first].at, TAKEN,
                           "Whether others can preempt %s is not said: it is taken that they can.",
                           names_text(&t.silent));
    return finding_of_task(l, l->m->tasks[t.first].at, t.first, TAKEN,
                           "Whether others can preempt %s on %s is not said: it is taken that they can.",
                           names_text(&t.silent), l->s->cores[core].name);
}

/* Who waits on a core that others need. */
static gcast_status tell_wait(lowering *l, size_t task)
{
    const lowered_task *t = &l->tasks[task];
    const sys_given_task *g = given_task(l, task);
    bool unsaid = false, active = false, shared = l->given->searched;
    if (t->index < 0 || l->places[t->index].core == SYS_GPU || (g && g->has_busy))
        return GCAST_OK;
    for (size_t k = 0; k < t->raw_count; k++) {
        unsaid |= t->raw[k].kind == RAW_WAIT && t->raw[k].items[0]->unsaid;
        active |= t->raw[k].kind == RAW_WAIT && t->raw[k].items[0]->active;
    }
    for (size_t i = 0; i < l->s->task_count; i++)
        shared |= (int)i != t->index && l->places[i].core == l->places[t->index].core;
    if (!unsaid || active || !shared) /* some actively: told where that is taken for all */
        return GCAST_OK;
    return finding_of_task(l, l->m->tasks[task].at, task, TAKEN,
                           "Whether task %s holds its core while it waits is not said: it is taken to leave it.",
                           l->m->tasks[task].name);
}

static bool overlap(const am_scheduler *a, const am_scheduler *b)
{
    for (size_t i = 0; i < a->unit_count; i++)
        if (scheduler_has(b, a->units[i]))
            return true;
    return false;
}

/* In a search, where any of their tasks may meet. */
static gcast_status tell_overlap(lowering *l)
{
    for (size_t i = 0; i < l->m->scheduler_count; i++)
        for (size_t k = 0; k < i && !l->given->rate_monotonic; k++) {
            const am_scheduler *a = &l->m->schedulers[k], *b = &l->m->schedulers[i];
            if (!a->interrupts && !b->interrupts && overlap(a, b))
                return finding_add(l, b->at, TAKEN,
                                   "Schedulers %s and %s are responsible for the same core: which of these goes before "
                                   "the other is not said, and priorities are compared as if they were one.",
                                   a->name, b->name);
        }
    return GCAST_OK;
}

/* The model's priorities count between the tasks of one scheduler. */
static gcast_status tell_schedulers(lowering *l, size_t core)
{
    const am_scheduler *first = NULL;
    for (size_t i = 0; i < l->m->task_count; i++) {
        const am_scheduler *s = is_on(l, i, core) ? task_scheduler(l, &l->tasks[i]) : NULL;
        const sys_given_task *g = given_task(l, i);
        if (!s || l->given->rate_monotonic || (g && (g->has_priority || g->core)))
            continue;
        first = first ? first : s;
        if (first != s)
            return finding_of_task(
                l, s->at, i, TAKEN,
                "Tasks on %s belong to several schedulers, %s and %s: which of these goes before the "
                "other is not said, and priorities are compared as if they were one.",
                l->s->cores[core].name, first->name, s->name);
    }
    return GCAST_OK;
}

/* Priorities of allocations and slices of time are read where they are used. */
static bool is_used(const am_parameter *p)
{
    static const char *const slices[] = {"TimeSlice", "minimumTimeslice", "maximumTimeslice"};
    if (p->custom || strcmp(p->key, "priority") == 0)
        return true;
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++)
        if (strncasecmp(p->key, slices[i], strlen(slices[i])) == 0)
            return true;
    return false;
}

/* Of the allocations of tasks that take part, then of their schedulers. */
typedef gcast_status (*parameter_visitor)(lowering *l, size_t task, const am_parameter *p, void *data);

static gcast_status visit(lowering *l, parameter_visitor visitor, void *data)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->task_count; i++) {
        const lowered_task *t = &l->tasks[i];
        const am_allocation *a = t->index < 0 || t->allocation < 0 ? NULL : &l->m->allocations[t->allocation];
        const am_scheduler *s = a ? task_scheduler(l, t) : NULL;
        for (size_t k = 0; a && k < a->parameter_count && status == GCAST_OK; k++)
            status = is_used(&a->parameters[k]) ? GCAST_OK : visitor(l, i, &a->parameters[k], data);
        for (size_t k = 0; s && k < s->parameter_count && status == GCAST_OK; k++)
            status = is_used(&s->parameters[k]) ? GCAST_OK : visitor(l, i, &s->parameters[k], data);
    }
    return status;
}

/* The tasks that a parameter of one key is about. */
typedef struct key_tasks {
    const char *key;
    const am_parameter *first;
    name_list names;
    int last;
} key_tasks;

static gcast_status add_task(lowering *l, size_t task, const am_parameter *p, void *data)
{
    key_tasks *t = data;
    if (strcmp(p->key, t->key) != 0)
        return GCAST_OK;
    t->first = t->first ? t->first : p;
    if (t->last != (int)task)
        names_add(&t->names, l->m->tasks[task].name);
    t->last = (int)task;
    return GCAST_OK;
}

/* Once for each key: where it is met first. */
static gcast_status tell_parameter(lowering *l, size_t task, const am_parameter *p, void *data)
{
    key_tasks t = {.key = p->key, .last = -1};
    (void)data;
    gcast_status status = visit(l, add_task, &t);
    if (status != GCAST_OK || t.first != p)
        return status;
    return t.names.count == 1
               ? finding_of_task(l, p->at, task, TAKEN, "The parameter %s of the scheduling of %s is not used.", p->key,
                                 names_text(&t.names))
               : finding_add(l, p->at, TAKEN, "The parameter %s of the scheduling of %s is not used.", p->key,
                             names_text(&t.names));
}

gcast_status scheduling_doubts_find(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < (l->given->searched ? 1 : l->s->core_count) && status == GCAST_OK; i++) {
        status = tell_preemption(l, i);
        if (status == GCAST_OK)
            status = l->given->searched ? tell_overlap(l) : tell_schedulers(l, i);
    }
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++)
        status = tell_wait(l, i);
    if (status == GCAST_OK)
        status = yield_points_tell(l);
    if (status == GCAST_OK)
        status = visit(l, tell_parameter, NULL);
    return status == GCAST_OK ? gpu_order_check(l) : status;
}
