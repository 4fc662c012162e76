#include "property/guided.h"

#include <inttypes.h>
#include <stdlib.h>

#include "property/choices.h"
#include "property/compare.h"

#define DRAWS 25     /* executions that are drawn between two climbs */
#define CHANGES 300  /* executions of a climb */
#define COMPARED 997 /* one of so many executions is simulated by gcast_workload_simulate too */

/* What is known about an op. */
typedef struct target {
    bool has_answer;     /* there is a response to compare */
    int64_t best_ns;     /* no response may be shorter */
    int64_t worst_ns;    /* no response may be longer */
    int64_t shortest_ns; /* the shortest response of the last execution; INT64_MAX: none */
    int64_t longest_ns;  /* the longest response of the last execution; -1: none */
    int64_t slowest_ns;  /* the longest response of all executions */
    bool is_guided;      /* it was first seen in a guided execution */
    choice slowest;      /* in which it was seen */
} target;

typedef struct search {
    choices c;
    target targets[CHOICES_MAX_OPS]; /* by op */
    support_random r;
    uint64_t seed;       /* of the attack, for messages */
    uint64_t executions; /* so far */
    uint64_t max_executions;
    guided_tally *tally;
} search;

uint64_t guided_executions(uint64_t otherwise)
{
    uint64_t executions = support_number("GRIDCAST_ATTACK_EXECUTIONS", otherwise);
    assert_true(executions > 0);
    return executions;
}

static void add_answer(search *s, const gcast_analysis *a)
{
    for (size_t i = 0; a->complete && i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        target *t = &s->targets[r->op];
        if (!t->has_answer || r->best_ns > t->best_ns)
            t->best_ns = r->best_ns;
        if (!t->has_answer || r->worst_ns < t->worst_ns)
            t->worst_ns = r->worst_ns;
        t->has_answer = true;
    }
}

static void show_failure(search *s, size_t operation)
{
    const gcast_run_op *o = &s->c.quick.ops[operation];
    size_t op = s->c.original[o->op];
    generated shown = {.workload = s->c.ordered, .gpu = s->c.s->g.gpu, .options = s->c.options};
    fprintf(stderr,
            "seed %" PRIu64 ", guided execution %" PRIu64 ": operation %zu (op %zu of the system) takes %" PRId64
            " ns, the answer is %" PRId64 " to %" PRId64 "\n",
            s->seed, s->executions, operation, op, gcast_response_ns(o), s->targets[op].best_ns,
            s->targets[op].worst_ns);
    dump_workload(stderr, &shown);
    quick_run_compare(&s->c.quick, &s->c.options);
    dump_schedule(stderr, "execution", s->c.ordered, s->c.quick.ops, s->c.quick.op_count);
}

static bool observe(search *s)
{
    const quick_run *q = &s->c.quick;
    for (size_t i = 0; i < s->c.s->workload->op_count; i++) {
        s->targets[i].longest_ns = -1;
        s->targets[i].shortest_ns = INT64_MAX;
    }
    for (size_t i = 0; i < q->op_count; i++) {
        target *t = &s->targets[s->c.original[q->ops[i].op]];
        int64_t ns = gcast_response_ns(&q->ops[i]);
        if (!t->has_answer || ns < 0)
            continue;
        s->tally->responses++;
        t->longest_ns = ns > t->longest_ns ? ns : t->longest_ns;
        t->shortest_ns = ns < t->shortest_ns ? ns : t->shortest_ns;
        if (ns >= t->best_ns && ns <= t->worst_ns)
            continue;
        show_failure(s, i);
        return false;
    }
    return true;
}

static bool execute_choice(search *s, choice *x, bool is_guided)
{
    choices_execute(&s->c, x);
    if (++s->executions % COMPARED == 1)
        s->tally->compared += quick_run_compare(&s->c.quick, &s->c.options);
    if (!observe(s))
        return false;
    for (size_t i = 0; i < s->c.s->workload->op_count; i++) {
        target *t = &s->targets[i];
        if (t->longest_ns <= t->slowest_ns)
            continue;
        if (!t->slowest.order)
            t->slowest = choice_make(&s->c);
        choice_copy(&s->c, &t->slowest, x);
        t->slowest_ns = t->longest_ns;
        t->is_guided = is_guided;
    }
    return true;
}

