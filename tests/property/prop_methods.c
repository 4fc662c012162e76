/* Every method against executions of systems of which little is open, often one thing only: the noise of the GPU, the
 * latency of calls, a duration, the order of calls, or jitter. A method that leaves it out answers for one execution,
 * and another is outside of its answer. GRIDCAST_PROPERTY_RUNS sets how many systems (default 60), or
 * GRIDCAST_ATTACK_SECONDS for how long; GRIDCAST_ATTACK_SEED where it starts (default 1). `prop_methods SEED` shows one
 * system. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "analyze/witness/witness.h"
#include "gridcast/names.h"
#include "model/workload/jobs.h"
#include "model/workload/workload.h"
#include "papers/thesis/thesis_method.h"
#include "property/compare.h"
#include "property/system.h"
#include "support/builders.h"

#define EXECUTIONS 12   /* of one system */
#define MAX_STATES 2000 /* of explore */
#define NO_TIME_LIMIT 1000000000
#define METHODS ((int)GCAST_METHODS + 1) /* the last one is the thesis */

typedef struct tally {
    uint64_t systems, executions, responses;
    uint64_t answered[METHODS]; /* by method: systems */
    uint64_t noisy;             /* systems in which noise alone is open */
} tally;

/* What is left open. */
typedef struct openness {
    bool durations, jitter, noise, latencies, order;
} openness;

static openness draw_openness(support_random *r)
{
    return (openness){.durations = percent(r, 15),
                      .jitter = percent(r, 15),
                      .noise = percent(r, 35),
                      .latencies = percent(r, 25),
                      .order = percent(r, 15)};
}

/* Fixes what is not open. */
static void fix(random_system *s, const openness *open, support_random *r)
{
    gcast_gpu *gpu = s->g.gpu;
    for (size_t i = 0; i < s->workload->op_count; i++) {
        gcast_op op = s->workload->ops[i];
        if (!open->durations && op.max_ns != GCAST_UNKNOWN_NS)
            op.min_ns = op.max_ns;
        workload_put_op(s->workload, i, &op);
    }
    for (size_t i = 0; i < s->workload->task_count && !open->jitter; i++)
        ((gcast_task *)s->workload->tasks)[i].jitter_ns = 0;
    s->any_order = open->order;
    gpu->noise_ns = open->noise ? one_of(r, 1, 2, 5, 20) : 0;
    gpu->launch_latency_ns = one_of(r, 0, 0, 3, 10);
    gpu->copy_latency_ns = one_of(r, 0, 0, 3, 10);
    s->launch_max_ns = s->copy_max_ns = 0;
    if (open->latencies) {
        s->launch_max_ns = gpu->launch_latency_ns + one_of(r, 0, 1, 5, 30);
        s->copy_max_ns = gpu->copy_latency_ns + one_of(r, 0, 1, 5, 30);
    }
}

/* One kernel of equal blocks in each stream, released together: what the thesis covers. */
static random_system alike_system_make(uint64_t seed)
{
    gcast_error err;
    support_random r = {seed * 0x9e3779b97f4a7c15u + 13};
    support_next(&r);
    random_system s = {.g = {.gpu = support_gpu("alike", 6, 0, (int)support_between(&r, 1, 3), &err)},
                       .workload = support_workload("alike", &err)};
    assert_true(s.g.gpu && s.workload);
    int threads = (int)one_of(&r, 128, 256, 512, 1024);
    for (int t = 0, tasks = (int)support_between(&r, 1, 3); t < tasks; t++) {
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.label = "kernel";
        op.grid[0] = (uint32_t)support_between(&r, 1, 12);
        op.block[0] = (uint32_t)threads;
        op.min_ns = op.max_ns = support_between(&r, 2, 30);
        op.stream = support_add_stream(s.workload, (gcast_stream){.id = t + 1}, &err);
        gcast_task task = {.name = "task", .stream = op.stream, .period_ns = 1000, .deadline_ns = 1000};
        assert_true(support_add_task(s.workload, &task, &err) >= 0);
        assert_true(support_add_op(s.workload, &op, &err) >= 0);
    }
    return s;
}

