/* The waits of all operations of a run are those that gcast_run_explain gives for each, up to the start of the
 * operation. */
#include "property/generate.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "model/run_op.h"
#include "report/run/waits.h"

/* Rules that one of the two does not distinguish. */
static const char *kind_of(const char *rule)
{
    static const char *const same[][2] = {
        {"turns", "connection"},     {"stream gap", "N"},   {"N1", "N"},          {"N2", "N"},
        {"resident grids", "R2 R3"}, {"carveout", "R2 R3"}, {"copy start", "C2"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (strcmp(rule, same[i][0]) == 0)
            return same[i][1];
    return rule;
}

/* The end of the operation before it in its stream, or its call, whichever is later. */
static int64_t waits_from(const gcast_run *run, size_t op)
{
    int64_t start_ns = run->ops[op].call_ns;
    for (size_t i = 0; i < run->op_count; i++)
        if (run_op_ran(run, i) && run_op(run, i)->stream == run_op(run, op)->stream &&
            run->ops[i].launch < run->ops[op].launch && run->ops[i].end_ns > start_ns)
            start_ns = run->ops[i].end_ns;
    return start_ns;
}

static void assert_as_explained(const waits *w, size_t op, size_t rule_count[26])
{
    gcast_error err;
    gcast_explanation *e;
    wait_part parts[WAIT_PARTS];
    int64_t t = waits_from(w->run, op);
    size_t count = waits_of(w, op, t, parts);
    assert_ok(gcast_run_explain(w->run, op, &e, &err), &err);
    for (size_t k = 0; k < count; k++) {
        const wait_part *p = &parts[k];
        assert_int_equal(p->start_ns, t);
        assert_true(p->end_ns > p->start_ns && p->end_ns <= w->run->ops[op].start_ns);
        for (size_t i = 0; i < e->wait_count && strcmp(p->rule, "more") != 0; i++) {
            const gcast_wait *x = &e->waits[i];
            if (x->to_ns <= p->start_ns || x->from_ns >= p->end_ns)
                continue;
            assert_string_equal(kind_of(gcast_reason_rule(x->reason)), kind_of(p->rule));
            if (strcmp(p->rule, "A2") == 0 && x->from_ns <= p->start_ns)
                assert_int_equal(run_op(w->run, p->holder)->kind, GCAST_KIND_KERNEL);
        }
        rule_count[p->rule[0] >= 'a' ? p->rule[0] - 'a' : p->rule[0] - 'A']++;
        t = p->end_ns;
    }
    assert_int_equal(t, count ? w->run->ops[op].start_ns : t);
    assert_true(count || t >= w->run->ops[op].start_ns);
    gcast_explanation_free(e);
}

static void check_seeds(generated (*make)(uint64_t), uint64_t last, size_t rule_count[26])
{
    for (uint64_t seed = 1; seed <= last; seed++) {
        if (make == generate_launching && seed % 5 == 0) /* these have plans */
            continue;
        gcast_error err;
        gcast_run *run;
        waits w;
        generated g = make(seed);
        g.options.record_blocks = true;
        assert_ok(gcast_workload_simulate(g.workload, g.gpu, &g.options, &run, &err), &err);
        assert_true(waits_make(&w, run));
        assert_true(w.known);
        for (size_t i = 0; i < run->op_count; i++)
            if (run_op_ran(run, i))
                assert_as_explained(&w, i, rule_count);
        waits_free(&w);
        gcast_run_free(run);
        generated_free(&g);
    }
}

static void as_explained(void **state)
{
    (void)state;
    size_t rule_count[26] = {0};
    check_seeds(generate, 3000, rule_count);
    static const char rule_letters[] = "xarnclsk"; /* X1 A2 R2 N1 connection launch stream kernel */
    for (size_t i = 0; i < sizeof rule_letters - 1; i++)
        assert_true(rule_count[rule_letters[i] - 'a'] > 50);
}

/* Kernels of the host wait for children too. */
static void with_children(void **state)
{
    (void)state;
    size_t rule_count[26] = {0};
    check_seeds(generate_launching, 1000, rule_count);
    static const char rule_letters[] = "xarncls";
    for (size_t i = 0; i < sizeof rule_letters - 1; i++)
        assert_true(rule_count[rule_letters[i] - 'a'] > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_explained), cmocka_unit_test(with_children)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
