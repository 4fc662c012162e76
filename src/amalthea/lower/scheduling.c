#include "amalthea/lower/scheduling.h"

#include <string.h>
#include <strings.h>

#include "amalthea/lower/gpu_tasks.h"
#include "amalthea/lower/lowering.h"
#include "amalthea/lower/steps/yield_points.h"
#include "amalthea/lower/task_units.h"
#include "amalthea/model.h"

#define TAKEN (SYS_CONDITION | SYS_APPROXIMATED) /* times may be longer, and may be shorter */
#define PRIORITY_KEY "priority"                  /* custom property of tasks in older models */

/* Tasks of a core, without interrupts. */
typedef struct core_tasks {
    size_t count;
    name_list silent; /* tasks of which it is not said whether they can be preempted */
    size_t first;     /* the first of these, in the model */
} core_tasks;

/* In a search all cores count as one, as any tasks may meet on a core. */
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
                           "The model does not say whether others can preempt %s: it is assumed that they can.",
                           names_text(&t.silent));
    return finding_of_task(l, l->m->tasks[t.first].at, t.first, TAKEN,
                           "The model does not say whether others can preempt %s on %s: it is assumed that they can.",
                           names_text(&t.silent), l->s->cores[core].name);
}

/* Adds a finding on a task that waits on a core that others need. */
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
    if (!unsaid || active || !shared) /* if it waits actively for some events, choose_wait has told so */
        return GCAST_OK;
    return finding_of_task(
        l, l->m->tasks[task].at, task, TAKEN,
        "The model does not say whether task %s holds its core while it waits: it is assumed to release it.",
        l->m->tasks[task].name);
}

static bool overlap(const am_scheduler *a, const am_scheduler *b)
{
    for (size_t i = 0; i < a->unit_count; i++)
        if (scheduler_has(b, a->units[i]))
            return true;
    return false;
}

/* In a search tasks of any two schedulers of a core may meet. */
static gcast_status tell_overlap(lowering *l)
{
    for (size_t i = 0; i < l->m->scheduler_count; i++)
        for (size_t k = 0; k < i && !l->given->rate_monotonic; k++) {
            const am_scheduler *a = &l->m->schedulers[k], *b = &l->m->schedulers[i];
            if (!a->interrupts && !b->interrupts && overlap(a, b))
                return finding_add(l, b->at, TAKEN,
                                   "Schedulers %s and %s are responsible for the same core, without an order between "
                                   "them: priorities are compared as if they were one scheduler.",
                                   a->name, b->name);
        }
    return GCAST_OK;
}

/* Priorities in the model are meant between the tasks of one scheduler. */
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
            return finding_of_task(l, s->at, i, TAKEN,
                                   "Tasks on %s belong to several schedulers, %s and %s, without an order between "
                                   "them: priorities are compared as if they were one scheduler.",
                                   l->s->cores[core].name, first->name, s->name);
    }
    return GCAST_OK;
}

/* Is the parameter used elsewhere: a priority or a time slice; or a custom one? */
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

typedef gcast_status (*parameter_visitor)(lowering *l, size_t task, const am_parameter *p, void *data);

/* Visits the unused parameters of each task's allocation, then of its scheduler. */
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

/* The tasks that have a parameter with this key. */
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

/* Adds a finding for each key, where it is met first. */
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

/* The rule by which the task gets its priority; an error where its scheduler cannot be analysed. */
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

/* Adds findings on schedulers without an algorithm. */
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
            status =
                finding_add(l, s->at, SYS_CONDITION | SYS_APPROXIMATED,
                            "Scheduler %s has no algorithm: fixed priorities with preemption are assumed.", s->name);
    }
    return status;
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

/* A priority below all in the model, for tasks that have none. */
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

/* A priority may be missing where it should be, or be a custom property. */
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
        *priority = -t->period_ns;
    else if (rule == BY_DEADLINE)
        *priority = -(t->deadline_ns ? t->deadline_ns : t->period_ns);
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

/* Adds a finding on tasks of one core that have the same priority. */
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

/* No task of the model has a priority. */
static gcast_status tell_none(lowering *l, const unsigned char *doubts)
{
    name_list missing = {0};
    for (size_t i = 0; i < l->m->task_count; i++)
        if (doubts[i] == PRIORITY_MISSING)
            names_add(&missing, l->m->tasks[i].name);
    return missing.count
               ? finding_add(l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
                             "The model gives no priority for %s: equal priorities are assumed.", names_text(&missing))
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
        status =
            tell_doubts(l, doubts, i, PRIORITY_MISSING, "The model gives no priority for %s: the lowest is assumed.");
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
