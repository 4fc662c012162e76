/* Ways through the orders of a set. */
#ifndef ANALYZE_ADVICE_ORDER_SEARCH_H
#define ANALYZE_ADVICE_ORDER_SEARCH_H

#include "analyze/advice/order_set.h"

/* Tries all orders; true where none was left out. */
bool order_try_all(order_set *s, size_t *order);
/* Tries all orders that may be better than the best one; true where none was left out. */
bool order_branch(order_set *s, size_t *order);
/* From `order` on, moves one op at a time as long as that makes the value smaller or, with `maximize`, larger. */
void order_climb(order_set *s, size_t *order, bool maximize, uint64_t max_runs);

#endif
