/* Decisions of cuda/gridcast_spawn_rules.h. Those of SPAWN are compared, on 10,000 random traces, with a transcription
 * of the published Algorithm 1 in double arithmetic, which knows the blocks of the trace and nothing of the header.
 * Those of OWN are compared with its formula. Where both sides of an inequality differ by less than 1e-5, float may
 * decide otherwise: these are not compared, and must be few. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "gridcast_spawn_rules.h"

#define MAX_BLOCKS 512
#define TRACES 10000

/* Comparisons of a test. */
typedef struct tally {
    long compared, skipped, launched;
} tally;

static bool is_close(double a, double b)
{
    return fabs(a - b) <= 1e-5 * fmax(fabs(a), fabs(b));
}

/* A child block of a trace. */
typedef struct trace_block {
    uint64_t start, end; /* it runs from start to end */
    uint64_t warp;       /* time of its warp */
    bool is_counted;     /* a window that is closed has its end */
} trace_block;

/* Algorithm 1 of Tang et al., HPCA 2017, with the choices that the header names. */
typedef struct published {
    double t_cta, n_con, n_con_before, t_warp; /* 0 at the start */
    double sum;                                /* of times of blocks */
    double count;                              /* of blocks */
} published;

static bool algorithm_1(const published *a, const gridcast_params *p, double n, double x, double workload, tally *t,
                        bool *is_clear)
{
    double n_con = a->n_con;
    *is_clear = true;
    if (workload < 1 || workload < p->min_items)
        return false;
    if (a->t_cta == 0)
        return true;
    if (n + x > p->max_queue)
        return false;
    if (n_con == 0 && p->idle == GRIDCAST_IDLE_LAST)
        n_con = a->n_con_before;
    if (n_con == 0 && p->idle == GRIDCAST_IDLE_ONE)
        n_con = 1;
    if (n_con == 0 || a->t_warp == 0)
        return true;
    double throughput = n_con / a->t_cta;
    double t_child = (double)p->overhead_ns + (n + x) / throughput;
    double t_parent = workload * a->t_warp;
    *is_clear = !is_close(t_child, t_parent);
    t->skipped += !*is_clear;
    return t_child <= t_parent;
}

/* The window from `from` to `now` closes; n_con is at most max_running where that is not 0. */
static void published_window(published *a, const gridcast_params *p, trace_block *block, size_t blocks, uint64_t from,
                             uint64_t now, uint64_t max_running)
{
    double integral = 0, sum = 0, warps = 0, ended = 0;
    for (size_t i = 0; i < blocks; i++) {
        double start = fmax((double)block[i].start, (double)from), end = fmin((double)block[i].end, (double)now);
        integral += fmax(0, end - start);
        if (block[i].is_counted || block[i].end > now)
            continue;
        block[i].is_counted = true;
        ended++;
        sum += (double)(block[i].end - block[i].start);
        warps += (double)block[i].warp;
    }
    for (int i = 0; i < ended && p->average == GRIDCAST_EXPONENTIAL; i++)
        a->t_cta = a->t_cta == 0 ? sum / ended : a->t_cta * 7 / 8 + sum / ended / 8;
    a->sum += sum;
    a->count += ended;
    if (ended && p->average == GRIDCAST_CUMULATIVE)
        a->t_cta = a->sum / a->count;
    if (ended && a->t_cta == 0)
        a->t_cta = 1;
    if (warps > 0) /* the clock has ticked */
        a->t_warp = warps / ended;
    a->n_con = integral / (double)(now - from);
    if (max_running)
        a->n_con = fmin(a->n_con, (double)max_running);
    if (a->n_con > 0)
        a->n_con_before = a->n_con;
}

/* The header's side, as gridcast_spawn.cuh keeps it in device memory. */
typedef struct device {
    gridcast_params params;
    gridcast_averages averages;
    gridcast_snapshot snapshot;
    uint64_t launched, ended;             /* loads */
    uint64_t running;                     /* the word */
    uint64_t block_time;                  /* when the window began */
    uint64_t blocks, warps;               /* gridcast_timed of blocks that ended */
    uint64_t blocks_before, warps_before; /* when the window began */
} device;

static void device_window(device *d, uint64_t from, uint64_t now, uint64_t max_running)
{
    uint64_t time = gridcast_block_time(d->running, now);
    gridcast_window w = {.span_ns = now - from,
                         .block_time_ns = gridcast_block_time_between(d->block_time, time),
                         .max_running = max_running,
                         .ended = gridcast_timed_count(d->blocks - d->blocks_before),
                         .ended_ns = gridcast_timed_ns(d->blocks - d->blocks_before),
                         .warps = gridcast_timed_count(d->warps - d->warps_before),
                         .warps_ns = gridcast_timed_ns(d->warps - d->warps_before)};
    gridcast_close_window(&d->averages, &d->params, &w);
    d->snapshot = gridcast_snapshot_of(&d->averages, &d->params);
    d->block_time = time;
    d->blocks_before = d->blocks;
    d->warps_before = d->warps;
}

