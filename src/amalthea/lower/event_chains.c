#include "amalthea/lower/event_chains.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "amalthea/lower/event_points.h"
#include "amalthea/lower/lowering.h"
#include "base/integers.h"
#include "base/units.h"

#define MAX_DEPTH 32
#define MAX_LENGTH 1000

/* Two events of one task may follow each other in a chain: does the second come later in the same job? Places in a job
 * are numbers: its release, its start, then the start and the end of each step. */

typedef enum {
    ORDER_LATER,    /* it comes later, or at the same time */
    ORDER_NOT_SURE, /* it may come earlier */
    ORDER_EARLIER   /* it surely comes earlier: the chain goes on in another job */
} event_order;

#define AT_RELEASE 0
#define AT_START 1

typedef struct job_places {
    size_t first, last; /* the event may happen at any place from the first to the last */
} job_places;

static bool is(const am_event *e, am_event_kind kind, const char *type)
{
    return e->kind == kind && strcasecmp(e->type, type) == 0;
}

static size_t at_start_of(size_t step)
{
    return AT_START + 1 + 2 * step;
}

static size_t at_end_of(size_t step)
{
    return at_start_of(step) + 1;
}

/* Accesses may also be at the start or at the end of the job, depending on the communication. */
static job_places of_points(const sys_event *e, size_t end)
{
    job_places p = {end, AT_RELEASE};
    for (size_t i = 0; i < e->point_count; i++) {
        const sys_point *at = &e->points[i];
        size_t start = at_start_of(at->step), stop = at_end_of(at->step);
        p.first = min_size(p.first, at->at == SYS_AT_END ? stop : start);
        p.last = max_size(p.last, at->at == SYS_AT_START ? start : stop);
    }
    if (e->data == SYS_READ)
        p.first = AT_START;
    if (e->data == SYS_WRITE)
        p.last = end;
    return p;
}

static gcast_status find_places(lowering *l, int event, job_places *p)
{
    const am_event *from = &l->m->events[event];
    sys_event e;
    char why[400];
    gcast_status status = event_points_make(l, event, &e, why, sizeof why);
    if (status != GCAST_OK)
        return status;
    size_t end = *why && e.task < 0 ? SIZE_MAX : at_end_of(l->made[e.task].step_count - 1);
    if (is(from, AM_EVENT_PROCESS, "activate") || from->kind == AM_EVENT_STIMULUS)
        *p = (job_places){AT_RELEASE, AT_RELEASE};
    else if (is(from, AM_EVENT_PROCESS, "start"))
        *p = (job_places){AT_START, AT_START};
    else if (is(from, AM_EVENT_PROCESS, "terminate"))
        *p = (job_places){end, end};
    else if (*why) /* an event of another type */
        *p = (job_places){AT_RELEASE, end};
    else
        *p = of_points(&e, end);
    return GCAST_OK;
}

/* Both events must be of the same task of the model. */
static gcast_status event_order_find(lowering *l, int event, int next, event_order *order)
{
    const am_event *a = &l->m->events[event], *b = &l->m->events[next];
    job_places from, to;
    gcast_status status = find_places(l, event, &from);
    if (status == GCAST_OK)
        status = find_places(l, next, &to);
    if (status != GCAST_OK)
        return status;
    bool through = is(a, AM_EVENT_LABEL, "read") && is(b, AM_EVENT_LABEL, "write");
    bool call = a->kind == AM_EVENT_RUNNABLE && b->kind == AM_EVENT_RUNNABLE && a->entity == b->entity &&
                is(a, AM_EVENT_RUNNABLE, "start") && is(b, AM_EVENT_RUNNABLE, "terminate");
    *order = from.first > to.last                     ? ORDER_EARLIER
             : event == next || from.last <= to.first ? ORDER_LATER
             : through || call                        ? ORDER_LATER
                                                      : ORDER_NOT_SURE;
    return GCAST_OK;
}

