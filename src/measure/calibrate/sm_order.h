/* Do the blocks of every launch go to SMs in the same order? */
#ifndef MEASURE_CALIBRATE_SM_ORDER_H
#define MEASURE_CALIBRATE_SM_ORDER_H

#include <stddef.h>

typedef struct order_summary {
    size_t launches;      /* how many there were */
    size_t distinct;      /* how many different orders */
    size_t most_frequent; /* the first launch with the most frequent order */
    int same_places;      /* blocks that went to the same SM in all launches */
} order_summary;

/* `orders` has `launches` orders of `sms` SMs each. */
order_summary orders_summarize(const int *orders, size_t launches, int sms);

#endif
