/* The simulator against the oracle, on random workloads whose kernels launch kernels: every time of every child, every
 * block. GRIDCAST_PROPERTY_RUNS sets how many workloads (default 800); `prop_launches SEED` shows one, with the ops
 * left out that are not needed for a difference. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "property/compare.h"
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

typedef struct trial {
    uint64_t seed;
    generated g;
    oracle_result oracle;
    gcast_run *run;
    char difference[1024];
} trial;

static bool simulated_alike(trial *t, bool record_blocks)
{
    gcast_error err;
    t->g.options.record_blocks = record_blocks;
    gcast_run_free(t->run);
    t->run = NULL;
    if (gcast_workload_simulate(t->g.workload, t->g.gpu, &t->g.options, &t->run, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "the simulator fails: %s (%s)", err.message, err.path);
        return false;
    }
    if (!compare_runs(t->run, &t->oracle, t->difference, sizeof t->difference))
        return false;
    if (gcast_run_check(t->run, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "the checker says: %s", err.message);
        return false;
    }
    return true;
}

/* Only the blocks of some part of the time are recorded. */
static bool window_alike(trial *t)
{
    support_random r = {t->seed * 0x9e3779b97f4a7c15u + 7};
    gcast_simulate_options *o = &t->g.options;
    int64_t end = t->oracle.end_ns > 0 ? t->oracle.end_ns : 1;
    o->record_from_ns = support_between(&r, 0, end);
    o->record_to_ns = o->record_from_ns + support_between(&r, 1, support_between(&r, 1, end));
    bool alike = simulated_alike(t, true);
    o->record_from_ns = o->record_to_ns = 0;
    return alike;
}

static bool trial_run(trial *t)
{
    gcast_error err;
    if (oracle_run(t->g.workload, t->g.gpu, &t->g.options, &t->oracle, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "the oracle fails: %s", err.message);
        return false;
    }
    return simulated_alike(t, false) && simulated_alike(t, true) && window_alike(t);
}

static bool trial_alike(trial *t, uint64_t seed)
{
    *t = (trial){.seed = seed, .g = generate_launching(seed)};
    return trial_run(t);
}

/* Does the oracle run the workload, and is the simulator not like it? */
static bool differs(void *data, const gcast_workload *w)
{
    const trial *whole = data;
    trial t = {.g = whole->g};
    t.g.workload = (gcast_workload *)w; /* only read */
    bool alike = trial_run(&t), oracle_fails = t.oracle.ops == NULL;
    gcast_run_free(t.run);
    oracle_free(&t.oracle);
    return !alike && !oracle_fails;
}

static void trial_show(const trial *t, FILE *out)
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
static void show_shrunk(trial *t, FILE *out)
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

static void trial_free(trial *t)
{
    gcast_run_free(t->run);
    oracle_free(&t->oracle);
    generated_free(&t->g);
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
    uint64_t runs = support_runs(800), children = 0;
    long counts[FEATURE_COUNT] = {0};
    assert_true(runs > 0);
    for (uint64_t seed = 1; seed <= runs; seed++) {
        trial t;
        bool alike = trial_alike(&t, seed);
        if (!alike)
            show_shrunk(&t, stderr);
        else
            count_features(&t.oracle, counts);
        children += t.oracle.child_count;
        trial_free(&t);
        assert_true(alike);
    }
    printf("%8" PRIu64 " children\n", children);
    assert_true(has_features(counts, runs) || runs < 500);
}

static int show(uint64_t seed)
{
    trial t;
    bool alike = trial_alike(&t, seed);
    if (alike)
        trial_show(&t, stdout);
    else
        show_shrunk(&t, stdout);
    trial_free(&t);
    return alike ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return show(strtoull(argv[1], NULL, 10));
    const struct CMUnitTest tests[] = {cmocka_unit_test(simulator_matches_oracle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