/* Is the event where times of chains begin: the release or the start of a job, or a read? */
static bool event_begins(const lowering *l, int event)
{
    const am_event *e = &l->m->events[event];
    return e->kind == AM_EVENT_STIMULUS || is(e, AM_EVENT_PROCESS, "activate") || is(e, AM_EVENT_PROCESS, "start") ||
           is(e, AM_EVENT_LABEL, "read");
}

/* Is the event where times of chains end: the end of a job, or a write? */
static bool event_ends(const lowering *l, int event)
{
    const am_event *e = &l->m->events[event];
    return is(e, AM_EVENT_PROCESS, "terminate") || is(e, AM_EVENT_LABEL, "write");
}

/* A chain while it is made. */
typedef struct making {
    lowering *l;
    const char *name;
    VEC(int) tasks;      /* of the system */
    char why[400];       /* why it cannot be made; "": it can */
    int first, last;     /* its first event and the last so far; -1 */
    bool unsure;         /* an event may come before the one that it follows in the chain */
    const am_chain *top; /* the chain of the model */
} making;

typedef VEC(sys_chain) chain_list;

static void refuse(making *c, const char *format, const char *name)
{
    if (!c->why[0])
        snprintf(c->why, sizeof c->why, format, name);
}

static gcast_status add_task(making *c, int task)
{
    int index = c->l->tasks[task].index;
    if (index < 0) {
        refuse(c, "task %.200s is left out", c->l->m->tasks[task].name);
        return GCAST_OK;
    }
    if (c->tasks.count && c->tasks.at[c->tasks.count - 1] == index)
        return GCAST_OK; /* another event of the same task */
    if (c->tasks.count == MAX_LENGTH)
        return lower_error(c->l, c->top->at, "Chain %s has more than %d tasks.", c->name, MAX_LENGTH);
    return vec_push(&c->tasks, index) ? GCAST_OK : lower_no_memory(c->l);
}

/* An event of the same task as the last one must follow in the same job. */
static gcast_status follow(making *c, int event)
{
    const am_event *events = c->l->m->events;
    event_order order;
    gcast_status status = event_order_find(c->l, c->last, event, &order);
    if (status != GCAST_OK)
        return status;
    if (order == ORDER_EARLIER && !c->why[0])
        snprintf(c->why, sizeof c->why, "it goes from event %.150s back to %.150s, in another job of the same task",
                 events[c->last].name, events[event].name);
    c->unsure |= order == ORDER_NOT_SURE;
    return GCAST_OK;
}

static gcast_status add_event(making *c, int event)
{
    int task = event_task(c->l, event);
    gcast_status status = GCAST_OK;
    if (task >= 0) {
        int index = c->l->tasks[task].index;
        if (c->last >= 0 && c->last != event && index >= 0 && event_task(c->l, c->last) == task)
            status = follow(c, event);
        c->first = c->first < 0 ? event : c->first;
        c->last = event;
        return status == GCAST_OK ? add_task(c, task) : status;
    }
    refuse(c, event_task_why(task), event < 0 ? "(not said)" : c->l->m->events[event].name);
    return GCAST_OK;
}

static gcast_status add_chain(making *c, const am_chain *chain, int depth)
{
    if (depth > MAX_DEPTH)
        return lower_error(c->l, chain->at, "Chain %s is nested deeper than %d levels.", c->name, MAX_DEPTH);
    gcast_status status = add_event(c, chain->stimulus);
    if (chain->parallel && chain->item_count)
        refuse(c, "%.200s has strands inside of a chain", chain->name);
    if (depth == 0 && !chain->item_count && chain->stimulus == chain->response && chain->stimulus >= 0)
        refuse(c, "it goes from event %.200s to itself", c->l->m->events[chain->stimulus].name);
    for (size_t i = 0; i < chain->item_count && status == GCAST_OK; i++)
        status = add_chain(c, &chain->items[i], depth + 1);
    return status == GCAST_OK ? add_event(c, chain->response) : status;
}

