/* The way back from an end, and changes of streams, cost no more than a little over what the run has: sixteen times as
 * many operations may take 24 times the steps, as n log n does, and not 256 times. Steps are counted, not timed: the
 * sources of explain, of the path and of these changes are compiled into this test so that each passage from one basic
 * block to the next calls the counter below.
 */
#include "unit/whatif/whatif_scene.h"

#include <inttypes.h>
#include <stdio.h>

#define SMALL 1000
#define TIMES_MORE 16
#define MOST_RATIO 24

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    steps++;
}

/* Kernels that wait for room, for their stream and for each other's connections; every 16th call is a wait. */
static scene *busy_scene(size_t count, bool with_graph)
{
    gcast_error err;
    scene *s = scene_new();
    int graph = GCAST_NO_GRAPH;
    if (with_graph)
        assert_ok(gcast_workload_add_graph(s->w, "graph", &graph, &err), &err);
    for (size_t i = 0; i < count; i++) {
        char label[32];
        snprintf(label, sizeof label, "k%zu", i);
        gcast_op op = kernel(s, label, with_graph ? 1 : (int)(1 + i * 7 % 4), (uint32_t)(1 + i % 5));
        uint32_t before = (uint32_t)(i - (i % 3 ? 1 : 2));
        op.host = s->host;
        op.graph = graph;
        if (with_graph && i > 1) {
            op.after = &before;
            op.after_count = 1;
        }
        if (!with_graph && i % 16 == 15) {
            op = gcast_op_default(GCAST_KIND_SYNC);
            op.label = label;
            op.stream = -1;
            op.host = s->host;
        }
        assert_ok(gcast_workload_add_op(s->w, &op, NULL, &err), &err);
    }
    assert_ok(gcast_workload_check(s->w, &err), &err);
    return s;
}

static uint64_t path_steps(size_t count, bool with_graph, bool with_blocks)
{
    gcast_error err;
    gcast_run *run;
    critical_path path;
    scene *s = busy_scene(count, with_graph);
    int64_t sum = 0;
    s->base.options.record_blocks = with_blocks;
    assert_ok(gcast_workload_simulate(s->w, s->gpu, &s->base.options, &run, &err), &err);
    steps = 0;
    assert_ok(critical_path_find(run, critical_path_last(run), &path, &err), &err);
    uint64_t took = steps;
    for (int k = 0; k < WAIT_LABELS; k++)
        sum += path.by_label[k];
    assert_int_equal(sum, run->end_ns);
    critical_path_free(&path);
    gcast_run_free(run);
    scene_free(s);
    return took;
}

static void is_slow_growth(uint64_t small, uint64_t large)
{
    assert_true(small > SMALL); /* steps are counted */
    print_message("%d operations: %" PRIu64 " steps, %d: %" PRIu64 "\n", SMALL, small, TIMES_MORE * SMALL, large);
    if (large > MOST_RATIO * small)
        fail_msg("%d operations take %" PRIu64 " steps, %d take %" PRIu64, SMALL, small, TIMES_MORE * SMALL, large);
}

static void grows_slowly(bool with_graph, bool with_blocks)
{
    is_slow_growth(path_steps(SMALL, with_graph, with_blocks), path_steps(TIMES_MORE * SMALL, with_graph, with_blocks));
}

static uint64_t split_steps(size_t count, int64_t value)
{
    gcast_error err;
    variant v;
    scene *s = busy_scene(count, false);
    change c = {.kind = CHANGE_SPLIT, .value = value};
    steps = 0;
    assert_ok(variant_make(&s->base.from, &c, 1, &v, &err), &err);
    uint64_t took = steps;
    assert_true(v.w->stream_count >= count / 2);
    variant_free(&v);
    scene_free(s);
    return took;
}

/* Into as many streams as there are operations. */
static void test_splits(void **state)
{
    (void)state;
    is_slow_growth(split_steps(SMALL, CHANGE_ALL), split_steps(TIMES_MORE * SMALL, CHANGE_ALL));
    is_slow_growth(split_steps(SMALL, CHANGE_LABELS), split_steps(TIMES_MORE * SMALL, CHANGE_LABELS));
}

static void test_streams(void **state)
{
    (void)state;
    grows_slowly(false, true);
}

static void test_streams_without_blocks(void **state)
{
    (void)state;
    grows_slowly(false, false);
}

static void test_one_graph(void **state)
{
    (void)state;
    grows_slowly(true, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_streams_without_blocks),
        cmocka_unit_test(test_one_graph),
        cmocka_unit_test(test_splits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
