/* The best and the worst order of calls: of small sets by all orders; of larger ones by moves that help and, where a
 * bound of prefixes holds, by branch and bound. The result is the same on every machine unless time runs out first. */
#include <stdlib.h>
#include <string.h>

#include "analyze/advice/order_bound.h"
#include "analyze/advice/order_search.h"
#include "analyze/advice/order_set.h"
#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "model/workload/attributes/attributes.h"
#include "model/workload/dependencies/dependencies.h"

#define MAX_RUNS 200000   /* where the options say 0 */
#define MAX_SEARCHED 1000 /* ops: of more, single moves are all that is tried */

static const char *const goal_names[] = {
#define X(id, name, text) name,
    GCAST_GOAL_TABLE(X)
#undef X
};

const char *gcast_goal_name(gcast_goal goal)
{
    return (unsigned)goal < GCAST_GOALS ? goal_names[goal] : "?";
}

bool gcast_goal_find(const char *name, gcast_goal *goal)
{
    if (!name || !goal)
        return false;
    for (int i = 0; i < GCAST_GOALS; i++)
        if (strcmp(goal_names[i], name) == 0) {
            *goal = (gcast_goal)i;
            return true;
        }
    return false;
}

typedef struct owned_orders {
    gcast_orders o; /* first, so that a gcast_orders is its handle */
    arena memory;
} owned_orders;

static void search(order_set *s, size_t *order, gcast_orders *o)
{
    size_t bytes = s->count * sizeof *order;
    uint64_t max_runs = s->options.max_runs;
    if (s->count <= s->options.exhaustive_ops && s->count <= MAX_SEARCHED) {
        s->options.max_runs = 0;
        o->best_proven = o->worst_proven = order_try_all(s, order);
        return;
    }
    order_climb(s, order, false, max_runs / 4);
    memcpy(order, s->places, bytes);
    order_climb(s, order, true, max_runs / 2);
    if (s->why_stopped || s->count > MAX_SEARCHED)
        return;
    memcpy(order, s->best, bytes);
    if (s->is_fifo)
        o->best_proven = order_branch(s, order);
    else
        o->best_proven = o->worst_proven = order_try_all(s, order);
}

static void fill(const order_set *s, gcast_orders *o)
{
    o->goal = s->options.goal;
    o->count = s->count;
    o->given = s->places;
    o->best = s->best;
    o->worst = s->worst;
    o->given_value = s->given_value;
    o->best_value = s->best_value;
    o->worst_value = s->worst_value;
    o->runs = s->runs;
    o->stopped = s->why_stopped;
    if (!s->why_stopped && !o->best_proven && s->count > MAX_SEARCHED)
        o->stopped = "there are too many operations to try more";
    if (!s->runs)
        return;
    int64_t bound = order_bound(s);
    o->best_proven = o->best_proven || bound >= o->best_value;
    o->bound = o->best_proven ? o->best_value : bound;
}

gcast_status gcast_workload_find_orders(const gcast_workload *w, const gcast_gpu *gpu, const gcast_order_options *given,
                                        gcast_orders **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!w || !out)
        return argument_missing(err);
    gcast_order_options own = gcast_order_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_order_options", err);
    if (status != GCAST_OK)
        return status;
    if ((unsigned)own.goal >= GCAST_GOALS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no goal number %d", (int)own.goal);
    status = attributes_refuse_special(w, "orders are searched only of kernels that the GPU schedules alone", err);
    if (status == GCAST_OK)
        status = dependencies_refuse(w, "orders are searched only of ops without dependencies", err);
    if (status != GCAST_OK)
        return status;
    owned_orders *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    order_set s = {.w = w, .gpu = gpu, .options = own, .memory = &o->memory, .status = GCAST_OK, .err = err};
    if (!s.options.max_runs)
        s.options.max_runs = MAX_RUNS;
    s.limit = limit_from_now(s.options.max_ms);
    o->o.memory = o;
    s.status = gcast_workload_copy(w, &s.copy, err);
    size_t *order = arena_alloc_array(&o->memory, w->once_count + 1, sizeof *order);
    if (!s.copy || !order || !order_collect(&s)) {
        s.status = gcast_error_set_memory(err);
    } else {
        memcpy(order, s.places, s.count * sizeof *order);
        search(&s, order, &o->o);
    }
    gcast_workload_free(s.copy);
    if (s.status == GCAST_OK) {
        fill(&s, &o->o);
        *out = &o->o;
    } else {
        gcast_orders_free(&o->o);
    }
    return s.status;
}

void gcast_orders_free(gcast_orders *orders)
{
    if (!orders)
        return;
    owned_orders *o = orders->memory;
    arena_free(&o->memory);
    free(o);
}
