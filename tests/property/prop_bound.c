/* The attack on the bound: random systems, many executions of each; none may be slower
 * than the bound or faster than the best. GRIDCAST_PROPERTY_RUNS sets how many executions
 * (default 7000), or GRIDCAST_ATTACK_SECONDS for how long; GRIDCAST_ATTACK_SEED where it
 * starts (default 1); GRIDCAST_ATTACK_EXECUTIONS how many each system gets (default 25):
 * those beyond the first 25 are drawn or guided (guided.h). `prop_bound SEED` shows one
 * system. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "property/compare.h"
#include "property/guided.h"
#include "property/system.h"

#define EXECUTIONS 25 /* of one system that the checker looks at */
#define GUIDED_SYSTEMS 40
#define GUIDED_EXECUTIONS 150 /* of one system, where guided ones are tested */
#define MAX_REASONS 16
#define PARTS 100    /* of the ratio of a bound to the worst response observed */
#define RATIOS 10000 /* hundredths */

/* Kinds of systems. */
enum { WITHOUT_TASKS, WITH_TASKS, BUSY, LATE, TURNED, PLAIN, KINDS };

typedef struct tally {
    uint64_t systems, bounded, executions, responses;
    guided_tally guided;
    const char *reasons[MAX_REASONS];
    uint64_t gave_up[MAX_REASONS];
    uint64_t ratios[KINDS][RATIOS + 1]; /* by kind of system and hundredths of bound over worst response: ops */
} tally;

static void count_reason(tally *t, const char *why)
{
    size_t i = 0;
    while (t->reasons[i] && strcmp(t->reasons[i], why) != 0)
        i++;
    assert_true(i + 1 < MAX_REASONS);
    if (!t->reasons[i])
        t->reasons[i] = strdup(why);
    t->gave_up[i]++;
}

static void count_ratios(uint64_t *ratios, const gcast_analysis *a, const int64_t *worst)
{
    for (size_t i = 0; i < a->response_count; i++) {
        if (worst[a->responses[i].op] <= 0 || a->responses[i].worst_ns == GCAST_NO_BOUND)
            continue;
        int64_t ratio = a->responses[i].worst_ns * PARTS / worst[a->responses[i].op];
        ratios[ratio < RATIOS ? ratio : RATIOS]++;
    }
}

static const gcast_response *response_of(const gcast_analysis *a, size_t op)
{
    for (size_t i = 0; i < a->response_count; i++)
        if (a->responses[i].op == op)
            return &a->responses[i];
    return NULL;
}

/* Is every response of the run within its bound? Keeps the worst response of each op. What ends after the horizon is no
 * execution of the system: jobs are missing. */
static bool kept(const execution *e, const gcast_analysis *a, int64_t *worst, uint64_t *responses, FILE *out)
{
    for (size_t i = 0; i < e->run->op_count; i++) {
        size_t op = e->original[e->run->ops[i].op];
        const gcast_response *r = response_of(a, op);
        int64_t ns = gcast_response_ns(&e->run->ops[i]);
        if (!r || ns < 0 || (e->run->horizon_ns && e->run->ops[i].end_ns > e->run->horizon_ns))
            continue;
        (*responses)++;
        worst[op] = ns > worst[op] ? ns : worst[op];
        if (ns <= r->worst_ns && ns >= r->best_ns)
            continue;
        fprintf(out,
                "operation %zu (op %zu of the system) takes %" PRId64 " ns, the bound is %" PRId64 " to %" PRId64 "\n",
                i, op, ns, r->best_ns, r->worst_ns);
        return false;
    }
    return true;
}

static void show_failure(const random_system *s, const execution *e, uint64_t seed, uint64_t n)
{
    generated shown = {.workload = e->workload, .gpu = s->g.gpu};
    fprintf(stderr, "seed %" PRIu64 ", execution %" PRIu64 "%s\n", seed, n, s->any_order ? ", any order" : "");
    dump_workload(stderr, &shown);
    dump_schedule(stderr, "execution", e->workload, e->run->ops, e->run->op_count);
}

