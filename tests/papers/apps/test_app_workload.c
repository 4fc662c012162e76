/* Applications as workloads: what their threads hold, grids, costs, streams and hosts. */
#include <stdlib.h>
#include <string.h>

#include "papers/apps/apps.h"
#include "papers/apps/data/dataset.h"
#include "papers/apps/data/reference.h"
#include "support/support.h"

static gcast_workload *make(const char *app, const char *input, const gcast_app_options *options)
{
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_app_workload(app, input, options, &w, &err), &err);
    return w;
}

/* The application itself, as the reference has it. */
static app_rounds rounds_of(const char *app, const char *input)
{
    app_input in;
    app_dataset data;
    app_rounds rounds = {0};
    char why[256];
    assert_true(app_input_parse(app, input, &in, why, sizeof why));
    assert_true(app_dataset_make(&data, &in));
    uint32_t *result = calloc(app_dataset_result_words(&data), sizeof *result);
    assert_non_null(result);
    assert_true(app_dataset_run(&data, result, &rounds));
    free(result);
    app_dataset_free(&data);
    return rounds;
}

static void benchmarks(void **state)
{
    (void)state;
    assert_int_equal(gcast_benchmark_count(), 14);
    assert_string_equal(gcast_benchmark_name(0), "AMR");
    assert_string_equal(gcast_benchmark_name(GCAST_PAPER_BENCHMARKS - 1), "SA-thaliana");
    assert_null(gcast_benchmark_name(14));
}

static void rounds_are_kernels(void **state)
{
    (void)state;
    gcast_workload *w = make("bfs", "rmat:10:4", NULL);
    app_rounds rounds = rounds_of("BFS", "rmat:10:4:1");
    assert_string_equal(w->name, "BFS rmat:10:4:1");
    assert_int_equal(w->op_count, rounds.count);
    assert_true(rounds.count > 2);
    assert_int_equal(w->child_count, 1);
    assert_int_equal(w->host_count, 0);
    for (size_t i = 0; i < rounds.count; i++) {
        const gcast_op *op = &w->ops[i];
        const app_round *r = &rounds.round[i];
        assert_int_equal(op->kind, GCAST_KIND_KERNEL);
        assert_int_equal(op->stream, 0);
        assert_int_equal(op->release_ns, 0);
        assert_int_equal(op->blocks, (r->threads + 255) / 256);
        assert_int_equal(op->shape.threads, 256);
        assert_int_equal(op->launches->item_count, r->threads);
        assert_memory_equal(op->launches->items, r->items, r->threads * sizeof *r->items);
        assert_int_equal(op->launches->min_items, 8);
        assert_int_equal(op->launches->stream, GCAST_CHILD_STREAM_OWN);
        assert_int_equal(op->launches->child->shape.threads, 64);
        assert_null(op->launches->child->launches);
    }
    app_rounds_free(&rounds);
    gcast_workload_free(w);
}

/* Cycles at 1,400 MHz, rounded up: two accesses to L2 (444), an uncoalesced one (124), 15 instructions (60). */
static void kepler_costs(void **state)
{
    (void)state;
    gcast_workload *w = make("BFS-graph500", "rmat:4", NULL);
    const gcast_op *op = &w->ops[0];
    assert_int_equal(op->min_ns, 449); /* 628 / 1.4 = 448.6 */
    assert_int_equal(op->max_ns, 449);
    assert_int_equal(op->launches->at_ns, 448);
    assert_int_equal(op->launches->item_ns, 375); /* 5 lanes active on average: (444 + 3 * 4 * 4 + 32) / 1.4 = 374.3 */
    assert_int_equal(op->launches->child->max_ns, 29);  /* 40 / 1.4 = 28.6 */
    assert_int_equal(op->launches->child_item_ns, 673); /* (440 + 222 + 248 + 32) / 1.4 = 672.9 */
    gcast_workload_free(w);
}

