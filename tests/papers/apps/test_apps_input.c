/* Names of benchmarks and inputs as text; every benchmark from its name to its result. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "papers/apps/data/dataset.h"
#include "papers/apps/data/hash.h"

static void assert_input(const char *name, const char *text, const char *expected)
{
    app_input in;
    char why[256], printed[128];
    if (!app_input_parse(name, text, &in, why, sizeof why))
        fail_msg("%s %s: %s", name, text ? text : "", why);
    app_input_print(&in, printed, sizeof printed);
    assert_string_equal(printed, expected);
}

static void assert_refused(const char *name, const char *text, const char *expected)
{
    app_input in;
    char why[256] = "";
    assert_false(app_input_parse(name, text, &in, why, sizeof why));
    assert_string_equal(why, expected);
}

static void usual_inputs(void **state)
{
    (void)state;
    assert_input("AMR", NULL, "amr:256:3:1");
    assert_input("BFS-citation", NULL, "citation:65536:12:1");
    assert_input("BFS-graph500", NULL, "rmat:16:16:1");
    assert_input("SSSP-citation", NULL, "citation:65536:12:1");
    assert_input("SSSP-graph500", NULL, "rmat:16:16:1");
    assert_input("JOIN-uniform", NULL, "join:uniform:65536:262144:4096:1");
    assert_input("JOIN-gaussian", NULL, "join:gaussian:65536:262144:4096:1");
    assert_input("MANDEL", NULL, "mandel:1024:16:512");
    assert_input("GC-citation", NULL, "citation:16384:12:1");
    assert_input("GC-graph500", NULL, "rmat:12:16:1");
    assert_input("MM-small", NULL, "mm:4096:1");
    assert_input("MM-large", NULL, "mm:16384:1");
    assert_input("SA-thaliana", NULL, "sa:1048576:8192:1");
    assert_input("SA-elegans", NULL, "sa:2097152:8192:1");
    assert_input("bfs", NULL, "rmat:16:16:1");
    assert_input("gc", NULL, "rmat:12:16:1");
    assert_input("gc", "citation", "citation:65536:12:1"); /* sizes of benchmarks are for their form */
    assert_input("Join", NULL, "join:uniform:65536:262144:4096:1");
    assert_input("mm", NULL, "mm:4096:1");
    assert_input("sa", NULL, "sa:1048576:8192:1");
}

static void numbers_left_out(void **state)
{
    (void)state;
    assert_input("BFS", "rmat", "rmat:16:16:1");
    assert_input("BFS", "rmat:10", "rmat:10:16:1");
    assert_input("BFS", "rmat:10:4", "rmat:10:4:1");
    assert_input("BFS", "rmat:10:4:18446744073709551615", "rmat:10:4:18446744073709551615");
    assert_input("SSSP", "citation:1000", "citation:1000:12:1");
    assert_input("JOIN", "join:gaussian:5", "join:gaussian:5:262144:4096:1");
    assert_input("MM-large", "mm", "mm:16384:1");
    assert_input("MM-large", "mm:5:7", "mm:5:7");
    assert_input("MANDEL", "mandel:64:8", "mandel:64:8:512");
}

static void refused(void **state)
{
    (void)state;
    assert_refused("XYZ", NULL, "'XYZ' is no application and no benchmark");
    assert_refused("BFS-", NULL, "'BFS-' is no application and no benchmark");
    assert_refused("BFS", "mm:5", "BFS has an input rmat:... or citation:..., not 'mm:5'");
    assert_refused("BFS-citation", "rmat", "BFS-citation has an input citation:..., not 'rmat'");
    assert_refused("BFS", "rmatx", "BFS has an input rmat:... or citation:..., not 'rmatx'");
    assert_refused("BFS", "", "BFS has an input rmat:... or citation:..., not ''");
    assert_refused("JOIN", "join", "JOIN has an input join:uniform:... or join:gaussian:..., not 'join'");
    assert_refused("BFS", "rmat:", "rmat: scale must be a whole number, not ''");
    assert_refused("BFS", "rmat::4", "rmat: scale must be a whole number, not ':4'");
    assert_refused("BFS", "rmat:-1", "rmat: scale must be a whole number, not '-1'");
    assert_refused("BFS", "rmat:1x", "rmat: scale must be a whole number, not '1x'");
    assert_refused("BFS", "rmat:10:4:18446744073709551616",
                   "rmat: seed must be a whole number, not '18446744073709551616'");
    assert_refused("BFS", "rmat:25", "rmat: scale must be 1..24, not 25");
    assert_refused("BFS", "rmat:0", "rmat: scale must be 1..24, not 0");
    assert_refused("BFS", "rmat:24:9", "rmat: edge factor x 2^scale is more than 134217728");
    assert_refused("BFS", "rmat:4:4:4:4", "rmat: '4' is one number too many");
    assert_refused("BFS", "citation:16777216:17", "citation: vertices x mean degree is more than 268435456");
    assert_refused("AMR", "amr:4096:6", "amr: the finest level has more than 1048576 cells per side");
    assert_refused("JOIN", "join:uniform:16777216:262144:1",
                   "join:uniform: R x S / keys is more than 1073741824 matches");
    assert_refused("MANDEL", "mandel:100:16", "mandel: side 100 is not a multiple of tile 16");
    assert_refused("MANDEL", "mandel:64:16:64:1", "mandel: '1' is one number too many");
    assert_refused("SA", "sa:1023", "sa: bases must be 1024..268435456, not 1023");
}

