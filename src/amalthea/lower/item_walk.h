/* Visits the items of tasks, through groups, switches and the runnables that are called. */
#ifndef AMALTHEA_LOWER_ITEM_WALK_H
#define AMALTHEA_LOWER_ITEM_WALK_H

#include "amalthea/lower/state.h"

#define LOWER_DEPTH 200 /* items in items, and runnables in runnables */

/* Called for every item; `runnable` is the one that it is in, or -1. */
typedef gcast_status (*item_visitor)(lowering *l, const am_item *item, int runnable, void *data);

/* Each runnable is visited once, however often it is called. */
gcast_status walk_task(lowering *l, int task, item_visitor visit, void *data);
/* The same for the items behind pointers, such as those of a raw step. */
gcast_status walk_pointers(lowering *l, const am_item *const *items, size_t count, item_visitor visit, void *data);

#endif
