/* Events of one task that follow each other in a chain: does the second come later in the same job? */
#ifndef AMALTHEA_LOWER_LIMITS_EVENT_ORDER_H
#define AMALTHEA_LOWER_LIMITS_EVENT_ORDER_H

#include "amalthea/lower/state.h"

typedef enum {
    ORDER_LATER, /* it does, or at the same time */
    ORDER_NOT_SURE /* it may come before */,
    ORDER_EARLIER /* it surely comes before: the chain goes on in another job */
} event_order;

/* Both are events of the same task of the model. */
gcast_status event_order_find(lowering *l, int event, int next, event_order *order);
/* Is it where chains begin to count, the release of a job or its reading, or where they end? */
bool event_begins(const lowering *l, int event);
bool event_ends(const lowering *l, int event);

#endif
