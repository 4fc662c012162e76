/* Through the orders: all of them, those that may be better than the best so far, or downhill. */
#include <string.h>

#include "analyze/advice/order.h"

#define LOOK_AT_CLOCK 16 /* moves that are not allowed, each as long as the way of its op */

/* Take the op at `from` out and put it in at `to`. */
static void move(size_t *order, size_t from, size_t to)
{
    size_t op = order[from];
    if (from < to)
        memmove(order + from, order + from + 1, (to - from) * sizeof *order);
    else
        memmove(order + to + 1, order + to, (from - to) * sizeof *order);
    order[to] = op;
}

/* May the op at j be called at k, before all from there on that it does not depend on? */
static bool may_be_next(const order_set *s, const size_t *order, size_t k, size_t j)
{
    for (size_t i = k; i < j; i++)
        if (order_depends(s, order[i], order[j]))
            return false;
    return true;
}

static void all_from(order_set *s, size_t *order, size_t k)
{
    int64_t value;
    if (k == s->count) {
        order_try(s, order, NULL, &value);
        return;
    }
    for (size_t j = k; j < s->count && order_same_time(s, k, j) && !s->stopped; j++) {
        if (!may_be_next(s, order, k, j))
            continue;
        move(order, j, k);
        all_from(s, order, k + 1);
        move(order, k, j);
    }
}

bool order_try_all(order_set *s, size_t *order)
{
    all_from(s, order, 0);
    return !s->stopped;
}

static bool has_twin(const order_set *s, const size_t *order, size_t k, size_t j)
{
    for (size_t i = k; i < j; i++)
        if (order_twins(s, order[i], order[j]))
            return true;
    return false;
}

/* Each next op in turn, the rest as it is: that gives an order, and the bound of all that begin so.
 * `same` is the run of the order as it comes in. */
static void branch_from(order_set *s, size_t *order, size_t k, const gcast_run *same, int64_t least)
{
    for (size_t j = k; j < s->count && s->count - k > 1 && !s->stopped && s->best_value > least; j++) {
        gcast_run *other = NULL;
        int64_t value;
        if (has_twin(s, order, k, j))
            continue;
        move(order, j, k);
        if (j == k || order_try(s, order, &other, &value)) {
            const gcast_run *run = other ? other : same;
            if (order_bound_after(s, run, order, k + 1) < s->best_value)
                branch_from(s, order, k + 1, run, least);
        }
        gcast_run_free(other);
        move(order, k, j);
    }
}

bool order_branch(order_set *s, size_t *order)
{
    gcast_run *run;
    int64_t value;
    if (!order_try(s, order, &run, &value))
        return false;
    branch_from(s, order, 0, run, order_bound(s));
    gcast_run_free(run);
    return !s->stopped;
}

/* May the op that went from one place to another be there? The others are as they were. */
static bool allowed(const order_set *s, const size_t *order, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (order_depends(s, order[to], order[i]))
            return false;
    for (size_t i = to + 1; i <= from; i++)
        if (order_depends(s, order[i], order[to]))
            return false;
    return true;
}

/* The first move that helps; false where none does. */
static bool step(order_set *s, size_t *order, bool up, uint64_t max_runs, int64_t *value)
{
    uint64_t looked = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->count; j++) {
            int64_t now;
            if (i == j || i == j + 1 || !order_same_time(s, i, j)) /* a move by one place is made once */
                continue;
            move(order, i, j);
            if (allowed(s, order, i, j)) {
                if (s->runs >= max_runs || !order_try(s, order, NULL, &now))
                    return false;
                if (up ? now > *value : now < *value) {
                    *value = now;
                    return true;
                }
            }
            move(order, j, i);
            if (++looked % LOOK_AT_CLOCK == 0 && !order_goes_on(s))
                return false;
        }
    return false;
}

void order_climb(order_set *s, size_t *order, bool up, uint64_t max_runs)
{
    int64_t value;
    if (!order_try(s, order, NULL, &value))
        return;
    while (step(s, order, up, max_runs, &value))
        ;
}
