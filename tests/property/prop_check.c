/* The checker, on runs of the oracle: it accepts each as it is, and rejects each
 * with one thing spoilt. `prop_check SEED` tries one, `prop_check SEED launching` one with launches, `prop_check SEED
 * clustered` one with clusters, `prop_check SEED graphed` one with graphs. GRIDCAST_PROPERTY_RUNS sets how many of
 * each.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "property/compare.h"
#include "property/mutate.h"

#define RUNS 1000
#define LAUNCHING_RUNS 300
#define CLUSTERED_RUNS 500
#define GRAPHED_RUNS 600
#define MAX_MUTATIONS 64

typedef generated make(uint64_t seed);

static generated generate_plain(uint64_t seed)
{
    return seed % 3 ? generate(seed) : generate_planned(seed);
}

static bool rejected(const generated *g, const oracle_result *r, size_t m, long *spoilt)
{
    specimen s;
    gcast_error err;
    specimen_take(&s, g, r);
    bool spoil = mutation_spoil(&mutations[m], &s);
    bool ok = !spoil || gcast_run_check(&s.run, &err) == GCAST_INTERNAL;
    spoilt[m] += spoil;
    if (!ok)
        dump_schedule(stderr, mutations[m].name, g->workload, s.ops, s.run.op_count);
    if (!ok)
        dump_children(stderr, s.ops, s.run.op_count, s.children, s.run.child_count);
    specimen_free(&s);
    return ok;
}

static void try_seed(uint64_t seed, make *generate_one, long *spoilt)
{
    gcast_error err = {0};
    generated g = generate_one(seed);
    oracle_result r;
    assert_ok(oracle_run(g.workload, g.gpu, &g.options, &r, &err), &err);
    specimen s;
    specimen_take(&s, &g, &r);
    bool accepted = gcast_run_check(&s.run, &err) == GCAST_OK;
    size_t m = r.hangs ? mutation_count : 0; /* prop_waits spoils runs that hang */
    while (accepted && m < mutation_count && rejected(&g, &r, m, spoilt))
        m++;
    if (!accepted || m < mutation_count) {
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, accepted ? "not rejected" : err.message);
        dump_workload(stderr, &g);
        dump_schedule(stderr, "oracle", g.workload, r.ops, r.op_count);
        dump_children(stderr, r.ops, r.op_count, r.children, r.child_count);
    }
    specimen_free(&s);
    oracle_free(&r);
    generated_free(&g);
    assert_true(accepted && m == mutation_count);
}

static void checker_rejects_what_is_wrong(void **state)
{
    (void)state;
    long spoilt[MAX_MUTATIONS] = {0};
    assert_true(mutation_count <= MAX_MUTATIONS);
    for (uint64_t seed = 1; seed <= support_runs(RUNS); seed++)
        try_seed(seed, generate_plain, spoilt);
    for (uint64_t seed = 1; seed <= support_runs(LAUNCHING_RUNS); seed++)
        try_seed(seed, generate_launching, spoilt);
    for (uint64_t seed = 1; seed <= support_runs(CLUSTERED_RUNS); seed++)
        try_seed(seed, generate_clustered, spoilt);
    for (uint64_t seed = 1; seed <= support_runs(GRAPHED_RUNS); seed++)
        try_seed(seed, generate_graphed, spoilt);
    bool all = support_runs(RUNS) >= RUNS;
    for (size_t m = 0; m < mutation_count; m++) {
        printf("%6ld rejected: %s\n", spoilt[m], mutations[m].name);
        assert_true(!all || spoilt[m] >= 10);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        make *generate_one = argc < 3                            ? generate_plain
                             : strcmp(argv[2], "graphed") == 0   ? generate_graphed
                             : strcmp(argv[2], "clustered") == 0 ? generate_clustered
                                                                 : generate_launching;
        try_seed(strtoull(argv[1], NULL, 10), generate_one, (long[MAX_MUTATIONS]){0});
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(checker_rejects_what_is_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
