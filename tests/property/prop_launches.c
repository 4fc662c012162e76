/* The simulator against the oracle, on random workloads whose kernels launch kernels: every time of every child, every
 * block. GRIDCAST_PROPERTY_RUNS sets how many workloads (default 500); `prop_launches SEED` shows one, with the ops
 * left out that are not needed for a difference. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "property/oracle_trial.h"
#include "property/shrink.h"

#define FEATURES(X)                                                                                                    \
    X(HAS_CHILDREN, "children")                                                                                        \
    X(NESTED, "children of children")                                                                                  \
    X(REFUSED, "refused launches")                                                                                     \
    X(KEPT, "launchers with items that keep them")                                                                     \
    X(EARLY, "children that SPAWN launches before a block has ended")                                                  \
    X(RESTS, "blocks that wait for their children")                                                                    \
    X(STREAM_WAITS, "children that wait for their stream")                                                             \
    X(POOL_WAITS, "children that wait for the pool")                                                                   \
    X(QUEUE_WAITS, "children that wait for their hardware queue")                                                      \
    X(ROOM_WAITS, "children that wait in the EE queue")                                                                \
    X(LATE_PARENT, "kernels that wait for a child to be complete")

enum {
#define X(id, text) id,
    FEATURES(X)
#undef X
        FEATURE_COUNT
};

static bool trial_run(oracle_trial *t)
{
    gcast_error err;
    if (oracle_run(t->g.workload, t->g.gpu, &t->g.options, &t->oracle, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "the oracle fails: %s", err.message);
        return false;
    }
    return oracle_trial_alike(t, false) && oracle_trial_alike(t, true) && oracle_trial_window(t);
}

static bool trial_alike(oracle_trial *t, uint64_t seed)
{
    *t = (oracle_trial){.seed = seed, .g = generate_launching(seed)};
    return trial_run(t);
}

/* Does the oracle run the workload, and is the simulator not like it? */
static bool differs(void *data, const gcast_workload *w)
{
    const oracle_trial *whole = data;
    oracle_trial t = {.g = whole->g};
    t.g.workload = (gcast_workload *)w; /* only read */
    bool alike = trial_run(&t), oracle_fails = t.oracle.ops == NULL;
    gcast_run_free(t.run);
    oracle_free(&t.oracle);
    return !alike && !oracle_fails;
}

static void trial_show(const oracle_trial *t, FILE *out)
{
    fprintf(out, "seed %" PRIu64 ": %s\n", t->seed, t->difference[0] ? t->difference : "alike");
    dump_workload(out, &t->g);
    dump_schedule(out, "oracle", t->g.workload, t->oracle.ops, t->oracle.op_count);
    dump_children(out, t->oracle.ops, t->oracle.op_count, t->oracle.children, t->oracle.child_count);
    if (t->run)
        dump_schedule(out, "simulator", t->g.workload, t->run->ops, t->run->op_count);
    if (t->run)
        dump_children(out, t->run->ops, t->run->op_count, t->run->children, t->run->child_count);
}

/* Leaves out what is not needed for a difference, and shows the rest. */
static void show_shrunk(oracle_trial *t, FILE *out)
{
    if (t->oracle.ops && differs(t, t->g.workload)) {
        shrink(&t->g, differs, t);
        gcast_run_free(t->run);
        oracle_free(&t->oracle);
        t->run = NULL;
        t->difference[0] = 0;
        trial_run(t);
    }
    trial_show(t, out);
}

static void count_features(const oracle_result *r, long *counts)
{
    bool found[FEATURE_COUNT] = {[HAS_CHILDREN] = r->stats.children > 0,
                                 [REFUSED] = r->stats.refused > 0,
                                 [KEPT] = r->stats.kept > r->stats.refused,
                                 [EARLY] = r->stats.early > 0};
    for (size_t i = 0; i < r->child_count; i++) {
        const gcast_child *c = &r->children[i];
        const gcast_run_op *x = &r->ops[r->op_count + i];
        const gcast_run_op *parent = &r->ops[c->parent];
        found[RESTS] |= c->is_rest;
        found[NESTED] |= c->parent >= r->op_count;
        found[STREAM_WAITS] |= x->head_ns > x->arrive_ns;
        found[POOL_WAITS] |= c->pool_ns > x->head_ns;
        found[QUEUE_WAITS] |= x->enter_ns > c->pool_ns;
        found[ROOM_WAITS] |= x->start_ns > x->enter_ns;
        for (uint64_t b = 0; b < parent->block_count && parent->end_ns == x->end_ns; b++)
            found[LATE_PARENT] |= parent->blocks[b].end_ns < parent->end_ns;
    }
    for (int i = 0; i < FEATURE_COUNT; i++)
        counts[i] += found[i];
}

static bool has_features(const long *counts, uint64_t runs)
{
    static const char *const names[] = {
#define X(id, text) text,
        FEATURES(X)
#undef X
    };
    bool enough = true;
    for (int i = 0; i < FEATURE_COUNT; i++) {
        printf("%8ld runs: %s\n", counts[i], names[i]);
        enough = enough && (uint64_t)counts[i] * 100 >= runs;
    }
    return enough;
}

static void simulator_matches_oracle(void **state)
{
    (void)state;
    uint64_t runs = support_runs(500), children = 0;
    long counts[FEATURE_COUNT] = {0};
    assert_true(runs > 0);
    for (uint64_t seed = 1; seed <= runs; seed++) {
        oracle_trial t;
        bool alike = trial_alike(&t, seed);
        if (!alike)
            show_shrunk(&t, stderr);
        else
            count_features(&t.oracle, counts);
        children += t.oracle.child_count;
        oracle_trial_free(&t);
        assert_true(alike);
    }
    printf("%8" PRIu64 " children\n", children);
    assert_true(has_features(counts, runs) || runs < 500);
}

static int show(uint64_t seed)
{
    oracle_trial t;
    bool alike = trial_alike(&t, seed);
    if (alike)
        trial_show(&t, stdout);
    else
        show_shrunk(&t, stdout);
    oracle_trial_free(&t);
    return alike ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return show(strtoull(argv[1], NULL, 10));
    const struct CMUnitTest tests[] = {cmocka_unit_test(simulator_matches_oracle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
