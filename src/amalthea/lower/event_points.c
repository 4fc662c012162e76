#include "amalthea/lower/event_points.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "amalthea/lower/lowering.h"

#define MAX_LOOKED_AT 100000000 /* items, steps and runnables, in all searches together */
#define MAX_POINTS 16           /* of one event in a job */

/* Adds a task to an entry, which says whether there is one task or several. */
static void note(int *entry, int task)
{
    if (*entry == EVENT_NO_TASK)
        *entry = task;
    else if (*entry != task)
        *entry = EVENT_AMBIGUOUS;
}

static gcast_status note_item(lowering *l, const am_item *item, int runnable, void *data)
{
    int task = *(const int *)data;
    (void)runnable;
    if ((item->kind == AM_ITEM_CALL || item->kind == AM_ITEM_SERVER_CALL) && item->runnable >= 0)
        note(&l->caller[item->runnable], task);
    if (item->kind != AM_ITEM_ACCESS || item->label < 0)
        return GCAST_OK;
    note(&l->label_user[item->label], task);
    note(item->write ? &l->label_writer[item->label] : &l->label_reader[item->label], task);
    return GCAST_OK;
}

static int *entries(lowering *l, size_t count)
{
    int *e = lower_scratch(l, count, sizeof *e);
    for (size_t i = 0; e && i < count; i++)
        e[i] = EVENT_NO_TASK;
    return e;
}

gcast_status event_tasks_start(lowering *l)
{
    const am_model *m = l->m;
    gcast_status status = GCAST_OK;
    l->label_reader = entries(l, m->label_count);
    l->label_writer = entries(l, m->label_count);
    l->label_user = entries(l, m->label_count);
    l->caller = entries(l, m->runnable_count);
    l->started = entries(l, m->stimulus_count);
    if (!l->label_reader || !l->label_writer || !l->label_user || !l->caller || !l->started)
        return GCAST_RESOURCE;
    for (int i = 0; (size_t)i < m->task_count && status == GCAST_OK; i++) {
        if (l->tasks[i].index < 0)
            continue;
        for (size_t k = 0; k < m->tasks[i].stimulus_count; k++)
            if (m->tasks[i].stimuli[k] >= 0)
                note(&l->started[m->tasks[i].stimuli[k]], i);
        status = walk_task(l, i, note_item, &i);
    }
    return status;
}

static int task_of_label(const lowering *l, const am_event *e)
{
    if (strcasecmp(e->type, "read") == 0)
        return l->label_reader[e->entity];
    if (strcasecmp(e->type, "write") == 0)
        return l->label_writer[e->entity];
    return l->label_user[e->entity];
}

int event_task(const lowering *l, int event)
{
    const am_event *e = event < 0 ? NULL : &l->m->events[event];
    if (e && e->kind == AM_EVENT_OTHER)
        return EVENT_UNKNOWN;
    if (!e || e->entity < 0)
        return EVENT_NO_TASK;
    switch (e->kind) {
    case AM_EVENT_PROCESS:
        return e->entity;
    case AM_EVENT_RUNNABLE:
        return e->process >= 0 ? e->process : l->caller[e->entity];
    case AM_EVENT_LABEL:
        return e->process >= 0 ? e->process : e->runnable >= 0 ? l->caller[e->runnable] : task_of_label(l, e);
    case AM_EVENT_STIMULUS:
        return l->started[e->entity];
    default:
        return EVENT_NO_TASK;
    }
}

const char *event_task_why(int task)
{
    return task == EVENT_AMBIGUOUS ? "event %.200s happens in several tasks"
           : task == EVENT_UNKNOWN ? "event %.200s is not understood"
                                   : "event %.200s happens in no task";
}

/* Is what is looked for in some items? Later values are stronger. */
typedef enum { NOT_KNOWN, NOT_THERE, MAY_BE_THERE, SURELY_THERE } presence;

typedef struct looking {
    lowering *l;
    const place_search *what;
    unsigned char *known; /* for each runnable: a presence */
} looking;

static gcast_status count(lowering *l, size_t looked_at, am_place at)
{
    l->looked_at += looked_at;
    return l->looked_at > MAX_LOOKED_AT
               ? lower_error(l, at, "Too many limits in a model of this size: more than %d things are to be looked at.",
                             MAX_LOOKED_AT)
               : GCAST_OK;
}

/* `in` is the runnable that has the item, or -1. */
static bool is_match(const place_search *what, const am_item *item, int in)
{
    if (item->kind == AM_ITEM_CALL || (item->kind == AM_ITEM_SERVER_CALL && !item->asynchronous))
        return what->runnable >= 0 && item->runnable == what->runnable;
    return item->kind == AM_ITEM_ACCESS && what->label >= 0 && item->label == what->label &&
           (item->write ? what->writes : what->reads) && (what->within < 0 || what->within == in);
}

