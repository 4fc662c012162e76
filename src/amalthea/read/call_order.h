/* Elements of which some need others of the same kind: an order in which all come after those that they need. */
#ifndef AMALTHEA_READ_CALL_ORDER_H
#define AMALTHEA_READ_CALL_ORDER_H

#include "amalthea/read/reader.h"

#define MAX_EXPANDED ((size_t)1000000) /* items of a task, with those of all calls; parts of a chain */
#define MAX_NESTED ((size_t)200)       /* calls in calls, chains in chains */

/* `order` has `count` places. Where they need each other in a circle: an error at one of them, "... in a circle". */
bool need_order(am_reader *r, const am_need *needs, size_t need_count, size_t count, const char *what, size_t *order);

/* Runnables must not call themselves in a circle, and calls not multiply beyond all measure. */
bool check_calls(am_reader *r);

#endif
