/* Schedules worked out by hand, which the oracle must give, and the simulator
 * too: those of the papers behind docs/model.md, then one small case a rule. */
#include "support/support.h"

#include "property/compare.h"

#define MS 1000000

typedef struct fixture {
    gcast_workload *w;
    gcast_gpu *gpu;
    gcast_simulate_options options;
    oracle_result r;
    gcast_error err;
} fixture;

/* 2 SMs of 2048 threads, as a TX2 without connections. */
static int setup(void **state)
{
    static fixture f;
    f = (fixture){0};
    f.w = gcast_workload_create("hand", &f.err);
    f.gpu = gcast_gpu_create("gpu", 6, 2, 2, &f.err);
    *state = &f;
    return f.w && f.gpu ? 0 : -1;
}

static int teardown(void **state)
{
    fixture *f = *state;
    oracle_free(&f->r);
    gcast_workload_free(f->w);
    gcast_gpu_free(f->gpu);
    return 0;
}

static int stream(fixture *f, int id, int priority, bool blocking)
{
    return gcast_workload_add_stream(f->w, (gcast_stream){.id = id, .priority = priority, .blocking = blocking},
                                     &f->err);
}

static gcast_op kernel(int stream, int64_t release, uint32_t blocks, uint32_t threads, int64_t ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.stream = stream, op.release_ns = release;
    op.grid[0] = blocks, op.block[0] = threads;
    op.min_ns = op.max_ns = ns;
    return op;
}

static gcast_op copy(int stream, int64_t release, gcast_direction direction, int64_t ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.stream = stream, op.release_ns = release, op.direction = direction;
    op.min_ns = op.max_ns = ns;
    return op;
}

static gcast_op host_op(gcast_kind kind, int host)
{
    gcast_op op = gcast_op_default(kind);
    op.host = host;
    return op;
}

static void add(fixture *f, gcast_op op)
{
    assert_true(gcast_workload_add_op(f->w, &op, &f->err) >= 0);
}

static void run(fixture *f)
{
    assert_ok(gcast_gpu_check(f->gpu, &f->err), &f->err);
    assert_ok(gcast_workload_check(f->w, &f->err), &f->err);
    assert_ok(oracle_run(f->w, f->gpu, &f->options, &f->r, &f->err), &f->err);
    for (int record = 0; record < 2; record++) {
        gcast_run *simulated;
        char difference[256] = "";
        f->options.record_blocks = record;
        assert_ok(gcast_simulate(f->w, f->gpu, &f->options, &simulated, &f->err), &f->err);
        compare_runs(simulated, &f->r, difference, sizeof difference);
        gcast_run_free(simulated);
        assert_string_equal(difference, "");
    }
}

