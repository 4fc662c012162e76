#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "gridcast/advice.h"
#include "support/builders.h"

static gcast_op kernel(gcast_workload *w, int stream, uint32_t grid, uint32_t block, int64_t ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.stream = support_get_stream(w, stream, NULL);
    op.grid[0] = grid;
    op.block[0] = block;
    op.min_ns = op.max_ns = ns;
    return op;
}

static void add(gcast_workload *w, gcast_op op)
{
    gcast_error err;
    assert_true(support_add_op(w, &op, &err) >= 0);
}

typedef struct ends {
    int64_t last, total;
} ends;

static ends ends_of(const gcast_workload *w, const gcast_gpu *gpu)
{
    gcast_run *run;
    gcast_error err;
    ends e = {0};
    assert_ok(gcast_workload_simulate(w, gpu, NULL, &run, &err), &err);
    for (size_t i = 0; i < run->op_count; i++) {
        e.last = run->ops[i].end_ns > e.last ? run->ops[i].end_ns : e.last;
        e.total += run->ops[i].end_ns - run->ops[i].release_ns;
    }
    gcast_run_free(run);
    return e;
}

/* Ends where the kernels are called in this order, in a workload of its own. */
static ends ends_in(const gcast_workload *w, const gcast_gpu *gpu, const size_t *order)
{
    gcast_workload *other = support_workload("", NULL);
    for (size_t i = 0; i < w->stream_count; i++)
        support_add_stream(other, w->streams[i], NULL);
    for (size_t i = 0; i < w->op_count; i++)
        add(other, w->ops[order[i]]);
    gcast_workload_set_connections(other, w->connections);
    ends e = ends_of(other, gpu);
    gcast_workload_free(other);
    return e;
}

static bool next_permutation(size_t *p, size_t n)
{
    size_t i = n - 1, j = n - 1;
    while (i && p[i - 1] > p[i])
        i--;
    if (!i)
        return false;
    while (p[j] < p[i - 1])
        j--;
    size_t t = p[i - 1];
    p[i - 1] = p[j], p[j] = t;
    for (j = n - 1; i < j; i++, j--)
        t = p[i], p[i] = p[j], p[j] = t;
    return true;
}

static void extremes(const gcast_workload *w, const gcast_gpu *gpu, ends *best, ends *worst)
{
    size_t order[8];
    for (size_t i = 0; i < w->op_count; i++)
        order[i] = i;
    *best = (ends){INT64_MAX, INT64_MAX}, *worst = (ends){0, 0};
    do {
        ends e = ends_in(w, gpu, order);
        best->last = e.last < best->last ? e.last : best->last;
        best->total = e.total < best->total ? e.total : best->total;
        worst->last = e.last > worst->last ? e.last : worst->last;
        worst->total = e.total > worst->total ? e.total : worst->total;
    } while (next_permutation(order, w->op_count));
}

static gcast_advise_options only_orders(void)
{
    gcast_advise_options options = gcast_advise_options_default();
    options.sensitivity = options.levels = false;
    options.orders = true;
    return options;
}

static gcast_advice *kept[2]; /* the advice that orders in use are of */

/* `options` NULL: the defaults. */
static const gcast_orders *orders_of(const gcast_workload *w, const gcast_gpu *gpu, const gcast_advise_options *options)
{
    gcast_error err;
    gcast_advise_options defaults = only_orders();
    gcast_advice **a = kept[0] ? &kept[1] : &kept[0];
    assert_ok(gcast_workload_advise(w, gpu, options ? options : &defaults, a, &err), &err);
    return (*a)->orders;
}

static void orders_free(const gcast_orders *o)
{
    gcast_advice **a = kept[0] && kept[0]->orders == o ? &kept[0] : &kept[1];
    gcast_advice_free(*a);
    *a = NULL;
}

