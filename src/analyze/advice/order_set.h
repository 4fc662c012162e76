/* The ops that may be called in another order, and what their orders give. */
#ifndef ANALYZE_ADVICE_ORDER_SET_H
#define ANALYZE_ADVICE_ORDER_SET_H

#include "analyze/time_limit.h"
#include "base/arena.h"
#include "gridcast/advice.h"
#include "gridcast/simulate.h"

typedef struct order_set {
    const gcast_workload *w;     /* as it was given */
    const gcast_gpu *gpu;        /* NULL: the GPU of the workload */
    gcast_order_options options; /* as the caller gave them, or the defaults */
    gcast_workload *copy;        /* the workload that is simulated, in one order after the other */
    arena *memory;               /* of all arrays here */
    size_t *places;              /* indices in w->ops, by release and then by index: where the ops of an order go */
    size_t count;                /* of `places` */
    bool is_fifo;            /* the workload is only kernels, each in a stream of its own, of one priority and called
                              * at one time: they start in that order, and a later one never changes when an earlier
                              * one starts or ends */
    time_limit limit;        /* of the whole search */
    size_t *best;            /* the order with the smallest value so far */
    size_t *worst;           /* the order with the largest value so far */
    int64_t given_value;     /* of the order of the workload */
    int64_t best_value;      /* of `best` */
    int64_t worst_value;     /* of `worst` */
    uint64_t runs;           /* simulations so far */
    const char *why_stopped; /* NULL: the search goes on */
    gcast_status status;     /* of the simulations */
    gcast_error *err;        /* the caller's */
} order_set;

/* Finds the ops of the set. False without memory. */
bool order_collect(order_set *s);
/* Must op a be called before op b, as in the workload? */
bool order_depends(const order_set *s, size_t a, size_t b);
/* Do ops a and b differ in nothing but their names? */
bool order_interchangeable(const order_set *s, size_t a, size_t b);
/* Are the ops of two places released at one time? */
bool order_same_time(const order_set *s, size_t place, size_t other);
/* Simulates an order, and keeps it if it is better or worse than all before. False: stop. `run` may be NULL, else *run
 * is to be freed. */
bool order_simulate(order_set *s, const size_t *order, gcast_run **run, int64_t *value);
/* False, with s->why_stopped, where the search may not go on. */
bool order_may_continue(order_set *s);

#endif