/* Blocks start and end at `now`. */
static void device_step(device *d, const trace_block *block, size_t blocks, uint64_t now)
{
    for (size_t i = 0; i < blocks; i++) {
        if (block[i].start == now)
            d->running += gridcast_running_begin(now);
        if (block[i].end != now)
            continue;
        d->running += gridcast_running_end(now);
        d->ended += gridcast_load_of(0, 1);
        d->blocks += gridcast_timed(block[i].end - block[i].start);
        d->warps += gridcast_timed(block[i].warp);
    }
}

static gridcast_params random_params(support_random *r)
{
    gridcast_params p = gridcast_params_default();
    p.policy = GRIDCAST_SPAWN;
    p.min_items = (uint32_t)support_between(r, 0, 8);
    p.block_items = (uint32_t)support_between(r, 1, 64);
    p.overhead_ns = (float)support_between(r, 0, support_between(r, 0, 1) ? 100 : 100000) / 10;
    p.idle = (uint32_t)support_between(r, GRIDCAST_IDLE_LAST, GRIDCAST_IDLE_ONE);
    p.average = (uint32_t)support_between(r, GRIDCAST_CUMULATIVE, GRIDCAST_EXPONENTIAL);
    if (support_between(r, 0, 3) == 0)
        p.max_queue = (uint32_t)support_between(r, 1, 60);
    return p;
}

static void run_trace(support_random *r, tally *t)
{
    trace_block block[MAX_BLOCKS];
    size_t blocks = 0;
    published a = {0};
    device d = {.params = random_params(r), .averages = gridcast_averages_start()};
    d.blocks = d.blocks_before = (uint64_t)support_between(r, 0, INT64_MAX) * 2; /* sums that wrap */
    d.warps = d.warps_before = 0 - (uint64_t)support_between(r, 0, 1000);
    const gridcast_params *p = &d.params;
    uint64_t now = (uint64_t)support_between(r, 0, (int64_t)1 << 48), steps = (uint64_t)support_between(r, 50, 400);
    uint64_t from = now, window = (uint64_t)support_between(r, 1, 60), close = now + window;
    int64_t longest = support_between(r, 0, 60), delay = support_between(r, 0, 40), between = support_between(r, 2, 20);
    d.snapshot = gridcast_snapshot_of(&d.averages, p);
    d.block_time = gridcast_block_time(d.running, now);
    for (uint64_t last = now + steps; now < last; now++) {
        device_step(&d, block, blocks, now);
        if (now >= close) {
            uint64_t max_running = (uint64_t)(support_between(r, 0, 3) ? 0 : support_between(r, 1, 20));
            published_window(&a, p, block, blocks, from, now, max_running);
            device_window(&d, from, now, max_running);
            from = now;
            close = now + window + (uint64_t)support_between(r, 0, 20);
        }
        if (support_between(r, 1, between) > 1)
            continue;
        bool is_clear;
        uint32_t items = (uint32_t)support_between(r, 0, support_between(r, 0, 1) ? 16 : 1000);
        uint32_t x = gridcast_blocks_of(p, items);
        uint32_t n = gridcast_load_blocks(d.launched - d.ended);
        double waiting = 0;
        for (size_t i = 0; i < blocks; i++)
            waiting += block[i].end > now;
        assert_int_equal(n, (uint32_t)waiting);
        assert_int_equal(x, (uint32_t)ceil((double)items / p->block_items));
        bool expected = algorithm_1(&a, p, waiting, x, items, t, &is_clear);
        if (is_clear && gridcast_launches(p, &d.snapshot, items, x, n, 0, 0) != expected)
            fail_msg("%u items, %u blocks after %u: t_cta %g, n_con %g, t_warp %g, overhead %g: not %d", items, x, n,
                     a.t_cta, a.n_con, a.t_warp, (double)p->overhead_ns, expected);
        t->compared += is_clear;
        t->launched += is_clear && expected;
        if (!expected || blocks + x > MAX_BLOCKS)
            continue;
        d.launched += gridcast_load_of(1, x);
        for (uint32_t i = 0; i < x; i++) {
            uint64_t start = now + 1 + (uint64_t)support_between(r, 0, delay);
            uint64_t end = start + (uint64_t)support_between(r, 0, longest);
            block[blocks++] = (trace_block){start, end, (uint64_t)support_between(r, 0, (int64_t)(end - start)), false};
        }
    }
}

