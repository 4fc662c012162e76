/* Are two models the same, but for where tasks run and how they wait? */
#ifndef AMALTHEA_WRITE_SAME_MODEL_H
#define AMALTHEA_WRITE_SAME_MODEL_H

#include "amalthea/model.h"

/* All but allocations and how tasks wait for events. */
bool same_but_places(const am_model *a, const am_model *b);
/* The ways of waiting in the items of a task: how many are active, and how many there are. */
void count_waits(const am_item *items, size_t count, size_t *active, size_t *all);
bool same_allocation(const am_allocation *a, const am_allocation *b);

#endif