/* WITH_TASKS stands for both kinds of those that are drawn from all features. */
static int kind_of(uint64_t seed)
{
    if (seed % 3 == 0)
        return BUSY;
    if (seed % 24 == 7)
        return TURNED;
    if (seed % 24 == 13)
        return LATE;
    return seed % 24 == 5 || seed % 24 == 17 ? PLAIN : WITH_TASKS;
}

static random_system make(uint64_t seed)
{
    switch (kind_of(seed)) {
    case BUSY:
        return busy_system_make(seed);
    case LATE:
        return late_system_make(seed);
    case TURNED:
        return turned_system_make(seed);
    case PLAIN:
        return plain_system_make(seed);
    default:
        return random_system_make(seed);
    }
}

static uint64_t executions_of(const tally *t)
{
    return t->executions + t->guided.drawn + t->guided.guided;
}

static bool attack(uint64_t seed, uint64_t executions, tally *t)
{
    if (kind_of(seed) == LATE) /* these have one */
        executions = 1;
    random_system s = make(seed);
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_analysis *a;
    gcast_error err;
    bool holds = true;
    int64_t worst[64] = {0};
    options.any_order = s.any_order;
    assert_ok(gcast_workload_analyze(s.workload, s.g.gpu, GCAST_METHOD_BOUND, &options, &a, &err), &err);
    t->systems++;
    if (!a->complete)
        count_reason(t, a->why_not);
    t->bounded += a->complete;
    for (uint64_t n = 0; n < EXECUTIONS && n < executions && a->complete && holds; n++) {
        execution e = execute(&s, seed * 1000003 + n);
        t->executions++;
        holds = kept(&e, a, worst, &t->responses, stderr);
        if (!holds)
            show_failure(&s, &e, seed, n);
        execution_free(&e);
    }
    if (a->complete && holds && executions > EXECUTIONS)
        holds =
            guided_attack(&s, (const gcast_analysis *const[]){a}, 1, seed, executions - EXECUTIONS, worst, &t->guided);
    int kind = kind_of(seed);
    if (kind == WITH_TASKS && !s.workload->task_count)
        kind = WITHOUT_TASKS;
    if (a->complete)
        count_ratios(t->ratios[kind], a, worst);
    gcast_analysis_free(a);
    random_system_free(&s);
    return holds;
}

static double percentile(const uint64_t *ratios, uint64_t percent_of)
{
    uint64_t all = 0, below = 0;
    for (size_t i = 0; i <= RATIOS; i++)
        all += ratios[i];
    for (size_t i = 0; i <= RATIOS; i++)
        if ((below += ratios[i]) * 100 >= all * percent_of)
            return (double)i / PARTS;
    return 0;
}

static void report_ratios(const char *of, const uint64_t *ratios)
{
    printf("bound over worst seen, %s: median %.2f, 95th percentile %.2f\n", of, percentile(ratios, 50),
           percentile(ratios, 95));
}

static void report(const tally *t)
{
    printf("%" PRIu64 " systems, %" PRIu64 " with a bound, %" PRIu64 " executions, %" PRIu64 " responses\n", t->systems,
           t->bounded, executions_of(t), t->responses + t->guided.responses);
    printf("  %" PRIu64 " random and checked, %" PRIu64 " random, %" PRIu64 " guided, of which %" PRIu64
           " were simulated twice; %" PRIu64 " systems have a single execution\n",
           t->executions, t->guided.drawn, t->guided.guided, t->guided.compared, t->guided.fixed);
    uint64_t ops = t->guided.latest_drawn + t->guided.latest_guided;
    if (ops)
        printf("  longest response of %" PRIu64 " ops first seen in a random execution, of %" PRIu64
               " in a guided one; %" PRIu64 " reach the bound; mean share of the bound %.4f\n",
               t->guided.latest_drawn, t->guided.latest_guided, t->guided.reached, t->guided.share / (double)ops);
    for (size_t i = 0; t->reasons[i]; i++)
        printf("  %" PRIu64 " without: %s\n", t->gave_up[i], t->reasons[i]);
    static uint64_t all[RATIOS + 1];
    for (size_t i = 0; i <= RATIOS; i++)
        for (int kind = 0; kind < KINDS; kind++)
            all[i] += t->ratios[kind][i];
    report_ratios("all", all);
    report_ratios("without tasks", t->ratios[WITHOUT_TASKS]);
    report_ratios("with tasks", t->ratios[WITH_TASKS]);
    report_ratios("busy", t->ratios[BUSY]);
    report_ratios("late", t->ratios[LATE]);
    report_ratios("turned", t->ratios[TURNED]);
    report_ratios("plain", t->ratios[PLAIN]);
}