#define assert_ends(f, ...)                                                                                            \
    do {                                                                                                               \
        const int64_t want[] = {__VA_ARGS__};                                                                          \
        assert_int_equal((f)->r.op_count, sizeof want / sizeof *want);                                                 \
        for (size_t i_ = 0; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal((f)->r.ops[i_].end_ns, want[i_]);                                                         \
    } while (0)

#define assert_sms(f, op, ...)                                                                                         \
    do {                                                                                                               \
        const uint32_t want[] = {__VA_ARGS__};                                                                         \
        assert_int_equal((f)->r.ops[op].block_count, sizeof want / sizeof *want);                                      \
        for (size_t i_ = 0; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal((f)->r.ops[op].blocks[i_].sm, want[i_]);                                                  \
    } while (0)

/* Four kernels of the TX2 thesis, launched in the order given. */
static void four_kernels(fixture *f, const char *order)
{
    static const struct {
        uint32_t blocks;
        int64_t ns;
    } k[] = {{2, 4 * MS}, {7, 6 * MS}, {2, 6 * MS}, {5, 5 * MS}};
    for (int i = 0; i < 4; i++)
        add(f, kernel(stream(f, i + 1, 0, false), 0, k[order[i] - '1'].blocks, 512, k[order[i] - '1'].ns));
    run(f);
}

static void order_1234(void **state)
{
    four_kernels(*state, "1234");
    assert_ends((fixture *)*state, 4 * MS, 10 * MS, 12 * MS, 11 * MS);
}

static void order_2341(void **state)
{
    four_kernels(*state, "2341");
    assert_ends((fixture *)*state, 6 * MS, 12 * MS, 11 * MS, 10 * MS);
}

static void order_2413(void **state)
{
    four_kernels(*state, "2413");
    assert_ends((fixture *)*state, 6 * MS, 11 * MS, 10 * MS, 12 * MS);
}

static void order_2134(void **state)
{
    four_kernels(*state, "2134");
    assert_ends((fixture *)*state, 6 * MS, 8 * MS, 12 * MS, 11 * MS);
}

/* Gilman et al. 2020: X on SMs 1 to 4, SM 0 empty, then three blocks of Y. */
static void gilman(fixture *f, uint32_t x_threads, uint32_t y_threads)
{
    gcast_mask mask = {.word = {0x1e}};
    f->gpu->sms = 5;
    gcast_op x = kernel(stream(f, 1, 0, false), 0, 4, x_threads, 100);
    x.mask = gcast_workload_add_mask(f->w, &mask, &f->err);
    add(f, x);
    add(f, kernel(stream(f, 2, 0, false), 10, 3, y_threads, 100));
    run(f);
    assert_sms(f, 0, 1, 2, 3, 4);
}

static void gilman_threads(void **state)
{
    gilman(*state, 256, 160);
    assert_sms((fixture *)*state, 1, 0, 0, 1);
}

static void gilman_slots(void **state)
{
    gilman(*state, 1024, 32);
    assert_sms((fixture *)*state, 1, 0, 0, 1);
}

static void gilman_warps(void **state)
{
    gilman(*state, 1024, 33);
    assert_sms((fixture *)*state, 1, 0, 0, 0);
}

/* RTSS 2017, figure 5: the NULL stream between blocking streams. */
static void rtss_null_stream(void **state)
{
    fixture *f = *state;
    int null = stream(f, 0, 0, true), s1 = stream(f, 1, 0, true), s2 = stream(f, 2, 0, true),
        s3 = stream(f, 3, 0, true);
    add(f, kernel(s1, 0, 6, 768, 1000));
    add(f, kernel(null, 200, 1, 1024, 1000));
    add(f, kernel(s2, 400, 4, 256, 1000));
    add(f, kernel(s2, 400, 4, 256, 1000));
    add(f, kernel(null, 600, 1, 1024, 1000));
    add(f, kernel(s3, 800, 2, 256, 1000));
    run(f);
    assert_ends(f, 2000, 3000, 4000, 5000, 6000, 7000);
    assert_int_equal(f->r.ops[1].head_ns, 200);
    assert_int_equal(f->r.ops[1].enter_ns, 2000);
    assert_int_equal(f->r.ops[3].head_ns, 4000);
    assert_int_equal(f->r.ops[4].enter_ns, 5000);
    assert_int_equal(f->r.ops[5].enter_ns, 6000);
}

/* Figure 6: two kernels of high priority starve one of low priority. */
static void rtss_starve(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    add(f, kernel(stream(f, 1, 0, true), 0, 8, 1024, 500));
    add(f, kernel(stream(f, 2, -1, true), 200, 16, 1024, 500));
    add(f, kernel(stream(f, 3, -1, true), 500, 16, 1024, 500));
    run(f);
    assert_ends(f, 5000, 2500, 4500);
    assert_int_equal(f->r.ops[0].start_ns, 0);
    assert_int_equal(f->r.ops[0].dispatched_ns, 4500);
}

/* Figure 8: a kernel of high priority that does not fit stops one that would. */
static void rtss_cut(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    for (int i = 0; i < 7; i++)
        add(f, kernel(stream(f, i + 1, 0, true), 100 * i, 1, 512, 1000));
    add(f, kernel(stream(f, 8, -1, true), 650, 1, 1024, 500));
    add(f, kernel(stream(f, 9, 0, true), 700, 1, 512, 1000));
    run(f);
    assert_ends(f, 1000, 1100, 1200, 1300, 1400, 1500, 1600, 1600, 2100);
    assert_sms(f, 7, 1);
    assert_sms(f, 8, 0);
}

/* Priorities out of range are taken at the end of the range. */
static void priorities_are_clamped(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    f->gpu->sms = 1;
    add(f, kernel(stream(f, 1, 3, false), 0, 3, 1024, 10));
    add(f, kernel(stream(f, 2, 0, false), 0, 1, 1024, 10));
    add(f, kernel(stream(f, 3, -1, false), 5, 2, 1024, 10));
    add(f, kernel(stream(f, 4, -7, false), 5, 1, 1024, 10));
    run(f);
    assert_ends(f, 30, 40, 20, 30);
}

/* Latency, gap and handover; a copy that reaches its queue before an older kernel waits for it. */
static void latencies(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->launch_latency_ns = 10;
    f->gpu->copy_latency_ns = 3;
    f->gpu->stream_gap_ns = 2;
    f->gpu->handover_ns = 5;
    int s = stream(f, 1, 0, false);
    add(f, kernel(s, 0, 3, 1024, 100));
    add(f, copy(s, 0, GCAST_H2D, 7));
    add(f, kernel(stream(f, 2, 0, false), 200, 1, 2048, 1));
    f->gpu->limits.threads_per_block = 2048;
    run(f);
    assert_int_equal(f->r.ops[0].arrive_ns, 10);
    assert_int_equal(f->r.ops[0].dispatched_ns, 115);
    assert_int_equal(f->r.ops[1].arrive_ns, 3);
    assert_int_equal(f->r.ops[1].head_ns, 217);
    assert_int_equal(f->r.ops[2].enter_ns, 210);
    assert_int_equal(f->r.ops[2].start_ns, 220);
    assert_ends(f, 215, 224, 221);
}

/* Two engines: copies to the host have their own; memsets share the first. */
static void copy_engines(void **state)
{
    fixture *f = *state;
    f->gpu->copy_engines = 2;
    f->gpu->d2d_bytes_per_s = 3000000000;
    f->gpu->memset_bytes_per_s = 1;
    gcast_op d2d = copy(stream(f, 3, 0, false), 0, GCAST_D2D, GCAST_UNKNOWN_NS);
    d2d.bytes = 10;                                     /* 3 1/3 ns */
    gcast_op set = gcast_op_default(GCAST_KIND_MEMSET); /* of nothing: 1 ns */
    set.stream = stream(f, 4, 0, false);
    add(f, copy(stream(f, 1, 0, false), 0, GCAST_H2D, 10));
    add(f, copy(stream(f, 2, 0, false), 0, GCAST_D2H, 10));
    add(f, d2d);
    add(f, set);
    run(f);
    assert_ends(f, 10, 10, 14, 15);
    assert_int_equal(f->r.ops[1].engine, 1);
    assert_int_equal(f->r.ops[2].engine, 0);
    assert_int_equal(f->r.ops[3].entry, 3);
}

/* Three streams on two connections: the third waits behind the second kernel of stream 1. */
static void connections(void **state)
{
    fixture *f = *state;
    f->gpu->connections = 2;
    int s1 = stream(f, 1, 0, false), s2 = stream(f, 2, 0, false), s3 = stream(f, 3, 0, false);
    add(f, kernel(s1, 0, 1, 32, 10)); /* connection 0, left at once */
    add(f, kernel(s1, 1, 1, 32, 10)); /* connection 1, held until 10 */
    add(f, kernel(s2, 2, 1, 32, 50)); /* connection 0, left at once */
    add(f, kernel(s2, 3, 1, 32, 10)); /* connection 0, held until 52: first empty in the circle after 0, that is 0 */
    add(f, kernel(s3, 4, 1, 32, 10)); /* none is empty: the one after 0 */
    run(f);
    assert_int_equal(f->r.ops[4].head_ns, 4);
    assert_int_equal(f->r.ops[4].enter_ns, 10);
    assert_ends(f, 10, 20, 52, 62, 20);
}

static void resident_grids(void **state)
{
    fixture *f = *state;
    f->gpu->limits.resident_grids = 1;
    add(f, kernel(stream(f, 1, 0, false), 0, 1, 32, 10));
    add(f, kernel(stream(f, 2, 0, false), 0, 1, 32, 10));
    run(f);
    assert_ends(f, 10, 20);
    assert_int_equal(f->r.ops[1].enter_ns, 0);
}

/* A kernel of high priority that may not become resident lets the one that is resident go on. */
static void resident_grids_and_priorities(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->priority_levels = 2;
    f->gpu->limits.resident_grids = 1;
    add(f, kernel(stream(f, 1, 0, false), 0, 3, 1024, 10));
    add(f, kernel(stream(f, 2, -1, false), 5, 1, 32, 10));
    run(f);
    assert_ends(f, 20, 30);
}

/* 8 warp slots by quarter: after 3 warps the next block starts at quarter 3. */
static void quarters(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->register_quarters = true;
    f->gpu->limits.warps_per_sm = 8;
    gcast_op op = kernel(stream(f, 1, 0, false), 0, 4, 96, 10);
    op.shape.registers = 100; /* 3200 of the 16384 of a quarter */
    add(f, op);
    run(f);
    /* Quarters 012, 301, then 23 is full at 2 warps a quarter for the third warp at 0. */
    assert_int_equal(f->r.ops[0].blocks[0].quarter, 0);
    assert_int_equal(f->r.ops[0].blocks[1].quarter, 3);
    assert_int_equal(f->r.ops[0].blocks[2].quarter, 2);
    assert_int_equal(f->r.ops[0].blocks[2].start_ns, 10);
    assert_int_equal(f->r.ops[0].blocks[3].quarter, 1);
    assert_int_equal(f->r.ops[0].blocks[3].start_ns, 10);
    assert_ends(f, 20);
}

/* Policies, on 3 SMs with a block of 1024 threads on SM 1 first. */
static void policies(void **state)
{
    static const struct {
        gcast_placement policy;
        gcast_tie_order ties;
        uint32_t sm[3];
    } cases[] = {
        {GCAST_PLACE_MOST_ROOM, GCAST_TIES_ASCENDING, {0, 2, 0}},
        {GCAST_PLACE_MOST_ROOM, GCAST_TIES_DESCENDING, {2, 0, 2}},
        {GCAST_PLACE_ROUND_ROBIN, GCAST_TIES_ASCENDING, {2, 0, 1}},
        {GCAST_PLACE_ROUND_ROBIN, GCAST_TIES_EVEN_ODD, {0, 2, 1}},
        {GCAST_PLACE_MOST_THREADS, GCAST_TIES_EVEN_ODD, {0, 2, 0}},
        {GCAST_PLACE_FEWEST_BLOCKS, GCAST_TIES_ASCENDING, {0, 2, 0}},
        {GCAST_PLACE_LEAST_ROOM, GCAST_TIES_ASCENDING, {1, 1, 0}},
        {GCAST_PLACE_FIRST_FIT, GCAST_TIES_DESCENDING, {2, 2, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture *f = *state;
        gcast_mask mask = {.word = {2}};
        f->gpu->sms = 3;
        f->gpu->placement = cases[i].policy;
        f->gpu->tie_order = cases[i].ties;
        gcast_op first = kernel(stream(f, 1, 0, false), 0, 1, 1024, 100);
        first.mask = gcast_workload_add_mask(f->w, &mask, &f->err);
        add(f, first);
        add(f, kernel(stream(f, 2, 0, false), 0, 3, 512, 100));
        run(f);
        assert_sms(f, 1, cases[i].sm[0], cases[i].sm[1], cases[i].sm[2]);
        teardown(state);
        setup(state);
    }
}

/* A free waits for the GPU, and every call waits for it, in order of the file. */
static void free_blocks_calls(void **state)
{
    fixture *f = *state;
    int s1 = stream(f, 1, 0, false), s2 = stream(f, 2, 0, false);
    int a = gcast_workload_add_host(f->w, "a", &f->err), b = gcast_workload_add_host(f->w, "b", &f->err);
    gcast_op k = kernel(s1, 0, 1, 32, 50), after = kernel(s2, 0, 1, 32, 5), late = kernel(s2, 20, 1, 32, 5);
    k.host = after.host = a;
    late.host = b;
    add(f, late);                          /* 0: due at 20, called at 50 */
    add(f, k);                             /* 1: called at 0 */
    add(f, host_op(GCAST_KIND_FREE, a));   /* 2: called at 0, returns at 50 */
    add(f, kernel(s1, 10, 1, 32, 5));      /* 3: no host, waits all the same */
    add(f, after);                         /* 4 */
    add(f, host_op(GCAST_KIND_MALLOC, b)); /* 5 */
    run(f);
    for (int i = 0; i < 6; i++)
        assert_int_equal(f->r.ops[i].call_ns, i == 1 || i == 2 ? 0 : 50);
    assert_int_equal(f->r.ops[2].return_ns, 50);
    const uint64_t launch[] = {2, 0, 1, 3, 4, 5};
    for (int i = 0; i < 6; i++)
        assert_int_equal(f->r.ops[i].launch, launch[i]);
    assert_ends(f, 55, 50, 50, 55, 60, 50);
}

/* Stream and device sync, waiting calls and delays. */
static void syncs(void **state)
{
    fixture *f = *state;
    int s1 = stream(f, 1, 0, false), s2 = stream(f, 2, 0, false), a = gcast_workload_add_host(f->w, "a", &f->err);
    gcast_op k1 = kernel(s1, 3, 1, 32, 50), k2 = kernel(s2, 0, 1, 32, 20), k3 = kernel(s2, 0, 1, 32, 10);
    gcast_op one = host_op(GCAST_KIND_SYNC, a), all = host_op(GCAST_KIND_SYNC, a);
    k1.host = k2.host = k3.host = a;
    one.stream = s2;
    k3.host_waits = true;
    k3.delay_ns = 4;
    add(f, k1);  /* called at 3 */
    add(f, k2);  /* called at 3 */
    add(f, one); /* 3 to 23 */
    add(f, k3);  /* called at 27, returns at 37 */
    add(f, all); /* 37 to 53 */
    run(f);
    assert_ends(f, 53, 23, 23, 37, 53);
    assert_int_equal(f->r.ops[3].call_ns, 27);
    assert_int_equal(f->r.ops[3].return_ns, 37);
    assert_int_equal(f->r.ops[4].start_ns, 37);
    assert_int_equal(f->r.ops[4].return_ns, 53);
}

/* A barrier waits for the last host, but not for one that was skipped. */
static void barriers_and_skips(void **state)
{
    fixture *f = *state;
    int s = stream(f, 1, 0, false);
    int a = gcast_workload_add_host(f->w, "a", &f->err), b = gcast_workload_add_host(f->w, "b", &f->err);
    gcast_op k = kernel(s, 30, 1, 32, 10), second_a = host_op(GCAST_KIND_BARRIER, a), after = kernel(s, 0, 1, 32, 1);
    gcast_op skipped = host_op(GCAST_KIND_MALLOC, b), second_b = host_op(GCAST_KIND_BARRIER, b);
    k.host = b;
    after.host = a;
    skipped.delay_ns = 15;
    skipped.skip_ns = 45;
    second_a.barrier = second_b.barrier = 1;
    add(f, host_op(GCAST_KIND_BARRIER, a)); /* 0: 0 to 30 */
    add(f, k);                              /* 1: called at 30 */
    add(f, second_a);                       /* 2: 30 to 45 */
    add(f, host_op(GCAST_KIND_BARRIER, b)); /* 3: 30 to 30 */
    add(f, skipped);                        /* 4: due at 45 */
    add(f, second_b);                       /* 5: never */
    add(f, after);                          /* 6: called at 45 */
    run(f);
    assert_ends(f, 30, 40, 45, 30, -1, -1, 46);
    assert_true(f->r.ops[4].skipped && f->r.ops[5].skipped && !f->r.ops[6].skipped);
    assert_int_equal(f->r.ops[5].call_ns, -1);
    assert_int_equal(f->r.ops[6].call_ns, 45);
    assert_int_equal(f->r.ops[6].launch, 4);
}

/* Two tasks up to the largest offset plus the hyperperiod. */
static void tasks(void **state)
{
    fixture *f = *state;
    int s1 = stream(f, 1, 0, false), s2 = stream(f, 2, 0, false);
    gcast_task t1 = {.name = "t1", .stream = s1, .period_ns = 40}, t2 = {.name = "t2", .stream = s2, .period_ns = 60};
    t2.offset_ns = 20;
    add(f, kernel(s1, 7, 1, 32, 1));
    assert_true(gcast_workload_add_task(f->w, &t1, &f->err) >= 0);
    add(f, kernel(s1, 0, 1, 32, 3));
    add(f, copy(s1, 0, GCAST_H2D, 2));
    assert_true(gcast_workload_add_task(f->w, &t2, &f->err) >= 0);
    add(f, kernel(s2, 0, 1, 32, 5));
    run(f); /* horizon 140; t1 at 0 40 80 120, t2 at 20 80 */
    assert_int_equal(f->r.horizon_ns, 140);
    assert_ends(f, 8, 3, 5, 25, 43, 45, 83, 85, 85, 123, 125);
    assert_int_equal(f->r.ops[8].op, 3);
    assert_int_equal(f->r.ops[8].job, 1);
    assert_int_equal(f->r.ops[9].job, 3);
    assert_int_equal(f->r.ops[8].release_ns, 80);
}

/* The draw for op 0, job 0, block 0 and seed 0, worked out outside this program. */
static void random_durations(void **state)
{
    fixture *f = *state;
    f->options.durations = GCAST_DURATIONS_RANDOM;
    gcast_op op = kernel(stream(f, 1, 0, false), 0, 2, 32, 1);
    op.min_ns = 1000;
    op.max_ns = 1999999;
    add(f, op);
    run(f);
    assert_int_equal(f->r.ops[0].blocks[0].end_ns, 1534917);
    assert_int_equal(f->r.ops[0].blocks[1].end_ns, 365842);
}

static void too_large(void **state)
{
    fixture *f = *state;
    gcast_op op = kernel(stream(f, 1, 0, false), 0, 1, 64, 1);
    op.shape.dynamic_smem = 65 * 1024;
    add(f, op);
    assert_int_equal(oracle_run(f->w, f->gpu, &f->options, &f->r, &f->err), GCAST_INPUT);
}

static void deadlock(void **state)
{
    fixture *f = *state;
    int a = gcast_workload_add_host(f->w, "a", &f->err);
    add(f, host_op(GCAST_KIND_BARRIER, a));
    add(f, host_op(GCAST_KIND_BARRIER, a));
    assert_int_equal(oracle_run(f->w, f->gpu, &f->options, &f->r, &f->err), GCAST_INPUT);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(order_1234),
        CASE(order_2341),
        CASE(order_2413),
        CASE(order_2134),
        CASE(gilman_threads),
        CASE(gilman_slots),
        CASE(gilman_warps),
        CASE(rtss_null_stream),
        CASE(rtss_starve),
        CASE(rtss_cut),
        CASE(latencies),
        CASE(priorities_are_clamped),
        CASE(copy_engines),
        CASE(connections),
        CASE(quarters),
        CASE(resident_grids),
        CASE(resident_grids_and_priorities),
        CASE(policies),
        CASE(free_blocks_calls),
        CASE(syncs),
        CASE(barriers_and_skips),
        CASE(tasks),
        CASE(random_durations),
        CASE(too_large),
        CASE(deadlock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
