/* Where in the steps of a task a runnable is called, or a label is accessed. */
#ifndef AMALTHEA_LOWER_LIMITS_STEP_PLACES_H
#define AMALTHEA_LOWER_LIMITS_STEP_PLACES_H

#include "amalthea/lower/state.h"

/* What is looked for. */
typedef struct place_search {
    int runnable;       /* calls of it; -1 */
    int label;          /* or accesses to it */
    bool reads, writes; /* such ones */
    int within;         /* only accesses that this runnable does itself; -1: any */
} place_search;

typedef struct step_place {
    size_t first, end; /* steps of the task in the system: from first, before end; equal: it does nothing */
    bool inside;       /* it is a part of this one step */
    bool sure;         /* it happens in every job */
} step_place;

typedef VEC(step_place) place_list;

/* Are some of its steps in a group without order? From first, before end. */
bool steps_loose(const lowering *l, int task, size_t first, size_t end);
/* Adds those of a task of the model, in order. */
gcast_status step_places_find(lowering *l, int task, const place_search *what, place_list *places);

#endif
