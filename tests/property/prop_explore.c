/* Method explore against executions: none has a response outside of what it says, and on small systems all
 * executions together show how much too wide it is. GRIDCAST_PROPERTY_RUNS sets how many systems (default
 * 1500); `prop_explore all SEED` or `drawn SEED` shows one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "property/trial.h"

#define EXECUTIONS 40
#define MOST_EXECUTIONS 6000 /* of a system of which all are looked at */
#define NO_HURRY 1000000000

static const system_kind kinds[] = {
    {.copies = 25, .listed = 10, .most_tasks = 4, .most_blocks = 4, .most_range = 3, .most_jitter = 3},
    {.periodic = true, .copies = 25, .most_tasks = 3, .most_blocks = 3, .most_range = 3, .most_jitter = 8},
    {.copies = 25, .listed = 10, .most_tasks = 5, .most_blocks = 6, .most_range = 6, .most_jitter = 12},
    {.once = true, .copies = 25, .listed = 10, .most_tasks = 5, .most_blocks = 4, .most_range = 3, .most_jitter = 4},
    {.once = true, .plain = true, .most_tasks = 4, .most_blocks = 6, .most_range = 3, .most_jitter = 4},
    /* so many blocks that a job may be cut off after more of them than there are parts */
    {.once = true, .copies = 25, .listed = 30, .most_tasks = 4, .most_blocks = 40, .most_range = 2, .most_jitter = 20},
    /* so few states that bursts are bounded */
    {.once = true,
     .plain = true,
     .most_states = 40,
     .most_tasks = 4,
     .most_blocks = 6,
     .most_range = 3,
     .most_jitter = 9},
};

static bool random_executions(trial *t, uint64_t seed)
{
    support_random r = {seed * 0x9e3779b97f4a7c15u + 1};
    const system_kind *kind = &kinds[seed % (sizeof kinds / sizeof kinds[0])];
    settled e;
    t->s = system_random(&r, kind);
    trial_analyze(t, kind->most_states);
    for (int i = 0; i < EXECUTIONS && t->a->complete; i++) {
        settled_draw(&e, &t->s, &r);
        trial_execute(t, &e);
    }
    return trial_holds(t);
}

/* All executions of a system, one after the other: a number in mixed bases. */
static bool next_execution(const system_spec *s, settled *e)
{
    for (int i = 0; i < s->task_count; i++) {
        const system_task *t = &s->tasks[i];
        if (e->late[i][0]++ < t->jitter)
            return true;
        e->late[i][0] = 0;
        for (int k = 0; k < t->op_count; k++)
            for (int b = 0; b < t->ops[k].blocks; b++) {
                if (e->extra[i][k][b]++ < system_range(&t->ops[k]))
                    return true;
                e->extra[i][k][b] = 0;
            }
    }
    return false;
}

static uint64_t execution_count(const system_spec *s)
{
    uint64_t n = 1;
    for (int i = 0; i < s->task_count; i++) {
        const system_task *t = &s->tasks[i];
        n *= (uint64_t)t->jitter + 1;
        for (int k = 0; k < t->op_count; k++)
            for (int b = 0; b < t->ops[k].blocks && n <= MOST_EXECUTIONS; b++)
                n *= (uint64_t)system_range(&t->ops[k]) + 1;
    }
    return n;
}

static const system_kind small_kinds[] = {
    {.once = true, .copies = 25, .listed = 10, .most_tasks = 3, .most_blocks = 2, .most_range = 2, .most_jitter = 3},
    {.once = true, .copies = 25, .listed = 10, .most_tasks = 4, .most_blocks = 2, .most_range = 1, .most_jitter = 2},
    {.once = true, .plain = true, .most_tasks = 4, .most_blocks = 4, .most_range = 1, .most_jitter = 4},
    {.once = true,
     .plain = true,
     .most_states = 40,
     .most_tasks = 4,
     .most_blocks = 4,
     .most_range = 1,
     .most_jitter = 4},
};

static bool all_executions(trial *t, uint64_t seed)
{
    support_random r = {seed * 0x9e3779b97f4a7c15u + 1};
    settled e = settled_plain();
    const system_kind *kind = &small_kinds[seed % (sizeof small_kinds / sizeof small_kinds[0])];
    for (;;) {
        t->s = system_random(&r, kind);
        t->s.any_order = false;
        if (execution_count(&t->s) <= MOST_EXECUTIONS)
            break;
        system_free(&t->s);
    }
    trial_analyze(t, kind->most_states);
    do
        trial_execute(t, &e);
    while (next_execution(&t->s, &e));
    return trial_holds(t);
}

static void check_all(bool (*one)(trial *t, uint64_t seed), uint64_t runs, const char *what, size_t kind_count)
{
    tally tallies[8] = {0};
    trial t = {0};
    for (uint64_t seed = 1; seed <= runs; seed++) {
        t.tally = &tallies[seed % kind_count];
        bool ok = one(&t, seed);
        if (!ok) {
            fprintf(stderr, "seed %" PRIu64 "\n", seed);
            trial_show(&t);
        }
        trial_free(&t);
        assert_true(ok);
    }
    for (size_t k = 0; k < kind_count; k++) {
        tally_print(&tallies[k], what, k);
        assert_true(2 * tallies[k].given_up < tallies[k].systems || runs < 100);
    }
}

static uint64_t run_count(void)
{
    const char *text = getenv("GRIDCAST_PROPERTY_RUNS");
    uint64_t runs = text ? strtoull(text, NULL, 10) : 1500;
    assert_true(runs > 0);
    return runs;
}

static void holds_random_executions(void **state)
{
    (void)state;
    check_all(random_executions, run_count(), "drawn", sizeof kinds / sizeof kinds[0]);
}

static void holds_all_executions(void **state)
{
    (void)state;
    check_all(all_executions, (run_count() + 4) / 5, "all", sizeof small_kinds / sizeof small_kinds[0]);
}

/* Does a run of a workload that may be anything keep within what is said of it, if anything is? */
static void check_run(const generated *g, const gcast_analysis *a, const gcast_simulate_options *options, uint64_t seed)
{
    gcast_error err;
    gcast_run *run;
    assert_ok(gcast_simulate(g->workload, g->gpu, options, &run, &err), &err);
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
    uint64_t runs = run_count() * 4, covered = 0;
    for (uint64_t seed = 1; seed <= runs; seed++) {
        generated g = generate(seed);
        gcast_error err;
        gcast_analysis *a;
        gcast_analyze_options options = gcast_analyze_defaults();
        options.most_ms = NO_HURRY;
        options.horizon_ns = g.options.horizon_ns ? g.options.horizon_ns : 400;
        g.options.horizon_ns = options.horizon_ns;
        g.options.noise_ns = 0;
        g.options.releases = NULL;
        assert_ok(gcast_analyze(g.workload, g.gpu, GCAST_METHOD_EXPLORE, &options, &a, &err), &err);
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
    if (argc > 2) {
        tally y = {0};
        trial t = {.tally = &y};
        bool ok = (argv[1][0] == 'a' ? all_executions : random_executions)(&t, strtoull(argv[2], NULL, 10));
        trial_show(&t);
        trial_free(&t);
        return ok ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_random_executions),
                                       cmocka_unit_test(holds_all_executions),
                                       cmocka_unit_test(holds_or_refuses_anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
