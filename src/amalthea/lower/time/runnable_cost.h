/* What items and runnables take on a processor: ticks, accesses to memory, and the runnables that they call. */
#ifndef AMALTHEA_LOWER_TIME_RUNNABLE_COST_H
#define AMALTHEA_LOWER_TIME_RUNNABLE_COST_H

#include "amalthea/lower/state.h"

/* Who does something: for messages, and for the custom property that says how often loops run. */
typedef struct cost_owner {
    const char *name;
    const am_property *properties;
    size_t property_count;
} cost_owner;

/* Makes room for what is known of runnables. */
gcast_status runnable_costs_start(lowering *l);
/* The items together, on one processor. */
gcast_status items_cost(lowering *l, size_t proc, const cost_owner *owner, const am_item *const *items, size_t count,
                        fine_cost *out);
/* The value of the ticks for a processor: of its definition, or the default; NULL: nothing is said. */
const am_value *ticks_on(const am_item *ticks, int definition);
/* A branch that can be taken. */
bool branch_counts(const am_item *branch);
/* May none of the branches be taken? */
bool switch_may_skip(const am_item *item);

#endif
