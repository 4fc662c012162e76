/* The waits of all operations of a run are those that gcast_run_explain gives for each, up to the start of the
 * operation. */
#include "property/generate.h"
#include "support/builders.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "gridcast/names.h"
#include "model/run_op.h"
#include "report/run/waits.h"

/* Reasons between which the times of operations leave it open: a rough part has the rule of its row. */
static bool may_be(const wait_part *p, const char *rule)
{
    static const struct {
        const char *rough, *rules[9];
    } open[] = {
        {"room", {"R2 R3", "resident grids", "carveout", "cluster", "cooperative", "workers"}},
        {"graph", {"graph", "connection", "turns"}},
        {"trigger", {"trigger", "overlap depth"}},
    };
    for (size_t i = 0; i < sizeof open / sizeof open[0] && p->rough; i++)
        for (size_t k = 0; k < 9 && strcmp(p->rule, open[i].rough) == 0 && open[i].rules[k]; k++)
            if (strcmp(rule, open[i].rules[k]) == 0)
                return true;
    if (p->rough)
        return strcmp(p->rule, "more") == 0;
    return strcmp(rule, p->rule) == 0 || (p->count > 1 && strcmp(rule, "stream gap") == 0);
}

/* All that is waited for from the call on has the rule that explain gives; a chain has as much time in gaps. */
static void assert_as_explained(const waits *w, size_t op, size_t rule_count[26])
{
    gcast_error err;
    gcast_explanation *e;
    wait_part parts[WAIT_PARTS];
    int64_t t = w->run->ops[op].call_ns;
    size_t count = waits_of(w, op, t, parts);
    assert_ok(gcast_run_explain(w->run, op, &e, &err), &err);
    for (size_t k = 0; k < count; k++) {
        const wait_part *p = &parts[k];
        int64_t gaps = 0;
        assert_int_equal(p->start_ns, t);
        assert_true(p->end_ns > p->start_ns && p->end_ns <= w->run->ops[op].start_ns);
        for (size_t i = 0; i < e->wait_count; i++) {
            const gcast_wait *x = &e->waits[i];
            if (x->to_ns <= p->start_ns || x->from_ns >= p->end_ns)
                continue;
            if (!may_be(p, gcast_name(GCAST_NAMES_REASON, x->reason)))
                fail_msg("%s: %s where explain says %s", run_op(w->run, op)->label, p->rule,
                         gcast_name(GCAST_NAMES_REASON, x->reason));
            if (!p->rough && p->count == 1 && x->holder_count)
                assert_int_equal(x->holders[0].run_op, p->holder);
            if (x->reason == GCAST_WHY_GAP)
                gaps += x->to_ns - x->from_ns;
        }
        if (p->count > 1) {
            assert_int_equal(p->gap_ns, gaps);
            rule_count['z' - 'a']++;
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
        for (size_t i = 0; i < run->op_count && !run->hang; i++) /* explain has nothing of one that hangs */
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
    check_seeds(generate, 1500, rule_count);
    static const char rule_letters[] = "xarngcltsk"; /* X1 A2 room N1 G2 connection launch turns stream kernel */
    for (size_t i = 0; i < sizeof rule_letters - 1; i++)
        assert_true(rule_count[rule_letters[i] - 'a'] > 50);
}

/* Kernels of the host wait for children too. */
static void with_children(void **state)
{
    (void)state;
    size_t rule_count[26] = {0};
    check_seeds(generate_launching, 500, rule_count);
    static const char rule_letters[] = "xarncls";
    for (size_t i = 0; i < sizeof rule_letters - 1; i++)
        assert_true(rule_count[rule_letters[i] - 'a'] > 20);
}

/* Blocks that wait, clusters, nodes of graphs and programmatic kernels: where blocks tell more, parts are rough. */
static void attributes(void **state)
{
    (void)state;
    size_t rule_count[26] = {0};
    check_seeds(generate_clustered, 400, rule_count);
    check_seeds(generate_waiting, 400, rule_count);
    check_seeds(generate_graphed, 400, rule_count);
    assert_true(rule_count['r' - 'a'] > 50 && rule_count['g' - 'a'] > 50 && rule_count['t' - 'a'] > 5);
}

/* Many kernels of one stream that are called at once: the last waits for all before it. */
static void long_chain(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu;
    gcast_run *run;
    waits w;
    wait_part parts[WAIT_PARTS];
    size_t rule_count[26] = {0};
    gcast_simulate_options o = gcast_simulate_options_default();
    assert_ok(gcast_gpu_load("h200", &gpu, &err), &err);
    gcast_workload *work = support_workload("chain", &err);
    for (int i = 0; i < 60; i++) {
        char label[16];
        snprintf(label, sizeof label, "K%d", i);
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.label = label;
        op.stream = support_get_stream(work, 1, &err);
        op.grid[0] = 100;
        op.block[0] = 256;
        op.min_ns = op.max_ns = 20000;
        assert_true(support_add_op(work, &op, &err) >= 0);
    }
    o.record_blocks = true;
    assert_ok(gcast_workload_simulate(work, gpu, &o, &run, &err), &err);
    assert_true(waits_make(&w, run));
    for (size_t i = 0; i < run->op_count; i++)
        assert_as_explained(&w, i, rule_count);
    assert_int_equal(waits_of(&w, 59, run->ops[59].call_ns, parts), 2);
    assert_string_equal(parts[0].rule, "launch");
    assert_string_equal(parts[1].rule, "G2 G4"); /* it was a stream gap of more than a millisecond */
    assert_int_equal(parts[1].count, 59);
    assert_int_equal(parts[1].gap_ns, 59 * gpu->stream_gap_ns);
    assert_int_equal(parts[1].holder, 58);
    assert_true(rule_count['z' - 'a'] > 50);
    waits_free(&w);
    gcast_run_free(run);
    gcast_workload_free(work);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_explained), cmocka_unit_test(with_children),
                                       cmocka_unit_test(attributes), cmocka_unit_test(long_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