/* The least upper limit of a kind on a chain. */
static int64_t limit_of(const lowering *l, am_limit_kind kind, int chain)
{
    int64_t least = 0;
    for (size_t i = 0; i < l->m->limit_count; i++) {
        const am_limit *limit = &l->m->limits[i];
        bool other_metric = kind == AM_LIMIT_PROCESS_CHAIN && limit->metric != AM_METRIC_END_TO_END;
        if (limit->kind != kind || limit->entity != chain || limit->upper_ps < PS_PER_NS || other_metric)
            continue;
        int64_t ns = limit->upper_ps / PS_PER_NS < DAY_NS ? limit->upper_ps / PS_PER_NS : DAY_NS;
        least = least && least < ns ? least : ns;
    }
    return least;
}

/* Times of chains count from the reading of the first task, or its release, to the output of the last one. */
static gcast_status tell_doubts(making *c, am_place at, sys_chain *chain)
{
    lowering *l = c->l;
    gcast_status status = GCAST_OK;
    if (!chain->reaction_ns && !chain->age_ns)
        return GCAST_OK;
    if (c->unsure) {
        chain->effects |= SYS_CONDITION;
        status = finding_of_limits(l, at, SYS_CONDITION,
                                   "Successive events of chain %s in one task may come in another order: they are "
                                   "treated as events of one job.",
                                   c->name);
    }
    if (status != GCAST_OK || c->first < 0 || (event_begins(l, c->first) && event_ends(l, c->last)))
        return status;
    chain->effects |= SYS_APPROXIMATED | SYS_ELSEWHERE;
    return finding_of_limits(l, at, SYS_APPROXIMATED,
                             "Chain %s goes from event %s to event %s: its times count from the start of a job to the "
                             "end of one, and may be longer.",
                             c->name, l->m->events[c->first].name, l->m->events[c->last].name);
}

static gcast_status keep_chain(making *c, am_place at, chain_list *chains, int64_t reaction_ns, int64_t age_ns)
{
    sys_chain chain = {.reaction_ns = reaction_ns, .age_ns = age_ns, .task_count = c->tasks.count};
    chain.name = lower_keep(c->l, c->name);
    chain.tasks = arena_copy(&c->l->s->memory, c->tasks.at, c->tasks.count * sizeof *c->tasks.at);
    gcast_status status = tell_doubts(c, at, &chain);
    if (status == GCAST_OK && (!chain.name || !chain.tasks || !vec_push(chains, chain)))
        return lower_no_memory(c->l);
    return status;
}

static gcast_status leave_out(making *c, am_place at, size_t limits)
{
    const char *why = c->why[0] ? c->why : "it has no tasks";
    return limits ? finding_unchecked(c->l, at, limits, "Chain %s is left out: %s.", c->name, why)
                  : finding_add(c->l, at, 0, "Chain %s is left out: %s.", c->name, why);
}

/* Keeps the chain, or adds a finding that says why there is none. */
static gcast_status end_chain(making *c, gcast_status status, am_place at, chain_list *chains, int64_t reaction_ns,
                              int64_t age_ns)
{
    if (status == GCAST_OK && (c->why[0] || !c->tasks.count))
        status = leave_out(c, at, (reaction_ns > 0) + (age_ns > 0));
    else if (status == GCAST_OK)
        status = keep_chain(c, at, chains, reaction_ns, age_ns);
    vec_free(&c->tasks);
    return status;
}

