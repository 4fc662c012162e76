/* The attack on answers where latencies of calls are ranges: random systems, executions of each in which every call
 * takes some time of its range, so that calls into different streams pass each other. No response may be outside of
 * what bound says, or of what explore says where it answers. GRIDCAST_PROPERTY_RUNS sets how many executions
 * (default 6000), or GRIDCAST_ATTACK_SECONDS for how long; GRIDCAST_ATTACK_SEED where it starts (default 1);
 * GRIDCAST_ATTACK_EXECUTIONS how many each system gets (default 25): those beyond the first 25 are drawn or guided
 * (guided.h). `prop_latency SEED` shows one system. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "gridcast/names.h"
#include "property/compare.h"
#include "property/guided.h"
#include "property/system.h"

#define EXECUTIONS 25   /* of one system that the checker looks at */
#define MAX_STATES 2000 /* of explore */

typedef struct tally {
    uint64_t systems, bounded, explored, executions, responses, tight;
    guided_tally guided;
} tally;

static random_system system_of(uint64_t seed)
{
    random_system s = random_system_make(seed);
    support_random r = {seed * 0x9e3779b97f4a7c15u + 11};
    support_next(&r);
    gcast_gpu *gpu = s.g.gpu;
    if (percent(&r, 50))
        gpu->launch_latency_ns = gpu->copy_latency_ns = one_of(&r, 0, 1, 3, 10, 100);
    s.launch_max_ns = gpu->launch_latency_ns + one_of(&r, 1, 3, 10, 30, 200);
    s.copy_max_ns = percent(&r, 30) ? gpu->copy_latency_ns : gpu->copy_latency_ns + one_of(&r, 1, 3, 10, 30, 200);
    s.launch_max_ns = percent(&r, 10) ? gpu->launch_latency_ns : s.launch_max_ns;
    return s;
}

static gcast_analysis *analysis_of(const random_system *s, gcast_method method)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_analysis *a;
    gcast_error err;
    options.any_order = s->any_order;
    options.max_states = MAX_STATES;
    options.launch_max_ns = s->launch_max_ns;
    options.copy_max_ns = s->copy_max_ns;
    assert_ok(gcast_workload_analyze(s->workload, s->g.gpu, method, &options, &a, &err), &err);
    return a;
}

static const gcast_response *response_of(const gcast_analysis *a, size_t op)
{
    for (size_t i = 0; i < a->response_count; i++)
        if (a->responses[i].op == op)
            return &a->responses[i];
    return NULL;
}

static bool kept(const execution *e, const gcast_analysis *a, tally *t)
{
    for (size_t i = 0; i < e->run->op_count && a->complete; i++) {
        size_t op = e->original[e->run->ops[i].op];
        const gcast_response *r = response_of(a, op);
        int64_t ns = gcast_response_ns(&e->run->ops[i]);
        if (!r || ns < 0)
            continue;
        t->responses++;
        t->tight += ns == r->worst_ns;
        if (ns <= r->worst_ns && ns >= r->best_ns)
            continue;
        fprintf(stderr, "operation %zu (op %zu) takes %" PRId64 " ns; %s says %" PRId64 " to %" PRId64 "\n", i, op, ns,
                gcast_name(GCAST_NAMES_METHOD, a->method), r->best_ns, r->worst_ns);
        return false;
    }
    return true;
}

static void show_failure(const random_system *s, const execution *e, uint64_t seed, uint64_t n)
{
    generated shown = {.workload = e->workload, .gpu = s->g.gpu};
    fprintf(stderr, "seed %" PRIu64 ", execution %" PRIu64 "%s, launches to %" PRId64 ", copies to %" PRId64 "\n", seed,
            n, s->any_order ? ", any order" : "", s->launch_max_ns, s->copy_max_ns);
    dump_workload(stderr, &shown);
    dump_schedule(stderr, "execution", e->workload, e->run->ops, e->run->op_count);
}

static uint64_t executions_of(const tally *t)
{
    return t->executions + t->guided.drawn + t->guided.guided;
}

static bool attack(uint64_t seed, tally *t)
{
    random_system s = system_of(seed);
    gcast_analysis *bound = analysis_of(&s, GCAST_METHOD_BOUND), *explore = analysis_of(&s, GCAST_METHOD_EXPLORE);
    uint64_t executions = guided_executions(EXECUTIONS);
    int64_t longest_ns[64] = {0};
    bool holds = true;
    t->systems++;
    t->bounded += bound->complete;
    t->explored += explore->complete;
    for (uint64_t n = 0; n < EXECUTIONS && n < executions && holds && (bound->complete || explore->complete); n++) {
        execution e = execute(&s, seed * 1000003 + n);
        t->executions++;
        holds = kept(&e, bound, t) && kept(&e, explore, t);
        if (!holds)
            show_failure(&s, &e, seed, n);
        execution_free(&e);
    }
    if (holds && executions > EXECUTIONS && (bound->complete || explore->complete))
        holds = guided_attack(&s, (const gcast_analysis *const[]){bound, explore}, 2, seed, executions - EXECUTIONS,
                              longest_ns, &t->guided);
    gcast_analysis_free(bound);
    gcast_analysis_free(explore);
    random_system_free(&s);
    return holds;
}

static void report(const tally *t)
{
    printf("%" PRIu64 " systems, %" PRIu64 " with a bound, %" PRIu64 " explored, %" PRIu64 " executions, %" PRIu64
           " responses, %" PRIu64 " of those checked the worst\n",
           t->systems, t->bounded, t->explored, executions_of(t), t->responses + t->guided.responses, t->tight);
    printf("  %" PRIu64 " random and checked, %" PRIu64 " random, %" PRIu64 " guided, of which %" PRIu64
           " were simulated twice\n",
           t->executions, t->guided.drawn, t->guided.guided, t->guided.compared);
}

static void no_latency_beats_the_answer(void **state)
{
    (void)state;
    uint64_t runs = support_number("GRIDCAST_PROPERTY_RUNS", 6000), seed = support_number("GRIDCAST_ATTACK_SEED", 1),
             seconds = support_number("GRIDCAST_ATTACK_SECONDS", 0);
    time_t end = time(NULL) + (time_t)seconds;
    tally t = {0};
    bool holds = true;
    for (; holds && (seconds ? time(NULL) < end : executions_of(&t) < runs); seed++)
        holds = attack(seed, &t);
    report(&t);
    printf("%s\n", holds ? "no response is outside of its answer" : "a response is outside of its answer");
    assert_true(holds);
    assert_true(t.bounded * 3 > t.systems);
}

int main(int argc, char **argv)
{
    tally t = {0};
    if (argc > 1) {
        bool holds = attack(strtoull(argv[1], NULL, 10), &t);
        report(&t);
        return holds ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_latency_beats_the_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
