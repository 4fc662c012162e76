#include "amalthea/lower/steps/yield_points.h"

#include "amalthea/lower/lowering.h"

/* What has happened in a step up to a place, on any path to it, as bits. */
enum {
    HAS_RUN = 1,    /* code */
    AT_POINT = 2,   /* code, and then a point */
    IS_SPLIT = 4,   /* code, a point, and code */
    FROM_STATES = 4 /* a row may begin with any of HAS_RUN and AT_POINT */
};
#define KNOWN 8 /* in a table: the entry is filled in */

typedef struct point_walk {
    lowering *l;
    bool calls;  /* calls are points */
    char *known; /* for each runnable and state in which it may begin: the state behind it */
} point_walk;

static unsigned code(unsigned state)
{
    return (state & IS_SPLIT) | (state & AT_POINT ? IS_SPLIT : 0) | HAS_RUN;
}

static unsigned point(unsigned state)
{
    return state & HAS_RUN ? state | AT_POINT : state;
}

static unsigned behind_item(const point_walk *w, const am_item *item, unsigned state);

static unsigned behind_row(const point_walk *w, const am_item *items, size_t count, unsigned state)
{
    for (size_t i = 0; i < count; i++)
        state = behind_item(w, &items[i], state);
    return state;
}

/* Calls in circles were refused before. */
static unsigned behind_runnable(const point_walk *w, int runnable, unsigned state)
{
    char *known = &w->known[(size_t)runnable * FROM_STATES + (state & (HAS_RUN | AT_POINT))];
    if (!(*known & KNOWN)) {
        const am_runnable *r = &w->l->m->runnables[runnable];
        *known = (char)(behind_row(w, r->items, r->item_count, state & (HAS_RUN | AT_POINT)) | KNOWN);
    }
    return (unsigned)(*known & ~KNOWN) | (state & IS_SPLIT);
}

static unsigned behind_call(const point_walk *w, const am_item *item, unsigned state)
{
    unsigned before = state;
    if (item->runnable < 0)
        return state;
    for (int64_t i = 0; i < 2 && i < item->most; i++) {
        state = behind_runnable(w, item->runnable, w->calls ? point(state) : state);
        state = w->calls ? point(state) : state;
    }
    return item->least ? state : state | before;
}

/* Any branch may be taken, or none. */
static unsigned behind_switch(const point_walk *w, const am_item *item, unsigned state)
{
    unsigned any = state;
    for (size_t i = 0; i < item->item_count; i++)
        any |= behind_item(w, &item->items[i], state);
    return any;
}

static unsigned behind_item(const point_walk *w, const am_item *item, unsigned state)
{
    switch (item->kind) {
    case AM_ITEM_TICKS:
    case AM_ITEM_ACCESS:
        return code(state);
    case AM_ITEM_SCHEDULE_POINT:
        return point(state);
    case AM_ITEM_SERVER_CALL:
        return item->asynchronous ? state : behind_call(w, item, state);
    case AM_ITEM_CALL:
        return behind_call(w, item, state);
    case AM_ITEM_SWITCH:
        return behind_switch(w, item, state);
    case AM_ITEM_LOOP: /* the second time it begins behind itself */
        state = behind_row(w, item->items, item->item_count, state);
        return behind_row(w, item->items, item->item_count, state);
    case AM_ITEM_GROUP: /* without order anything may be behind anything */
        if (item->unordered && item->item_count > 1)
            state = behind_row(w, item->items, item->item_count, state);
        return behind_row(w, item->items, item->item_count, state);
    default:
        return behind_row(w, item->items, item->item_count, state);
    }
}

static unsigned behind_step(const point_walk *w, const raw_step *step, unsigned state)
{
    for (size_t i = 0; i < step->item_count; i++)
        state = behind_item(w, step->items[i], state);
    return state;
}

/* Starts a walk in which calls are points, or are not. */
static bool start(lowering *l, bool calls, point_walk *w)
{
    char **known = &l->yields[calls];
    if (!*known)
        *known = lower_scratch(l, l->m->runnable_count * FROM_STATES, sizeof **known);
    *w = (point_walk){l, calls, *known};
    return *known != NULL;
}

/* Finds steps inside of which the task may yield, though others count them as one section. */
static void find_inner(const point_walk *w, const am_task *task, raw_step *steps, size_t count, yield_doubts *doubts)
{
    bool cooperative = task->preemption == AM_PREEMPTION_COOPERATIVE, scattered = false;
    for (size_t i = 0; i < count; i++)
        scattered |= !cooperative && steps[i].scattered;
    for (size_t i = 0; i < count; i++) {
        bool inside = false;
        if (steps[i].kind == RAW_RUN && cooperative)
            inside = behind_step(w, &steps[i], 0) & IS_SPLIT;
        else if (steps[i].kind == RAW_RUN)
            inside = behind_step(w, &steps[i], HAS_RUN) & (AT_POINT | IS_SPLIT);
        steps[i].yields = inside || scattered || (!cooperative && steps[i].point);
        if (steps[i].yields && !doubts->inner)
            doubts->inner = &steps[i];
    }
}

