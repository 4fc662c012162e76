/* Computes the time of items and runnables on a processor: ticks, accesses to memory, and the runnables that they call.
 */
#ifndef AMALTHEA_LOWER_STEPS_RUNNABLE_COST_H
#define AMALTHEA_LOWER_STEPS_RUNNABLE_COST_H

#include "amalthea/lower/lowering.h"

/* The task or runnable that has the items: for messages, and for its custom property that says how often loops run. */
typedef struct cost_owner {
    const char *name;
    const am_property *properties;
    size_t property_count;
} cost_owner;

/* Allocates the table of costs of runnables. */
gcast_status runnable_costs_start(lowering *l);
/* The cost of the items together, on one processor. */
gcast_status items_cost(lowering *l, size_t proc, const cost_owner *owner, const am_item *const *items, size_t count,
                        fine_cost *out);
/* The ticks for a processor of this definition, or the default; NULL: nothing is said. */
const am_value *ticks_on(const am_item *ticks, int definition);
/* Can the branch be taken? */
bool branch_counts(const am_item *branch);
/* May it happen that no branch is taken? */
bool switch_may_skip(const am_item *item);

#endif