/* The op to push: mostly the one that is nearest to its bound and not there, else any. */
static size_t pick_target(search *s)
{
    size_t ops = s->c.s->workload->op_count, nearest = ops;
    for (size_t i = 0; i < ops; i++) {
        const target *t = &s->targets[i];
        if (!t->has_answer || t->slowest_ns <= 0 || t->slowest_ns >= t->worst_ns || t->worst_ns == GCAST_NO_BOUND)
            continue;
        if (nearest == ops || (double)t->slowest_ns / (double)t->worst_ns >
                                  (double)s->targets[nearest].slowest_ns / (double)s->targets[nearest].worst_ns)
            nearest = i;
    }
    if (nearest < ops && percent(&s->r, 40))
        return nearest;
    return (size_t)support_between(&s->r, 0, (int64_t)ops - 1);
}

static int64_t score(const target *t, bool is_longer)
{
    return is_longer ? t->longest_ns : -t->shortest_ns;
}

static bool climb(search *s, choice *current, choice *next)
{
    bool is_longer = percent(&s->r, 85);
    target *t = &s->targets[pick_target(s)];
    if (t->slowest.order && percent(&s->r, 95))
        choice_copy(&s->c, current, &t->slowest);
    else
        choice_draw(&s->c, current, &s->r);
    if (!execute_choice(s, current, false))
        return false;
    s->tally->drawn++;
    int64_t reached = score(t, is_longer);
    for (int i = 0; i < CHANGES && s->executions < s->max_executions; i++) {
        choice_copy(&s->c, next, current);
        choice_change(&s->c, next, &s->r);
        if (!execute_choice(s, next, true))
            return false;
        s->tally->guided++;
        if (score(t, is_longer) < reached)
            continue;
        reached = score(t, is_longer);
        choice_copy(&s->c, current, next);
    }
    return true;
}

static bool run_search(search *s)
{
    choice current = choice_make(&s->c), next = choice_make(&s->c);
    bool holds = true;
    while (holds && s->executions < s->max_executions) {
        for (int i = 0; i < DRAWS && holds && s->executions < s->max_executions; i++) {
            choice_draw(&s->c, &current, &s->r);
            holds = execute_choice(s, &current, false);
            s->tally->drawn++;
        }
        if (holds && s->executions < s->max_executions)
            holds = climb(s, &current, &next);
    }
    choice_free(&current);
    choice_free(&next);
    return holds;
}

static void count_latest(search *s)
{
    for (size_t i = 0; i < s->c.s->workload->op_count; i++) {
        const target *t = &s->targets[i];
        if (!t->has_answer || t->slowest_ns <= 0 || t->worst_ns == GCAST_NO_BOUND)
            continue;
        s->tally->latest_drawn += !t->is_guided;
        s->tally->latest_guided += t->is_guided;
        s->tally->reached += t->slowest_ns == t->worst_ns;
        s->tally->share += (double)t->slowest_ns / (double)t->worst_ns;
    }
}

bool guided_attack(const random_system *system, const gcast_analysis *const *answers, size_t answer_count,
                   uint64_t seed, uint64_t executions, int64_t *longest_ns, guided_tally *t)
{
    search *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->seed = seed;
    s->max_executions = executions;
    s->tally = t;
    s->r = (support_random){seed * 0x9e3779b97f4a7c15u + 0x6a09e667f3bcc909u};
    support_next(&s->r);
    bool holds = true;
    if (executions && choices_open(&s->c, system, &s->r)) {
        for (size_t i = 0; i < answer_count; i++)
            add_answer(s, answers[i]);
        t->fixed += s->c.is_fixed;
        holds = s->c.is_fixed || run_search(s);
        count_latest(s);
        for (size_t i = 0; i < system->workload->op_count; i++) {
            if (s->targets[i].slowest_ns > longest_ns[i])
                longest_ns[i] = s->targets[i].slowest_ns;
            choice_free(&s->targets[i].slowest);
        }
        choices_close(&s->c);
    }
    free(s);
    return holds;
}
