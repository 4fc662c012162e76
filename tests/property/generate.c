/* Random workloads: ops with and without hosts, then tasks. */
#include "property/generate.h"

#include <stdio.h>
#include <stdlib.h>

#include "property/oracle.h"
#include "support/builders.h"

#define MAX_OPS 14
#define MAX_HOSTS 3
#define BARRIERS 3

/* A workload while it is made. */
typedef struct draft {
    support_random *r;
    gcast_workload *w;
    const gcast_gpu *gpu;
    int sms;     /* of the partition, where there is one */
    bool waves;  /* mostly large kernels of one duration each, that keep the SMs full */
    bool copies; /* mostly copies between host and device, by their bytes, on a GPU where they go both ways */
    int drivers; /* percent of kernels with CUDA's default attributes */
    int hosts;
    int planned;             /* percent of kernels with a plan */
    int launching;           /* percent of kernels that launch */
    int clustered;           /* percent of kernels with clusters */
    int max_children;        /* of one execution of a kernel, about */
    support_random plans;    /* draws the plans, and launches, so that everything else is as without them */
    generated *g;            /* what it becomes */
    int barriers[MAX_HOSTS]; /* by host: number of its last barrier; numbers rise, so that no host waits for ever */
    gcast_error err;
} draft;

static int64_t short_time(support_random *r)
{
    return one_of(r, 1, 2, 3, 5, 5, 10, 10, 10, 20, 20, 50, 100);
}

static int64_t random_release(support_random *r)
{
    return percent(r, 40) ? 0 : one_of(r, 1, 5, 10, 10, 20, 25, 30, 50, 100, 150, 200);
}

static void add_streams(draft *d)
{
    int n = (int)support_between(d->r, 1, 6), first = percent(d->r, d->waves ? 20 : 60) ? 0 : 1;
    bool blocking = percent(d->r, d->waves ? 20 : 60);
    for (int i = 0; i < n; i++) {
        gcast_stream s = {.id = first + i};
        s.priority = percent(d->r, 50) ? 0 : (int)support_between(d->r, -7, 2);
        s.blocking = percent(d->r, 80) ? blocking : !blocking;
        assert_true(support_add_stream(d->w, s, &d->err) == i);
    }
}

static int random_mask(draft *d)
{
    gcast_mask mask = {.word = {(uint64_t)support_between(d->r, 1, (1 << d->sms) - 1)}};
    int index = support_add_mask(d->w, &mask, &d->err);
    assert_true(index >= 0);
    return index;
}

/* Does a kernel fit, by the model and by CUDA's limits of a block? */
static bool can_launch(const gcast_gpu *gpu, const gcast_op *op)
{
    gcast_occupancy o;
    gcast_error err;
    assert_ok(gcast_occupancy_compute(&gpu->limits, &op->shape, GCAST_CARVEOUT_DEFAULT, &o, &err), &err);
    return o.blocks_per_sm > 0 && oracle_fits_empty(gpu, op);
}

void generate_shape(support_random *r, const gcast_gpu *gpu, bool waves, gcast_op *op)
{
    const gcast_limits *l = &gpu->limits;
    int64_t threads = waves && percent(r, 50) ? one_of(r, 32, 32, 64, 64, 96, 128)
                                              : one_of(r, 1, 32, 33, 64, 96, 100, 128, 160, 256, 512, 768, 1024);
    op->block[0] = (uint32_t)(threads < l->threads_per_block ? threads : l->threads_per_block);
    op->shape.threads = (int)op->block[0];
    if (percent(r, waves ? 30 : 100)) {
        op->shape.registers = percent(r, 40) ? 0 : (int)one_of(r, 1, 8, 20, 32, 33, 64, 128, 255);
        op->shape.static_smem = percent(r, 60) ? 0 : one_of(r, 1, 100, 700, 1024);
        op->shape.dynamic_smem = percent(r, 60) ? 0 : one_of(r, 1, 300, 1000, 20000);
        op->shape.barriers = percent(r, 60) ? 0 : (int)support_between(r, 1, 4);
    }
    if (!can_launch(gpu, op)) {
        op->block[0] = 32;
        op->shape = (gcast_block_shape){.threads = 32};
    }
}