/* Finds a step of a cooperative task before which it need not yield, though it is taken to. */
static void find_unsure(const raw_step *steps, size_t count, yield_doubts *doubts)
{
    for (size_t i = 0; i < count && !doubts->unsure; i++)
        if (steps[i].kind == RAW_RUN && !steps[i].sure)
            doubts->unsure = &steps[i];
}

/* Finds a SchedulePoint before a trigger or the end, which counts as if it came behind that. */
static void find_late(const point_walk *w, const raw_step *steps, size_t count, yield_doubts *doubts)
{
    const raw_step *at = NULL;
    bool ran = false;
    for (size_t i = 0; i < count && !doubts->late; i++) {
        if (steps[i].kind == RAW_TRIGGER)
            doubts->late = at;
        if (steps[i].kind == RAW_RUN) {
            at = behind_step(w, &steps[i], ran ? HAS_RUN : 0) & AT_POINT ? &steps[i] : NULL;
            ran = true;
        } else if (steps[i].kind == RAW_WAIT) {
            at = NULL;
        }
        if (steps[i].point || steps[i].scattered)
            at = &steps[i];
    }
    if (!doubts->late)
        doubts->late = at;
}

gcast_status yield_points_find(lowering *l, const am_task *task, raw_step *steps, size_t count, yield_doubts *doubts)
{
    point_walk all_points, schedule_points;
    bool cooperative = task->preemption == AM_PREEMPTION_COOPERATIVE;
    *doubts = (yield_doubts){0};
    if (task->preemption == AM_PREEMPTION_PREEMPTIVE)
        return GCAST_OK;
    if (!start(l, cooperative, &all_points) || !start(l, false, &schedule_points))
        return GCAST_RESOURCE;
    find_inner(&all_points, task, steps, count, doubts);
    if (cooperative)
        find_unsure(steps, count, doubts);
    find_late(&schedule_points, steps, count, doubts);
    return GCAST_OK;
}

static bool shares_core(const lowering *l, size_t task)
{
    int index = l->tasks[task].index;
    if (index < 0 || (!l->given->searched && l->places[index].core == SYS_GPU))
        return false;
    for (size_t i = 0; i < l->s->task_count; i++)
        if ((int)i != index && (l->given->searched || l->places[i].core == l->places[index].core))
            return true;
    return false;
}

static gcast_status tell_inner(lowering *l, size_t task)
{
    const raw_step *step = l->tasks[task].yields.inner;
    const am_item *item = step->item_count ? step->items[0] : NULL;
    const am_task *t = &l->m->tasks[task];
    am_place at = item ? item->at : t->at;
    if (t->preemption == AM_PREEMPTION_NONE)
        return finding_of_task(l, at, task, SYS_APPROXIMATED,
                               "Task %s: the points of scheduling at which others can run before it are not used.",
                               t->name);
    if (step->item_count == 1 && item->kind == AM_ITEM_CALL && item->most > 1)
        return finding_of_task(l, at, task, SYS_APPROXIMATED,
                               "Task %s: others can run before it only after the last of up to %lld calls of %s.",
                               t->name, (long long)item->most, step->name);
    return finding_of_task(
        l, at, task, SYS_APPROXIMATED,
        "Task %s: the calls or points of scheduling inside of %s at which others may run before it are not used.",
        t->name, step->name);
}

static gcast_status tell_task(lowering *l, size_t task)
{
    const yield_doubts *d = &l->tasks[task].yields;
    const am_task *t = &l->m->tasks[task];
    gcast_status status = d->inner ? tell_inner(l, task) : GCAST_OK;
    if (d->unsure && status == GCAST_OK)
        status = finding_of_task(l, d->unsure->items[0]->at, task, SYS_CONDITION | SYS_APPROXIMATED,
                                 "Task %s: others are assumed to run before it also in %s, after a trigger, a wait or "
                                 "a call in it. The model does not say whether they can.",
                                 t->name, d->unsure->of < 0 ? t->name : l->m->runnables[d->unsure->of].name);
    if (d->late && status == GCAST_OK)
        status = finding_of_task(l, t->at, task, SYS_CONDITION | SYS_APPROXIMATED,
                                 "Task %s: its point of scheduling behind %s is directly before a trigger or the end "
                                 "of the task: that is taken to come first.",
                                 t->name, d->late->name);
    return status;
}

gcast_status yield_points_tell(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++)
        status = shares_core(l, i) ? tell_task(l, i) : GCAST_OK;
    return status;
}
