#include "simulate/explain/index/run_index.h"

#include "simulate/run_ops.h"

/* For a launch of a graph its last node stands. */
static bool add_launch(run_index *x, const gcast_run *run, size_t first)
{
    size_t last = x->nodes.launch_last[first];
    return older_ops_add(&x->streams, run_spec(run, first)->stream, run->ops[first].launch, last,
                         run->ops[last].end_ns + run->gpu->stream_gap_ns);
}

static bool add_operation(run_index *x, const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    const gcast_stream *stream = &run->workload->streams[run_spec(run, i)->stream];
    bool ok = x->nodes.launch_first[i] != i || add_launch(x, run, i);
    if (stream->id != 0 && stream->blocking)
        ok = ok && older_ops_add(&x->blocking, 0, r->launch, i, r->end_ns);
    if (r->connection >= 0)
        ok = ok && older_ops_add(&x->connections, r->connection, r->launch, i, r->enter_ns);
    if (r->engine >= 0)
        ok = ok && older_ops_add(&x->engines, r->engine, (uint64_t)r->start_ns, i, r->end_ns + run->gpu->copy_gap_ns);
    return ok;
}

static bool index_blocks(run_index *x, const gcast_run *run)
{
    sm_set sms = {0};
    bool ok = sm_set_init(&sms, run->gpu, run->workload) && kernel_windows_init(&x->kernels, run) &&
              block_history_init(&x->history, run, &x->kernels, &sms);
    sm_set_free(&sms);
    return ok;
}

bool run_index_init(run_index *x, const gcast_run *run)
{
    *x = (run_index){.has_plans = explain_any_plan(run), .has_blocks = run->blocks_recorded};
    bool ok = node_times_init(&x->nodes, run);
    for (size_t i = 0; i < run->op_count && ok; i++)
        if (!run->ops[i].skipped && gcast_kind_on_gpu(run_spec(run, i)->kind))
            ok = add_operation(x, run, i);
    if (!ok)
        return false;
    older_ops_sort(&x->streams);
    older_ops_sort(&x->blocking);
    older_ops_sort(&x->connections);
    older_ops_sort(&x->engines);
    return !x->has_blocks || index_blocks(x, run);
}

void run_index_free(run_index *x)
{
    older_ops_free(&x->streams);
    older_ops_free(&x->blocking);
    older_ops_free(&x->connections);
    older_ops_free(&x->engines);
    node_times_free(&x->nodes);
    kernel_windows_free(&x->kernels);
    block_history_free(&x->history);
}
