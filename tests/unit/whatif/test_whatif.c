/* Each change of streams and kernels on a small workload whose end is known by hand. */
#include "unit/whatif/whatif_scene.h"

static void test_merge(void **state)
{
    (void)state;
    scene *s = scene_new();
    add(s, kernel(s, "A", 1, 1));
    add(s, kernel(s, "B", 2, 1));
    add(s, kernel(s, "C", 3, 1));
    assert_int_equal(end_with(s, NULL), 100);
    assert_int_equal(end_with(s, "merge=all"), 300);
    assert_int_equal(end_with(s, "merge=1+3"), 200);
    refused(s, "merge=1+9", "no stream 9");
    refused(s, "merge=1+1", "itself");
    scene_free(s);
}

/* Hosts that have no events to handle do not pause for them. */
static void test_merge_pauses(void **state)
{
    (void)state;
    scene *s = scene_new();
    gcast_op a = kernel(s, "A", 1, 1), b = kernel(s, "B", 2, 1);
    a.host = b.host = s->host;
    b.delay_ns = 500;
    b.event_pause_ns = 300;
    add(s, a);
    add(s, b);
    int64_t before = end_with(s, NULL), after = end_with(s, "merge=all");
    assert_int_equal(before - after, 300);
    assert_int_equal(end_with(s, "merge=1+2"), after);
    scene_free(s);
}

static void test_split(void **state)
{
    (void)state;
    scene *s = scene_new();
    add(s, kernel(s, "A", 1, 1));
    add(s, kernel(s, "B", 1, 1));
    add(s, kernel(s, "A#2", 1, 1));
    add(s, kernel(s, "B#2", 1, 1));
    assert_int_equal(end_with(s, NULL), 400);
    assert_int_equal(end_with(s, "split=all"), 100);
    assert_int_equal(end_with(s, "split=labels"), 200);
    assert_int_equal(end_with(s, "split=1"), 200);
    assert_int_equal(end_with(s, "split=3"), 300); /* three in one, the last in the other */
    assert_int_equal(end_with(s, "split=hosts"), 400);
    assert_int_equal(end_with(s, "move=B"), 200);
    assert_int_equal(end_with(s, "move=B#2"), 300); /* one iteration of it */
    refused(s, "move=Z", "label Z");
    refused(s, "split=0", "1 or more");
    scene_free(s);
}

/* What is after another stays so, and a host that waited for the stream waits for all that left it. */
static void test_split_keeps_order(void **state)
{
    (void)state;
    scene *s = scene_new();
    uint32_t first = (uint32_t)call(s, "A", 1, 0);
    gcast_op b = kernel(s, "B", 1, 1);
    b.host = s->host;
    b.after = &first;
    b.after_count = 1;
    add(s, b);
    sync_stream(s, 1);
    call(s, "C", 1, 0);
    assert_int_equal(end_with(s, NULL), 300);
    assert_int_equal(end_with(s, "split=all"), 300);
    scene_free(s);
}

/* C is behind B in the only connection, and B waits for A: C is held up by what it does not need. */
static void test_connections(void **state)
{
    (void)state;
    scene *s = scene_new();
    add(s, kernel(s, "A", 1, 1));
    add(s, kernel(s, "B", 1, 1));
    gcast_op c = kernel(s, "C", 2, 1);
    c.min_ns = c.max_ns = 200;
    add(s, c);
    gcast_workload_set_connections(s->w, 1);
    whatif_row before = try_one(s, NULL), row = try_one(s, "connections=8");
    wait_label label;
    int64_t ns;
    assert_int_equal(before.end_ns, 300);
    assert_int_equal(before.by_label[WAIT_LABEL_CONNECTION], 100);
    assert_int_equal(before.by_label[WAIT_LABEL_WORK], 200);
    assert_int_equal(row.end_ns, 200);
    assert_int_equal(whatif_won_ns(&before, &row), 100);
    assert_true(whatif_why(&before, &row, &label, &ns));
    assert_int_equal(label, WAIT_LABEL_CONNECTION);
    assert_int_equal(ns, -100);
    refused(s, "connections=1025", "1024");
    scene_free(s);
}

