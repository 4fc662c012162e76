/* Each form of waiting counts in the proof that nothing hangs: small workloads that hang because of one of them, and
 * beside each one that does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/residency/residency.h"
#include "analyze/residency/schedules.h"
#include "files/workload_formats.h"
#include "gridcast/read.h"
#include "support/support.h"

#define GPU(more) "\"gpu\": {\"schema\": \"gridcast.gpu/1\", \"name\": \"x\", \"cc\": \"9.0\", \"sms\": 1" more "}, "
/* On an SM there is room for two. */
#define HALF(label, stream, more)                                                                                      \
    "{\"kind\": \"kernel\", \"grid\": 1, \"block\": 1024, \"duration_ns\": 100, \"label\": \"" label                   \
    "\", \"stream\": " stream more "}"
/* For one of two blocks. */
#define FULL(label, stream, more)                                                                                      \
    "{\"kind\": \"kernel\", \"grid\": 2, \"block\": 1024, \"duration_ns\": 100, \"label\": \"" label                   \
    "\", \"stream\": " stream more "}"
#define LEVELS ", \"priority_levels\": 2"
#define STREAMS "\"streams\": [{\"id\": 1, \"priority\": -1}, {\"id\": 2, \"priority\": 0}, {\"id\": 3}], "
#define WAITS(label) ", \"waits_for\": [\"" label "\"]"
#define HOST(name) ", \"host\": \"" name "\""

static gcast_workload *read_text(const char *text)
{
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_workload_read_native(text, strlen(text), "t.json", &w, &err), &err);
    return w;
}

/* The reason of its first risk; RESIDENCY_REASONS: it is safe. */
static residency_reason reason_of(const gcast_workload *w)
{
    residency r;
    gcast_error err;
    assert_ok(residency_prove(w, w->gpu, NULL, &r, &err), &err);
    residency_reason first = r.risk_count ? r.risks[0].reason : RESIDENCY_REASONS;
    residency_free(&r);
    return first;
}

static void expect(const char *gpu, const char *ops, residency_reason reason)
{
    char text[4096];
    int size = snprintf(text, sizeof text, "{\"schema\": \"gridcast.workload/1\", %s\"ops\": [%s]}", gpu, ops);
    assert_in_range(size, 1, sizeof text - 1);
    gcast_workload *w = read_text(text);
    assert_int_equal(reason_of(w), reason);
    gcast_workload_free(w);
}

#define SAFE RESIDENCY_REASONS

/* Files of workloads that were once said to be safe. All hang as they are, but for one whose schedule is beside it. */
static void found(void **state)
{
    (void)state;
    static const char *const names[] = {"programmatic-holds-room",    "after-later-call", "skipped",
                                        "free-of-other-host",         "small-carveout",   "after-later-host",
                                        "order-of-releases-schedule", "after-other-host", "order-of-releases"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        size_t size;
        drawn_schedule as_is;
        gcast_error err;
        bool hangs;
        snprintf(path, sizeof path, "tests/data/residency/%s.json", names[i]);
        char *text = support_read(path, &size);
        gcast_workload *w = read_text(text);
        if (i != 6) /* whose ops are in the order of another file */
            assert_int_not_equal(reason_of(w), SAFE);
        assert_ok(schedule_draw(&as_is, w, w->gpu, SCHEDULE_AS_IS, false, 1, &err), &err);
        assert_ok(schedule_hangs(&as_is, &hangs, &err), &err);
        assert_int_equal(hangs, i < 7);
        schedule_free(&as_is);
        gcast_workload_free(w);
        free(text);
    }
}