static void random_range(draft *d, gcast_op *op)
{
    op->min_ns = op->max_ns = short_time(d->r);
    if (percent(d->r, d->waves ? 5 : 30))
        op->max_ns += short_time(d->r);
}

/* The decision of launchers must be before the end of their block. */
static void add_launches(draft *d, gcast_op *op, int64_t *block_ns)
{
    for (uint32_t b = 0; op->block_ns && b < op->grid[0] * op->grid[1]; b++)
        block_ns[b] += 3;
    op->min_ns += 3;
    op->max_ns += 3;
    generate_launches(&d->plans, d->gpu, d->max_children, op);
}

static void add_kernel(draft *d, gcast_op op)
{
    int64_t block_ns[64];
    generate_shape(d->r, d->gpu, d->waves, &op);
    op.grid[0] = (uint32_t)support_between(d->r, 1, percent(d->r, d->waves ? 30 : 60) ? 6 : 20);
    op.grid[1] = percent(d->r, d->waves ? 50 : 15) ? 2 : 1;
    if (percent(d->r, 20))
        op.mask = random_mask(d);
    if (d->clustered && percent(&d->plans, d->clustered))
        generate_cluster(&d->plans, d->gpu, d->sms, op.mask < 0 ? UINT64_MAX : d->w->masks[op.mask].word[0], &op);
    random_range(d, &op);
    op.body = percent(d->r, 50) ? GCAST_BODY_SPIN : GCAST_BODY_TIMER_SPIN;
    if (d->gpu->limits.carveouts > 1 && percent(d->r, d->drivers))
        op.carveout = GCAST_OP_CARVEOUT_DRIVER;
    if (percent(d->r, d->waves ? 5 : 20)) {
        for (uint32_t b = 0; b < op.grid[0] * op.grid[1]; b++)
            block_ns[b] = short_time(d->r);
        op.block_ns = block_ns;
    }
    if (d->planned && percent(&d->plans, d->planned))
        generate_plan(&d->plans, d->gpu, d->sms, op.mask < 0 ? UINT64_MAX : d->w->masks[op.mask].word[0], &op, d->g);
    if (d->launching && op.policy == GCAST_POLICY_HARDWARE && percent(&d->plans, d->launching))
        add_launches(d, &op, block_ns);
    assert_true(support_add_op(d->w, &op, &d->err) >= 0);
}

static void add_copy(draft *d, gcast_op op)
{
    op.kind = percent(d->r, d->copies ? 95 : 75) ? GCAST_KIND_COPY : GCAST_KIND_MEMSET;
    op.direction = (gcast_direction)support_between(d->r, 0, d->copies ? GCAST_D2H : GCAST_DIRECTIONS - 1);
    op.bytes = d->copies ? one_of(d->r, 1, 10, 33, 100, 191, 400) : one_of(d->r, 0, 1, 10, 33, 100);
    if (percent(d->r, d->copies ? 15 : 60))
        random_range(d, &op);
    assert_true(support_add_op(d->w, &op, &d->err) >= 0);
}

static void add_gpu_op(draft *d, gcast_op op)
{
    if (percent(d->r, d->waves ? 95 : d->copies ? 15 : 70))
        add_kernel(d, op);
    else
        add_copy(d, op);
}

static void add_host_op(draft *d, gcast_op op)
{
    op.kind = (gcast_kind)one_of(d->r, GCAST_KIND_MALLOC, GCAST_KIND_FREE, GCAST_KIND_SYNC, GCAST_KIND_SYNC,
                                 GCAST_KIND_BARRIER, GCAST_KIND_BARRIER, GCAST_KIND_BARRIER);
    if (op.kind != GCAST_KIND_SYNC || percent(d->r, 50))
        op.stream = -1;
    if (op.kind == GCAST_KIND_MALLOC)
        op.bytes = one_of(d->r, 0, 40, 60, 100);
    op.host_memory = (op.kind == GCAST_KIND_MALLOC || op.kind == GCAST_KIND_FREE) && percent(d->r, 20);
    if (op.kind == GCAST_KIND_BARRIER) {
        int *passed = op.host >= 0 ? &d->barriers[op.host] : &(int){0};
        if (*passed == BARRIERS)
            op.kind = GCAST_KIND_MALLOC;
        else
            *passed = (op.barrier = (int)support_between(d->r, *passed, BARRIERS - 1)) + 1;
    }
    assert_true(support_add_op(d->w, &op, &d->err) >= 0);
}

