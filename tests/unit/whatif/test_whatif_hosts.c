/* Changes of hosts and graphs on small workloads whose ends are known by hand; what is tried by itself; and pairs. */
#include "unit/whatif/whatif_scene.h"

static scene *scene_of_calls(void)
{
    scene *s = scene_new();
    s->gpu->launch_latency_ns = 10;
    call(s, "A", 1, 0);
    call(s, "B", 1, 500);
    sync_stream(s, 1);
    return s;
}

static void test_hosts(void **state)
{
    (void)state;
    scene *s = scene_of_calls();
    whatif_row before = try_one(s, NULL);
    assert_int_equal(before.end_ns, 610);
    assert_int_equal(before.by_label[WAIT_LABEL_HOST], 500);
    assert_int_equal(before.by_label[WAIT_LABEL_LAUNCH], 10);
    assert_int_equal(before.by_label[WAIT_LABEL_WORK], 100);
    assert_int_equal(end_with(s, "pauses=0"), 210);
    assert_int_equal(end_with(s, "pauses=50"), 360);
    assert_int_equal(end_with(s, "latency=0"), 600);
    assert_int_equal(end_with(s, "latency=200"), 620);
    assert_int_equal(end_with(s, "latency=2147483647"), 500 + 214748364 + 100);
    const char *const both[] = {"pauses=0", "latency=0"};
    assert_int_equal(try_changes(s, both, 2).end_ns, 200);
    scene_free(s);
}

static void test_graphs(void **state)
{
    (void)state;
    scene *s = scene_of_calls();
    assert_int_equal(end_with(s, "graphs"), 210);
    refused(s, "launches", "no graphs");
    const char *const back[] = {"graphs", "launches=200"};
    assert_int_equal(try_changes(s, back, 2).end_ns, 310);
    const char *const soon[] = {"graphs", "launches"};
    assert_int_equal(try_changes(s, soon, 2).end_ns, 210);
    const char *const moved[] = {"graphs", "move=B"};
    assert_int_equal(try_changes(s, moved, 2).state, WHATIF_REFUSED);
    scene_free(s);
}

/* Streams become branches, events edges; what the host waits for in between is another graph. */
static void test_graph_edges(void **state)
{
    (void)state;
    scene *s = scene_new();
    uint32_t a = (uint32_t)call(s, "A", 1, 0);
    call(s, "B", 2, 1000);
    gcast_op c = kernel(s, "C", 2, 1);
    c.host = s->host;
    c.delay_ns = 1000;
    c.min_ns = c.max_ns = 50;
    c.after = &a;
    c.after_count = 1;
    add(s, c);
    sync_stream(s, 2);
    call(s, "D", 2, 7);
    assert_int_equal(end_with(s, NULL), 2157);
    assert_int_equal(end_with(s, "graphs"), 257); /* A beside B, C, and D as before */
    scene_free(s);
}

/* Two hosts share stream 1, and the second one begins in stream 2: B stays behind A. */
static void test_graphs_of_hosts(void **state)
{
    (void)state;
    gcast_error err;
    scene *s = scene_new();
    call(s, "A0", 1, 0);
    call(s, "A", 1, 0);
    s->host = support_add_host(s->w, "second", &err);
    call(s, "B0", 2, 0);
    call(s, "B", 1, 0);
    assert_int_equal(end_with(s, NULL), 300);
    assert_int_equal(end_with(s, "graphs"), 300); /* the second graph, B0 beside B, is behind the first */
    add(s, kernel(s, "C", 1, 1));
    refused(s, "graphs", "its CPU thread is unknown");
    scene_free(s);
}

static void test_one_call_is_no_graph(void **state)
{
    (void)state;
    scene *s = scene_new();
    call(s, "A", 1, 0);
    refused(s, "graphs", "two calls");
    scene_free(s);
}

