/* Which scheduler has a task that goes to another core: for the search of mappings, and for what is written of them. */
#ifndef AMALTHEA_SCHEDULER_CHOICE_H
#define AMALTHEA_SCHEDULER_CHOICE_H

#include "amalthea/model.h"

/* How a scheduler orders its tasks. */
typedef enum { BY_PRIORITY, BY_PERIOD, BY_DEADLINE, BY_OTHER } scheduler_order;

/* A scheduler without an algorithm is taken to go by priorities. */
scheduler_order scheduler_order_of(const am_scheduler *s);
bool scheduler_has(const am_scheduler *s, int unit);
/* The task's own scheduler (in schedulers[], or -1) where it is responsible for the unit; else the first that is and
 * goes by the same order, below no other; -1: there is none. On a GPU any will do. */
int scheduler_for(const am_model *m, int own, int unit, bool interrupts, bool gpu);

#endif
