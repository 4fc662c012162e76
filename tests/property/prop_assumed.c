/* The attack on what gcast_answer_move_assumed says of values between: random systems and GPUs, numbers of the GPU
 * moved far, and executions on GPUs on which they are moved less. No response may be above what bound says of the GPU
 * on which they are moved farthest. GRIDCAST_PROPERTY_RUNS sets how many executions (default 8000);
 * GRIDCAST_ATTACK_SEED where it starts (default 1). `prop_assumed SEED` shows one system. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer.h"
#include "analyze/assumed/parameters.h"
#include "base/integers.h"
#include "model/gpu_fields.h"
#include "property/compare.h"
#include "property/system.h"

#define EXECUTIONS 25 /* of one system */

typedef struct tally {
    uint64_t systems, bounded, moved, executions, responses, tight;
} tally;

typedef struct moved_system {
    random_system s;
    gcast_assumed parameters[ASSUMED_MAX]; /* limit is the farthest value */
    size_t count;                          /* of parameters that are moved */
} moved_system;

/* Sources for a GPU of which nothing is known. */
static void assume_all(gcast_gpu *gpu)
{
    static char fields[4096];
    static gcast_source source = {fields, "assumed: at random"};
    if (!*fields)
        for (size_t i = 0; i < gpu_field_count; i++) {
            strcat(fields, gpu_fields[i].key);
            strcat(fields, " ");
        }
    gpu->sources = &source;
    gpu->source_count = 1;
}

static int64_t farthest(support_random *r, const gcast_assumed *p)
{
    if (p->downward)
        return max_i64(p->value / one_of(r, 2, 3, 5, 10), 1);
    return p->value * one_of(r, 1, 2, 3, 5, 10) + one_of(r, 1, 3, 10, 30, 100);
}

/* Mostly one number is moved, else about half of them. */
static moved_system system_of(uint64_t seed)
{
    moved_system m = {.s = random_system_make(seed)};
    support_random r = {seed * 0x9e3779b97f4a7c15u + 17};
    gcast_assumed found[ASSUMED_MAX];
    assume_all(m.s.g.gpu);
    size_t count = assumed_parameters(m.s.workload, m.s.g.gpu, found);
    bool moves_one = percent(&r, 70);
    uint64_t only = count ? support_next(&r) % count : 0;
    for (size_t i = 0; i < count; i++) {
        found[i].limit = farthest(&r, &found[i]);
        if (found[i].is_count)
            continue;
        if (moves_one ? i == only : percent(&r, 50))
            m.parameters[m.count++] = found[i];
    }
    return m;
}

/* Moves each number to some value up to its farthest, mostly one of the two. */
static void move_some(moved_system *m, support_random *r)
{
    for (size_t i = 0; i < m->count; i++) {
        const gcast_assumed *p = &m->parameters[i];
        int64_t distance = p->downward ? p->value - p->limit : p->limit - p->value;
        int64_t part = percent(r, 30) ? 0 : percent(r, 40) ? distance : (int64_t)(support_next(r) % (distance + 1));
        assumed_put(&(variant){.gpu = m->s.g.gpu}, p->field, p->downward ? p->value - part : p->value + part);
    }
}

static gcast_analysis *bound_of(moved_system *m)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_analysis *a = NULL;
    gcast_error err;
    options.any_order = m->s.any_order;
    options.any_phase = true;
    gcast_gpu *gpu = m->s.g.gpu;
    const int64_t handover_ns = gpu->handover_ns, copy_gap_ns = gpu->copy_gap_ns;
    assumed_set_limits(&(variant){.gpu = gpu}, m->parameters, m->count);
    gcast_status status = gcast_workload_analyze(m->s.workload, gpu, GCAST_METHOD_BOUND, &options, &a, &err);
    gpu->handover_ns = handover_ns; /* these may have been moved with the gap of streams */
    gpu->copy_gap_ns = copy_gap_ns;
    assert_true(status == GCAST_OK || status == GCAST_INPUT);
    return a;
}

static bool kept(const execution *e, const gcast_analysis *a, tally *t)
{
    for (size_t i = 0; i < e->run->op_count; i++) {
        size_t op = e->original[e->run->ops[i].op];
        int64_t ns = gcast_response_ns(&e->run->ops[i]);
        for (size_t k = 0; k < a->response_count; k++) {
            if (a->responses[k].op != op || ns < 0)
                continue;
            t->responses++;
            t->tight += ns == a->responses[k].worst_ns;
            if (ns <= a->responses[k].worst_ns)
                continue;
            fprintf(stderr, "operation %zu (op %zu) takes %" PRId64 " ns; bound says %" PRId64 "\n", i, op, ns,
                    a->responses[k].worst_ns);
            return false;
        }
    }
    return true;
}

static void show_failure(const moved_system *m, const execution *e, uint64_t seed, uint64_t n)
{
    generated shown = {.workload = e->workload, .gpu = m->s.g.gpu};
    fprintf(stderr, "seed %" PRIu64 ", execution %" PRIu64 "\n", seed, n);
    for (size_t i = 0; i < m->count; i++)
        fprintf(stderr, "%s: %" PRId64 " to %" PRId64 ", now %" PRId64 "\n", m->parameters[i].field,
                m->parameters[i].value, m->parameters[i].limit,
                gpu_field_get(m->s.g.gpu, gpu_field_find(m->parameters[i].field)));
    dump_workload(stderr, &shown);
    dump_schedule(stderr, "execution", e->workload, e->run->ops, e->run->op_count);
}

static bool attack(uint64_t seed, tally *t)
{
    moved_system m = system_of(seed);
    support_random r = {seed * 0x9e3779b97f4a7c15u + 19};
    gcast_analysis *bound = bound_of(&m);
    bool holds = true, is_bounded = bound && bound->complete && m.count;
    t->systems++;
    t->bounded += is_bounded;
    t->moved += is_bounded ? m.count : 0;
    for (uint64_t n = 0; n < EXECUTIONS && holds && is_bounded; n++) {
        move_some(&m, &r);
        execution e = execute(&m.s, seed * 1000003 + n);
        t->executions++;
        holds = kept(&e, bound, t);
        if (!holds)
            show_failure(&m, &e, seed, n);
        execution_free(&e);
    }
    gcast_analysis_free(bound);
    random_system_free(&m.s);
    return holds;
}

static void report(const tally *t)
{
    printf("%" PRIu64 " systems, %" PRIu64 " with a bound, %" PRIu64 " numbers moved, %" PRIu64 " executions, %" PRIu64
           " responses, %" PRIu64 " of them the worst\n",
           t->systems, t->bounded, t->moved, t->executions, t->responses, t->tight);
}

static void bound_covers_values_between(void **state)
{
    (void)state;
    uint64_t runs = support_number("GRIDCAST_PROPERTY_RUNS", 8000), seed = support_number("GRIDCAST_ATTACK_SEED", 1);
    tally t = {0};
    bool holds = true;
    for (; holds && t.executions < runs; seed++)
        holds = attack(seed, &t);
    report(&t);
    assert_true(holds);
}

int main(int argc, char **argv)
{
    tally t = {0};
    if (argc > 1) {
        bool holds = attack(strtoull(argv[1], NULL, 10), &t);
        report(&t);
        return holds ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(bound_covers_values_between)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