/* Blocks that wait for the kernel before theirs hold room while that waits for blocks. */
static void programmatic(void **state)
{
    (void)state;
#define PAIR(blocks)                                                                                                   \
    HALF("P", "1", ", \"trigger_ns\": 0" WAITS("x"))                                                                   \
    "," HALF("S", "1", ", \"programmatic\": true" blocks) "," HALF("x", "2", "")
    expect(GPU(""), PAIR(", \"wait_ns\": 0"), RESIDENCY_ROOM);
    expect(GPU(""), PAIR(""), SAFE); /* it does not wait */
    /* the second one behind P waits, the first one does not */
    expect(GPU(""), PAIR("") "," HALF("T", "1", ", \"programmatic\": true, \"wait_ns\": 0"), RESIDENCY_ROOM);
    /* blocks of P that wait for each other only have all started when S may */
    expect(GPU(""),
           HALF("P", "1", ", \"trigger_ns\": 0" WAITS("P")) "," HALF(
               "S", "1", ", \"programmatic\": true, \"wait_ns\": 0") "," HALF("x", "2", ""),
           SAFE);
    /* the same by the edges of a graph */
#define NODES(port)                                                                                                    \
    HALF("P", "1", ", \"graph\": \"g\"" WAITS("x"))                                                                    \
    "," HALF("S", "1",                                                                                                 \
             ", \"graph\": \"g\", \"wait_ns\": 0, \"after\": [{\"op\": \"P\", \"port\": \"" port                       \
             "\"}]") "," HALF("x", "2", "")
    expect(GPU(""), NODES("launch_completion"), RESIDENCY_ROOM);
    expect(GPU(""), NODES("full"), SAFE);
    /* after its own primary: no event */
    expect(GPU(""),
           HALF("P", "1", ", \"trigger_ns\": 0" WAITS("x")) "," HALF(
               "S", "1", ", \"programmatic\": true, \"wait_ns\": 0, \"after\": [\"P\"]") "," HALF("x", "2", ""),
           RESIDENCY_ROOM);
}

/* A kernel that is waited for may never be called. */
static void skips(void **state)
{
    (void)state;
#define SKIP ", \"skip_ns\": 1000"
    expect(GPU(""), HALF("k", "1", WAITS("x")) "," HALF("x", "2", SKIP), RESIDENCY_SKIP);
    expect(GPU(""), HALF("k", "1", WAITS("x") HOST("h")) "," HALF("x", "2", SKIP HOST("h")), RESIDENCY_SKIP);
    expect(GPU(""), HALF("k", "1", WAITS("x") SKIP HOST("h")) "," HALF("x", "2", HOST("h")), SAFE);
    expect(GPU(""), HALF("x", "2", SKIP HOST("h")) "," HALF("k", "1", WAITS("x") HOST("h")), SAFE);
    expect(GPU(""),
           HALF("k", "1", WAITS("x") HOST("h")) "," HALF("y", "3", SKIP HOST("g")) "," HALF("x", "2", HOST("g")),
           RESIDENCY_SKIP);
    /* what is skipped is waited for by none: then b is not after a */
#define CHAIN(more)                                                                                                    \
    FULL("a", "2", WAITS("a"))                                                                                         \
    "," HALF("m", "3", more ", \"after\": [\"a\"]") "," FULL("b", "1", ", \"after\": [\"m\"]" WAITS("b"))
    expect(GPU(LEVELS) STREAMS, CHAIN(""), SAFE);
    expect(GPU(LEVELS) STREAMS, CHAIN(SKIP), RESIDENCY_ROOM);
}

/* While one host frees, nobody calls. */
static void frees(void **state)
{
    (void)state;
#define FREE(host) "{\"kind\": \"free\"" host "}"
    expect(GPU(""), HALF("k", "1", WAITS("x") HOST("h")) "," FREE(HOST("h")) "," HALF("x", "2", HOST("g")),
           RESIDENCY_ORDER);
    expect(GPU(""), HALF("k", "1", WAITS("x") HOST("h")) "," FREE(HOST("h")) "," HALF("x", "2", ""), RESIDENCY_ORDER);
    expect(GPU(""), HALF("k", "1", WAITS("x") HOST("h")) "," FREE("") "," HALF("x", "2", HOST("h")), RESIDENCY_ORDER);
    expect(GPU(""), HALF("k", "1", WAITS("x") HOST("h")) "," HALF("x", "2", HOST("h")) "," FREE(HOST("h")), SAFE);
    expect(GPU(""), HALF("k", "1", WAITS("x") HOST("h")) "," HALF("x", "2", HOST("h")) "," FREE(HOST("g")),
           RESIDENCY_ORDER);
}

