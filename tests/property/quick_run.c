#include "property/quick_run.h"

#include <stdlib.h>

#include "model/workload/jobs.h"
#include "property/late_jobs.h"
#include "simulate/engine/engine.h"
#include "support/support.h"

quick_run quick_run_make(const gcast_workload *w, const gcast_gpu *gpu, int64_t horizon_ns)
{
    gcast_error err;
    quick_run q = {.workload = w, .gpu = gpu};
    assert_int_equal(w->child_count, 0);
    assert_ok(gcast_gpu_copy(gpu, &q.part, &err), &err);
    if (w->partition_sms)
        assert_ok(gcast_gpu_partition(q.part, w->partition_sms, &err), &err);
    assert_ok(jobs_horizon(w, &horizon_ns, &err), &err);
    assert_ok(jobs_expand(w, horizon_ns, &q.untouched, &q.op_count, &err), &err);
    q.ops = malloc((q.op_count + 1) * sizeof *q.ops);
    q.order = malloc((q.op_count + 1) * sizeof *q.order);
    q.latencies = malloc((q.op_count + 1) * sizeof *q.latencies);
    assert_true(q.ops && q.order && q.latencies);
    return q;
}

void quick_run_free(quick_run *q)
{
    gcast_gpu_free(q->part);
    free(q->untouched);
    free(q->ops);
    free(q->order);
    free(q->latencies);
    *q = (quick_run){0};
}

void quick_run_simulate(quick_run *q, const gcast_simulate_options *options)
{
    gcast_error err;
    const gcast_workload *w = q->workload;
    gcast_simulate_options own = *options;
    q->is_plain = late_jobs_order(w, q->untouched, options->releases, q->op_count, q->order);
    for (size_t i = 0; i < q->op_count; i++) {
        size_t from = q->order[i];
        q->ops[i] = q->untouched[from];
        q->ops[i].release_ns = options->releases[from] > 0 ? options->releases[from] : 0;
        q->latencies[i] = options->latencies ? options->latencies[from] : 0;
    }
    if (options->latencies)
        own.latencies = q->latencies;
    sim s = {.w = w, .gpu = q->part, .options = &own, .err = &err, .ops = q->ops, .op_count = (uint32_t)q->op_count};
    assert_true(setup_init(&s, w->connections >= 0 ? w->connections : q->part->connections));
    engine_loop(&s);
    assert_ok(s.status, &err);
    assert_ptr_equal(s.ops, q->ops);
    setup_free(&s);
    for (size_t i = 0; i < q->op_count; i++)
        assert_true(q->ops[i].skipped || q->ops[i].end_ns >= 0);
}

bool quick_run_compare(const quick_run *q, const gcast_simulate_options *options)
{
    gcast_error err;
    gcast_run *run;
    if (!q->is_plain)
        return false;
    assert_ok(gcast_workload_simulate(q->workload, q->gpu, options, &run, &err), &err);
    assert_int_equal(run->op_count, q->op_count);
    for (size_t i = 0; i < q->op_count; i++) {
        const gcast_run_op *a = &run->ops[i], *b = &q->ops[i];
        assert_int_equal(a->op, b->op);
        assert_int_equal(a->job, b->job);
        assert_int_equal(a->release_ns, b->release_ns);
        assert_int_equal(a->call_ns, b->call_ns);
        assert_int_equal(a->start_ns, b->start_ns);
        assert_int_equal(a->end_ns, b->end_ns);
    }
    gcast_run_free(run);
    return true;
}
