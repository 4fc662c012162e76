/* Random kernels that launch: how near the search for a threshold comes to the best of all thresholds. The oracle
 * simulates each of them, on purpose, without the list of those that make a difference. `prop_spawn_search SEED` tries
 * one. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/spawn/spawn_compare.h"
#include "support/support.h"

#define MAX_THREADS 3000
#define MAX_ITEMS 1200
#define NEAR 1.01       /* of the best end: near it */
#define NEAR_PERCENT 90 /* of all workloads must be near */
#define FARTHEST 1.25   /* of the best end: none is worse */

/* A workload, and the largest number of items of a launcher. */
typedef struct drawn {
    gcast_workload *w;
    gcast_gpu *gpu;
    uint32_t largest;
} drawn;

/* Item counts with a long tail, or all alike. */
static uint32_t draw_items(support_random *r, double power)
{
    double part = (double)support_between(r, 1, 1000000) / 1e6;
    return (uint32_t)fmin(MAX_ITEMS, pow(part, -power));
}

static void add_kernel(drawn *d, support_random *r)
{
    static uint32_t items[MAX_THREADS];
    gcast_error err;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL), child = op;
    gcast_launches l = gcast_launches_default();
    double power = (double)support_between(r, 5, 30) / 10;
    size_t count = (size_t)support_between(r, 1, MAX_THREADS);
    for (size_t i = 0; i < count; i++) {
        items[i] = support_between(r, 0, 3) ? draw_items(r, power) : 0;
        d->largest = items[i] > d->largest ? items[i] : d->largest;
    }
    child.label = "child";
    child.block[0] = (uint32_t)support_between(r, 1, 4) * 32;
    child.min_ns = child.max_ns = support_between(r, 20, 2000);
    op.label = "parent";
    op.block[0] = (uint32_t)support_between(r, 1, 8) * 32;
    op.grid[0] = (uint32_t)((count - 1) / op.block[0] + 1);
    op.min_ns = op.max_ns = support_between(r, 100, 5000);
    l.at_ns = op.min_ns - 1;
    l.items = items;
    l.item_count = count;
    l.min_items = (uint32_t)support_between(r, 1, 8);
    l.item_ns = support_between(r, 10, 1000);
    l.child_item_ns = support_between(r, 10, 2000);
    l.stream = support_between(r, 0, 3) ? GCAST_CHILD_STREAM_OWN : GCAST_CHILD_STREAM_BLOCK;
    l.child = &child;
    op.launches = &l;
    assert_ok(gcast_workload_get_stream(d->w, 1, &op.stream, &err), &err);
    assert_ok(gcast_workload_add_op(d->w, &op, NULL, &err), &err);
}

static drawn draw(uint64_t seed)
{
    support_random r = {seed};
    drawn d = {0};
    gcast_error err;
    assert_ok(gcast_gpu_preset(support_between(&r, 0, 3) ? "gk110-sim" : "h200", &d.gpu, &err), &err);
    assert_ok(gcast_workload_create("drawn", &d.w, &err), &err);
    for (int64_t i = support_between(&r, 1, 3); i > 0; i--)
        add_kernel(&d, &r);
    return d;
}

static int64_t end_of(const drawn *d, gcast_spawn_policy policy, uint32_t threshold)
{
    gcast_simulate_options o = gcast_simulate_options_default();
    gcast_run *run;
    gcast_error err;
    o.override_spawn = true;
    o.spawn_policy = policy;
    o.spawn_threshold = threshold;
    assert_ok(gcast_workload_simulate(d->w, d->gpu, &o, &run, &err), &err);
    int64_t end = run->end_ns;
    gcast_run_free(run);
    return end;
}

static gcast_spawn_row offline(const drawn *d, bool exhaustive)
{
    const gcast_spawn_choice choice = {GCAST_CONTENDER_OFFLINE, 0};
    gcast_compare_options o = gcast_compare_options_default();
    gcast_spawn_comparison *c;
    gcast_error err;
    o.choices = &choice;
    o.choice_count = 1;
    o.exhaustive = exhaustive;
    assert_ok(gcast_spawn_compare(d->w, d->gpu, &o, &c, &err), &err);
    gcast_spawn_row row = c->rows[0];
    gcast_spawn_comparison_free(c);
    return row;
}

/* How much later than the best the search ends. With every_threshold the best is that of all numbers of items. */
static double judge(uint64_t seed, bool every_threshold)
{
    drawn d = draw(seed);
    gcast_spawn_row all = offline(&d, true), found = offline(&d, false);
    int64_t best = end_of(&d, GCAST_SPAWN_FLAT, 0);
    for (uint32_t i = 1; every_threshold && i <= d.largest; i++) {
        int64_t end = end_of(&d, GCAST_SPAWN_THRESHOLD, i);
        best = end < best ? end : best;
    }
    if (every_threshold && best != all.end_ns)
        fail_msg("seed %" PRIu64 ": %" PRId64 " is the best end, all that make a difference give %" PRId64, seed, best,
                 all.end_ns);
    if (found.end_ns < all.end_ns)
        fail_msg("seed %" PRIu64 ": the search is better than all thresholds", seed);
    gcast_workload_free(d.w);
    gcast_gpu_free(d.gpu);
    return (double)found.end_ns / (double)all.end_ns;
}

static uint64_t given_seed;

static void search_is_near(void **state)
{
    (void)state;
    uint64_t runs = given_seed ? 1 : support_runs(30), near = 0;
    double farthest = 1;
    for (uint64_t i = 0; i < runs; i++) {
        double ratio = judge(given_seed ? given_seed : i + 1, i < 4);
        near += ratio <= NEAR;
        farthest = fmax(farthest, ratio);
        if (ratio > FARTHEST)
            fail_msg("seed %" PRIu64 ": %.3f times the best", given_seed ? given_seed : i + 1, ratio);
    }
    printf("%" PRIu64 " of %" PRIu64 " within 1 %% of the best, the farthest at %.3f\n", near, runs, farthest);
    assert_true(given_seed || near * 100 >= runs * NEAR_PERCENT);
}

int main(int argc, char **argv)
{
    given_seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(search_is_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