/* The four kernels of the thesis end at 12 ms in all orders, but their responses differ. */
static void kernels_of_the_thesis(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w;
    const gcast_orders *o;
    ends best, worst;
    gcast_advise_options options = only_orders();
    assert_ok(gcast_workload_load(SOURCE_DIR "/examples/thesis.json", NULL, &w, &err), &err);
    extremes(w, w->gpu, &best, &worst);
    for (int total = 0; total < 2; total++) {
        options.goal = total ? GCAST_GOAL_TOTAL : GCAST_GOAL_MAKESPAN;
        o = orders_of(w, NULL, &options);
        assert_int_equal(o->count, 4);
        assert_int_equal(o->runs, 24);
        assert_int_equal(o->given_value, total ? 37000000 : 12000000); /* 4 + 10 + 12 + 11 */
        assert_int_equal(o->best_value, total ? best.total : best.last);
        assert_int_equal(o->worst_value, total ? worst.total : worst.last);
        ends first = ends_in(w, w->gpu, o->best), last = ends_in(w, w->gpu, o->worst);
        assert_int_equal(total ? first.total : first.last, o->best_value);
        assert_int_equal(total ? last.total : last.last, o->worst_value);
        assert_true(!total || o->worst_value > o->best_value);
        assert_true(o->best_proven && o->worst_proven);
        assert_int_equal(o->bound, o->best_value);
        assert_null(o->stopped);
        orders_free(o);
    }
    gcast_workload_free(w);
}

static gcast_workload *random_kernels(support_random *r, gcast_gpu **gpu)
{
    static const int threads[] = {32, 96, 128, 256, 512, 768, 1024};
    gcast_workload *w = support_workload("", NULL);
    gcast_error err;
    int n = (int)support_between(r, 3, 7);
    *gpu = support_gpu("random", 6, 2, (int)support_between(r, 1, 3), &err);
    assert_non_null(*gpu);
    (*gpu)->handover_ns = support_between(r, 0, 2);
    (*gpu)->switch_ns = support_between(r, 0, 1) * 3;
    (*gpu)->launch_latency_ns = support_between(r, 0, 5);
    (*gpu)->placement = (gcast_placement)support_between(r, 0, GCAST_PLACEMENTS - 1);
    (*gpu)->limits.resident_grids = support_between(r, 0, 3) ? 0 : 2;
    for (int i = 0; i < n; i++) {
        gcast_op op = kernel(w, i + 1, (uint32_t)support_between(r, 1, 12), (uint32_t)threads[support_between(r, 0, 6)],
                             support_between(r, 1, 30));
        op.shape.registers = (int)support_between(r, 0, 60);
        op.shape.static_smem = 4096 * support_between(r, 0, 8);
        if (op.block[0] * (uint32_t)op.shape.registers > 20000)
            op.shape.registers = 0;
        add(w, op);
    }
    gcast_workload_set_connections(w, (int)support_between(r, 0, 3));
    return w;
}

/* Branch and bound finds the best of all orders, and says that it is proven. */
static void branch_and_bound_is_right(void **state)
{
    (void)state;
    support_random r = {20240517};
    uint64_t all_runs = 0, few_runs = 0;
    for (int i = 0; i < 45; i++) {
        gcast_gpu *gpu;
        const gcast_orders *all, *few;
        gcast_workload *w = random_kernels(&r, &gpu);
        gcast_advise_options options = only_orders();
        options.goal = (gcast_goal)(i % 3); /* makespan, response, total */
        all = orders_of(w, gpu, &options);
        options.exhaustive_ops = 0;
        few = orders_of(w, gpu, &options);
        assert_true(all->best_proven && few->best_proven);
        assert_int_equal(all->best_value, few->best_value);
        assert_true(few->worst_value <= all->worst_value);
        assert_int_equal(all->given_value, few->given_value);
        assert_true(all->bound <= all->best_value);
        if (i % 12 == 0) {
            ends best, worst; /* i % 3 is 0: of the makespan */
            extremes(w, gpu, &best, &worst);
            assert_int_equal(all->best_value, best.last);
            assert_int_equal(all->worst_value, worst.last);
        }
        all_runs += all->runs;
        few_runs += few->runs;
        orders_free(all);
        orders_free(few);
        gcast_workload_free(w);
        gcast_gpu_free(gpu);
    }
    assert_true(few_runs < all_runs); /* with fewer simulations */
}

