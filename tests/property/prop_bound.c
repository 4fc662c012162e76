/* The attack on the bound: random systems, many executions of each; none may be slower
 * than the bound or faster than the best. GRIDCAST_PROPERTY_RUNS sets how many executions
 * (default 40000), or GRIDCAST_ATTACK_SECONDS for how long; GRIDCAST_ATTACK_SEED where it
 * starts (default 1). `prop_bound SEED` shows one system. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "property/compare.h"
#include "property/system.h"

#define EXECUTIONS 25 /* of one system */
#define MAX_REASONS 16
#define PARTS 100    /* of the ratio of a bound to the worst response observed */
#define RATIOS 10000 /* hundredths */

typedef struct tally {
    uint64_t systems, bounded, executions, responses;
    const char *reasons[MAX_REASONS];
    uint64_t gave_up[MAX_REASONS];
    uint64_t ratios[2][RATIOS +
                       1]; /* without tasks and with tasks, by hundredths of bound over worst response: number of ops */
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
        if (worst[a->responses[i].op] <= 0)
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

/* Is every response of the run within its bound? Keeps the worst response of each op. */
static bool kept(const execution *e, const gcast_analysis *a, int64_t *worst, uint64_t *responses, FILE *out)
{
    for (size_t i = 0; i < e->run->op_count; i++) {
        size_t op = e->original[e->run->ops[i].op];
        const gcast_response *r = response_of(a, op);
        int64_t ns = gcast_response_ns(&e->run->ops[i]);
        if (!r || ns < 0)
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

static bool attack(uint64_t seed, tally *t)
{
    random_system s = random_system_make(seed);
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
    for (uint64_t n = 0; n < EXECUTIONS && a->complete && holds; n++) {
        execution e = execute(&s, seed * 1000003 + n);
        t->executions++;
        holds = kept(&e, a, worst, &t->responses, stderr);
        if (!holds)
            show_failure(&s, &e, seed, n);
        execution_free(&e);
    }
    if (a->complete)
        count_ratios(t->ratios[s.workload->task_count > 0], a, worst);
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
           t->bounded, t->executions, t->responses);
    for (size_t i = 0; t->reasons[i]; i++)
        printf("  %" PRIu64 " without: %s\n", t->gave_up[i], t->reasons[i]);
    static uint64_t all[RATIOS + 1];
    for (size_t i = 0; i <= RATIOS; i++)
        all[i] = t->ratios[0][i] + t->ratios[1][i];
    report_ratios("all", all);
    report_ratios("without tasks", t->ratios[0]);
    report_ratios("with tasks", t->ratios[1]);
}

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void no_execution_beats_the_bound(void **state)
{
    (void)state;
    uint64_t runs = number("GRIDCAST_PROPERTY_RUNS", 40000), seconds = number("GRIDCAST_ATTACK_SECONDS", 0);
    uint64_t seed = number("GRIDCAST_ATTACK_SEED", 1);
    time_t end = time(NULL) + (time_t)seconds;
    static tally t;
    bool holds = true;
    assert_true(runs > 0);
    for (; holds && (seconds ? time(NULL) < end : t.executions < runs); seed++)
        holds = attack(seed, &t);
    report(&t);
    for (size_t i = 0; t.reasons[i]; i++)
        free((char *)t.reasons[i]);
    assert_true(holds);
    assert_true(t.bounded * 2 > t.systems);
}

static int show(uint64_t seed)
{
    static tally t;
    random_system s = random_system_make(seed);
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
    bool holds = attack(seed, &t);
    report(&t);
    return holds ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return show(strtoull(argv[1], NULL, 10));
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_execution_beats_the_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
