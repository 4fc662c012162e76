/* What accesses to labels take. */
#ifndef AMALTHEA_LOWER_TIME_MEMORY_COST_H
#define AMALTHEA_LOWER_TIME_MEMORY_COST_H

#include "amalthea/lower/state.h"

/* Bytes of a label; -1: not said. */
int64_t label_bytes(const am_label *label);
/* Lines of memory of so many bytes. */
int64_t memory_lines(const lowering *l, int64_t bytes);
/* Does anything say how long this processor takes for the label? */
bool access_is_known(const lowering *l, size_t proc, int label, bool write);
/* An access to a label by a processor; `by` is who does it. */
gcast_status access_cost(lowering *l, size_t proc, const am_item *access, const char *by, fine_cost *out);

#endif
