/* Which SM takes the blocks of one launch after another: is there one order? */
#ifndef MEASURE_CALIBRATE_SM_ORDER_H
#define MEASURE_CALIBRATE_SM_ORDER_H

#include <stddef.h>

typedef struct order_summary {
    size_t launches, distinct;
    size_t usual;    /* the launch whose order is the most frequent, the earliest of such */
    int same_places; /* blocks that went to the same SM every time */
} order_summary;

/* `orders` has `launches` orders of `sms` SMs each. */
order_summary orders_summarize(const int *orders, size_t launches, int sms);

#endif
