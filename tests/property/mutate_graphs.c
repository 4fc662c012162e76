/* Runs with launches of graphs that break one rule. */
#include "property/mutate.h"

/* Is operation i a node that is after others of its launch? */
static bool has_edges(const specimen *s, size_t i)
{
    const gcast_op *ops = s->run.workload->ops, *op = &ops[s->ops[i].op];
    if (mutate_kind(s, i) != MUTATE_HOST || s->ops[i].skipped || op->graph == GCAST_NO_GRAPH)
        return false;
    for (size_t k = 0; k < op->after_count; k++)
        if (ops[op->after[k]].graph == op->graph)
            return true;
    return false;
}

/* A node enters before the last of its edges is seen. */
bool mutate_early_node(specimen *s, size_t i)
{
    if (!has_edges(s, i) || s->ops[i].connection >= 0 || s->ops[i].enter_ns <= s->ops[i].head_ns)
        return false;
    s->ops[i].enter_ns--;
    return true;
}

/* A node enters later than it may. */
bool mutate_late_node(specimen *s, size_t i)
{
    if (!has_edges(s, i) || s->ops[i].connection >= 0 || s->ops[i].start_ns <= s->ops[i].enter_ns)
        return false;
    s->ops[i].enter_ns++;
    return true;
}

/* A node is there before the first one of its launch. */
bool mutate_node_alone(specimen *s, size_t i)
{
    if (!has_edges(s, i) || s->ops[i].arrive_ns <= s->ops[i].call_ns || s->run.latencies_given)
        return false;
    s->ops[i].arrive_ns--;
    return true;
}