static void given_costs(void **state)
{
    (void)state;
    gcast_app_options o = gcast_app_options_default();
    o.costs = (gcast_app_costs){.parent_before_ns = 2, .parent_item_ns = 0, .child_thread_ns = 1, .child_item_ns = -1};
    o.stream = GCAST_CHILD_STREAM_BLOCK;
    gcast_workload *w = make("MM", "mm:64", &o);
    const gcast_op *op = &w->ops[0];
    assert_int_equal(w->op_count, 1);
    assert_int_equal(op->max_ns, 2);
    assert_int_equal(op->launches->at_ns, 1);
    assert_int_equal(op->launches->item_ns, 0);
    assert_int_equal(op->launches->child->max_ns, 1);
    assert_true(op->launches->child_item_ns > 0);
    assert_int_equal(op->launches->stream, GCAST_CHILD_STREAM_BLOCK);
    gcast_workload_free(w);
}

/* Children of AMR launch: they decide when their item is done. */
static void nested_levels(void **state)
{
    (void)state;
    gcast_app_options o = gcast_app_options_default();
    o.costs =
        (gcast_app_costs){.parent_before_ns = 100, .parent_item_ns = 20, .child_thread_ns = 7, .child_item_ns = 5};
    gcast_workload *w = make("AMR", "amr:32:4", &o);
    app_rounds rounds = rounds_of("AMR", "amr:32:4");
    const app_round *r = &rounds.round[0];
    const gcast_launches *first = w->ops[0].launches, *second = first->child->launches,
                         *third = second->child->launches;
    assert_int_equal(r->nested_count, 2);
    assert_int_equal(w->child_count, 3);
    assert_int_equal(first->child_item_ns, 0);
    assert_int_equal(first->child->max_ns, 12);
    assert_int_equal(second->at_ns, 11);
    assert_int_equal(second->item_ns, 20);
    assert_int_equal(second->launchers, r->nested[0].launchers);
    assert_memory_equal(second->items, r->nested[0].items, r->nested[0].launchers * sizeof *second->items);
    assert_int_equal(second->child->max_ns, 12);
    assert_int_equal(third->launchers, r->nested[1].launchers);
    assert_memory_equal(third->items, r->nested[1].items, r->nested[1].launchers * sizeof *third->items);
    assert_int_equal(third->child->max_ns, 7);
    assert_int_equal(third->child_item_ns, 5);
    assert_null(third->child->launches);
    app_rounds_free(&rounds);
    gcast_workload_free(w);
}

/* A host waits for each round, and then some time; a kernel before each round takes round_ns. */
static void host_and_kernels_between(void **state)
{
    (void)state;
    gcast_app_options o = gcast_app_options_default();
    o.turnaround_ns = 500;
    o.costs.round_ns = 70;
    gcast_workload *w = make("BFS", "rmat:6:4", &o);
    assert_int_equal(w->host_count, 1);
    assert_int_equal(w->op_count % 3, 0);
    for (size_t i = 0; i < w->op_count; i += 3) {
        assert_int_equal(w->ops[i].max_ns, 70);
        assert_int_equal(w->ops[i].blocks, 1);
        assert_null(w->ops[i].launches);
        assert_int_equal(w->ops[i].delay_ns, i ? 500 : 0);
        assert_non_null(w->ops[i + 1].launches);
        assert_int_equal(w->ops[i + 1].delay_ns, 0);
        assert_int_equal(w->ops[i + 2].kind, GCAST_KIND_SYNC);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(w->ops[i + k].host, 0);
    }
    gcast_workload_free(w);
}

static void refuse(const char *app, const char *input, const gcast_app_options *o, const char *message)
{
    gcast_workload *w = (gcast_workload *)&o;
    gcast_error err;
    assert_int_equal(gcast_app_workload(app, input, o, &w, &err), GCAST_USAGE);
    assert_null(w);
    if (!strstr(err.message, message))
        fail_msg("%s is not in: %s", message, err.message);
}

