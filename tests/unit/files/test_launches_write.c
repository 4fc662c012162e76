/* Kernels that launch kernels: what is written as gridcast.workload/1 is read back the same. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

#include "files/workload_formats.h"
#include "support/builders.h"
#include "support/same_workload.h"

static void round_trip(const gcast_workload *w)
{
    gcast_error err;
    gcast_workload *reread;
    char *text;
    size_t size;
    assert_ok(gcast_workload_write_native(w, &text, &size, &err), &err);
    assert_ok(gcast_workload_read_native(text, size, "again", &reread, &err), &err);
    const char *difference = workload_difference(w, reread);
    if (difference)
        print_error("%s\n%s\n", difference, text);
    assert_null(difference);
    gcast_workload_free(reread);
    free(text);
}

/* Launches of some levels, in `op` and `l`, which have room for three. */
static void random_launches(support_random *r, gcast_op *parent, int depth, gcast_op *children, gcast_launches *l,
                            uint32_t (*items)[8])
{
    *l = gcast_launches_default();
    *children = gcast_op_default(GCAST_KIND_KERNEL);
    l->by = depth ? GCAST_LAUNCHER_THREAD : (gcast_launcher)support_between(r, 0, GCAST_LAUNCHERS - 1);
    l->at_ns = support_between(r, 1, parent->min_ns - 1);
    for (int i = 0; i < 8; i++)
        items[0][i] = (uint32_t)support_between(r, 2, 4);
    l->items = support_between(r, 0, 1) ? items[0] : NULL;
    l->item_count = l->items ? (uint64_t)support_between(r, 1, 2) : 0;
    l->items_each = l->items ? 0 : (uint32_t)support_between(r, 1, 3);
    l->min_items = (uint32_t)support_between(r, 1, 3);
    l->item_ns = support_between(r, 0, 100);
    l->policy = (gcast_spawn_policy)support_between(r, 0, GCAST_SPAWN_POLICIES - 1);
    l->threshold = l->policy == GCAST_SPAWN_THRESHOLD;
    l->stream = (gcast_child_stream)support_between(r, 0, GCAST_CHILD_STREAMS - 1);
    l->streams = l->stream == GCAST_CHILD_STREAM_NAMED || l->stream == GCAST_CHILD_STREAM_IN_TURN ? 5 : 0;
    l->named = l->stream == GCAST_CHILD_STREAM_NAMED ? (uint32_t)support_between(r, 0, 4) : 0;
    l->wait = (gcast_child_wait)support_between(r, 0, GCAST_CHILD_WAITS - 1);
    l->after_ns = l->wait == GCAST_CHILD_WAIT_BLOCK ? support_between(r, 0, 9) : 0;
    l->child_item_ns = support_between(r, 0, 9);
    l->items_per_block = (uint32_t)support_between(r, 0, 8);
    l->child = children;
    children->label = depth ? "deeper \"one\"" : "child";
    children->block[0] = 8;
    children->min_ns = support_between(r, 2, 9);
    children->max_ns = children->min_ns + support_between(r, 0, 1);
    children->carveout_given = support_between(r, 0, 1);
    parent->launches = l;
    if (depth < 2 && support_between(r, 0, 1))
        random_launches(r, children, depth + 1, children + 1, l + 1, items + 1);
}

static void random_launches_round_trip(void **state)
{
    (void)state;
    support_random r = {.state = 2017};
    for (int i = 0; i < 300; i++) {
        gcast_workload *w = support_workload("w", NULL);
        int stream = support_get_stream(w, 1, NULL);
        for (int k = 0; k < 3; k++) {
            gcast_op op = gcast_op_default(GCAST_KIND_KERNEL), children[3];
            gcast_launches l[3];
            uint32_t items[3][8];
            char label[16];
            snprintf(label, sizeof label, "K%d", k);
            op.label = label;
            op.stream = stream;
            op.grid[0] = 2;
            op.block[0] = (uint32_t)support_between(&r, 1, 64);
            op.min_ns = op.max_ns = support_between(&r, 2, 99);
            random_launches(&r, &op, 0, children, l, items);
            assert_int_equal(support_add_op(w, &op, NULL), k);
        }
        gcast_error err;
        assert_ok(gcast_workload_check(w, &err), &err);
        gcast_workload *copy = support_workload_copy(w, NULL);
        assert_null(workload_difference(w, copy));
        gcast_workload_free(w);
        round_trip(copy);
        gcast_workload_free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_launches_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