static void test_deadlines(void **state)
{
    (void)state;
    gcast_error err;
    scene *s = scene_new();
    int stream = support_get_stream(s->w, 1, &err);
    gcast_task task = {.name = "t", .stream = stream, .period_ns = 1000, .deadline_ns = 150};
    assert_true(support_add_task(s->w, &task, &err) >= 0);
    add(s, kernel(s, "A", 1, 6));
    s->base.options.horizon_ns = 3000;
    whatif_row before = try_one(s, NULL), row = try_one(s, "blocks=A:wave");
    assert_int_equal(before.deadlines, 3);
    assert_int_equal(before.misses, 3);
    assert_int_equal(row.misses, 0);
    scene_free(s);
}

static bool has_kind(const change_list *list, change_kind kind)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].kind == kind)
            return true;
    return false;
}

/* What is listed can be tried, on any number of threads, with the same result. */
static void test_list(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    scene *s = scene_of_waves();
    change_list list = {0};
    call(s, "C", 1, 20);
    assert_ok(gcast_workload_simulate(s->w, s->gpu, &s->base.options, &run, &err), &err);
    assert_ok(whatif_list(&s->base, run, false, &s->memory, &list, &err), &err);
    assert_true(has_kind(&list, CHANGE_CONNECTIONS) && has_kind(&list, CHANGE_MERGE) && has_kind(&list, CHANGE_SPLIT) &&
                has_kind(&list, CHANGE_PRIORITY) && has_kind(&list, CHANGE_SMS) && has_kind(&list, CHANGE_RESERVE) &&
                has_kind(&list, CHANGE_BLOCKS) && has_kind(&list, CHANGE_GRAPHS) && has_kind(&list, CHANGE_PAUSES) &&
                has_kind(&list, CHANGE_GPU));
    assert_false(has_kind(&list, CHANGE_LAUNCHES)); /* there are no graphs */
    whatif_row *one = calloc(list.count, sizeof *one), *four = calloc(list.count, sizeof *four);
    assert_true(one && four);
    for (size_t i = 0; i < list.count; i++) {
        one[i].changes[0] = four[i].changes[0] = list.at[i];
        one[i].change_count = four[i].change_count = 1;
    }
    assert_ok(whatif_try_all(&s->base, one, list.count, 1, NULL, NULL, &err), &err);
    assert_ok(whatif_try_all(&s->base, four, list.count, 4, NULL, NULL, &err), &err);
    size_t done = 0;
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(one[i].end_ns, four[i].end_ns);
        assert_int_equal(one[i].state, four[i].state);
        assert_string_equal(one[i].refusal, four[i].refusal);
        done += one[i].state == WHATIF_DONE;
    }
    assert_true(done > list.count / 2);
    free(one);
    free(four);
    vec_free(&list);
    gcast_run_free(run);
    scene_free(s);
}

static void test_pairs(void **state)
{
    (void)state;
    whatif_row before = {.end_ns = 100}, pairs[3];
    const whatif_row rows[] = {
        {.changes = {{.kind = CHANGE_PAUSES}}, .change_count = 1, .end_ns = 10}, /* nobody can make it */
        {.changes = {{.kind = CHANGE_GRAPHS}}, .change_count = 1, .end_ns = 50},
        {.changes = {{.kind = CHANGE_BLOCKS, .value = 1}}, .change_count = 1, .end_ns = 60},
        {.changes = {{.kind = CHANGE_BLOCKS, .value = 2}}, .change_count = 1, .end_ns = 40},
        {.changes = {{.kind = CHANGE_MERGE}}, .change_count = 1, .end_ns = 120}};
    assert_int_equal(whatif_pairs(&before, rows, 5, pairs, 3), 1);
    assert_int_equal(pairs[0].changes[0].value, 2);
    assert_int_equal(pairs[0].changes[1].kind, CHANGE_GRAPHS);
    assert_int_equal(whatif_pairs(&before, rows, 1, pairs, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_graph_edges),
        cmocka_unit_test(test_graphs_of_hosts),
        cmocka_unit_test(test_one_call_is_no_graph),
        cmocka_unit_test(test_deadlines),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
