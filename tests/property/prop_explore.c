/* Method explore against executions: none has a response outside of what it says, and on small systems all
 * executions together show how much too wide it is. GRIDCAST_PROPERTY_RUNS sets how many systems (default
 * 1500); `prop_explore all SEED` or `drawn SEED` shows one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "property/generate.h"
#include "property/systems.h"

#define EXECUTIONS 40
#define NO_HURRY 1000000000
#define LONG_HORIZON 300     /* where the analysis is to hold for ever */
#define MOST_EXECUTIONS 6000 /* of a system of which all are looked at */

typedef struct seen {
    int64_t best, worst;
} seen;

typedef struct trial {
    const system_kind *kind;
    system_spec s;
    gcast_analysis *a;
    seen seen[SYSTEM_TASKS][SYSTEM_OPS];
    struct tally *tally;
} trial;

/* Of all systems of a kind. */
typedef struct tally {
    uint64_t systems, given_up, ops, worst_equal, best_equal;
    int64_t too_wide;
} tally;

static void analyze(trial *t)
{
    gcast_error err;
    gcast_analyze_options options = gcast_analyze_defaults();
    gcast_workload *w = system_workload(&t->s, NULL, NULL);
    options.any_order = t->s.any_order;
    options.horizon_ns = t->s.horizon;
    options.most_states = t->kind->most_states;
    options.most_ms = NO_HURRY;
    assert_ok(gcast_analyze(w, t->s.gpu, GCAST_METHOD_EXPLORE, &options, &t->a, &err), &err);
    gcast_workload_free(w);
    for (int i = 0; i < SYSTEM_TASKS; i++)
        for (int k = 0; k < SYSTEM_OPS; k++)
            t->seen[i][k] = (seen){INT64_MAX, -1};
}

/* Simulate; `late` has every operation's jitter, or it is drawn. */
static void execute(trial *t, const gcast_workload *w, const int *order, const int64_t *late, support_random *r,
                    gcast_durations durations)
{
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_defaults();
    gcast_run *run;
    int64_t releases[512], drawn[SYSTEM_TASKS] = {0};
    options.horizon_ns = t->s.horizon ? t->s.horizon : LONG_HORIZON;
    assert_ok(gcast_simulate(w, t->s.gpu, &options, &run, &err), &err);
    assert_true(run->op_count <= 512);
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_op *op = &w->ops[run->ops[i].op];
        int task = order[op->task];
        if (w->tasks[op->task].first_op == run->ops[i].op)
            drawn[task] = late ? late[task] : support_between(r, 0, t->s.tasks[task].jitter);
        releases[i] = run->ops[i].release_ns + drawn[task];
    }
    options.releases = releases;
    options.release_count = run->op_count;
    options.durations = durations;
    options.seed = r ? support_next(r) : 0;
    gcast_run_free(run);
    assert_ok(gcast_simulate(w, t->s.gpu, &options, &run, &err), &err);
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_op *op = &w->ops[run->ops[i].op];
        seen *at = &t->seen[order[op->task]][run->ops[i].op - w->tasks[op->task].first_op];
        int64_t response = gcast_response_ns(&run->ops[i]);
        at->best = response < at->best ? response : at->best;
        at->worst = response > at->worst ? response : at->worst;
    }
    gcast_run_free(run);
}

/* Everything seen within what the analysis says? Counts where it is the same. */
static bool contained(trial *t)
{
    size_t n = 0;
    bool ok = true;
    t->tally->systems++;
    t->tally->given_up += !t->a->complete;
    for (int i = 0; i < t->s.task_count && t->a->complete; i++)
        for (int k = 0; k < t->s.tasks[i].op_count; k++, n++) {
            const gcast_response *r = &t->a->responses[n];
            const seen *s = &t->seen[i][k];
            ok = ok && r->best_ns <= s->best && r->worst_ns >= s->worst;
            t->tally->ops++;
            t->tally->worst_equal += r->worst_ns == s->worst;
            t->tally->best_equal += r->best_ns == s->best;
            t->tally->too_wide += r->worst_ns - s->worst;
        }
    return ok;
}

static void show(const trial *t)
{
    size_t n = 0;
    system_print(stderr, &t->s);
    if (!t->a->complete)
        fprintf(stderr, "given up: %s\n", t->a->why_not);
    for (int i = 0; i < t->s.task_count; i++)
        for (int k = 0; k < t->s.tasks[i].op_count; k++, n++)
            fprintf(stderr, "task %d op %d: said %" PRId64 " to %" PRId64 ", seen %" PRId64 " to %" PRId64 "\n", i, k,
                    t->a->responses[n].best_ns, t->a->responses[n].worst_ns, t->seen[i][k].best, t->seen[i][k].worst);
}

