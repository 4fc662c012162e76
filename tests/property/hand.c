/* Hand-made workloads, and their run by the oracle and the simulator alike. */
#include "property/hand.h"
#include "support/builders.h"

int hand_setup(void **state)
{
    static fixture f;
    f = (fixture){.options = gcast_simulate_options_default()};
    f.w = support_workload("hand", &f.err);
    f.gpu = support_gpu("gpu", 6, 2, 2, &f.err);
    *state = &f;
    return f.w && f.gpu ? 0 : -1;
}

int hand_teardown(void **state)
{
    fixture *f = *state;
    oracle_free(&f->r);
    gcast_workload_free(f->w);
    gcast_gpu_free(f->gpu);
    return 0;
}

int stream(fixture *f, int id, int priority, bool blocking)
{
    return support_add_stream(f->w, (gcast_stream){.id = id, .priority = priority, .blocking = blocking}, &f->err);
}

gcast_op kernel(int stream, int64_t release, uint32_t blocks, uint32_t threads, int64_t ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.stream = stream, op.release_ns = release;
    op.grid[0] = blocks, op.block[0] = threads;
    op.min_ns = op.max_ns = ns;
    return op;
}

gcast_op copy(int stream, int64_t release, gcast_direction direction, int64_t ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.stream = stream, op.release_ns = release, op.direction = direction;
    op.min_ns = op.max_ns = ns;
    return op;
}

gcast_op host_op(gcast_kind kind, int host)
{
    gcast_op op = gcast_op_default(kind);
    op.host = host;
    return op;
}

void add(fixture *f, gcast_op op)
{
    assert_true(support_add_op(f->w, &op, &f->err) >= 0);
}

void run(fixture *f)
{
    assert_ok(gcast_gpu_check(f->gpu, &f->err), &f->err);
    assert_ok(gcast_workload_check(f->w, &f->err), &f->err);
    assert_ok(oracle_run(f->w, f->gpu, &f->options, &f->r, &f->err), &f->err);
    for (int record = 0; record < 2; record++) {
        gcast_run *simulated;
        char difference[256] = "";
        f->options.record_blocks = record;
        assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &simulated, &f->err), &f->err);
        compare_runs(simulated, &f->r, difference, sizeof difference);
        gcast_run_free(simulated);
        assert_string_equal(difference, "");
    }
}
