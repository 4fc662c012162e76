/* Finds the time of accesses to labels: as given beside the model, or by the model's latencies and data rates. */
#ifndef AMALTHEA_LOWER_STEPS_MEMORY_COST_H
#define AMALTHEA_LOWER_STEPS_MEMORY_COST_H

#include "amalthea/lower/lowering.h"

/* Bytes of a label; -1: not said. */
int64_t label_bytes(const am_label *label);

/* Is it known how long this processor takes for the label? */
bool access_is_known(const lowering *l, size_t proc, int label, bool write);
/* The cost of an access to a label by a processor; `by` is the name of the code that does it. */
gcast_status access_cost(lowering *l, size_t proc, const am_item *access, const char *by, fine_cost *out);

#endif