static void no_execution_beats_the_bound(void **state)
{
    (void)state;
    uint64_t runs = support_number("GRIDCAST_PROPERTY_RUNS", 7000),
             seconds = support_number("GRIDCAST_ATTACK_SECONDS", 0);
    uint64_t seed = support_number("GRIDCAST_ATTACK_SEED", 1), executions = guided_executions(EXECUTIONS);
    time_t end = time(NULL) + (time_t)seconds;
    static tally t;
    bool holds = true;
    assert_true(runs > 0);
    for (; holds && (seconds ? time(NULL) < end : executions_of(&t) < runs); seed++)
        holds = attack(seed, executions, &t);
    report(&t);
    printf("%s\n", holds ? "no response is outside of its bound" : "a response is outside of its bound");
    for (size_t i = 0; t.reasons[i]; i++)
        free((char *)t.reasons[i]);
    assert_true(holds);
    assert_true(t.bounded * 3 > t.systems);
}

/* A few systems, so that guided executions are tried wherever the test runs. */
static void no_guided_execution_beats_the_bound(void **state)
{
    (void)state;
    static tally t;
    bool holds = true;
    for (uint64_t seed = 1; seed <= GUIDED_SYSTEMS && holds; seed++)
        holds = attack(seed, GUIDED_EXECUTIONS, &t);
    for (size_t i = 0; t.reasons[i]; i++)
        free((char *)t.reasons[i]);
    assert_true(holds);
    assert_true(t.guided.guided > 1000 && t.guided.compared > 0);
}

/* Systems in which a bound was too short once. */
static void no_execution_beats_the_bound_again(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {55,
                                     631,
                                     891,
                                     1602,
                                     12768,
                                     58197,
                                     174201,
                                     700023235,
                                     UINT64_C(2026111807007268),
                                     UINT64_C(179485935501003783),
                                     UINT64_C(202611186100075596),
                                     UINT64_C(202611187104003390),
                                     UINT64_C(202611187105005432)};
    static tally t;
    bool holds = true;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds && holds; i++)
        holds = attack(seeds[i], EXECUTIONS, &t);
    for (size_t i = 0; t.reasons[i]; i++)
        free((char *)t.reasons[i]);
    assert_true(holds);
}

static int show(uint64_t seed)
{
    static tally t;
    random_system s = make(seed);
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_analysis *a;
    gcast_error err;
    generated shown = {.workload = s.workload, .gpu = s.g.gpu};
    options.any_order = s.any_order;
    assert_ok(gcast_workload_analyze(s.workload, s.g.gpu, GCAST_METHOD_BOUND, &options, &a, &err), &err);
    dump_workload(stdout, &shown);
    for (size_t i = 0; i < a->response_count; i++)
        printf("op %zu: %" PRId64 " to %" PRId64 "\n", a->responses[i].op, a->responses[i].best_ns,
               a->responses[i].worst_ns);
    gcast_analysis_free(a);
    random_system_free(&s);
    bool holds = attack(seed, guided_executions(EXECUTIONS), &t);
    report(&t);
    return holds ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return show(strtoull(argv[1], NULL, 10));
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_execution_beats_the_bound),
                                       cmocka_unit_test(no_guided_execution_beats_the_bound),
                                       cmocka_unit_test(no_execution_beats_the_bound_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
