/* What is said of a workload: nothing that hangs in a simulation is said to be safe, and what was not measured is told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/residency/residency_answer.h"
#include "analyze/residency/schedules.h"
#include "files/workload_formats.h"
#include "gridcast/read.h"
#include "support/support.h"

static gcast_workload *read_text(const char *words)
{
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_workload_read_native(words, strlen(words), "t.json", &w, &err), &err);
    return w;
}

static gcast_workload *read_file(const char *name)
{
    char path[128];
    size_t size;
    snprintf(path, sizeof path, "tests/data/residency/%s.json", name);
    char *words = support_read(path, &size);
    gcast_workload *w = read_text(words);
    free(words);
    return w;
}

/* A wrong proof is planted: these hang, as they are or in a schedule that is drawn. */
static void wrong_safe(void **state)
{
    (void)state;
    static const char *const names[] = {"programmatic-holds-room", "skipped",          "free-of-other-host",
                                        "small-carveout",          "after-later-call", "after-later-host",
                                        "after-other-host"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        gcast_workload *w = read_file(names[i]);
        gcast_error err;
        size_t simulated;
        assert_int_equal(safe_check(w, w->gpu, false, 0, &simulated, &err), GCAST_INTERNAL);
        assert_non_null(strstr(err.message, "please send this file"));
        gcast_workload_free(w);
    }
}

/* In the order of the file none of the schedules hangs, in another one does. */
static void in_file_order(void **state)
{
    (void)state;
    gcast_workload *w = read_file("order-of-releases");
    gcast_error err;
    size_t simulated;
    assert_ok(safe_check(w, w->gpu, true, 1000000000, &simulated, &err), &err);
    assert_true(simulated > 100);
    residency_answer a;
    assert_ok(residency_answer_make(&a, w, w->gpu, &err), &err);
    assert_int_equal(a.verdict, GCAST_HANG_SAFE_IF);
    assert_int_equal(a.condition_count, 1);
    assert_int_equal(a.conditions[0].kind, SAFE_IF_CALLED_IN_ORDER);
    assert_true(a.witness && a.r.risk_count);
    residency_answer_free(&a);
    gcast_workload_free(w);
}

/* A workload with too many blocks is not simulated, and one that cannot run is an error. */
static void limits(void **state)
{
    (void)state;
    gcast_error err;
    residency_answer a;
    gcast_workload *w = read_text(
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"h200\", \"ops\": [{\"kind\": \"kernel\", \"stream\": 1, "
        "\"grid\": 30000000, \"block\": 32, \"duration_ns\": 1, \"carveout\": \"most\"}]}");
    assert_ok(residency_answer_make(&a, w, w->gpu, &err), &err);
    assert_int_equal(a.verdict, GCAST_HANG_SAFE);
    assert_int_equal(a.simulated, 0);
    residency_answer_free(&a);
    gcast_workload_free(w);
    w = read_text("{\"schema\": \"gridcast.workload/1\", \"gpu\": \"h200\", \"ops\": ["
                  "{\"kind\": \"barrier\", \"barrier\": 1, \"host\": \"h\"}, {\"kind\": \"barrier\", \"barrier\": 1, "
                  "\"host\": \"h\"}]}");
    assert_int_equal(residency_answer_make(&a, w, w->gpu, &err), GCAST_INPUT);
    residency_answer_free(&a);
    gcast_workload_free(w);
}

/* It is an error also where there are too many blocks for a simulation to find it. */
static void what_cannot_run(void **state)
{
    (void)state;
#define MANY "{\"kind\": \"kernel\", \"label\": \"L\", \"stream\": 2, \"grid\": 30000000, \"duration_ns\": 1, "
#define WAITS                                                                                                          \
    "{\"kind\": \"kernel\", \"stream\": 1, \"grid\": 1, \"block\": 32, \"duration_ns\": 1, \"waits_for\": [\"L\"]}"
    static const char *const rests[] = {
        "\"streams\": [{\"id\": 1}, {\"id\": 2, \"process\": 1}], \"ops\": [" MANY "\"block\": 32}, " WAITS "]",
        "\"ops\": [" MANY "\"block\": 32, \"cooperative\": true}, " WAITS "]",
        "\"ops\": [" MANY "\"block\": 1024, \"registers\": 255}, " WAITS "]",
        "\"ops\": [" MANY "\"block\": 32}, {\"kind\": \"barrier\", \"barrier\": 1, \"host\": \"h\"}, "
        "{\"kind\": \"barrier\", \"barrier\": 1, \"host\": \"h\"}, " WAITS "]",
    };
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        char words[2048];
        gcast_error err;
        residency_answer a;
        int size =
            snprintf(words, sizeof words, "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"h200\", %s}", rests[i]);
        assert_in_range(size, 1, sizeof words - 1);
        gcast_workload *w = read_text(words);
        assert_int_equal(residency_answer_make(&a, w, w->gpu, &err), GCAST_INPUT);
        residency_answer_free(&a);
        gcast_workload_free(w);
    }
}

/* Two kernels that meet at a barrier each, with different shared memory; nothing is said of carveouts. */
#define TWO(carveout)                                                                                                  \
    "\"streams\": [{\"id\": 1}, {\"id\": 2}], \"ops\": ["                                                              \
    "{\"kind\": \"kernel\", \"label\": \"A\", \"stream\": 1, \"grid\": 2, \"block\": 256, \"duration_ns\": 10, "       \
    "\"waits_for\": [\"B\"], \"registers\": 32" carveout "},"                                                          \
    "{\"kind\": \"kernel\", \"label\": \"B\", \"stream\": 2, \"grid\": 2, \"block\": 256, \"duration_ns\": 10, "       \
    "\"dynamic_smem\": 100000, \"registers\": 32" carveout "}]}"

