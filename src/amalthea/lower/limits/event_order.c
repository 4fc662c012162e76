/* Places in a job are numbers: its release, its start, then the start and the end of each step. */
#include "amalthea/lower/limits/event_order.h"

#include <strings.h>

#include "amalthea/lower/limits/event_points.h"
#include "base/minmax.h"

#define AT_RELEASE 0
#define AT_START 1

typedef struct job_places {
    size_t first, last; /* it may happen at any from the first to the last */
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

/* Accesses may be at the start or at the end of the job: that is for the communication to say. */
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
    else if (*why) /* of another type */
        *p = (job_places){AT_RELEASE, end};
    else
        *p = of_points(&e, end);
    return GCAST_OK;
}

gcast_status event_order_find(lowering *l, int event, int next, event_order *order)
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

bool event_begins(const lowering *l, int event)
{
    const am_event *e = &l->m->events[event];
    return e->kind == AM_EVENT_STIMULUS || is(e, AM_EVENT_PROCESS, "activate") || is(e, AM_EVENT_PROCESS, "start") ||
           is(e, AM_EVENT_LABEL, "read");
}

bool event_ends(const lowering *l, int event)
{
    const am_event *e = &l->m->events[event];
    return is(e, AM_EVENT_PROCESS, "terminate") || is(e, AM_EVENT_LABEL, "write");
}
