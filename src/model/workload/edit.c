#include "model/workload/edit.h"

#include "base/checked.h"
#include "base/minmax.h"
#include "model/workload/owned.h"

int64_t workload_longest_block(const gcast_op *op)
{
    int64_t longest = op->block_ns ? 1 : op->max_ns; /* a block takes 1 ns or more */
    for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
        longest = max_i64(longest, op->block_ns[b]);
    return longest;
}

void workload_stretch_op(gcast_workload *w, size_t op, const gcast_op *original, int64_t longest)
{
    gcast_op *o = &workload_owned(w)->ops.at[op];
    int64_t *block_ns = (int64_t *)o->block_ns; /* in the memory of w, which may be changed */
    int64_t original_longest = workload_longest_block(original);
    for (uint64_t b = 0; block_ns && b < o->blocks; b++)
        checked_mul_div_up(original->block_ns[b], longest, original_longest, &block_ns[b]);
    o->max_ns = block_ns ? original->max_ns : longest;
    o->min_ns = original->min_ns == GCAST_UNKNOWN_NS || original->min_ns > o->max_ns ? o->max_ns : original->min_ns;
}

void workload_put_op(gcast_workload *w, size_t at, const gcast_op *op)
{
    workload_owned(w)->ops.at[at] = *op;
}

bool workload_set_after(gcast_workload *w, size_t op, const uint32_t *after, size_t count)
{
    owned_workload *o = workload_owned(w);
    o->ops.at[op].after_count = count;
    return !count || (o->ops.at[op].after = arena_copy(&o->memory, after, count * sizeof *after));
}

bool workload_set_ports(gcast_workload *w, size_t op, const gcast_port *ports)
{
    owned_workload *o = workload_owned(w);
    gcast_op *to = &o->ops.at[op];
    return !to->after_count || (to->ports = arena_copy(&o->memory, ports, to->after_count * sizeof *ports));
}

bool workload_set_waits_for(gcast_workload *w, size_t op, const uint32_t *kernels, size_t count)
{
    owned_workload *o = workload_owned(w);
    o->ops.at[op].waits_for_count = count;
    return !count || (o->ops.at[op].waits_for = arena_copy(&o->memory, kernels, count * sizeof *kernels));
}

void workload_set_period(gcast_workload *w, size_t task, int64_t ns)
{
    workload_owned(w)->tasks.at[task].period_ns = ns;
}

void workload_set_priority(gcast_workload *w, size_t stream, int priority)
{
    workload_owned(w)->streams.at[stream].priority = priority;
}

gcast_stream workload_stream_like(const gcast_workload *w, int like, int id)
{
    gcast_stream s = w->streams[like];
    bool was_null = s.id == 0;
    s.id = id;
    s.blocking = s.blocking && !was_null;
    s.blocking_given = s.blocking_given || was_null;
    return s;
}

void workload_set_blocking(gcast_workload *w, size_t stream, bool blocking)
{
    gcast_stream *s = &workload_owned(w)->streams.at[stream];
    s->blocking = blocking;
    s->blocking_given = true;
}

void workload_move_op(gcast_workload *w, size_t op, int stream)
{
    gcast_op *ops = workload_owned(w)->ops.at;
    int task = ops[op].task, old_stream = ops[op].stream;
    ops[op].stream = stream;
    if (task == GCAST_ONCE)
        return;
    gcast_task *t = &workload_owned(w)->tasks.at[task];
    if (t->stream == old_stream)
        t->stream = stream;
    for (size_t i = 0; i < t->op_count; i++)
        if (ops[t->first_op + i].stream == old_stream)
            ops[t->first_op + i].stream = stream;
}

bool workload_blocking_unknown(const gcast_workload *w)
{
    bool null_used = false, unknown = false;
    for (size_t i = 0; i < w->op_count; i++) {
        if (!gcast_kind_on_gpu(w->ops[i].kind))
            continue;
        const gcast_stream *s = &w->streams[w->ops[i].stream];
        null_used = null_used || s->id == 0;
        unknown = unknown || (s->id != 0 && !s->blocking && !s->blocking_given);
    }
    return null_used && unknown;
}
