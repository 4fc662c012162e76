/* Kernels that launch kernels in gridcast.workload/1. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/workload_formats.h"
#include "gridcast/names.h"
#include "model/workload/launching.h"
#include "support/same_workload.h"

/* A workload with one kernel K of 2 blocks with 64 threads each; `top` are further keys of the file, `launches` the
 * contents of that key. */
static gcast_status read_launches(const char *top, const char *launches, const char *file, gcast_workload **w,
                                  gcast_error *err)
{
    char text[8192];
    int size = snprintf(text, sizeof text,
                        "{\"schema\": \"gridcast.workload/1\", %s \"ops\": [{\"kind\": \"kernel\", \"label\": \"K\", "
                        "\"stream\": 1, \"grid\": 2, \"block\": 64, \"duration_ns\": 1000, \"launches\": {%s}}]}",
                        top, launches);
    assert_in_range(size, 1, sizeof text - 1);
    return gcast_workload_read_native(text, (size_t)size, file, w, err);
}

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

/* The workload, which is written, read back and copied on the way. */
static gcast_workload *accept_file(const char *top, const char *launches, const char *file)
{
    gcast_workload *w, *copy;
    gcast_error err;
    assert_ok(read_launches(top, launches, file, &w, &err), &err);
    round_trip(w);
    assert_ok(gcast_workload_copy(w, &copy, &err), &err);
    assert_null(workload_difference(w, copy));
    gcast_workload_free(w);
    round_trip(copy);
    return copy;
}

static gcast_workload *accept(const char *top, const char *launches)
{
    return accept_file(top, launches, "t.json");
}

#define NOT_BLOCKING                                                                                                   \
    "must be false: streams of kernels are created with cudaStreamNonBlocking, and the default stream of a block "     \
    "waits for no other"

static void refuse(const char *top, const char *launches, const char *path, const char *message)
{
    gcast_workload *w;
    gcast_error err;
    assert_int_equal(read_launches(top, launches, "t.json", &w, &err), GCAST_INPUT);
    assert_null(w);
    assert_string_equal(err.message, message);
    assert_string_equal(err.path, path);
    assert_string_equal(err.file, "t.json");
}

#define CHILD "\"child\": {\"block\": 32, \"duration_ns\": 50, \"item_ns\": 3}"
#define ITEM "\"item_ns\": 7, "
#define ONE "\"items\": 1, " ITEM

static void defaults_are_those_of_the_format(void **state)
{
    (void)state;
    gcast_workload *w = accept("", ONE CHILD);
    const gcast_launches *l = w->ops[0].launches;
    assert_int_equal(l->by, GCAST_LAUNCHER_THREAD);
    assert_int_equal(l->at_ns, 999);
    assert_int_equal(l->items_each, 1);
    assert_null(l->items);
    assert_int_equal(l->min_items, 1);
    assert_int_equal(l->item_ns, 7);
    assert_int_equal(l->policy, GCAST_SPAWN_ALWAYS);
    assert_int_equal(l->stream, GCAST_CHILD_STREAM_OWN);
    assert_int_equal(l->streams, 0);
    assert_int_equal(l->wait, GCAST_CHILD_WAIT_NONE);
    assert_int_equal(l->launchers, 128);
    assert_int_equal(l->total_items, 128);
    assert_int_equal(l->items_per_block, 0);
    assert_int_equal(l->child_item_ns, 3);
    assert_string_equal(l->child->label, "K.child");
    assert_int_equal(l->child->shape.threads, 32);
    assert_int_equal(l->child->max_ns, 50);
    assert_null(l->child->launches);
    assert_int_equal(w->child_count, 1);
    assert_string_equal(w->ops[1].label, "K.child");
    gcast_workload_free(w);
}

