/* The simulator against the oracle, on random workloads with clusters: every time, every block.
 * GRIDCAST_PROPERTY_RUNS sets how many workloads (default 1500); `prop_clusters SEED` shows one. */
#include <inttypes.h>
#include <stdlib.h>

#include "property/oracle_trial.h"

#define FEATURES(X)                                                                                                    \
    X(CLUSTERS, "kernels with clusters")                                                                               \
    X(WAITS, "clusters that wait for room")                                                                            \
    X(PASSED, "kernels that pass one with clusters")                                                                   \
    X(LOWER, "kernels of a lower level that pass one with clusters")                                                   \
    X(TWO, "kernels with clusters of two sizes that wait")                                                             \
    X(FLAT, "clusters in two directions")                                                                              \
    X(SEVERAL, "several GPCs in a round")                                                                              \
    X(LONE, "clusters on lone GPCs")                                                                                   \
    X(EIGHT, "eight blocks of clusters on an SM")

enum {
#define X(id, text) id,
    FEATURES(X)
#undef X
        FEATURE_COUNT
};

static bool trial_alike(oracle_trial *t, uint64_t seed)
{
    gcast_error err;
    *t = (oracle_trial){.seed = seed, .g = generate_clustered(seed)};
    if (oracle_run(t->g.workload, t->g.gpu, &t->g.options, &t->oracle, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "the oracle fails: %s", err.message);
        return false;
    }
    return oracle_trial_alike(t, false) && oracle_trial_alike(t, true) && oracle_trial_window(t);
}

static void trial_show(const oracle_trial *t, FILE *out)
{
    fprintf(out, "seed %" PRIu64 ": %s\n", t->seed, t->difference[0] ? t->difference : "alike");
    dump_workload(out, &t->g);
    dump_schedule(out, "oracle", t->g.workload, t->oracle.ops, t->oracle.op_count);
    if (t->run)
        dump_schedule(out, "simulator", t->g.workload, t->run->ops, t->run->op_count);
}

static uint32_t size_of(const gcast_op *op)
{
    return op->cluster[0] * op->cluster[1] * op->cluster[2];
}

static bool is_on_lone(const gcast_gpu *gpu, uint32_t sm)
{
    const int *list = gpu->gpc_sms;
    for (int g = 0; g < gpu->gpc_count; list += gpu->gpc_sizes[g++])
        for (int i = 0; i < gpu->gpc_sizes[g]; i++)
            if (list[i] == (int)sm)
                return gpu->gpc_sizes[g] <= gpu->sms_per_tpc;
    return false;
}

/* Of a kernel x with clusters beside a kernel y. */
static void count_pair(const gcast_workload *w, const gcast_run_op *x, const gcast_run_op *y, bool *found)
{
    const gcast_op *a = &w->ops[x->op], *b = &w->ops[y->op];
    bool queued = y->entry > x->entry && y->enter_ns < x->dispatched_ns;
    if (b->kind != GCAST_KIND_KERNEL || y->skipped || x == y)
        return;
    found[PASSED] |=
        queued && y->start_ns < x->dispatched_ns && w->streams[a->stream].priority == w->streams[b->stream].priority;
    found[LOWER] |= queued && y->start_ns < x->dispatched_ns && w->streams[a->stream].priority < -1 &&
                    w->streams[b->stream].priority >= 0;
    found[TWO] |= queued && size_of(b) > 1 && size_of(a) != size_of(b);
}

static void count_features(const gcast_workload *w, const oracle_result *r, long *counts)
{
    bool found[FEATURE_COUNT] = {false};
    for (size_t i = 0; i < r->op_count; i++) {
        const gcast_run_op *x = &r->ops[i];
        const gcast_op *op = &w->ops[x->op];
        if (op->kind != GCAST_KIND_KERNEL || x->skipped || size_of(op) == 1)
            continue;
        found[CLUSTERS] = true;
        found[WAITS] |= x->dispatched_ns > x->start_ns;
        found[FLAT] |= op->cluster[0] > 1 && op->cluster[1] > 1;
        found[SEVERAL] |= x->dispatched_ns == x->start_ns && x->block_count > size_of(op);
        for (uint64_t b = 0; b < x->block_count; b++) {
            int beside = 0; /* blocks that run on its SM when it starts */
            for (uint64_t c = 0; c < x->block_count; c++)
                beside += x->blocks[c].sm == x->blocks[b].sm && x->blocks[c].start_ns <= x->blocks[b].start_ns &&
                          x->blocks[c].end_ns > x->blocks[b].start_ns;
            found[EIGHT] |= beside == 8;
            found[LONE] |= is_on_lone(r->gpu, x->blocks[b].sm);
        }
        for (size_t k = 0; k < r->op_count; k++)
            count_pair(w, x, &r->ops[k], found);
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
        enough = enough && (uint64_t)counts[i] * 200 >= runs;
    }
    return enough;
}

static void simulator_matches_oracle(void **state)
{
    (void)state;
    uint64_t runs = support_runs(1500);
    long counts[FEATURE_COUNT] = {0};
    assert_true(runs > 0);
    for (uint64_t seed = 1; seed <= runs; seed++) {
        oracle_trial t;
        bool alike = trial_alike(&t, seed);
        if (!alike)
            trial_show(&t, stderr);
        else
            count_features(t.g.workload, &t.oracle, counts);
        oracle_trial_free(&t);
        assert_true(alike);
    }
    assert_true(has_features(counts, runs) || runs < 1000);
}

static int show(uint64_t seed)
{
    oracle_trial t;
    bool alike = trial_alike(&t, seed);
    trial_show(&t, stdout);
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