static void add_once(draft *d, int number)
{
    support_random *r = d->r;
    char label[16];
    snprintf(label, sizeof label, "op%d", number);
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = label;
    op.stream = (int)support_between(r, 0, (int64_t)d->w->stream_count - 1);
    op.release_ns = random_release(r);
    op.host = d->hosts && percent(r, 80) ? (int)support_between(r, 0, d->hosts - 1) : GCAST_NO_HOST;
    op.delay_ns = percent(r, 70) ? 0 : short_time(r);
    op.skip_ns = percent(r, 92) ? GCAST_NEVER : one_of(r, 0, 10, 20, 50, 100);
    op.host_waits = percent(r, 25);
    if (percent(r, op.host >= 0 ? 35 : d->waves ? 3 : 10))
        add_host_op(d, op);
    else
        add_gpu_op(d, op);
}

static void add_task(draft *d, int ops)
{
    support_random *r = d->r;
    gcast_task t = {.name = "task", .stream = (int)support_between(r, 0, (int64_t)d->w->stream_count - 1)};
    t.period_ns = one_of(r, 60, 90, 120, 180);
    t.deadline_ns = t.period_ns;
    t.offset_ns = random_release(r);
    assert_true(support_add_task(d->w, &t, &d->err) >= 0);
    for (int i = 0; i < ops; i++) {
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.label = "job";
        op.stream = t.stream;
        op.host_waits = percent(r, 10);
        op.release_ns = percent(r, 10) ? short_time(r) : 0;
        op.skip_ns = percent(r, 97) ? GCAST_NEVER : 100;
        add_gpu_op(d, op);
    }
}

static void random_options(support_random *r, gcast_simulate_options *options)
{
    *options = gcast_simulate_options_default();
    options->record_blocks = true;
    if (support_between(r, 0, 9) == 0) {
        options->noise_ns = support_between(r, 1, 20);
        options->noise_seed = support_next(r);
        options->scatter = percent(r, 50);
    }
    options->durations = (gcast_durations)support_between(r, 0, GCAST_DURATIONS_COUNT - 1);
    options->seed = support_next(r);
    options->as_measured = percent(r, 25);
    options->horizon_ns = percent(r, 60) ? 0 : one_of(r, 1, 60, 100, 200);
    options->random_placement = options->seed % 5 == 0;
    options->placement_seed = options->seed / 5;
}

/* Copies both ways slow each other down, and one to the host ends later. */
static void both_ways(support_random *r, gcast_gpu *gpu)
{
    gpu->copy_engines = 2;
    gpu->copy_duplex_percent = (int)one_of(r, 1, 50, 92, 93, 99);
    gpu->d2h_end_ns = one_of(r, 0, 1, 9, 9, 60);
}

/* What some of the ops have besides: any of these together. */
enum { NOTHING = 0, CLUSTERED = 1, WAITING = 2, GRAPHED = 4 };