static random_system make(uint64_t seed, openness *open)
{
    support_random r = {seed * 0x9e3779b97f4a7c15u + 91};
    support_next(&r);
    random_system s = seed % 3 == 0   ? busy_system_make(seed)
                      : seed % 6 == 1 ? alike_system_make(seed)
                                      : plain_system_make(seed);
    *open = draw_openness(&r);
    fix(&s, open, &r);
    return s;
}

static gcast_analysis *analyze(const random_system *s, int method, const gcast_analyze_options *options)
{
    static added_method thesis;
    gcast_analysis *a;
    gcast_error err;
    thesis = thesis_method(NULL);
    assert_ok(method < (int)GCAST_METHODS
                  ? gcast_workload_analyze(s->workload, s->g.gpu, (gcast_method)method, options, &a, &err)
                  : added_method_analyze(&thesis, s->workload, s->g.gpu, options, &a, &err),
              &err);
    return a;
}

static gcast_analysis *analysis_of(const random_system *s, int method)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    options.any_order = s->any_order;
    options.max_states = MAX_STATES;
    options.max_ms = NO_TIME_LIMIT;
    options.launch_max_ns = s->launch_max_ns ? s->launch_max_ns : -1;
    options.copy_max_ns = s->copy_max_ns ? s->copy_max_ns : -1;
    return analyze(s, method, &options);
}

/* Jobs after the end of an execution count for answers of all but bound: only what ends before them is compared. */
static bool kept(const execution *e, const gcast_analysis *a, int64_t end_ns, tally *t)
{
    for (size_t i = 0; i < e->run->op_count && a->complete; i++)
        for (size_t k = 0; k < a->response_count; k++) {
            const gcast_response *r = &a->responses[k];
            int64_t ns = gcast_response_ns(&e->run->ops[i]);
            if (r->op != e->original[e->run->ops[i].op] || ns < 0 ||
                (a->method != GCAST_METHOD_BOUND && e->run->ops[i].end_ns > end_ns))
                continue;
            t->responses++;
            if (ns <= r->worst_ns && ns >= r->best_ns)
                continue;
            fprintf(stderr, "operation %zu (op %zu) takes %" PRId64 " ns; %s says %" PRId64 " to %" PRId64 "\n", i,
                    r->op, ns, analysis_method_name(a), r->best_ns, r->worst_ns);
            return false;
        }
    return true;
}

static bool attack(uint64_t seed, tally *t)
{
    openness open;
    random_system s = make(seed, &open);
    gcast_analysis *answers[METHODS];
    gcast_error err;
    int64_t end_ns = 0;
    bool holds = true;
    assert_ok(jobs_horizon(s.workload, &end_ns, &err), &err);
    end_ns = s.workload->task_count ? end_ns : INT64_MAX;
    t->systems++;
    t->noisy += open.noise && !open.durations && !open.jitter && !open.latencies && !open.order;
    for (int m = 0; m < METHODS; m++) {
        answers[m] = analysis_of(&s, m);
        t->answered[m] += answers[m]->complete;
    }
    for (uint64_t n = 0; n < EXECUTIONS && holds; n++) {
        execution e = execute(&s, seed * 1000003 + n);
        t->executions++;
        for (int m = 0; m < METHODS && holds; m++)
            holds = kept(&e, answers[m], end_ns, t);
        if (!holds) {
            generated shown = {.workload = e.workload, .gpu = s.g.gpu};
            fprintf(stderr, "seed %" PRIu64 ", execution %" PRIu64 ", noise %" PRId64 "\n", seed, n, s.g.gpu->noise_ns);
            dump_workload(stderr, &shown);
            dump_schedule(stderr, "execution", e.workload, e.run->ops, e.run->op_count);
        }
        execution_free(&e);
    }
    for (int m = 0; m < METHODS; m++)
        gcast_analysis_free(answers[m]);
    random_system_free(&s);
    return holds;
}