/* Orders that streams, the NULL stream and releases give are kept. */
static void given_orders_stay(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("one", 6, 2, 1, &err);
    gcast_workload *w = support_workload("", NULL);
    const gcast_orders *o;
    add(w, kernel(w, 1, 1, 1024, 10));
    add(w, kernel(w, 2, 1, 1024, 10));
    add(w, kernel(w, 1, 1, 1024, 10));
    gcast_op alone = kernel(w, 3, 1, 1024, 10);
    alone.release_ns = 5;
    add(w, alone); /* alone at its time */
    o = orders_of(w, gpu, NULL);
    assert_int_equal(o->count, 3);
    assert_int_equal(o->runs, 3); /* 1 2 1, 2 1 1, 1 1 2 */
    orders_free(o);
    add(w, kernel(w, 0, 1, 1024, 10));
    int blocking = support_add_stream(w, (gcast_stream){.id = 9, .blocking = true}, NULL);
    gcast_op op = kernel(w, 9, 1, 1024, 10);
    assert_int_equal(op.stream, blocking);
    add(w, op);
    o = orders_of(w, gpu, NULL);
    assert_int_equal(o->count, 5);
    assert_int_equal(o->runs, 30); /* 5! / 2 for stream 1, / 2 for streams 0 and 9 */
    for (size_t i = 0; i < o->count; i++)
        if (o->worst[i] == 5)
            for (size_t j = i; j < o->count; j++)
                assert_true(o->worst[j] != 4);
    orders_free(o);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

/* A short kernel behind a long one is late; the other way round neither is. */
static void counts_late_jobs(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("one", 6, 2, 1, &err);
    gcast_workload *w = support_workload("", NULL);
    const gcast_orders *o;
    gcast_advise_options options = only_orders();
    options.goal = GCAST_GOAL_LATE;
    add(w, kernel(w, 1, 2, 1024, 50)); /* fills the SM */
    gcast_op half = kernel(w, 2, 1, 1024, 100);
    add(w, half); /* the task fits beside it */
    gcast_op job = kernel(w, 3, 1, 1024, 10);
    gcast_task task = {.name = "t", .stream = job.stream, .period_ns = 1000, .deadline_ns = 65};
    assert_int_equal(support_add_task(w, &task, &err), 0);
    add(w, job);
    o = orders_of(w, gpu, &options);
    assert_int_equal(o->given_value, 0);
    assert_int_equal(o->best_value, 0);
    assert_int_equal(o->worst_value, 1);
    assert_int_equal(o->worst[0], 1);
    orders_free(o);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

static void limits_are_kept_and_said(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("two", 6, 2, 2, &err);
    gcast_workload *w = support_workload("", NULL);
    const gcast_orders *o, *repeated;
    gcast_advise_options options = only_orders();
    for (int i = 0; i < 14; i++)
        add(w, kernel(w, i + 1, (uint32_t)(i * 5 % 7 + 1), i % 3 ? 768 : 512, 7 * i % 11 + 3));
    options.max_runs = 500;
    o = orders_of(w, gpu, &options);
    repeated = orders_of(w, gpu, &options);
    assert_true(o->runs <= 500);
    assert_int_equal(o->best_proven, o->bound == o->best_value);
    assert_true(o->best_proven || o->stopped);
    assert_false(o->worst_proven);
    assert_true(o->bound <= o->best_value && o->best_value <= o->given_value && o->given_value <= o->worst_value);
    assert_int_equal(o->best_value, repeated->best_value);
    assert_memory_equal(o->best, repeated->best, o->count * sizeof *o->best);
    assert_int_equal(ends_in(w, gpu, o->best).last, o->best_value);
    assert_int_equal(ends_in(w, gpu, o->worst).last, o->worst_value);
    orders_free(o);
    orders_free(repeated);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

static void nothing_to_order(void **state)
{
    (void)state;
    gcast_error err;
    const gcast_orders *o;
    gcast_workload *w = support_workload("", NULL);
    gcast_gpu *gpu = support_gpu("one", 6, 2, 1, &err);
    add(w, kernel(w, 1, 1, 32, 10));
    o = orders_of(w, gpu, NULL);
    assert_int_equal(o->count, 0);
    assert_int_equal(o->best_value, 10);
    orders_free(o);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_the_thesis),    cmocka_unit_test(branch_and_bound_is_right),
        cmocka_unit_test(given_orders_stay),        cmocka_unit_test(counts_late_jobs),
        cmocka_unit_test(limits_are_kept_and_said), cmocka_unit_test(nothing_to_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