static void expect(const char *gpu, const char *rest, gcast_hang_verdict verdict, size_t count, const char *field)
{
    char words[4096];
    gcast_error err;
    residency_answer a;
    int size = snprintf(words, sizeof words, "{\"schema\": \"gridcast.workload/1\", \"gpu\": %s, %s", gpu, rest);
    assert_in_range(size, 1, sizeof words - 1);
    gcast_workload *w = read_text(words);
    assert_ok(residency_answer_make(&a, w, w->gpu, &err), &err);
    assert_int_equal(a.verdict, verdict);
    assert_int_equal(a.condition_count, count);
    bool found = !field;
    for (size_t i = 0; i < a.condition_count; i++)
        found = found || (a.conditions[i].field && strcmp(a.conditions[i].field, field) == 0);
    assert_true(found);
    residency_answer_free(&a);
    gcast_workload_free(w);
}

static void conditions(void **state)
{
    (void)state;
    /* one SM: with CUDA's default A would leave too little shared memory there */
#define ONE "{\"schema\": \"gridcast.gpu/1\", \"name\": \"x\", \"cc\": \"9.0\", \"sms\": 2}"
    expect(ONE, TWO(", \"carveout\": \"most\""), GCAST_HANG_SAFE, 0, NULL);
    expect(ONE, TWO(""), GCAST_HANG_SAFE_IF, 1, NULL);
    expect(ONE, TWO(", \"carveout\": \"driver\""), GCAST_HANG_HANGS, 0, NULL);
    /* the connections of a B200 were not measured: with one, B would be behind C */
#define FIXED "\"carveout\": \"most\", \"registers\": 32"
#define THREE                                                                                                          \
    "\"ops\": ["                                                                                                       \
    "{\"kind\": \"kernel\", \"label\": \"A\", \"stream\": 1, \"host\": \"h\", \"grid\": 2, \"block\": 256, "           \
    "\"duration_ns\": 10, " FIXED ", \"waits_for\": [\"B\"]},"                                                         \
    "{\"kind\": \"kernel\", \"label\": \"C\", \"stream\": 1, \"host\": \"h\", \"grid\": 2, \"block\": 256, "           \
    "\"duration_ns\": 10, " FIXED "},"                                                                                 \
    "{\"kind\": \"kernel\", \"label\": \"B\", \"stream\": 2, \"host\": \"h\", \"grid\": 2, \"block\": 256, "           \
    "\"duration_ns\": 10, " FIXED "}]}"
    expect("\"b200\"", THREE, GCAST_HANG_SAFE_IF, 1, "connections");
    expect("\"b200\", \"connections\": 2", THREE, GCAST_HANG_SAFE, 0, NULL);
    expect("\"h200\"", THREE, GCAST_HANG_SAFE, 0, NULL);
}

/* Nothing is said of registers: with 128, the most that can be launched, blocks of A leave no room for B on one SM. */
static void open_registers(void **state)
{
    (void)state;
#define PAIR(sms, registers)                                                                                           \
    "{\"schema\": \"gridcast.workload/1\", \"gpu\": {\"schema\": \"gridcast.gpu/1\", \"name\": \"x\", \"cc\": "        \
    "\"6.2\", \"sms\": " sms "}, \"ops\": ["                                                                           \
    "{\"kind\": \"kernel\", \"label\": \"A\", \"stream\": 1, \"grid\": 2, \"block\": 256, \"duration_ns\": 10, "       \
    "\"waits_for\": [\"B\"]" registers "},"                                                                            \
    "{\"kind\": \"kernel\", \"label\": \"B\", \"stream\": 2, \"grid\": 2, \"block\": 256, \"duration_ns\": "           \
    "10" registers "}]}"
    static const struct {
        const char *words;
        gcast_hang_verdict verdict;
        int64_t enough;
    } rows[] = {{PAIR("1", ""), GCAST_HANG_SAFE_IF, 32},
                {PAIR("1", ", \"registers\": 64"), GCAST_HANG_SAFE, 0},
                {PAIR("1", ", \"registers\": 0"), GCAST_HANG_SAFE, 0},
                {PAIR("1", ", \"registers\": 128"), GCAST_HANG_HANGS, 0},
                {PAIR("2", ""), GCAST_HANG_SAFE, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gcast_workload *w = read_text(rows[i].words);
        gcast_error err;
        residency_answer a;
        assert_ok(residency_answer_make(&a, w, w->gpu, &err), &err);
        assert_int_equal(a.verdict, rows[i].verdict);
        assert_int_equal(a.condition_count, rows[i].enough > 0);
        if (rows[i].enough) {
            assert_int_equal(a.conditions[0].kind, SAFE_IF_REGISTERS);
            assert_int_equal(a.conditions[0].value, rows[i].enough);
        }
        residency_answer_free(&a);
        gcast_workload_free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_safe), cmocka_unit_test(in_file_order),
                                       cmocka_unit_test(limits),     cmocka_unit_test(what_cannot_run),
                                       cmocka_unit_test(conditions), cmocka_unit_test(open_registers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