static generated generate_with(uint64_t seed, bool planned, bool launching, unsigned more)
{
    support_random r = {seed * 0x9e3779b97f4a7c15 + 1};
    support_next(&r);
    generated g = {.gpu = generate_gpu(&r)};
    draft d = {.r = &r, .gpu = g.gpu, .sms = g.gpu->sms, .waves = percent(&r, 50), .plans = {~seed}, .g = &g};
    if (planned) {
        support_next(&d.plans);
        d.planned = (int)one_of(&d.plans, 20, 50, 100);
        generate_worker_times(&d.plans, g.gpu);
    }
    if (launching) {
        d.launching = (int)one_of(&d.plans, 30, 60, 100);
        generate_launch_times(&d.plans, g.gpu);
        d.sms = g.gpu->sms;
        d.max_children = (int)one_of(&d.plans, 2, 5, 10, 10, 20, 40);
    }
    if (more & CLUSTERED) {
        support_next(&d.plans);
        d.clustered = (int)one_of(&d.plans, 30, 60, 100);
        generate_gpcs(&d.plans, g.gpu);
        d.sms = g.gpu->sms;
    }
    d.drivers = (int)one_of(&r, 0, 0, 50, 80, 100);
    d.copies = !d.waves && percent(&r, 15);
    if (d.copies)
        both_ways(&r, g.gpu);
    g.workload = d.w = support_workload("random", &d.err);
    assert_non_null(d.w);
    if (percent(&r, 10))
        gcast_workload_set_partition(d.w, d.sms = (int)support_between(&r, 1, d.sms));
    if (percent(&r, 20))
        gcast_workload_set_connections(d.w, (int)support_between(&r, 0, 3));
    add_streams(&d);
    d.hosts = d.waves && percent(&r, 80) ? 0 : (int)support_between(&r, 0, MAX_HOSTS);
    for (int i = 0; i < d.hosts; i++)
        assert_true(support_add_host(d.w, "host", &d.err) == i);
    int ops = (int)support_between(&r, 1, MAX_OPS),
        once = percent(&r, d.waves ? 90 : 60) ? ops : (int)support_between(&r, 0, ops);
    for (int i = 0; i < once; i++)
        add_once(&d, i);
    d.max_children = d.max_children > 4 ? 4 : d.max_children; /* tasks have several jobs */
    for (int left = ops - once, n; left > 0; left -= n) {
        n = (int)support_between(&r, 1, left < 3 ? left : 3);
        add_task(&d, n);
    }
    random_options(&r, &g.options);
    if (launching)
        generate_spawn_options(&d.plans, &g);
    support_random dependencies = {seed ^ 0x2545f4914f6cdd1d};
    support_next(&dependencies);
    if (more & GRAPHED)
        generate_nodes(&d.plans, d.w, g.gpu);
    if (percent(&dependencies, 30))
        generate_dependencies(&dependencies, d.w, g.gpu);
    if (more & GRAPHED)
        generate_edges(&d.plans, d.w);
    if (more & GRAPHED && percent(&d.plans, 20))
        generate_mesh(&d.plans, d.w);
    support_random waits = {seed ^ 0x9d39247e33776d41};
    support_next(&waits);
    if (more & WAITING)
        assert_true(generate_waits(&waits, &g, g.gpu, d.sms));
    if (percent(&r, 20)) {
        gcast_workload_set_gpu(g.workload, g.gpu);
        g.gpu = NULL;
    }
    assert_ok(gcast_workload_check(g.workload, &d.err), &d.err);
    return g;
}

generated generate(uint64_t seed)
{
    return generate_with(seed, false, false, NOTHING);
}

generated generate_planned(uint64_t seed)
{
    return generate_with(seed, true, false, NOTHING);
}

generated generate_launching(uint64_t seed)
{
    return generate_with(seed, seed % 5 == 0, true, NOTHING);
}

generated generate_clustered(uint64_t seed)
{
    return generate_with(seed, false, false, CLUSTERED | (seed % 3 ? NOTHING : WAITING));
}

generated generate_waiting(uint64_t seed)
{
    static const unsigned others[] = {NOTHING, NOTHING, GRAPHED, CLUSTERED, CLUSTERED | GRAPHED};
    return generate_with(seed, false, false, WAITING | others[seed % 5]);
}

/* Plans, and kernels that launch kernels, are beside nothing but graphs. */
generated generate_graphed(uint64_t seed)
{
    static const unsigned others[] = {NOTHING, CLUSTERED, WAITING, NOTHING, CLUSTERED | WAITING};
    unsigned more = others[seed % 5];
    return generate_with(seed, !more && seed % 7 == 0, !more && seed % 11 == 0, GRAPHED | more);
}

void generated_free(generated *g)
{
    gcast_workload_free(g->workload);
    for (size_t i = 0; i < g->plan_count; i++)
        gcast_plan_free(g->plans[i]);
    gcast_gpu_free(g->gpu);
    free(g->spawn);
    free(g->waits_for);
}

const gcast_gpu *generated_gpu(const generated *g)
{
    return g->gpu ? g->gpu : g->workload->gpu;
}
