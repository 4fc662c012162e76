/* Finds where events happen: in which task, at which points of its jobs, and in which steps a runnable is called or a
 * label is accessed. */
#ifndef AMALTHEA_LOWER_EVENT_POINTS_H
#define AMALTHEA_LOWER_EVENT_POINTS_H

#include "amalthea/lower/lowering.h"

/* Makes an event of the system of one of the model; where it cannot be placed, `why` has the reason, else it is "". */
gcast_status event_points_make(lowering *l, int event, sys_event *e, char *why, size_t size);

#define EVENT_NO_TASK (-1)   /* it happens in no task */
#define EVENT_AMBIGUOUS (-2) /* it may happen in several tasks */
#define EVENT_UNKNOWN (-3)   /* it is not understood */

/* Finds the tasks that call runnables, access labels and have stimuli; called before event_task. */
gcast_status event_tasks_start(lowering *l);
/* The task of the model in which an event happens, or one of the above. */
int event_task(const lowering *l, int event);
/* A format that says, with the event's name, why it has no task. */
const char *event_task_why(int task);

/* What is looked for in the steps of a task. */
typedef struct place_search {
    int runnable;       /* calls of this runnable; -1: accesses are looked for */
    int label;          /* accesses to this label; -1: calls are looked for */
    bool reads, writes; /* which accesses */
    int within;         /* only accesses that this runnable does itself; -1: any */
} place_search;

typedef struct step_place {
    size_t first, end; /* steps of the task in the system: from first to before end; equal: none, it does nothing */
    bool inside;       /* it is a part of this one step */
    bool sure;         /* it happens in every job */
} step_place;

typedef VEC(step_place) place_list;

/* Are some of the task's steps, from first to before end, in a group without order? */
bool steps_loose(const lowering *l, int task, size_t first, size_t end);
/* Adds the places in a task of the model, in order. */
gcast_status step_places_find(lowering *l, int task, const place_search *what, place_list *places);

#endif