static void refusals(void **state)
{
    (void)state;
    gcast_app_options o = gcast_app_options_default();
    refuse("no such", NULL, NULL, "no such");
    refuse("BFS", "mandel:64", NULL, "mandel");
    o.costs.parent_before_ns = 1;
    refuse("BFS", "rmat:4", &o, "parent_before_ns must be from 2");
    o.costs.parent_before_ns = 2;
    o.costs.child_item_ns = GCAST_APP_MAX_NS + 1;
    refuse("BFS", "rmat:4", &o, "child_item_ns");
    o.costs.child_item_ns = 0;
    o.stream = GCAST_CHILD_STREAM_NAMED;
    refuse("BFS", "rmat:4", &o, "streams of their own");
    o.stream = GCAST_CHILD_STREAM_OWN;
    o.turnaround_ns = INT64_MAX;
    refuse("BFS", "rmat:4", &o, "turnaround_ns");
    o.turnaround_ns = -1;
    o.size = 0;
    refuse("BFS", "rmat:4", &o, "size");
}

static gcast_status read_costs(const char *text, const char *name, gcast_app_costs *c, gcast_error *err)
{
    *c = gcast_app_costs_default();
    return gcast_app_costs_read(text, strlen(text), "costs.json", name, c, err);
}

#define COSTS(entries) "{\"schema\": \"gridcast.app-costs/1\", \"costs\": {" entries "}}"

static void costs_of_a_file(void **state)
{
    (void)state;
    const char *text = COSTS("\"bfs-graph500\": {\"parent_item_ns\": 9}, "
                             "\"BFS\": {\"parent_item_ns\": 5, \"child_item_ns\": 6, \"round_ns\": 7}");
    gcast_app_costs c;
    gcast_error err;
    assert_ok(read_costs(text, "BFS-graph500", &c, &err), &err);
    assert_int_equal(c.parent_item_ns, 9);
    assert_int_equal(c.child_item_ns, 6);
    assert_int_equal(c.round_ns, 7);
    assert_int_equal(c.parent_before_ns, -1);
    assert_ok(read_costs(text, "BFS-citation", &c, &err), &err);
    assert_int_equal(c.parent_item_ns, 5);
    assert_ok(read_costs(text, "bfs", &c, &err), &err);
    assert_int_equal(c.parent_item_ns, 5);
    assert_ok(read_costs(text, "MM", &c, &err), &err);
    assert_int_equal(c.parent_item_ns, -1);
}

static void wrong_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *path;
    } wrong[] = {
        {"{\"schema\": \"gridcast.gpu/1\", \"costs\": {}}", "/schema"},
        {COSTS("\"BFS\": {\"parent_before_ns\": 1}"), "/costs/BFS/parent_before_ns"},
        {COSTS("\"MM\": {\"child_thread_ns\": 0}"), "/costs/MM/child_thread_ns"},
        {COSTS("\"MM\": {\"items\": 0}"), "/costs/MM/items"},
        {COSTS("\"MM\": 3"), "/costs/MM"},
        {"{\"schema\": \"gridcast.app-costs/1\"}", ""},
    };
    gcast_app_costs c, none = gcast_app_costs_default();
    gcast_error err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(read_costs(wrong[i].text, "BFS", &c, &err), GCAST_INPUT);
        assert_string_equal(err.path, wrong[i].path);
        assert_string_equal(err.file, "costs.json");
        assert_memory_equal(&c, &none, sizeof c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(benchmarks),  cmocka_unit_test(rounds_are_kernels), cmocka_unit_test(kepler_costs),
        cmocka_unit_test(given_costs), cmocka_unit_test(nested_levels),      cmocka_unit_test(host_and_kernels_between),
        cmocka_unit_test(refusals),    cmocka_unit_test(costs_of_a_file),    cmocka_unit_test(wrong_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
