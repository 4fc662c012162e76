#include "simulate/check/waits/edge_times.h"

#include "base/minmax.h"
#include "simulate/check/graphs/graph_facts.h"
#include "simulate/check/waits/wait_times.h"
#include "simulate/run_ops.h"

/* When all blocks of y have triggered or ended. */
static int64_t triggered_ns(const gcast_run *run, const check_orders *o, size_t y, bool *exact)
{
    const gcast_run_op *r = &run->ops[y];
    if (r->dispatched_ns < 0)
        return CHECK_NEVER;
    if (r->blocks)
        return check_trigger_ns(run, o, y);
    if (run_spec(run, y)->trigger_ns == GCAST_NEVER)
        return check_end_ns(run, r);
    *exact = false;
    return r->dispatched_ns;
}

/* When what an edge waits for happens. */
static int64_t happens_ns(const gcast_run *run, const check_orders *o, const graph_facts_of_edge *e, bool *exact)
{
    int64_t dispatched = run->ops[e->from].dispatched_ns;
    if (e->port == GCAST_PORT_FULL)
        return e->done_ns;
    if (e->port == GCAST_PORT_PROGRAMMATIC)
        return triggered_ns(run, o, e->from, exact);
    return dispatched < 0 && run->hang ? CHECK_NEVER : dispatched;
}

int64_t check_edges_seen_ns(const gcast_run *run, const check_orders *o, size_t i, bool *exact)
{
    int64_t last = 0;
    graph_facts_of_edge e;
    *exact = true;
    for (size_t k = 0; k < run_spec(run, i)->after_count; k++) {
        if (!graph_facts_edge(o->graphs, run, i, k, &e))
            continue;
        int64_t happens = happens_ns(run, o, &e, exact);
        if (happens >= CHECK_NEVER)
            return CHECK_NEVER;
        int64_t seen = happens + e.delay_ns;
        if (e.port != GCAST_PORT_FULL)
            seen = max_i64(seen, run->ops[e.from].dispatched_ns + 1);
        last = max_i64(last, seen);
    }
    return min_i64(last, CHECK_NEVER);
}