static void shuffle(support_random *r, int *order, int n)
{
    for (int i = 0; i < n; i++) {
        int k = r ? (int)support_between(r, 0, i) : i;
        order[i] = i;
        order[i] = order[k];
        order[k] = i;
    }
}

static const system_kind kinds[] = {
    {.most_tasks = 4, .most_blocks = 4, .most_range = 3, .most_jitter = 3},
    {.periodic = true, .most_tasks = 3, .most_blocks = 3, .most_range = 3, .most_jitter = 8},
    {.most_tasks = 5, .most_blocks = 6, .most_range = 6, .most_jitter = 12},
    {.once = true, .most_tasks = 5, .most_blocks = 4, .most_range = 3, .most_jitter = 4},
    {.once = true, .plain = true, .most_tasks = 4, .most_blocks = 6, .most_range = 3, .most_jitter = 4},
    /* so many blocks that a job may be cut off after more of them than there are parts */
    {.once = true, .most_tasks = 4, .most_blocks = 40, .most_range = 2, .most_jitter = 20},
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
    int order[SYSTEM_TASKS];
    t->kind = &kinds[seed % (sizeof kinds / sizeof kinds[0])];
    t->s = system_random(&r, t->kind);
    analyze(t);
    for (int i = 0; i < EXECUTIONS && t->a->complete; i++) {
        shuffle(t->s.any_order ? &r : NULL, order, t->s.task_count);
        gcast_workload *w = system_workload(&t->s, order, NULL);
        execute(t, w, order, NULL, &r, i ? GCAST_DURATIONS_RANDOM : GCAST_DURATIONS_MAX);
        gcast_workload_free(w);
    }
    return contained(t);
}

/* All executions of a system, one after the other: a number in mixed bases. */
typedef struct all {
    system_extra extra;
    int64_t late[SYSTEM_TASKS];
} all;

static bool next_execution(const system_spec *s, all *a)
{
    for (int i = 0; i < s->task_count; i++) {
        const system_task *t = &s->tasks[i];
        if (a->late[i]++ < t->jitter)
            return true;
        a->late[i] = 0;
        for (int k = 0; k < t->op_count; k++)
            for (int b = 0; b < t->ops[k].blocks; b++) {
                if (a->extra[i][k][b]++ < t->ops[k].max - t->ops[k].min)
                    return true;
                a->extra[i][k][b] = 0;
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
                n *= (uint64_t)(t->ops[k].max - t->ops[k].min) + 1;
    }
    return n;
}

static const system_kind small_kinds[] = {
    {.once = true, .most_tasks = 3, .most_blocks = 2, .most_range = 2, .most_jitter = 3},
    {.once = true, .most_tasks = 4, .most_blocks = 2, .most_range = 1, .most_jitter = 2},
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
    int order[SYSTEM_TASKS];
    all a = {0};
    t->kind = &small_kinds[seed % (sizeof small_kinds / sizeof small_kinds[0])];
    for (;;) {
        t->s = system_random(&r, t->kind);
        t->s.any_order = false;
        if (execution_count(&t->s) <= MOST_EXECUTIONS)
            break;
        system_free(&t->s);
    }
    shuffle(NULL, order, t->s.task_count);
    analyze(t);
    do {
        gcast_workload *w = system_workload(&t->s, NULL, (const system_extra *)&a.extra);
        execute(t, w, order, a.late, NULL, GCAST_DURATIONS_MAX);
        gcast_workload_free(w);
    } while (next_execution(&t->s, &a));
    return contained(t);
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
            show(&t);
        }
        gcast_analysis_free(t.a);
        system_free(&t.s);
        assert_true(ok);
    }
    for (size_t k = 0; k < kind_count; k++) {
        const tally *y = &tallies[k];
        printf("%s, kind %zu: %" PRIu64 " systems, %" PRIu64 " given up; of %" PRIu64 " ops worst as seen %" PRIu64
               ", best %" PRIu64 ", too wide by %" PRId64 " in all\n",
               what, k, y->systems, y->given_up, y->ops, y->worst_equal, y->best_equal, y->too_wide);
        assert_true(2 * y->given_up < y->systems || runs < 100);
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
        show(&t);
        return ok ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_random_executions),
                                       cmocka_unit_test(holds_all_executions),
                                       cmocka_unit_test(holds_or_refuses_anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
