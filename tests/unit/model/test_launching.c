/* What follows from launches: launchers, first items, times of loops, limits. */
#include "support/support.h"

#include <string.h>

#include "model/workload/launching.h"
#include "model/workload/workload.h"
#include "support/builders.h"

/* Three levels: a kernel of 2 blocks with 4 threads, its children, and theirs. */
typedef struct levels {
    gcast_op op;
    gcast_op child[3];
    gcast_launches l[3];
} levels;

static void make_levels(levels *v, int depth)
{
    memset(v, 0, sizeof *v);
    v->op = gcast_op_default(GCAST_KIND_KERNEL);
    v->op.label = "K";
    v->op.grid[0] = 2;
    v->op.block[0] = 4;
    v->op.min_ns = v->op.max_ns = 100;
    for (int i = 0; i < depth; i++) {
        v->child[i] = gcast_op_default(GCAST_KIND_KERNEL);
        v->child[i].label = "C";
        v->child[i].block[0] = 32;
        v->child[i].min_ns = v->child[i].max_ns = 10;
        v->l[i] = gcast_launches_default();
        v->l[i].child = &v->child[i];
        *(i ? &v->child[i - 1].launches : &v->op.launches) = &v->l[i];
    }
}

/* The workload with this op, for the caller to free; *l: its launches there. */
static gcast_workload *workload_of(const levels *v, const gcast_launches **l)
{
    gcast_workload *w = support_workload("w", NULL);
    gcast_op op = v->op;
    op.stream = support_get_stream(w, 1, NULL);
    assert_int_equal(support_add_op(w, &op, NULL), 0);
    *l = w->ops[0].launches;
    return w;
}

static void refuse(const levels *v, const char *path, const char *message)
{
    gcast_error err;
    const gcast_launches *l;
    gcast_workload *w = workload_of(v, &l);
    assert_int_equal(gcast_workload_check(w, &err), GCAST_INPUT);
    assert_string_equal(err.message, message);
    assert_string_equal(err.path, path);
    gcast_workload_free(w);
}

static gcast_workload *accept(const levels *v, const gcast_launches **l)
{
    gcast_error err;
    gcast_workload *w = workload_of(v, l);
    assert_ok(gcast_workload_check(w, &err), &err);
    return w;
}

static void launchers_are_threads_warps_or_blocks(void **state)
{
    (void)state;
    gcast_launches l = gcast_launches_default();
    assert_int_equal(launches_per_block(&l, 65), 65);
    l.by = GCAST_LAUNCHER_WARP;
    assert_int_equal(launches_per_block(&l, 64), 2);
    assert_int_equal(launches_per_block(&l, 65), 3);
    l.by = GCAST_LAUNCHER_BLOCK;
    assert_int_equal(launches_per_block(&l, 65), 1);
}

static void blocks_of_a_child_have_its_items(void **state)
{
    (void)state;
    levels v;
    const gcast_launches *l;
    make_levels(&v, 1);
    v.l[0].items_each = 1;
    v.l[0].child_item_ns = 5;
    v.l[0].items_per_block = 80;
    gcast_workload *w = accept(&v, &l);
    assert_int_equal(launches_child_blocks(l, 1), 1);
    assert_int_equal(launches_child_blocks(l, 80), 1);
    assert_int_equal(launches_child_blocks(l, 81), 2);
    assert_int_equal(launches_child_blocks(l, UINT32_MAX), 53687092);
    assert_int_equal(launches_block_items(l, 81, 0), 80);
    assert_int_equal(launches_block_items(l, 81, 1), 1);
    assert_int_equal(launches_block_items_ns(l, 80), 15); /* 32 threads take 80 items in three turns */
    assert_int_equal(launches_block_items_ns(l, 64), 10);
    gcast_workload_free(w);
}

