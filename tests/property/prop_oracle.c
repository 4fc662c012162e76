/* The simulator against the oracle, on random workloads: every time, every
 * number, every block. GRIDCAST_PROPERTY_RUNS sets how many workloads (default
 * 3000); `prop_oracle SEED` shows one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "property/features.h"
#include "property/oracle_trial.h"

/* A malloc that asks for more than there is: the simulator must say so of the same one, or before anything happens of
 * one that never can have it. */
static bool has_no_memory(oracle_trial *t, const char *oracle)
{
    gcast_error err;
    gcast_status status = gcast_workload_simulate(t->g.workload, t->g.gpu, &t->g.options, &t->run, &err);
    t->no_memory = true;
    if (status == GCAST_INPUT && strstr(err.message, " cannot allocate ") && strstr(oracle, "no memory"))
        return true;
    snprintf(t->difference, sizeof t->difference, "the oracle: %.400s, the simulator: %.400s", oracle,
             status == GCAST_OK ? "all is well" : err.message);
    return false;
}

/* Has a seed a workload with graphs, clusters or waits? They have tests of their own, of other seeds. */
static bool has_attributes(uint64_t seed)
{
    return seed % 25 == 1;
}

static generated generate_any(uint64_t seed)
{
    generated (*const kinds[])(uint64_t) = {generate_graphed, generate_waiting, generate_clustered};
    if (has_attributes(seed))
        return kinds[seed / 25 % 3](1000000 + seed / 25);
    return seed % 3 ? generate(seed) : generate_planned(seed);
}

static bool trial_alike(oracle_trial *t, uint64_t seed)
{
    gcast_error err;
    *t = (oracle_trial){.seed = seed, .g = generate_any(seed)};
    if (seed % 4 == 0 && t->g.gpu && !has_attributes(seed))
        t->g.gpu->memory_bytes = seed % 8 ? 110 : 90;
    gcast_status status = oracle_run(t->g.workload, t->g.gpu, &t->g.options, &t->oracle, &err);
    if (status == GCAST_INPUT && t->g.gpu && t->g.gpu->memory_bytes)
        return has_no_memory(t, err.message);
    if (status != GCAST_OK) {
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

static void simulator_matches_oracle(void **state)
{
    (void)state;
    uint64_t runs = support_runs(3000);
    uint64_t no_memory = 0;
    features found = {0};
    assert_true(runs > 0);
    for (uint64_t seed = 1; seed <= runs; seed++) {
        oracle_trial t;
        bool alike = trial_alike(&t, seed);
        no_memory += t.no_memory;
        if (!alike)
            trial_show(&t, stderr);
        else if (!t.no_memory && !has_attributes(seed))
            features_count(&found, &t.g, &t.oracle);
        oracle_trial_free(&t);
        assert_true(alike);
    }
    bool has_all = features_enough(&found, stdout);
    printf("%8" PRIu64 " runs: mallocs of more than there is\n", no_memory);
    assert_true((has_all && no_memory * 1000 > runs) || runs < 1000);
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
