/* The ops that may be called in another order, and one order of them after the other. */
#ifndef ANALYZE_ADVICE_ORDER_H
#define ANALYZE_ADVICE_ORDER_H

#include "analyze/time_limit.h"
#include "base/arena.h"
#include "gridcast/advice.h"
#include "gridcast/simulate.h"

typedef __int128 order_work; /* amount of a resource x time */

typedef struct order_set {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    gcast_order_options options;
    gcast_workload *copy; /* that is simulated */
    arena *memory;
    size_t *places; /* in ops[], by release and then by index: where the ops of an order go */
    size_t count;
    /* All that there is are kernels, each of its own stream and level alike, called at one time: they
     * start in that order, and a later one never changes when an earlier one starts or ends. */
    bool fifo;
    time_limit limit;
    /* results */
    size_t *best, *worst;
    int64_t given_value, best_value, worst_value;
    uint64_t runs;
    const char *stopped; /* NULL: goes on */
    gcast_status status;
    gcast_error *err;
} order_set;

/* advice/order_set.c. False without memory. */
bool order_collect(order_set *s);
/* Must a be called before b, where it is in the workload? */
bool order_depends(const order_set *s, size_t a, size_t b);
/* Could b not be told from a, but by its name? */
bool order_twins(const order_set *s, size_t a, size_t b);
bool order_same_time(const order_set *s, size_t place, size_t other);
/* Simulate an order, keep it if it is better or worse than all before. False: stop. *run may be
 * NULL, else it is to be freed. */
bool order_try(order_set *s, const size_t *order, gcast_run **run, int64_t *value);
/* False, and says why in s->stopped, where time is over or it is to stop. */
bool order_goes_on(order_set *s);

/* advice/order_bound.c: no order has a smaller value; of those that begin with the first k of `order`,
 * which `run` is of, where the set is fifo. */
int64_t order_bound(const order_set *s);
int64_t order_bound_after(const order_set *s, const gcast_run *run, const size_t *order, size_t k);

/* advice/order_search.c. */
/* All orders; true where none was left out. */
bool order_try_all(order_set *s, size_t *order);
/* All that may be better than the best; true where none was left out. */
bool order_branch(order_set *s, size_t *order);
/* From `order` on, move one op as long as that makes the value smaller, or larger. */
void order_climb(order_set *s, size_t *order, bool up, uint64_t max_runs);

#endif