/* Levels with 8, 5 and 9 launchers. */
static void loops_go_down_all_levels(void **state)
{
    (void)state;
    static const uint32_t first[] = {2, 0, 3}, second[] = {1, 4, 0, 4}, third[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    levels v;
    const gcast_launches *l;
    make_levels(&v, 3);
    v.l[0].items = first, v.l[0].item_count = 3, v.l[0].item_ns = 1000000;
    v.l[1].items = second, v.l[1].item_count = 4, v.l[1].item_ns = 1000;
    v.l[2].items = third, v.l[2].item_count = 9, v.l[2].item_ns = 1;
    gcast_workload *w = accept(&v, &l);
    const gcast_launches *l1 = l->child->launches, *l2 = l1->child->launches;
    assert_int_equal(l->launchers, 8);
    assert_int_equal(l1->launchers, 5);
    assert_int_equal(l2->launchers, 9);
    assert_int_equal(l2->total_items, 45);
    assert_int_equal(launches_first_item(l, 0), 0);
    assert_int_equal(launches_first_item(l, 1), 2);
    assert_int_equal(launches_first_item(l, 2), 2);
    assert_int_equal(launches_first_item(l, 7), 5);
    assert_int_equal(launches_first_item(l1, 3), 5);
    assert_int_equal(launches_first_item(l2, 3), 0); /* nobody below launches */
    assert_int_equal(launches_loop_ns(l2, 8), 9);
    assert_int_equal(launches_loop_ns(l1, 1), 4000 + 2 + 3 + 4 + 5);
    assert_int_equal(launches_loop_ns(l, 0), 2000000 + 5000 + 1 + 2 + 3 + 4 + 5);
    assert_int_equal(launches_loop_ns(l, 1), 0);
    assert_int_equal(launches_loop_ns(l, 2), 3000000 + 4000 + 6 + 7 + 8 + 9); /* items 2 to 4: 0, 4 and none */
    assert_int_equal(launches_loop_ns(l, 7), 0);
    gcast_workload_free(w);
}

/* Equal launchers need no lists, and give the times that lists give. */
static void equal_launchers_take_what_lists_say(void **state)
{
    (void)state;
    uint32_t twos[8], threes[16];
    for (int i = 0; i < 16; i++)
        threes[i] = 3, twos[i % 8] = 2;
    for (int lists = 0; lists < 4; lists++) {
        levels v;
        const gcast_launches *l;
        make_levels(&v, 2);
        v.l[0].items_each = 2, v.l[0].item_ns = 100;
        v.l[1].items_each = 3, v.l[1].item_ns = 7;
        if (lists & 1)
            v.l[0].items = twos, v.l[0].item_count = 8;
        if (lists & 2)
            v.l[1].items = threes, v.l[1].item_count = 16;
        gcast_workload *w = accept(&v, &l);
        const gcast_launches *below = l->child->launches;
        assert_int_equal(!below->loop_sum_ns, !(lists & 2));
        for (uint64_t i = 0; i < 8; i++) {
            assert_int_equal(launches_first_item(l, i), 2 * i);
            assert_int_equal(launches_loop_ns(l, i), 2 * 100 + 2 * 3 * 7);
            assert_int_equal(launches_loop_ns(below, i), 3 * 7);
        }
        gcast_workload_free(w);
    }
}

/* A time that cannot be counted is refused, not cut. */
static void times_do_not_overflow(void **state)
{
    (void)state;
    levels v;
    const gcast_launches *l;
    make_levels(&v, 1);
    v.l[0].items_each = 2, v.l[0].item_ns = WORKLOAD_MAX_NS / 2 + 1;
    refuse(&v, "/ops/0/launches/item_ns", "launcher 0 takes 2^61 ns or more for its 2 items");
    v.l[0].item_ns--;
    gcast_workload *w = accept(&v, &l);
    assert_int_equal(launches_loop_ns(l, 7), WORKLOAD_MAX_NS - 1);
    gcast_workload_free(w);
    static const uint32_t items[] = {1, 3, 0};
    v.l[0].items = items, v.l[0].item_count = 3;
    refuse(&v, "/ops/0/launches/item_ns", "launcher 1 takes 2^61 ns or more for its 3 items");
    make_levels(&v, 2);
    v.l[0].items = items, v.l[0].item_count = 3;
    v.l[1].items_each = 1, v.l[1].item_ns = WORKLOAD_MAX_NS / 4 + 1; /* four launchers of the level below */
    refuse(&v, "/ops/0/launches/child/launches/item_ns",
           "the launchers of this level take 2^61 ns or more for all items");
    v.l[1].item_ns--;
    v.l[0].item_ns = WORKLOAD_MAX_NS / 4; /* and the items of their own */
    refuse(&v, "/ops/0/launches/item_ns", "launcher 1 takes 2^61 ns or more for its 3 items");
}

static void grids_of_children_have_the_limit_of_all(void **state)
{
    (void)state;
    static const uint32_t items[] = {1, 0x80000000, 7};
    levels v;
    const gcast_launches *l;
    make_levels(&v, 1);
    v.l[0].items = items, v.l[0].item_count = 3, v.l[0].items_per_block = 1;
    refuse(&v, "/ops/0/launches/items",
           "a child of 2147483648 items has 2147483648 blocks; a grid is at most 2147483647 blocks in x");
    v.l[0].items_per_block = 2;
    gcast_workload_free(accept(&v, &l));
}

static void limits_are_checked(void **state)
{
    (void)state;
    static const uint32_t nine[9] = {1};
    levels v;
    make_levels(&v, 1);
    v.l[0].items = nine, v.l[0].item_count = 9;
    refuse(&v, "/ops/0/launches/items", "9 numbers for 8 launchers");
    make_levels(&v, 1);
    v.op.grid[0] = 1 << 28, v.l[0].items_each = 1 << 10;
    refuse(&v, "/ops/0/launches/items",
           "the launchers of a level have at most 4294967296 items in all; here are 1099511627776");
    v.op.grid[0] = 0x7fffffff, v.op.grid[1] = 65535, v.op.block[0] = 1024, v.l[0].items_each = UINT32_MAX;
    refuse(&v, "/ops/0/launches/items",
           "the launchers of a level have at most 4294967296 items in all; here are 2^64 or more");
    make_levels(&v, 1);
    v.l[0].at_ns = 100;
    refuse(&v, "/ops/0/launches/at_ns", "must be before the end of the shortest block: from 1 to 99, not 100");
    make_levels(&v, 1);
    v.l[0].stream = GCAST_CHILD_STREAM_NAMED, v.l[0].streams = 4, v.l[0].named = 7;
    refuse(&v, "/ops/0/launches/stream", "there is no stream 7: the kernel creates 4, from 0 on");
    v.l[0].streams = 65537;
    refuse(&v, "/ops/0/launches/streams", "must be from 0 to 65536, not 65537");
    make_levels(&v, 2);
    v.l[1].by = GCAST_LAUNCHER_WARP;
    refuse(&v, "/ops/0/launches/child/launches/by",
           "must be thread in a child: each of its threads launches for one item");
    make_levels(&v, 2);
    v.l[0].items_per_block = 33;
    refuse(&v, "/ops/0/launches/child/items_per_block",
           "must be from 1 to 32, the threads of its block: threads that launch have one item each");
    make_levels(&v, 2);
    v.child[0].launches = &v.l[0]; /* for ever */
    gcast_error err;
    const gcast_launches *l;
    gcast_workload *w = workload_of(&v, &l);
    assert_int_equal(gcast_workload_check(w, &err), GCAST_INPUT);
    assert_string_equal(err.message, "kernels launch kernels at most 24 levels deep");
    gcast_workload_free(w);
}

/* Children are behind the ops, and stay there when ops follow. */
static void children_are_behind_the_ops(void **state)
{
    (void)state;
    levels v;
    const gcast_launches *l;
    make_levels(&v, 2);
    v.child[1].label = "D";
    v.l[0].items_each = 1;
    gcast_workload *w = accept(&v, &l), *copy;
    gcast_op op = v.op;
    gcast_error err;
    char path[64];
    op.stream = 0;
    op.launches = NULL;
    for (int i = 1; i < 100; i++)
        assert_int_equal(support_add_op(w, &op, NULL), i);
    for (int pass = 0; pass < 2; pass++) {
        l = w->ops[0].launches;
        assert_int_equal(w->child_count, 2);
        assert_string_equal(w->ops[100 + l->child_index].label, "C");
        assert_string_equal(w->ops[100 + l->child->launches->child_index].label, "D");
        gcast_workload_op_path(w, 100 + (size_t)l->child_index, path, sizeof path);
        assert_string_equal(path, "/ops/0/launches/child");
        assert_ok(gcast_workload_copy(w, &copy, &err), &err);
        gcast_workload_free(w);
        w = copy;
    }
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launchers_are_threads_warps_or_blocks),
        cmocka_unit_test(blocks_of_a_child_have_its_items),
        cmocka_unit_test(loops_go_down_all_levels),
        cmocka_unit_test(equal_launchers_take_what_lists_say),
        cmocka_unit_test(times_do_not_overflow),
        cmocka_unit_test(grids_of_children_have_the_limit_of_all),
        cmocka_unit_test(limits_are_checked),
        cmocka_unit_test(children_are_behind_the_ops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