static void test_priority_and_sms(void **state)
{
    (void)state;
    scene *s = scene_of_waves();
    s->base.of = "B";
    whatif_row before = try_one(s, NULL);
    assert_int_equal(before.end_ns, 300);
    assert_int_equal(before.by_label[WAIT_LABEL_ROOM], 190);
    assert_int_equal(before.by_label[WAIT_LABEL_HOST], 10);
    assert_int_equal(end_with(s, "priority=2"), 200);
    assert_int_equal(end_with(s, "reserve=2:1"),
                     400); /* A is in front of it (X1) until its last blocks start, at 300 */
    const char *const both[] = {"reserve=2:1", "priority=2"};
    assert_int_equal(try_changes(s, both, 2).end_ns, 110);
    s->base.of = NULL;
    assert_int_equal(end_with(s, "reserve=2:1"), 400);
    assert_int_equal(end_with(s, "confine=A:1"), 400);
    assert_int_equal(end_with(s, "sms=1"), 500);
    assert_int_equal(end_with(s, "gpu=small"), 500);
    refused(s, "reserve=2:2", "2 SMs");
    refused(s, "gpu=other", "no GPU other");
    s->gpu->priority_levels = 1;
    refused(s, "priority=2", "no priorities");
    s->base.of = "Z";
    refused(s, NULL, "Z");
    scene_free(s);
}

/* Six blocks take two waves of four; all of their work together stays. */
static void test_blocks(void **state)
{
    (void)state;
    scene *s = scene_new();
    add(s, kernel(s, "A", 1, 6));
    assert_int_equal(end_with(s, NULL), 200);
    assert_int_equal(end_with(s, "blocks=A:half"), 200);
    assert_int_equal(end_with(s, "blocks=A:quarter"), 300);
    assert_int_equal(end_with(s, "blocks=A:wave"), 150);
    assert_int_equal(end_with(s, "blocks=A:1"), 600);
    assert_int_equal(end_with(s, "scale=50"), 100);
    assert_int_equal(end_with(s, "scale=A:200"), 400);
    refused(s, "blocks=A:0", "that many");
    refused(s, "scale=0", "0 %");
    refused(s, "blocks=B:half", "label B");
    scene_free(s);
}

/* Clusters stay whole. */
static void test_blocks_of_clusters(void **state)
{
    (void)state;
    gcast_error err;
    scene *s = scene_new();
    gcast_op op = kernel(s, "A", 1, 12);
    op.cluster[0] = 4;
    add(s, op);
    change c;
    variant v;
    assert_ok(change_parse("blocks=A:half", &s->memory, &c, &err), &err);
    assert_ok(variant_make(&s->base.from, &c, 1, &v, &err), &err);
    assert_int_equal(v.w->ops[0].blocks, 8);
    assert_int_equal(v.w->ops[0].grid[0], 8);
    assert_int_equal(v.w->ops[0].max_ns, 150);
    variant_free(&v);
    scene_free(s);
}

static void test_block_times_add_up(void **state)
{
    (void)state;
    scene *s = scene_new();
    const int64_t ns[] = {100, 100, 300, 100};
    gcast_op op = kernel(s, "A", 1, 4);
    op.block_ns = ns;
    add(s, op);
    assert_int_equal(end_with(s, NULL), 300);
    assert_int_equal(end_with(s, "blocks=A:half"), 300); /* 600 over two */
    assert_int_equal(end_with(s, "scale=A:50"), 150);
    scene_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_merge_pauses),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_split_keeps_order),
        cmocka_unit_test(test_connections),
        cmocka_unit_test(test_priority_and_sms),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_blocks_of_clusters),
        cmocka_unit_test(test_block_times_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
