/* Registers that a workload leaves open: with as many as are said to change nothing, or fewer, each in another kernel,
 * a run is the same as without. `prop_registers SEED` tries one; GRIDCAST_PROPERTY_RUNS sets how many. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/integers.h"
#include "model/workload/left_open.h"
#include "model/workload/workload.h"
#include "property/compare.h"

#define RUNS 6000

typedef struct tally {
    uint64_t drawn, open, limited, differ_above;
} tally;

typedef generated make(uint64_t seed);

/* Most kernels say nothing of registers. */
static void open_most(gcast_workload *w, support_random *r)
{
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_op op = w->ops[i];
        if (op.kind != GCAST_KIND_KERNEL || support_between(r, 0, 4) == 0)
            continue;
        op.shape.registers = 0;
        op.registers_given = false;
        workload_put_op(w, i, &op);
    }
}

/* Gives each kernel that says nothing from `least` to `most` registers, as far as it can be launched. */
static void give(gcast_workload *w, const gcast_gpu *gpu, int least, int most, support_random *r)
{
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_op op = w->ops[i];
        if (!op_leaves_registers_open(&op))
            continue;
        int can = op_most_registers(&op, gpu);
        op.shape.registers = min_int((int)support_between(r, least, most), can);
        workload_put_op(w, i, &op);
    }
}

/* NULL: it cannot run, such as a cooperative kernel of which not all blocks fit. */
static gcast_run *run_of(const generated *g, const gcast_workload *w)
{
    gcast_run *run;
    gcast_error err;
    gcast_status status = gcast_workload_simulate(w, generated_gpu(g), &g->options, &run, &err);
    if (status == GCAST_INPUT)
        return NULL;
    if (status != GCAST_OK) { /* the engine and the checker of its runs do not agree */
        char *bytes;
        size_t size;
        dump_workload(stderr, g);
        if (gcast_workload_write_native(w, &bytes, &size, &err) == GCAST_OK) {
            fwrite(bytes, 1, size, stderr);
            free(bytes);
        }
    }
    assert_ok(status, &err);
    return run;
}

static bool are_same(const gcast_run *a, const gcast_run *b)
{
    bool same = a->op_count == b->op_count && !a->hang == !b->hang;
    for (size_t i = 0; i < a->op_count && same; i++) {
        const gcast_run_op *x = &a->ops[i], *y = &b->ops[i];
        same = x->start_ns == y->start_ns && x->end_ns == y->end_ns && x->block_count == y->block_count;
        for (size_t k = 0; x->blocks && y->blocks && k < x->block_count && same; k++)
            same = x->blocks[k].sm == y->blocks[k].sm && x->blocks[k].start_ns == y->blocks[k].start_ns;
    }
    return same;
}

static bool is_same_with(const generated *g, const gcast_workload *w, const gcast_run *without, int least, int most,
                         support_random *r)
{
    gcast_error err;
    gcast_workload *copy;
    assert_ok(gcast_workload_copy(w, &copy, &err), &err);
    give(copy, generated_gpu(g), least, most, r);
    gcast_run *with = run_of(g, copy);
    bool same = with && are_same(without, with);
    gcast_run_free(with);
    gcast_workload_free(copy);
    return same;
}

static bool try_seed(uint64_t seed, make *generate_one, tally *t)
{
    generated g = generate_one(seed);
    support_random r = {seed * 0x9e3779b97f4a7c15u + 5};
    support_next(&r);
    g.options.record_blocks = true;
    open_most(g.workload, &r);
    int enough = workload_open_registers(g.workload, generated_gpu(&g));
    int most = enough == REGISTERS_OPEN_NOWHERE ? generated_gpu(&g)->limits.registers_per_thread : enough;
    bool same = true;
    gcast_run *without = run_of(&g, g.workload);
    assert_non_null(without);
    t->drawn++;
    t->open += enough != REGISTERS_OPEN_NOWHERE;
    t->limited += enough > 0 && enough != REGISTERS_OPEN_NOWHERE;
    same = !most || (is_same_with(&g, g.workload, without, most, most, &r) &&
                     is_same_with(&g, g.workload, without, 1, most, &r));
    if (enough != REGISTERS_OPEN_NOWHERE)
        t->differ_above += !is_same_with(&g, g.workload, without, 2 * most + 8, 4 * most + 8, &r);
    if (!same)
        fprintf(stderr, "seed %" PRIu64 ": %d registers change the run\n", seed, most);
    if (!same)
        dump_workload(stderr, &g);
    gcast_run_free(without);
    generated_free(&g);
    return same;
}

static make *const makers[] = {generate, generate_planned, generate_clustered, generate_waiting, generate_graphed};
#define MAKERS (sizeof makers / sizeof *makers)

static void nothing_changes_up_to_what_is_said(void **state)
{
    (void)state;
    tally t = {0};
    uint64_t first = support_number("GRIDCAST_ATTACK_SEED", 1), runs = support_runs(RUNS);
    for (uint64_t seed = first; seed < first + runs; seed++)
        assert_true(try_seed(seed, makers[seed % MAKERS], &t));
    printf("%" PRIu64 " workloads, %" PRIu64 " rest on registers, %" PRIu64
           " with a number; twice as many and more change "
           "%" PRIu64 "\n",
           t.drawn, t.open, t.limited, t.differ_above);
    assert_true(runs < 1000 || (t.open * 10 > runs && t.limited * 10 > runs && t.differ_above * 50 > runs));
}

int main(int argc, char **argv)
{
    tally t = {0};
    if (argc > 1) {
        uint64_t seed = strtoull(argv[1], NULL, 10);
        return try_seed(seed, makers[seed % MAKERS], &t) ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_changes_up_to_what_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
