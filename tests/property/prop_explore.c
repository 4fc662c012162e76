/* Method explore against executions: no execution has a response outside of the bounds, and on small systems all
 * executions together show how much wider the bounds are than need be. GRIDCAST_PROPERTY_RUNS sets how many systems
 * (default 200); `prop_explore all SEED` or `drawn SEED` shows one. */
#include <inttypes.h>
#include <stdlib.h>

#include "property/trial.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define NO_TIME_LIMIT 1000000000

static const system_kind kinds[] = {
    {.copies = 25, .listed = 10, .max_tasks = 4, .max_blocks = 4, .max_range = 3, .max_jitter = 3},
    {.periodic = true, .copies = 25, .max_tasks = 3, .max_blocks = 3, .max_range = 3, .max_jitter = 8},
    {.copies = 25, .listed = 10, .max_tasks = 5, .max_blocks = 6, .max_range = 6, .max_jitter = 12},
    {.once = true, .copies = 25, .listed = 10, .max_tasks = 5, .max_blocks = 4, .max_range = 3, .max_jitter = 4},
    {.once = true, .plain = true, .max_tasks = 4, .max_blocks = 6, .max_range = 3, .max_jitter = 4},
    /* many blocks: a job may be cut off after several numbers of blocks that the search treats as one part */
    {.once = true, .copies = 25, .listed = 30, .max_tasks = 4, .max_blocks = 40, .max_range = 2, .max_jitter = 20},
    /* with so few states that bursts are bounded by work */
    {.once = true, .plain = true, .max_states = 40, .max_tasks = 4, .max_blocks = 6, .max_range = 3, .max_jitter = 9},
};

static const system_kind small_kinds[] = {
    {.once = true, .copies = 25, .listed = 10, .max_tasks = 3, .max_blocks = 2, .max_range = 2, .max_jitter = 3},
    {.once = true, .copies = 25, .listed = 10, .max_tasks = 4, .max_blocks = 2, .max_range = 1, .max_jitter = 2},
    {.once = true, .plain = true, .max_tasks = 4, .max_blocks = 4, .max_range = 1, .max_jitter = 4},
    {.once = true, .plain = true, .max_states = 40, .max_tasks = 4, .max_blocks = 4, .max_range = 1, .max_jitter = 4},
};

static void holds_random_executions(void **state)
{
    (void)state;
    trial_each(trial_random, trial_runs(), "drawn", kinds, COUNT(kinds));
}

static void holds_all_executions(void **state)
{
    (void)state;
    trial_each(trial_all, (trial_runs() + 4) / 5, "all", small_kinds, COUNT(small_kinds));
}

/* Is every response of a run within the bounds? */
static void check_run(const generated *g, const gcast_analysis *a, const gcast_simulate_options *options, uint64_t seed)
{
    gcast_error err;
    gcast_run *run;
    assert_ok(gcast_workload_simulate(g->workload, g->gpu, options, &run, &err), &err);
    for (size_t i = 0; i < run->op_count; i++)
        for (size_t k = 0; k < a->response_count; k++) {
            int64_t response = gcast_response_ns(&run->ops[i]);
            const gcast_response *r = &a->responses[k];
            if (r->op == run->ops[i].op && (response < r->best_ns || response > r->worst_ns))
                fail_msg("seed %" PRIu64 ": op %zu responds in %" PRId64 ", said %" PRId64 " to %" PRId64, seed, r->op,
                         response, r->best_ns, r->worst_ns);
        }
    gcast_run_free(run);
}

static void holds_or_refuses_anything(void **state)
{
    (void)state;
    uint64_t runs = trial_runs() * 4, covered = 0;
    for (uint64_t seed = 1; seed <= runs; seed++) {
        generated g = generate(seed);
        gcast_error err;
        gcast_analysis *a;
        gcast_analyze_options options = gcast_analyze_options_default();
        options.max_ms = NO_TIME_LIMIT;
        options.max_states = 2000;
        options.horizon_ns = g.options.horizon_ns ? g.options.horizon_ns : 400;
        g.options.horizon_ns = options.horizon_ns;
        g.options.noise_ns = 0;
        g.options.scatter = false;
        g.options.as_measured = false;
        g.options.random_placement = false;
        g.options.releases = NULL;
        assert_ok(gcast_workload_analyze(g.workload, g.gpu, GCAST_METHOD_EXPLORE, &options, &a, &err), &err);
        covered += a->complete;
        for (int i = 0; i < 6 && a->complete; i++) {
            g.options.durations = i < 2 ? (gcast_durations)i : GCAST_DURATIONS_RANDOM;
            g.options.seed = seed + (uint64_t)i;
            check_run(&g, a, &g.options, seed);
        }
        gcast_analysis_free(a);
        generated_free(&g);
    }
    printf("anything: %" PRIu64 " of %" PRIu64 " covered\n", covered, runs);
    assert_true(covered > 0 || runs < 1000);
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return trial_of_arguments(argv, small_kinds, COUNT(small_kinds), kinds, COUNT(kinds)) ? 0 : 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_random_executions),
                                       cmocka_unit_test(holds_all_executions),
                                       cmocka_unit_test(holds_or_refuses_anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
