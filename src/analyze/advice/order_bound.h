/* What no order can beat. */
#ifndef ANALYZE_ADVICE_ORDER_BOUND_H
#define ANALYZE_ADVICE_ORDER_BOUND_H

#include "analyze/advice/order_set.h"

/* No order has a smaller value. */
int64_t order_bound(const order_set *s);
/* No order that begins with the first `prefix` ops of `order` has a smaller value. `run` is the run of `order`, and the
 * set is FIFO. */
int64_t order_bound_after(const order_set *s, const gcast_run *run, const size_t *order, size_t prefix);

#endif
