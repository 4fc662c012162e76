/* Operations whose starts contradict their calls: a stream starts its operations in the order of their calls, and none
 * before its call. Clocks that differ, and calls of several threads at one time, make profiles say otherwise. */
#include <stdlib.h>

#include "profile/make/make_steps.h"

/* Nodes of graphs start in any order, but not before their launch. */
static bool is_node(const made_item *item)
{
    return item->graph || item->op_count > 1;
}

gcast_status make_order_notes(making *m)
{
    int64_t *latest_ns = malloc((m->t->stream_count + 1) * sizeof *latest_ns); /* by stream: the latest start so far */
    uint64_t early = 0, crossed = 0;
    const char *early_name = NULL, *crossed_name = NULL;
    for (size_t i = 0; latest_ns && i < m->t->stream_count; i++)
        latest_ns[i] = INT64_MIN;
    for (size_t i = 0; latest_ns && i < m->ops.count; i++) {
        const prof_op *op = trace_op(m, i);
        const made_item *item = &m->items.at[m->ops.at[i].item];
        int64_t *latest = &latest_ns[m->ops.at[i].stream];
        if (item->call == PROF_NONE)
            continue;
        bool is_early = op->start_ns < m->t->calls[item->call].start_ns;
        bool is_crossed = !is_early && !is_node(item) && op->start_ns < *latest;
        early_name = is_early && !early ? op->name : early_name;
        crossed_name = is_crossed && !crossed ? op->name : crossed_name;
        early += is_early;
        crossed += is_crossed;
        if (!is_node(item) && op->start_ns > *latest)
            *latest = op->start_ns;
    }
    bool ok = latest_ns &&
              findings_add(m->findings,
                           "{operation} started before the call, as the profile has it: the clocks of host and GPU "
                           "differ, or calls and operations are not those of each other",
                           early_name, early) &&
              findings_add(m->findings,
                           "{operation} started before one of the same stream that was called earlier: the order of "
                           "calls is taken",
                           crossed_name, crossed);
    free(latest_ns);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}
