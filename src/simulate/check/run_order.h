/* The operations of a run in the orders in which they are checked, and the error of a broken invariant. */
#ifndef SIMULATE_CHECK_RUN_ORDER_H
#define SIMULATE_CHECK_RUN_ORDER_H

#include "gridcast/run.h"

/* The error of a broken invariant: its name in docs/model.md, the operation, and the problem. */
gcast_status check_broken(const gcast_run *run, size_t run_op, const char *name, const char *problem, gcast_error *err);

#define CHECK_NEVER (INT64_MAX / 2) /* the time of events that never happen, in a run that hangs */

typedef struct check_orders {
    uint32_t *launch;    /* all operations that hosts called, by launch number */
    size_t launch_count; /* of launch[] */
    uint32_t *entry;     /* all operations that ran on the GPU, with children and rests, by entry number */
    size_t entry_count;  /* of entry[] */
    uint32_t *before;    /* where kernels are programmatic, by operation: the one called before it in its stream, of a
                          * graph's launch the first node; UINT32_MAX: none. Else NULL */
    const struct graph_facts *graphs; /* launches of graphs */
} check_orders;

/* When an operation is complete; CHECK_NEVER. */
static inline int64_t check_end_ns(const gcast_run *run, const gcast_run_op *r)
{
    return r->end_ns < 0 && run->hang ? CHECK_NEVER : r->end_ns;
}

/* Fails where numbers are missing or occur twice. */
gcast_status check_orders_init(const gcast_run *run, check_orders *o, gcast_error *err);
void check_orders_free(check_orders *o);

/* When the child c is complete: some time after its end. A rest is complete at its end. */
static inline int64_t child_complete_ns(const gcast_run *run, size_t c)
{
    return run->ops[run->op_count + c].end_ns + (run->children[c].is_rest ? 0 : run->gpu->child_end_ns);
}

#endif