static void every_key_is_read(void **state)
{
    (void)state;
    gcast_workload *w = accept(
        "", "\"by\": \"warp\", \"at_ns\": 500, \"items\": [4, 0, 9], \"min_items\": 2, \"item_ns\": 7, "
            "\"policy\": {\"threshold\": 64}, \"stream\": 3, \"streams\": 4, \"blocking\": false, \"wait\": \"block\", "
            "\"after_ns\": 11, \"child\": {\"label\": \"C\", \"block\": [8, 4], \"registers\": 32, \"static_smem\": 1, "
            "\"dynamic_smem\": 2, \"barriers\": 3, \"body\": \"timer_spin\", \"carveout\": \"driver\", "
            "\"duration_ns\": {\"min\": 5, \"max\": 6}, \"item_ns\": 0, \"items_per_block\": 100, \"x-why\": 1}");
    const gcast_launches *l = w->ops[0].launches;
    assert_int_equal(l->by, GCAST_LAUNCHER_WARP);
    assert_int_equal(l->at_ns, 500);
    assert_int_equal(l->launchers, 4);
    assert_int_equal(l->item_count, 3);
    assert_int_equal(l->items[2], 9);
    assert_int_equal(launches_items(l, 3), 0);
    assert_int_equal(l->min_items, 2);
    assert_int_equal(l->policy, GCAST_SPAWN_THRESHOLD);
    assert_int_equal(l->threshold, 64);
    assert_int_equal(l->stream, GCAST_CHILD_STREAM_NAMED);
    assert_int_equal(l->streams, 4);
    assert_int_equal(l->named, 3);
    assert_int_equal(l->wait, GCAST_CHILD_WAIT_BLOCK);
    assert_int_equal(l->after_ns, 11);
    assert_string_equal(l->child->label, "C");
    assert_int_equal(l->child->shape.threads, 32);
    assert_int_equal(l->child->shape.registers, 32);
    assert_int_equal(l->child->shape.static_smem, 1);
    assert_int_equal(l->child->shape.dynamic_smem, 2);
    assert_int_equal(l->child->shape.barriers, 3);
    assert_int_equal(l->child->body, GCAST_BODY_TIMER_SPIN);
    assert_int_equal(l->child->carveout, GCAST_OP_CARVEOUT_DRIVER);
    assert_int_equal(l->child->min_ns, 5);
    assert_int_equal(l->child->max_ns, 6);
    assert_int_equal(l->items_per_block, 100);
    gcast_workload_free(w);
    static const char *const policies[] = {"always", "flat", "spawn", "predict"};
    for (size_t i = 0; i < 4; i++) {
        char text[256];
        snprintf(text, sizeof text, ONE "\"policy\": \"%s\", \"stream\": \"block\", \"blocking\": false, " CHILD,
                 policies[i]);
        w = accept("", text);
        assert_string_equal(gcast_name(GCAST_NAMES_SPAWN_POLICY, w->ops[0].launches->policy), policies[i]);
        assert_int_equal(w->ops[0].launches->stream, GCAST_CHILD_STREAM_BLOCK);
        gcast_workload_free(w);
    }
    w = accept("", ONE "\"by\": \"block\", \"wait\": \"tail\", \"stream\": \"in_turn\", \"streams\": 65536, " CHILD);
    assert_int_equal(w->ops[0].launches->launchers, 2);
    assert_int_equal(w->ops[0].launches->wait, GCAST_CHILD_WAIT_TAIL);
    gcast_workload_free(w);
}

