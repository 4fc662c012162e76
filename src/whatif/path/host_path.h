/* Why a host made a call when it did: its call before that, and what that one waited for. */
#ifndef WHATIF_PATH_HOST_PATH_H
#define WHATIF_PATH_HOST_PATH_H

#include "gridcast/run.h"

/* When something happened to an operation. */
typedef struct timed_op {
    int64_t time_ns;
    size_t run_op;
} timed_op;

typedef struct host_order {
    size_t *before; /* by operation: the call that its host made before it; SIZE_MAX: none */
    timed_op *ends; /* of operations of the GPU, by time */
    size_t end_count;
    timed_op *barriers; /* calls of them, by time */
    size_t barrier_count;
} host_order;

/* What something waited for. */
typedef struct host_cause {
    size_t run_op;   /* SIZE_MAX: nothing but the time that the workload says */
    int64_t time_ns; /* when it was over */
    bool at_call;    /* what was waited for is its call, and not its end */
} host_cause;

/* False without memory. */
bool host_order_init(host_order *h, const gcast_run *run);
void host_order_free(host_order *h);

/* Which return of a call was the operation's release waiting for? */
host_cause host_cause_of_release(const host_order *h, const gcast_run *run, size_t run_op);
/* What did a call that did not return at once wait for? */
host_cause host_cause_of_return(const host_order *h, const gcast_run *run, size_t run_op);

#endif