static void spawn_decides_as_published(void **state)
{
    (void)state;
    support_random r = {0x2545f491};
    tally t = {0};
    for (int i = 0; i < TRACES; i++)
        run_trace(&r, &t);
    assert_true(t.compared > 20 * TRACES);
    assert_true(t.skipped < t.compared / 1000);
    assert_true(t.launched > t.compared / 10 && t.launched < t.compared - t.compared / 10);
}

/* What needs no averages. */
static void policies_by_items(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default();
    gridcast_snapshot none = {0};
    p.min_items = 5;
    p.threshold = 9;
    for (uint32_t items = 0; items < 20; items++) {
        p.policy = GRIDCAST_FLAT;
        assert_false(gridcast_launches(&p, &none, items, 1, 0, 0, 0));
        p.policy = GRIDCAST_ALWAYS;
        assert_int_equal(gridcast_launches(&p, &none, items, 1, UINT32_MAX, 0, 0), items >= 5);
        p.policy = GRIDCAST_THRESHOLD;
        assert_int_equal(gridcast_launches(&p, &none, items, 1, UINT32_MAX, 0, 0), items >= 9);
    }
    p.policy = GRIDCAST_ALWAYS;
    p.min_items = 0;
    assert_false(gridcast_launches(&p, &none, 0, 0, 0, 0, 0));
    assert_true(gridcast_launches(&p, &none, 1, 1, 0, 0, 0));
}

static gridcast_params random_own(support_random *r)
{
    gridcast_params p = gridcast_params_default();
    p.policy = GRIDCAST_OWN;
    p.min_items = (uint32_t)support_between(r, 0, 20);
    p.overhead_ns = (float)support_between(r, 0, 200000) / 10;
    p.call_ns = (float)support_between(r, 0, 5000) / 10;
    p.service_ns = (float)support_between(r, 0, 5000) / 10;
    p.child_ns = (float)support_between(r, 0, 500000) / 10;
    p.item_ns = (float)support_between(r, 0, 10000) / 10;
    return p;
}

static void own_decides_by_its_formula(void **state)
{
    (void)state;
    support_random r = {11};
    tally t = {0};
    gridcast_snapshot none = {0};
    for (int i = 0; i < 200000; i++) {
        gridcast_params p = random_own(&r);
        uint32_t items = (uint32_t)support_between(&r, 0, support_between(&r, 0, 1) ? 400 : 10000);
        uint64_t place = (uint64_t)support_between(&r, 0, support_between(&r, 0, 1) ? 20 : 20000);
        uint32_t earlier = (uint32_t)support_between(&r, 0, 31);
        double child = (double)p.overhead_ns + earlier * (double)p.call_ns + (double)place * (double)p.service_ns +
                       (double)p.child_ns;
        double parent = items * (double)p.item_ns;
        bool expected = items && items >= p.min_items && child <= parent;
        if (is_close(child, parent)) {
            t.skipped++;
            continue;
        }
        t.compared++;
        t.launched += expected;
        assert_int_equal(gridcast_launches(&p, &none, items, 1, 0, place, earlier), expected);
    }
    assert_true(t.skipped < t.compared / 1000);
    assert_true(t.launched > t.compared / 10 && t.launched < t.compared - t.compared / 10);
}

/* Once false, a decision stays false when blocks queued, places and launches of the warp grow; also where float has no
 * difference any more. */
static void decisions_only_turn_to_keep(void **state)
{
    (void)state;
    support_random r = {12};
    long turned[GRIDCAST_OWN + 1] = {0};
    for (int i = 0; i < 40000; i++) {
        gridcast_params p = random_own(&r);
        uint32_t items = (uint32_t)support_between(&r, 1, 10000);
        gridcast_snapshot s = {
            .block_ns = (float)support_between(&r, 0, 5000) / 10, .item_ns = p.item_ns, .overhead_ns = p.overhead_ns};
        uint64_t queued = 0, place = 0;
        uint32_t earlier = 0;
        bool before = true;
        p.policy = (uint32_t)support_between(&r, GRIDCAST_FLAT, GRIDCAST_OWN);
        for (int k = 0; k < 40; k++) {
            bool launches = gridcast_launches(&p, &s, items, 1, queued, place, earlier);
            assert_false(launches && !before);
            turned[p.policy] += k > 0 && before && !launches;
            before = launches;
            int64_t largest = (int64_t)1 << support_between(&r, 0, k);
            queued += (uint64_t)support_between(&r, 0, largest);
            place += (uint64_t)support_between(&r, 0, largest);
            earlier += (uint32_t)support_between(&r, 0, 2);
        }
    }
    assert_true(turned[GRIDCAST_SPAWN] > 1000 && turned[GRIDCAST_OWN] > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spawn_decides_as_published),
        cmocka_unit_test(policies_by_items),
        cmocka_unit_test(own_decides_by_its_formula),
        cmocka_unit_test(decisions_only_turn_to_keep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
