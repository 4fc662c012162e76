/* The operations of a run in the orders in which it is checked. */
#ifndef SIMULATE_CHECK_RUN_ORDER_H
#define SIMULATE_CHECK_RUN_ORDER_H

#include "gridcast/run.h"

typedef struct check_orders {
    uint32_t *launch;    /* all that the host called, by launch number */
    size_t launch_count; /* of launch[] */
    uint32_t *entry;     /* all that ran on the GPU, with children and rests, by entry number */
    size_t entry_count;  /* of entry[] */
    uint32_t *before;    /* where kernels are programmatic, by operation: the one called before it in its stream;
                          * UINT32_MAX; else NULL */
} check_orders;

/* Fails where numbers are missing or there twice. */
gcast_status check_orders_init(const gcast_run *run, check_orders *o, gcast_error *err);
void check_orders_free(check_orders *o);

#endif
