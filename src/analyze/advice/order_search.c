#include "analyze/advice/order_search.h"

#include <string.h>

#include "analyze/advice/order_bound.h"

#define CLOCK_MOVES 16 /* moves between two readings of the clock: each takes as long as its op moves far */

/* Takes the op at `source` out of the order, and puts it in at `target`. */
static void move(size_t *order, size_t source, size_t target)
{
    size_t op = order[source];
    if (source < target)
        memmove(order + source, order + source + 1, (target - source) * sizeof *order);
    else
        memmove(order + target + 1, order + target, (source - target) * sizeof *order);
    order[target] = op;
}

/* May the op at `candidate` be called right after the first `prefix` ops, before all others? */
static bool may_be_next(const order_set *s, const size_t *order, size_t prefix, size_t candidate)
{
    for (size_t i = prefix; i < candidate; i++)
        if (order_depends(s, order[i], order[candidate]))
            return false;
    return true;
}

/* All orders that begin with the first `prefix` ops. */
static void try_after(order_set *s, size_t *order, size_t prefix)
{
    int64_t value;
    if (prefix == s->count) {
        order_simulate(s, order, NULL, &value);
        return;
    }
    for (size_t j = prefix; j < s->count && order_same_time(s, prefix, j) && !s->why_stopped; j++) {
        if (!may_be_next(s, order, prefix, j))
            continue;
        move(order, j, prefix);
        try_after(s, order, prefix + 1);
        move(order, prefix, j);
    }
}

bool order_try_all(order_set *s, size_t *order)
{
    try_after(s, order, 0);
    return !s->why_stopped;
}

/* Was an op tried after this prefix that differs from the candidate in nothing but its name? */
static bool was_tried(const order_set *s, const size_t *order, size_t prefix, size_t candidate)
{
    for (size_t i = prefix; i < candidate; i++)
        if (order_interchangeable(s, order[i], order[candidate]))
            return true;
    return false;
}

/* Tries every op as the next one after the first `prefix` ops, the others in their order: that gives a run, and a bound
 * of all orders that begin so. `given` is the run of `order`, and no order has a value below `bound`. */
static void branch_after(order_set *s, size_t *order, size_t prefix, const gcast_run *given, int64_t bound)
{
    for (size_t j = prefix; j < s->count && s->count - prefix > 1 && !s->why_stopped && s->best_value > bound; j++) {
        gcast_run *moved = NULL;
        int64_t value;
        if (was_tried(s, order, prefix, j))
            continue;
        move(order, j, prefix);
        if (j == prefix || order_simulate(s, order, &moved, &value)) {
            const gcast_run *run = moved ? moved : given;
            if (order_bound_after(s, run, order, prefix + 1) < s->best_value)
                branch_after(s, order, prefix + 1, run, bound);
        }
        gcast_run_free(moved);
        move(order, prefix, j);
    }
}

bool order_branch(order_set *s, size_t *order)
{
    gcast_run *run;
    int64_t value;
    if (!order_simulate(s, order, &run, &value))
        return false;
    branch_after(s, order, 0, run, order_bound(s));
    gcast_run_free(run);
    return !s->why_stopped;
}

/* May the op be at `target` that was moved there from `source`? All others are in the order they had. */
static bool may_be_moved(const order_set *s, const size_t *order, size_t source, size_t target)
{
    for (size_t i = source; i < target; i++)
        if (order_depends(s, order[target], order[i]))
            return false;
    for (size_t i = target + 1; i <= source; i++)
        if (order_depends(s, order[i], order[target]))
            return false;
    return true;
}

/* Makes the first move that helps; false where none does. */
static bool climb_once(order_set *s, size_t *order, bool maximize, uint64_t max_runs, int64_t *value)
{
    uint64_t moves = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->count; j++) {
            int64_t moved_value;
            if (i == j || i == j + 1 || !order_same_time(s, i, j)) /* a move by one place is made once */
                continue;
            move(order, i, j);
            if (may_be_moved(s, order, i, j)) {
                if (s->runs >= max_runs || !order_simulate(s, order, NULL, &moved_value))
                    return false;
                if (maximize ? moved_value > *value : moved_value < *value) {
                    *value = moved_value;
                    return true;
                }
            }
            move(order, j, i);
            if (++moves % CLOCK_MOVES == 0 && !order_may_continue(s))
                return false;
        }
    return false;
}

void order_climb(order_set *s, size_t *order, bool maximize, uint64_t max_runs)
{
    int64_t value;
    if (!order_simulate(s, order, NULL, &value))
        return;
    while (climb_once(s, order, maximize, max_runs, &value))
        ;
}
