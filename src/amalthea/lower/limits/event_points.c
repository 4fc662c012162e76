#include "amalthea/lower/limits/event_points.h"

#include <stdio.h>
#include <strings.h>

#include "amalthea/lower/findings.h"
#include "amalthea/lower/limits/event_tasks.h"
#include "amalthea/lower/limits/step_places.h"

#define MAX_POINTS 16 /* of one event in a job */

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

/* Of a task: its release, its start or its end. */
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

/* One call of a runnable. What has no steps happens with the next one. */
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

/* Of a runnable or a label. */
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