/* Makes a chain of one strand, or of the whole event chain (`strand` NULL). */
static gcast_status make_one(lowering *l, int index, const am_chain *strand, chain_list *chains)
{
    const am_chain *chain = &l->m->chains[index];
    char name[300];
    snprintf(name, sizeof name, "%.140s%s%.140s", chain->name, strand ? "/" : "", strand ? strand->name : "");
    making c = {.l = l, .name = name, .top = chain, .first = -1, .last = -1};
    gcast_status status;
    if (!strand) {
        status = add_chain(&c, chain, 0);
    } else {
        status = add_event(&c, chain->stimulus);
        if (status == GCAST_OK)
            status = add_chain(&c, strand, 1);
        if (status == GCAST_OK)
            status = add_event(&c, chain->response);
    }
    return end_chain(&c, status, chain->at, chains, limit_of(l, AM_LIMIT_REACTION, index),
                     limit_of(l, AM_LIMIT_AGE, index));
}

static gcast_status of_events(lowering *l, chain_list *chains)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->chain_count && status == GCAST_OK; i++) {
        const am_chain *chain = &l->m->chains[i];
        if (!chain->parallel)
            status = make_one(l, (int)i, NULL, chains);
        for (size_t k = 0; chain->parallel && k < chain->item_count && status == GCAST_OK; k++)
            status = make_one(l, (int)i, &chain->items[k], chains);
    }
    return status;
}

static gcast_status of_processes(lowering *l, chain_list *chains)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->process_chain_count && status == GCAST_OK; i++) {
        const am_process_chain *p = &l->m->process_chains[i];
        am_chain at_only = {.at = p->at};
        making c = {.l = l, .name = p->name, .top = &at_only, .first = -1, .last = -1};
        int64_t limit = limit_of(l, AM_LIMIT_PROCESS_CHAIN, (int)i);
        for (size_t k = 0; k < p->task_count && status == GCAST_OK; k++) {
            if (p->tasks[k] < 0)
                refuse(&c, "a task of it is not in the model%s", "");
            else
                status = add_task(&c, p->tasks[k]);
        }
        status = end_chain(&c, status, p->at, chains, limit, 0);
        if (status == GCAST_OK && limit)
            status = finding_add(l, p->at, 0, "The limit on chain %s from end to end is checked as a reaction time.",
                                 p->name);
    }
    return status;
}

static int task_by_name(const lowering *l, const char *name)
{
    for (size_t i = 0; i < l->m->task_count; i++)
        if (strcmp(l->m->tasks[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* Makes the chains of the side file and of the command. */
static gcast_status of_user(lowering *l, chain_list *chains)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->given->chain_count && status == GCAST_OK; i++) {
        const sys_given_chain *g = &l->given->chains[i];
        am_chain nowhere = {.at = lower_nowhere()};
        making c = {.l = l, .name = g->name, .top = &nowhere, .first = -1, .last = -1};
        for (size_t k = 0; k < g->task_count && status == GCAST_OK; k++) {
            int task = task_by_name(l, g->tasks[k]);
            if (task < 0)
                status = lower_given_error(l, "Chain %s names task %s, which the model does not have.", g->name,
                                           g->tasks[k]);
            else
                status = add_task(&c, task);
        }
        if (status == GCAST_OK && c.why[0])
            status = lower_given_error(l, "Chain %s cannot be analysed: %s.", g->name, c.why);
        status = end_chain(&c, status, lower_nowhere(), chains, g->reaction_ns, g->age_ns);
    }
    return status;
}

gcast_status event_chains_make(lowering *l)
{
    chain_list chains = {0};
    gcast_status status = event_tasks_start(l);
    if (status == GCAST_OK)
        status = of_events(l, &chains);
    if (status == GCAST_OK)
        status = of_processes(l, &chains);
    if (status == GCAST_OK)
        status = of_user(l, &chains);
    if (status == GCAST_OK) {
        sys_chain *kept = lower_array(l, chains.count, sizeof *kept);
        for (size_t i = 0; kept && i < chains.count; i++)
            kept[i] = chains.at[i];
        l->s->chains = kept;
        l->s->chain_count = chains.count;
        status = kept ? GCAST_OK : GCAST_RESOURCE;
    }
    vec_free(&chains);
    return status;
}