static void shapes(void **state)
{
    (void)state;
    for (int kind = 0; kind < APP_KINDS; kind++) {
        app_shape shape = app_shape_of((app_kind)kind);
        assert_int_equal(shape.parent_threads, kind == APP_MANDEL || kind == APP_SA ? 128 : 256);
        assert_int_equal(shape.child_threads, 64);
        assert_int_equal(shape.min_items, kind == APP_AMR ? 16 : kind == APP_MANDEL ? 1 : 8);
    }
}

/* Result, rounds and items of a small input as one number; they do not change from machine to machine. */
static uint64_t fingerprint(const char *name, const char *text)
{
    app_input in;
    app_dataset d;
    app_rounds rounds = {0};
    char why[256];
    assert_true(app_input_parse(name, text, &in, why, sizeof why));
    assert_true(app_dataset_make(&d, &in));
    size_t words = app_dataset_result_words(&d);
    uint32_t *result = malloc(words * sizeof *result);
    assert_true(app_dataset_run(&d, result, &rounds));
    uint64_t hash = words;
    for (size_t i = 0; i < words; i++)
        hash = app_mix(hash ^ result[i]);
    for (size_t r = 0; r < rounds.count; r++) {
        for (uint32_t i = 0; i < rounds.round[r].threads; i++)
            hash = app_mix(hash ^ rounds.round[r].items[i]);
        for (int k = 0; k < rounds.round[r].nested_count; k++)
            for (uint64_t i = 0; i < rounds.round[r].nested[k].launchers; i++)
                hash = app_mix(hash ^ rounds.round[r].nested[k].items[i]);
    }
    assert_true(app_dataset_run(&d, result, NULL));
    free(result);
    app_rounds_free(&rounds);
    app_dataset_free(&d);
    return hash;
}

static void results(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        uint64_t hash;
    } runs[] = {
        {"AMR", "amr:64", UINT64_C(0x359b9717c12eede1)},
        {"BFS-citation", "citation:2000", UINT64_C(0xb8133cadbafab67c)},
        {"BFS-graph500", "rmat:10", UINT64_C(0x72d7a6c2f46d0cdb)},
        {"SSSP-citation", "citation:2000", UINT64_C(0xd198ca935f0e8770)},
        {"SSSP-graph500", "rmat:10", UINT64_C(0x7afa6a1a4982b2e3)},
        {"JOIN-uniform", "join:uniform:1000:5000:100", UINT64_C(0x0b957c29892cbd32)},
        {"JOIN-gaussian", "join:gaussian:1000:5000:100", UINT64_C(0x8811dda9f5c448cc)},
        {"MANDEL", "mandel:128:8:100", UINT64_C(0x178a8a38b1193826)},
        {"GC-citation", "citation:2000", UINT64_C(0xa23957f7a625be24)},
        {"GC-graph500", "rmat:10", UINT64_C(0x15778c80a6797bb1)},
        {"MM-small", "mm:500", UINT64_C(0xe8de8438bdece054)},
        {"MM-large", "mm:1000", UINT64_C(0x237d7a38f7b7d237)},
        {"SA-thaliana", "sa:20000:100", UINT64_C(0x852aac8e07752aaa)},
        {"SA-elegans", "sa:30000:100", UINT64_C(0xcace86fd2c749293)},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        uint64_t hash = fingerprint(runs[i].name, runs[i].text);
        assert_string_equal(runs[i].name, app_benchmark_name(i));
        if (hash != runs[i].hash)
            fail_msg("%s %s: 0x%016llx", runs[i].name, runs[i].text, (unsigned long long)hash);
    }
    assert_null(app_benchmark_name(sizeof runs / sizeof *runs));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_inputs), cmocka_unit_test(numbers_left_out), cmocka_unit_test(refused),
        cmocka_unit_test(shapes),       cmocka_unit_test(results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