static void no_method_leaves_anything_out(void **state)
{
    (void)state;
    uint64_t runs = support_number("GRIDCAST_PROPERTY_RUNS", 60), seed = support_number("GRIDCAST_ATTACK_SEED", 1),
             seconds = support_number("GRIDCAST_ATTACK_SECONDS", 0);
    time_t end = time(NULL) + (time_t)seconds;
    tally t = {0};
    bool holds = true;
    for (; holds && (seconds ? time(NULL) < end : t.systems < runs); seed++)
        holds = attack(seed, &t);
    printf("%" PRIu64 " systems, %" PRIu64 " of them with noise alone; %" PRIu64 " executions, %" PRIu64 " responses\n",
           t.systems, t.noisy, t.executions, t.responses);
    for (int m = 0; m < METHODS; m++)
        printf("%s answers %" PRIu64 "\n",
               m < (int)GCAST_METHODS ? gcast_name(GCAST_NAMES_METHOD, (gcast_method)m) : "thesis", t.answered[m]);
    assert_true(holds);
    for (int m = 0; m < METHODS; m++)
        assert_true(t.answered[m] > 0 || t.systems < 100);
}

/* A horizon before, at or shortly after first releases: some tasks, or all, have no job. */
static int64_t short_horizon(const gcast_workload *w, support_random *r)
{
    int64_t first_ns = w->tasks[support_between(r, 0, (int64_t)w->task_count - 1)].offset_ns;
    int64_t ns = first_ns + one_of(r, -1, 0, 1, 2, 50);
    return percent(r, 20) || ns < 1 ? 1 : ns;
}

/* Does no execution up to the horizon, of those that are searched for, contradict a method? */
static void search_short(uint64_t seed)
{
    gcast_error err;
    gcast_witness *seen;
    gcast_witness_options late = gcast_witness_options_default();
    gcast_analyze_options options = gcast_analyze_options_default();
    support_random r = {seed * 0x9e3779b97f4a7c15u + 17};
    support_next(&r);
    random_system s = seed % 3 == 0   ? busy_system_make(seed)
                      : seed % 3 == 1 ? random_system_make(seed)
                                      : plain_system_make(seed);
    if (s.workload->task_count) {
        options.horizon_ns = late.horizon_ns = short_horizon(s.workload, &r);
        options.any_order = late.any_order = s.any_order;
        options.max_states = MAX_STATES;
        options.max_ms = late.max_ms = NO_TIME_LIMIT;
        late.max_executions = 40;
        late.growth = true;
        assert_ok(gcast_workload_witness(s.workload, s.g.gpu, &late, &seen, &err), &err);
        for (int m = 0; m < METHODS; m++) {
            gcast_analysis *a = analyze(&s, m, &options);
            for (size_t i = 0; a->complete && i < a->response_count; i++)
                if (seen->seen_ns[a->responses[i].op] > a->responses[i].worst_ns)
                    fail_msg("seed %" PRIu64 ": op %zu is seen to take %" PRId64 " ns, %s says %" PRId64, seed,
                             a->responses[i].op, seen->seen_ns[a->responses[i].op], analysis_method_name(a),
                             a->responses[i].worst_ns);
            gcast_analysis_free(a);
        }
        gcast_witness_free(seen);
    }
    random_system_free(&s);
}

static void no_execution_up_to_a_short_horizon_contradicts(void **state)
{
    (void)state;
    uint64_t runs = support_number("GRIDCAST_PROPERTY_RUNS", 60);
    for (uint64_t seed = 1; seed <= runs / 2; seed++)
        search_short(seed);
}

int main(int argc, char **argv)
{
    tally t = {0};
    if (argc > 1)
        return attack(strtoull(argv[1], NULL, 10), &t) ? 0 : 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_method_leaves_anything_out),
                                       cmocka_unit_test(no_execution_up_to_a_short_horizon_contradicts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