static gcast_status look(looking *k, const am_item *item, int in, int depth, presence *is);

static gcast_status look_in(looking *k, const am_item *items, size_t item_count, int in, int depth, presence *is)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < item_count && status == GCAST_OK && *is != SURELY_THERE; i++) {
        presence one = NOT_THERE;
        status = look(k, &items[i], in, depth, &one);
        *is = one > *is ? one : *is;
    }
    return status;
}

static gcast_status look_in_runnable(looking *k, int runnable, int depth, presence *is)
{
    const am_runnable *r = &k->l->m->runnables[runnable];
    gcast_status status = GCAST_OK;
    *is = (presence)k->known[runnable];
    if (*is == NOT_KNOWN) {
        *is = NOT_THERE;
        status = look_in(k, r->items, r->item_count, runnable, depth + 1, is);
        k->known[runnable] = (unsigned char)*is;
    }
    return status;
}

static gcast_status look(looking *k, const am_item *item, int in, int depth, presence *is)
{
    bool calls = item->kind == AM_ITEM_CALL || (item->kind == AM_ITEM_SERVER_CALL && !item->asynchronous);
    bool may_skip = item->kind == AM_ITEM_SWITCH || item->kind == AM_ITEM_LOOP || item->most > 1 || item->least < 1;
    if (depth > LOWER_DEPTH)
        return lower_error(k->l, item->at, "Items and calls are nested deeper than %d levels.", LOWER_DEPTH);
    gcast_status status = count(k->l, 1, item->at);
    *is = NOT_THERE;
    if (is_match(k->what, item, in))
        *is = SURELY_THERE;
    else if (status == GCAST_OK && calls && item->runnable >= 0)
        status = look_in_runnable(k, item->runnable, depth, is);
    else if (status == GCAST_OK)
        status = look_in(k, item->items, item->item_count, in, depth + 1, is);
    if (may_skip && *is == SURELY_THERE)
        *is = MAY_BE_THERE;
    return status;
}

static gcast_status add(lowering *l, place_list *places, step_place place)
{
    return vec_push(places, place) ? GCAST_OK : lower_no_memory(l);
}

/* Adds the steps of calls of the runnable. */
static gcast_status add_spans(looking *k, const lowered_task *t, place_list *places)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < t->span_count && status == GCAST_OK; i++) {
        const raw_span *span = &t->spans[i];
        if (span->runnable == k->what->runnable)
            status = add(k->l, places,
                         (step_place){.first = t->step_of[span->first],
                                      .end = t->step_of[span->end],
                                      .inside = span->repeated,
                                      .sure = !span->repeated});
    }
    return status;
}

/* Adds the steps that contain what is looked for. */
static gcast_status add_inside(looking *k, const lowered_task *t, place_list *places)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < t->raw_count && status == GCAST_OK; i++) {
        const raw_step *raw = &t->raw[i];
        presence is = NOT_THERE;
        if (raw->kind != RAW_RUN || (k->what->runnable >= 0 && raw->runnable == k->what->runnable))
            continue;
        for (size_t n = 0; n < raw->item_count && status == GCAST_OK && is != SURELY_THERE; n++) {
            presence one;
            status = look(k, raw->items[n], raw->of, 0, &one);
            is = one > is ? one : is;
        }
        if (status == GCAST_OK && is != NOT_THERE && raw->maybe)
            return lower_error(
                k->l, raw->items[0]->at,
                "Limits on items of a switch that continues after it has triggered a task are not analysed (in %s).",
                raw->name);
        if (status == GCAST_OK && is != NOT_THERE && t->step_of[i] < t->step_of[i + 1])
            status = add(k->l, places,
                         (step_place){t->step_of[i], t->step_of[i + 1], true, is == SURELY_THERE && !raw->spare});
    }
    return status;
}

bool steps_loose(const lowering *l, int task, size_t first, size_t end)
{
    const lowered_task *t = &l->tasks[task];
    for (size_t i = 0; i < t->raw_count; i++)
        if (t->raw[i].loose && t->step_of[i] < end && t->step_of[i + 1] > first)
            return true;
    return false;
}

gcast_status step_places_find(lowering *l, int task, const place_search *what, place_list *places)
{
    const lowered_task *t = &l->tasks[task];
    size_t runnables = l->m->runnable_count;
    if (!l->found_in)
        l->found_in = lower_scratch(l, runnables, sizeof *l->found_in);
    if (!l->found_in)
        return GCAST_RESOURCE;
    memset(l->found_in, NOT_KNOWN, runnables);
    looking k = {l, what, l->found_in};
    gcast_status status = count(l, runnables / 64 + t->span_count + t->raw_count, l->m->tasks[task].at);
    if (status == GCAST_OK && what->runnable >= 0)
        status = add_spans(&k, t, places);
    return status == GCAST_OK ? add_inside(&k, t, places) : status;
}

