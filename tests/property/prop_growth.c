/* Random systems that may pile up: what is said to do so has no bound, and simulations that go on much longer than the
 * proof saw show that responses grow as it says. Durations are round, so that states repeat often.
 * GRIDCAST_PROPERTY_RUNS sets how many systems (default 40). `prop_growth SEED` shows one system. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/witness/witness.h"
#include "base/integers.h"
#include "files/workload_formats.h"
#include "support/support.h"

#define UNIT 1000 /* ns, of all times */
#define EXECUTIONS 2

typedef struct tally {
    uint64_t systems;  /* that were tried */
    uint64_t grow;     /* those that are seen to grow */
    uint64_t overload; /* those that ask for too much */
    uint64_t proven;   /* those that pile up by a state */
} tally;

static int64_t choose(support_random *r, int64_t a, int64_t b, int64_t c)
{
    int64_t which = support_between(r, 0, 2);
    return which == 0 ? a : which == 1 ? b : c;
}

static gcast_workload *system_of(uint64_t seed)
{
    gcast_error err;
    gcast_workload *w;
    support_random r = {seed * 0x9e3779b97f4a7c15u + 5};
    support_next(&r);
    char json[4000];
    int tasks = (int)support_between(&r, 2, 4);
    size_t n =
        (size_t)snprintf(json, sizeof json, "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"%s\", \"streams\": [",
                         support_between(&r, 0, 3) ? "tx2" : "xavier");
    for (int i = 0; i < tasks; i++)
        n += (size_t)snprintf(json + n, sizeof json - n, "%s{\"id\": %d, \"priority\": %d}", i ? ", " : "", i + 1,
                              (int)support_between(&r, -1, 0));
    n += (size_t)snprintf(json + n, sizeof json - n, "], \"tasks\": [");
    for (int i = 0; i < tasks; i++) {
        int ops = (int)support_between(&r, 1, 2);
        n += (size_t)snprintf(json + n, sizeof json - n,
                              "%s{\"name\": \"t%d\", \"stream\": %d, \"period_ns\": %d, \"offset_ns\": %d, \"ops\": [",
                              i ? ", " : "", i, i + 1, (int)(choose(&r, 10, 20, 40) * UNIT),
                              (int)(support_between(&r, 0, 5) * UNIT));
        for (int k = 0; k < ops; k++)
            n += (size_t)snprintf(json + n, sizeof json - n,
                                  "%s{\"kind\": \"kernel\", \"label\": \"K%d.%d\", \"grid\": %d, \"block\": %d,"
                                  " \"duration_ns\": %d}",
                                  k ? ", " : "", i, k, (int)support_between(&r, 1, 6), (int)choose(&r, 1024, 768, 512),
                                  (int)(support_between(&r, 1, 9) * UNIT));
        n += (size_t)snprintf(json + n, sizeof json - n, "]}");
    }
    n += (size_t)snprintf(json + n, sizeof json - n, "]}");
    assert_true(n < sizeof json);
    assert_ok(gcast_workload_read_native(json, n, "test", &w, &err), &err);
    return w;
}

/* The least response of an op of the jobs released from one time to another; INT64_MAX: one ends after the horizon,
 * where jobs that are not there would hold it up. */
static int64_t least_response(const gcast_run *run, size_t op, int64_t from_ns, int64_t to_ns)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < run->op_count; i++)
        if (run->ops[i].op == op && run->ops[i].release_ns >= from_ns && run->ops[i].release_ns < to_ns) {
            if (run->ops[i].end_ns > run->horizon_ns)
                return INT64_MAX;
            least = min_i64(least, gcast_response_ns(&run->ops[i]));
        }
    return least;
}

/* Does each op grow as much as it is said to, from twice as many hyperperiods as the proof saw to four times? Others,
 * by a state, do not. Jobs released in a last part, which end after all others, are there so that none ends too early.
 */
static bool goes_on(const gcast_workload *w, const gcast_witness *witness)
{
    gcast_error err;
    gcast_run *run;
    int64_t hyperperiod;
    gcast_simulate_options options = gcast_simulate_options_default();
    assert_true(gcast_workload_hyperperiod(w, &hyperperiod));
    int64_t early_ns = 2 * (int64_t)witness->growth_hyperperiods * hyperperiod, late_ns = 2 * early_ns;
    options.horizon_ns = 4 * late_ns;
    assert_ok(gcast_workload_simulate(w, NULL, &options, &run, &err), &err);
    bool holds = true;
    for (size_t i = 0; i < w->op_count; i++) {
        int64_t said_ns = witness->growth_ns[i] * (late_ns - early_ns) / hyperperiod;
        int64_t early = least_response(run, i, early_ns, early_ns + 4 * hyperperiod);
        int64_t late = least_response(run, i, late_ns, late_ns + 4 * hyperperiod), seen_ns = late - early;
        if (late == INT64_MAX || early == INT64_MAX || llabs(seen_ns - said_ns) <= said_ns / 20 + 2 * hyperperiod)
            continue;
        fprintf(stderr, "%s grows by %" PRId64 " ns, not by %" PRId64 " ns\n", w->ops[i].label, seen_ns, said_ns);
        holds = false;
    }
    gcast_run_free(run);
    return holds;
}

static bool attack(uint64_t seed, tally *t)
{
    gcast_error err;
    gcast_workload *w = system_of(seed);
    gcast_analysis *bound;
    gcast_witness *witness;
    gcast_witness_options options = gcast_witness_options_default();
    options.growth = true;
    options.max_executions = EXECUTIONS;
    options.max_ms = 1000000000;
    assert_ok(gcast_workload_analyze(w, NULL, GCAST_METHOD_BOUND, NULL, &bound, &err), &err);
    assert_ok(gcast_workload_witness(w, NULL, &options, &witness, &err), &err);
    bool holds = true, is_bounded = bound->complete, piles_up = witness->growth == GCAST_BACKLOG_PILES_UP;
    bool by_state = piles_up && strncmp(witness->growth_why, "with the longest durations", 18) == 0;
    for (size_t i = 0; i < bound->response_count; i++) {
        const gcast_response *r = &bound->responses[i];
        bool has_bound = bound->complete && r->worst_ns != GCAST_NO_BOUND;
        is_bounded = is_bounded && has_bound;
        holds = holds && !(by_state && has_bound && witness->growth_ns[r->op]);
    }
    holds = holds && !(piles_up && is_bounded) && (!by_state || goes_on(w, witness));
    t->systems++;
    t->grow += witness->growth == GCAST_BACKLOG_GROWS;
    t->overload += piles_up && !by_state;
    t->proven += by_state;
    if (!holds)
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, witness->growth_why);
    gcast_witness_free(witness);
    gcast_analysis_free(bound);
    gcast_workload_free(w);
    return holds;
}

static void what_piles_up_goes_on(void **state)
{
    (void)state;
    uint64_t runs = support_number("GRIDCAST_PROPERTY_RUNS", 40), seed = support_number("GRIDCAST_ATTACK_SEED", 1);
    tally t = {0};
    bool holds = true;
    assert_true(runs > 0);
    for (; holds && t.systems < runs; seed++)
        holds = attack(seed, &t);
    printf("%" PRIu64 " systems: %" PRIu64 " pile up by a state, %" PRIu64 " ask for too much, %" PRIu64
           " are seen to grow\n",
           t.systems, t.proven, t.overload, t.grow);
    assert_true(holds);
    assert_true(runs < 50 || t.proven);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        tally t = {0};
        return attack(strtoull(argv[1], NULL, 10), &t) ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_piles_up_goes_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
