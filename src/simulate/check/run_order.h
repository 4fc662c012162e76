/* The operations of a run in the orders in which it is checked. */
#ifndef SIMULATE_CHECK_RUN_ORDER_H
#define SIMULATE_CHECK_RUN_ORDER_H

#include "gridcast/run.h"

#define CHECK_NEVER (INT64_MAX / 2) /* the time of what never happens in a run that hangs */

typedef struct check_orders {
    uint32_t *launch;    /* all that the host called, by launch number */
    size_t launch_count; /* of launch[] */
    uint32_t *entry;     /* all that ran on the GPU, with children and rests, by entry number */
    size_t entry_count;  /* of entry[] */
    uint32_t *before;    /* where kernels are programmatic, by operation: the one called before it in its stream, of a
                          * launch of a graph the first node; UINT32_MAX; else NULL */
    const struct graph_facts *graphs; /* what is known of launches of graphs */
} check_orders;

/* When an operation is complete; CHECK_NEVER. */
static inline int64_t check_end_ns(const gcast_run *run, const gcast_run_op *r)
{
    return r->end_ns < 0 && run->hang ? CHECK_NEVER : r->end_ns;
}

/* Fails where numbers are missing or there twice. */
gcast_status check_orders_init(const gcast_run *run, check_orders *o, gcast_error *err);
void check_orders_free(check_orders *o);

#endif