static bool is(const am_event *e, const char *type)
{
    return strcasecmp(e->type, type) == 0;
}

static gcast_status keep(lowering *l, const sys_point *points, size_t count, sys_event *e)
{
    sys_point *kept = lower_array(l, count, sizeof *kept);
    for (size_t i = 0; kept && i < count; i++)
        kept[i] = points[i];
    e->points = kept;
    e->point_count = count;
    return kept ? GCAST_OK : GCAST_RESOURCE;
}

/* An event of a task is its release, its start or its end. */
static gcast_status of_task(lowering *l, const am_event *from, sys_event *e, char *why, size_t size)
{
    size_t last = l->made[e->task].step_count - 1;
    sys_point p = {.at = SYS_AT_RELEASE, .sure = true};
    if (from->kind == AM_EVENT_PROCESS && is(from, "start")) {
        p.at = SYS_AT_START;
    } else if (from->kind == AM_EVENT_PROCESS && is(from, "terminate")) {
        p = (sys_point){SYS_AT_END, last, true};
    } else if (from->kind == AM_EVENT_PROCESS && !is(from, "activate")) {
        snprintf(why, size, "event %.200s is not of type activate, start or terminate", from->name);
        return GCAST_OK;
    }
    return keep(l, &p, 1, e);
}

/* The point of one call of a runnable, or of an access. A call without steps happens at the next step. */
static sys_point call_point(const lowering *l, const sys_event *e, const step_place *place, bool at_start)
{
    size_t count = l->made[e->task].step_count;
    if (place->inside)
        return (sys_point){SYS_AT_ANY, place->first, place->sure};
    if (place->first == place->end)
        at_start = place->first < count;
    size_t step = at_start ? place->first : place->end - 1;
    return (sys_point){at_start ? SYS_AT_START : SYS_AT_END, step, place->sure};
}

static gcast_status of_places(lowering *l, const am_event *from, const place_list *places, sys_event *e, char *why,
                              size_t size)
{
    sys_point points[MAX_POINTS];
    if (!places->count || places->count > MAX_POINTS) {
        snprintf(why, size,
                 places->count ? "event %.200s happens at more than 16 places" : "event %.200s never happens",
                 from->name);
        return GCAST_OK;
    }
    for (size_t i = 0; i < places->count; i++)
        points[i] = call_point(l, e, &places->at[i], is(from, "start"));
    return keep(l, points, places->count, e);
}

/* An event of a runnable or a label happens in steps. */
static gcast_status of_steps(lowering *l, const am_event *from, sys_event *e, char *why, size_t size)
{
    bool is_label = from->kind == AM_EVENT_LABEL;
    place_search what = {.runnable = is_label ? -1 : from->entity,
                         .label = is_label ? from->entity : -1,
                         .within = from->runnable,
                         .reads = is(from, "read"),
                         .writes = is(from, "write")};
    place_list places = {0};
    if (is_label ? !what.reads && !what.writes : !is(from, "start") && !is(from, "terminate")) {
        snprintf(why, size, "event %.200s is not of type %s", from->name,
                 is_label ? "read or write" : "start or terminate");
        return GCAST_OK;
    }
    if (is_label)
        e->data = what.writes ? SYS_WRITE : SYS_READ;
    gcast_status status = step_places_find(l, l->origin[e->task], &what, &places);
    if (status == GCAST_OK)
        status = of_places(l, from, &places, e, why, size);
    vec_free(&places);
    return status;
}

gcast_status event_points_make(lowering *l, int event, sys_event *e, char *why, size_t size)
{
    int task = event_task(l, event);
    const am_event *from = event < 0 ? NULL : &l->m->events[event];
    *e = (sys_event){.task = task < 0 ? SYS_NONE : l->tasks[task].index};
    *why = '\0';
    if (task < 0)
        snprintf(why, size, event_task_why(task), from ? from->name : "(not said)");
    else if (e->task < 0)
        snprintf(why, size, "task %.200s is left out", l->m->tasks[task].name);
    if (*why)
        return GCAST_OK;
    e->name = lower_keep(l, from->name);
    if (!e->name)
        return GCAST_RESOURCE;
    bool in_steps = from->kind == AM_EVENT_RUNNABLE || from->kind == AM_EVENT_LABEL;
    return in_steps ? of_steps(l, from, e, why, size) : of_task(l, from, e, why, size);
}