/* Synchronizations of other hosts: which calls are before them is not known, wherever they are in the file. */
static void syncs(void **state)
{
    (void)state;
#define SYNC(stream) "{\"kind\": \"sync\", \"scope\": \"stream\", \"stream\": " stream ", \"host\": \"g\"}"
#define DEVICE "{\"kind\": \"sync\", \"scope\": \"device\", \"host\": \"g\"}"
    expect(GPU(""), SYNC("1") "," HALF("x", "2", HOST("g")) "," HALF("k", "1", WAITS("x") HOST("h")), RESIDENCY_ORDER);
    expect(GPU(""), SYNC("3") "," HALF("x", "2", HOST("g")) "," HALF("k", "1", WAITS("x") HOST("h")), SAFE);
    expect(GPU(""),
           HALF("a", "4", HOST("h")) "," DEVICE "," HALF("x", "2", HOST("g")) "," HALF("k", "1", WAITS("x") HOST("h")),
           RESIDENCY_ORDER);
    expect(GPU(""), HALF("x", "2", HOST("g")) "," DEVICE "," HALF("k", "1", WAITS("x") HOST("h")), SAFE);
    /* a wait of a host for an op that waits for k, also if that wait is for the whole launch of a graph */
    expect(GPU(""),
           HALF("k", "1", WAITS("x") HOST("h")) "," HALF(
               "y", "3", ", \"host_waits\": true, \"after\": [\"k\"]" HOST("g")) "," HALF("x", "2", HOST("g")),
           RESIDENCY_ORDER);
    expect(
        GPU(""),
        HALF("n", "1", ", \"graph\": \"g\"") "," HALF(
            "k", "1", ", \"graph\": \"g\", \"after\": [\"n\"]" WAITS("x")) "," HALF("x", "2", ", \"after\": [\"n\"]"),
        RESIDENCY_ORDER);
    /* all roots of a launch wait for what its first node is after */
    expect(GPU(""),
           HALF("k", "1", WAITS("x")) "," HALF("r", "2", ", \"graph\": \"g\", \"after\": [\"k\"]") "," HALF(
               "x", "2", ", \"graph\": \"g\""),
           RESIDENCY_ORDER);
}

/* A host that waits at a barrier for itself never calls what is waited for. */
static void barriers(void **state)
{
    (void)state;
#define BARRIER(number, host) "{\"kind\": \"barrier\", \"barrier\": " number host "}"
    expect(GPU(""),
           HALF("k", "1", WAITS("x")) "," BARRIER("1", HOST("h")) "," BARRIER("1", HOST("h")) "," HALF("x", "2",
                                                                                                       HOST("h")),
           RESIDENCY_BARRIER);
    expect(GPU(""),
           HALF("k", "1", WAITS("x")) "," BARRIER("1", HOST("h")) "," BARRIER("1", HOST("g")) "," HALF("x", "2",
                                                                                                       HOST("h")),
           SAFE);
    /* two hosts in different orders */
    expect(GPU(""),
           HALF("k", "1", WAITS("x")) "," BARRIER("1", HOST("h")) "," BARRIER("2", HOST("h")) "," BARRIER(
               "2", HOST("g")) "," BARRIER("1", HOST("g")) "," HALF("x", "2", HOST("h")),
           RESIDENCY_BARRIER);
    /* the host behind the barrier waits for k first */
    expect(
        GPU(""),
        HALF("k", "1", WAITS("x") HOST("g")) ",{\"kind\": \"sync\", \"scope\": \"device\", \"host\": \"g\"}," BARRIER(
            "1", HOST("g")) "," BARRIER("1", HOST("h")) "," HALF("x", "2", HOST("h")),
        RESIDENCY_ORDER);
}

/* Whether an op of another caller is called before the one that is after it is not known. */
static void events(void **state)
{
    (void)state;
#define TWO(a, b) FULL("a", "1", WAITS("a") a) "," FULL("b", "2", ", \"after\": [\"a\"]" WAITS("b") b)
    expect(GPU(LEVELS) STREAMS, TWO(HOST("h"), HOST("h")), SAFE);
    expect(GPU(LEVELS) STREAMS, TWO("", ""), SAFE);
    expect(GPU(LEVELS) STREAMS, TWO(HOST("h"), HOST("g")), RESIDENCY_ROOM);
    expect(GPU(LEVELS) STREAMS, TWO("", HOST("g")), RESIDENCY_ROOM);
    expect(GPU(LEVELS) STREAMS, TWO(", \"skip_ns\": 5", ""), RESIDENCY_ROOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found), cmocka_unit_test(programmatic), cmocka_unit_test(skips),   cmocka_unit_test(frees),
        cmocka_unit_test(syncs), cmocka_unit_test(events),       cmocka_unit_test(barriers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