/* Is what the text of an items file gives. */
static void assert_items_file(const char *text, const char *launches, size_t count, const uint32_t *expected)
{
    char name[] = "/tmp/gridcast-items-XXXXXX", path[64], key[256];
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    snprintf(path, sizeof path, "/tmp/t.json");
    snprintf(key, sizeof key, launches, name + strlen("/tmp/"));
    gcast_workload *w = accept_file("", key, path);
    const gcast_launches *l = w->ops[0].launches;
    assert_int_equal(l->item_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(l->items[i], expected[i]);
    gcast_workload_free(w);
    unlink(name);
}

static void items_come_from_a_file_beside_the_workload(void **state)
{
    (void)state;
    assert_items_file("# degrees\n1,2, 3\t4294967290 # five next\r\n\n0", "\"items\": {\"file\": \"%s\"}, " ITEM CHILD,
                      5, (uint32_t[]){1, 2, 3, 4294967290, 0});
    assert_items_file("#nothing", "\"items\": {\"file\": \"%s\"}, " ITEM CHILD, 0, NULL);
    refuse("", "\"items\": {\"file\": \"/no/such.txt\"}, " ITEM CHILD, "/ops/0/launches/items/file",
           "/no/such.txt: No such file or directory");
    refuse("", "\"items\": {\"file\": \"\"}, " ITEM CHILD, "/ops/0/launches/items/file", "must not be empty");
}

/* splitmix64 as its authors have it. */
static uint64_t next_draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void generators_follow_their_formulas(void **state)
{
    (void)state;
    gcast_workload *w = accept("", "\"items\": {\"generator\": \"uniform\", \"min\": 3, \"max\": 66, \"seed\": 9, "
                                   "\"percent\": 25}, " ITEM CHILD);
    const gcast_launches *l = w->ops[0].launches;
    uint64_t seed = 9, holders = 0;
    assert_int_equal(l->item_count, 128);
    for (int i = 0; i < 128; i++) {
        bool holds = (next_draw(&seed) >> 32) * 100 >> 32 < 25; /* a quarter: its low half does not matter */
        uint32_t items = 3 + (uint32_t)(next_draw(&seed) >> 58);
        assert_int_equal(l->items[i], holds ? items : 0);
        holders += holds;
    }
    assert_in_range(holders, 16, 48);
    gcast_workload_free(w);
    /* weights 8, 4, 2.67 and 2 of 16.67 */
    w = accept("", "\"items\": {\"generator\": \"power_law\", \"min\": 1, \"max\": 4, \"exponent_percent\": 100, "
                   "\"seed\": 0}, " ITEM CHILD);
    l = w->ops[0].launches;
    seed = 0;
    for (int i = 0; i < 128; i++) {
        next_draw(&seed);
        double at = (double)next_draw(&seed) / 18446744073709551616.0 * 25;
        assert_int_equal(l->items[i], at < 12 ? 1 : at < 18 ? 2 : at < 22 ? 3 : 4);
    }
    gcast_workload_free(w);
    refuse("",
           "\"items\": {\"generator\": \"power_law\", \"min\": 1, \"max\": 1048577, \"exponent_percent\": 1, "
           "\"seed\": 0}, " ITEM CHILD,
           "/ops/0/launches/items", "a power law has at most 1048576 values from min to max, not 1048577");
    refuse("", "\"items\": {\"generator\": \"uniform\", \"min\": 4, \"max\": 3, \"seed\": 0}, " ITEM CHILD,
           "/ops/0/launches/items", "min is larger than max");
    refuse("", "\"items\": {\"generator\": \"uniform\", \"exponent_percent\": 1, \"seed\": 0}, " ITEM CHILD,
           "/ops/0/launches/items/exponent_percent", "unknown key exponent_percent");
}

#define NEST(items) "\"launches\": {\"items\": " items ", " ITEM "\"child\": \"N\"}"
#define NAMED(launches)                                                                                                \
    "\"children\": [{\"label\": \"N\", \"block\": 32, \"duration_ns\": 50, \"item_ns\": 3" launches "}],"

static int levels(const gcast_op *op)
{
    int count = 0;
    for (; op->launches; op = op->launches->child)
        count++;
    return count;
}

static void children_by_name_may_launch_themselves(void **state)
{
    (void)state;
    gcast_workload *w = accept(NAMED(""), ONE "\"child\": \"N\"");
    assert_string_equal(w->ops[0].launches->child->label, "N");
    gcast_workload_free(w);
    w = accept(NAMED(", " NEST("1")), ONE "\"child\": \"N\", \"depth\": 3");
    assert_int_equal(levels(&w->ops[0]), 3);
    assert_int_equal(w->child_count, 3);
    gcast_workload_free(w);
    w = accept(NAMED(", \"launches\": {\"depth\": 2, " ONE "\"child\": \"N\"}"), ONE "\"child\": \"N\"");
    assert_int_equal(levels(&w->ops[0]), 3);
    gcast_workload_free(w);
    w = accept(NAMED(", " NEST("1")), ONE "\"child\": \"N\", \"depth\": 24");
    assert_int_equal(levels(&w->ops[0]), 24);
    gcast_workload_free(w);
    refuse(NAMED(", " NEST("1")), ONE "\"child\": \"N\"", "/children/0/launches",
           "N launches itself forever: give \"depth\"");
    refuse(NAMED(", \"launches\": {\"depth\": 24, " ONE "\"child\": \"N\"}"), ONE "\"child\": \"N\"",
           "/children/0/launches", "kernels launch kernels at most 24 levels deep");
    refuse(NAMED(", " NEST("[1]")), ONE "\"child\": \"N\", \"depth\": 3", "/children/0/launches/items",
           "items of a kernel that launches itself are a number or a generator");
    refuse(NAMED(""), ONE "\"child\": \"M\"", "/ops/0/launches/child", "/children has no M");
    refuse(NAMED(", \"grid\": 1"), ONE CHILD, "/children/0/grid", "unknown key grid");
    refuse(NAMED(", " NEST("-1")), ONE CHILD, "/children/0/launches/items", "must not be negative");
    refuse("\"children\": [{\"block\": 1, \"duration_ns\": 2, \"item_ns\": 0}],", ONE CHILD, "/children/0",
           "label is missing");
}

/* The seed of a level is larger by its depth, and its launchers are the items of the level above. */
static void generators_of_nested_levels_differ(void **state)
{
    (void)state;
    gcast_workload *w = accept(NAMED(", " NEST("{\"generator\": \"uniform\", \"min\": 0, \"max\": 1, \"seed\": 5}")),
                               ONE "\"child\": \"N\", \"depth\": 3");
    const gcast_launches *first = w->ops[0].launches->child->launches, *second = first->child->launches;
    uint64_t seeds[2] = {6, 7};
    assert_int_equal(first->launchers, 128);
    assert_int_equal(second->launchers, first->total_items);
    for (uint64_t i = 0; i < 128; i++) {
        next_draw(&seeds[0]);
        assert_int_equal(first->items[i], next_draw(&seeds[0]) >> 63);
    }
    for (uint64_t i = 0; i < second->launchers; i++) {
        next_draw(&seeds[1]);
        assert_int_equal(second->items[i], next_draw(&seeds[1]) >> 63);
    }
    gcast_workload_free(w);
}

static void bad_values_have_paths(void **state)
{
    (void)state;
    refuse("", ONE "\"stream\": 7, \"streams\": 4, " CHILD, "/ops/0/launches/stream",
           "there is no stream 7: the kernel creates 4, from 0 on");
    refuse("", ONE "\"stream\": \"in_turn\", " CHILD, "/ops/0/launches/stream",
           "streams is missing: how many the kernel creates");
    refuse("", ONE "\"at_ns\": 1000, " CHILD, "/ops/0/launches/at_ns",
           "must be before the end of the shortest block: from 1 to 999, not 1000");
    refuse("", ONE "\"blocking\": true, " CHILD, "/ops/0/launches/blocking", NOT_BLOCKING);
    refuse("", ONE "\"stream\": \"block\", \"blocking\": true, " CHILD, "/ops/0/launches/blocking", NOT_BLOCKING);
    refuse("", "\"items\": 4294967296, " ITEM CHILD, "/ops/0/launches/items", "must be from 0 to 4294967295");
    refuse("", "\"items\": \"many\", " ITEM CHILD, "/ops/0/launches/items",
           "must be a whole number, a list of them, or an object with file or generator");
    refuse("", ITEM CHILD, "/ops/0/launches", "items is missing");
    refuse("", "\"items\": 1, " CHILD, "/ops/0/launches",
           "item_ns is missing: what a launcher takes for an item that it does itself");
    refuse("", "\"by\": \"block\", \"items\": [1, 2, 3], " ITEM CHILD, "/ops/0/launches/items",
           "3 numbers for 2 launchers");
    refuse("", "\"items\": 4000000000, " ITEM CHILD, "/ops/0/launches/items",
           "the launchers of a level have at most 4294967296 items in all; here are 512000000000");
    refuse("", ONE "\"after_ns\": 1, " CHILD, "/ops/0/launches/after_ns",
           "needs \"wait\": \"block\": it is the work of a block after it has waited");
    refuse("", ONE "\"policy\": \"threshold\", " CHILD, "/ops/0/launches/policy",
           "must be always, flat, spawn, predict or {\"threshold\": ITEMS}");
    refuse("", ONE "\"child\": {\"block\": 32, \"item_ns\": 3}", "/ops/0/launches/child",
           "duration_ns is missing: what a block takes without items");
    refuse("", ONE "\"child\": {\"block\": 32, \"duration_ns\": 3}", "/ops/0/launches/child",
           "item_ns is missing: what a thread takes for an item");
    refuse("",
           ONE
           "\"child\": {\"block\": 32, \"duration_ns\": 3, \"item_ns\": 0, \"launches\": {\"by\": \"warp\", " ONE CHILD
           "}}",
           "/ops/0/launches/child/launches/by", "must be thread in a child: each of its threads launches for one item");
    refuse("",
           ONE "\"child\": {\"block\": 32, \"duration_ns\": 3, \"item_ns\": 0, \"items_per_block\": 33, "
               "\"launches\": {" ONE CHILD "}}",
           "/ops/0/launches/child/items_per_block",
           "must be from 1 to 32, the threads of its block: threads that launch have one item each");
    refuse("", ONE "\"child\": {\"block\": 32, \"duration_ns\": 1, \"item_ns\": 0, \"launches\": {" ONE CHILD "}}",
           "/ops/0/launches/child/launches", "a block that launches takes at least 2 ns, not 1");
}

/* A few bytes that stand for much are refused before there is memory for it. */
static void nested_levels_are_counted(void **state)
{
    (void)state;
    refuse("",
           "\"items\": 131073, " ITEM "\"child\": {\"block\": 32, \"duration_ns\": 3, \"item_ns\": 0, \"launches\": "
           "{\"items\": {\"generator\": \"uniform\", \"min\": 0, \"max\": 0, \"seed\": 1}, " ITEM CHILD "}}",
           "/ops/0/launches/child/launches/items",
           "generators and nested levels of a file have at most 16777216 launchers in all; with this one there are "
           "16777344");
    refuse("",
           "\"items\": 131073, " ITEM "\"child\": {\"block\": 32, \"duration_ns\": 3, \"item_ns\": 0, \"launches\": "
           "{\"items\": [1], " ITEM CHILD "}}",
           "/ops/0/launches/child/launches",
           "generators and nested levels of a file have at most 16777216 launchers in all; with this one there are "
           "16777344");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_format),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(items_come_from_a_file_beside_the_workload),
        cmocka_unit_test(generators_follow_their_formulas),
        cmocka_unit_test(children_by_name_may_launch_themselves),
        cmocka_unit_test(generators_of_nested_levels_differ),
        cmocka_unit_test(bad_values_have_paths),
        cmocka_unit_test(nested_levels_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
