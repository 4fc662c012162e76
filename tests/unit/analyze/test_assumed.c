/* What is assumed of a GPU in an answer: which numbers count, how far they may be moved, and what the verdicts are. */
#include "analyze/answer.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "analyze/advice/judge.h"
#include "analyze/assumed/parameters.h"
#include "files/workload_formats.h"
#include "gridcast/advice.h"
#include "gridcast/names.h"
#include "model/gpu.h"
#include "support/builders.h"

/* A kernel of two blocks in a row on one SM, 3 us each, with a deadline, on a GPU of which handover_ns is assumed. */
static gcast_workload *two_blocks(const char *source, int handover_ns, int deadline_ns)
{
    char json[1000];
    snprintf(json, sizeof json,
             "{\"schema\": \"gridcast.workload/1\", \"gpu\": {\"schema\": \"gridcast.gpu/1\", \"name\": \"test\","
             " \"cc\": \"6.2\", \"sms\": 1, \"handover_ns\": %d, \"connections\": 8, \"copy_duplex_percent\": 100,"
             " \"sources\": [{\"fields\": \"handover_ns\", \"text\": \"%s\"}, {\"fields\": \"noise_ns stream_gap_ns"
             " switch_ns turn_ns look_step_ns connections\", \"text\": \"counted by hand\"}]}, \"tasks\": [{\"name\":"
             " \"a\", \"stream\": 1, \"period_ns\": 100000000, \"deadline_ns\": %d, \"ops\": [{\"kind\": \"kernel\","
             " \"label\": \"A\", \"grid\": 4, \"block\": 1024, \"duration_ns\": 3000}]}]}",
             handover_ns, source, deadline_ns);
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
    return w;
}

static gcast_answer *answer_of(const gcast_workload *w, gcast_method method)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_error err;
    gcast_analysis *a;
    gcast_answer *answer;
    options.launch_max_ns = 0;
    assert_ok(gcast_workload_analyze(w, NULL, method, &options, &a, &err), &err);
    assert_ok(gcast_answer_create(w, w->gpu, &a, 1, &answer, &err), &err);
    assert_ok(gcast_answer_move_assumed(answer, &options, &err), &err);
    return answer;
}

static void origins_of_fields(void **state)
{
    (void)state;
    static const struct {
        const char *gpu, *field;
        gcast_origin origin;
    } cases[] = {
        {"tx2", "sms", GCAST_ORIGIN_SOURCE},
        {"tx2", "connections", GCAST_ORIGIN_ASSUMED},
        {"tx2", "stream_gap_ns", GCAST_ORIGIN_NOT_KNOWN}, /* "not measured" */
        {"tx2", "switch_ns", GCAST_ORIGIN_NOT_KNOWN},     /* no source, and left at 0 */
        {"tx2", "threads_per_sm", GCAST_ORIGIN_CC},
        {"tx2", "placement", GCAST_ORIGIN_ASSUMED},
        {"h100", "stream_gap_ns", GCAST_ORIGIN_ASSUMED},
        {"h200", "stream_gap_ns", GCAST_ORIGIN_SOURCE},
        {"sms:2 cc:6.2", "stream_gap_ns", GCAST_ORIGIN_GIVEN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_gpu *gpu;
        gcast_error err;
        assert_ok(gcast_gpu_load(cases[i].gpu, &gpu, &err), &err);
        assert_int_equal(gcast_gpu_origin(gpu, cases[i].field), cases[i].origin);
        bool assumed = cases[i].origin == GCAST_ORIGIN_ASSUMED || cases[i].origin == GCAST_ORIGIN_NOT_KNOWN;
        assert_int_equal(gcast_gpu_assumes(gpu, cases[i].field), assumed);
        gcast_gpu_free(gpu);
    }
    assert_string_equal(gcast_name(GCAST_NAMES_ORIGIN, GCAST_ORIGIN_NOT_KNOWN), "not known");
    assert_string_equal(gcast_name(GCAST_NAMES_ORIGIN, GCAST_ORIGINS), "?");
}

/* Two waves take 6 us and one hand-over. */
static void limit_of_one_number(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int handover_ns, deadline_ns;
        bool is_listed, matters;
        int64_t limit_min, limit_max; /* of the limit that is found */
    } cases[] = {
        {"measured by hand", 1000, 9000, false, false, 0, 0},
        {"assumed: as others", 1000, 100000, true, false, 10000, 10000},
        {"assumed: as others", 1000, 9000, true, true, 2500, 3000},
        {"not measured", 0, 9000, true, true, 2500, 3000},
        {"not measured", 0, 6050, true, true, 0, 50},
        {"not known", 0, 17000, true, false, 10000, 10000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const gcast_method methods[] = {GCAST_METHOD_BOUND, GCAST_METHOD_EXACT};
        for (size_t k = 0; k < 2; k++) {
            gcast_workload *w = two_blocks(cases[i].source, cases[i].handover_ns, cases[i].deadline_ns);
            gcast_answer *a = answer_of(w, methods[k]);
            assert_int_equal(a->assumed_count, cases[i].is_listed);
            assert_int_equal(a->rests_on_assumed, cases[i].matters);
            assert_int_equal(gcast_answer_verdict(a, &a->responses[0]),
                             cases[i].matters ? GCAST_DEADLINE_MET_IF : GCAST_DEADLINE_MET);
            if (cases[i].is_listed) {
                assert_string_equal(a->assumed[0].field, "handover_ns");
                assert_int_equal(a->assumed[0].value, cases[i].handover_ns);
                assert_int_equal(a->assumed[0].matters, cases[i].matters);
                assert_in_range(a->assumed[0].limit, cases[i].limit_min, cases[i].limit_max);
                assert_false(a->assumed[0].between_open);
            }
            gcast_answer_free(a);
            gcast_workload_free(w);
        }
    }
}

/* A deadline that is not met does not ask for anything. */
static void nothing_where_nothing_is_met(void **state)
{
    (void)state;
    gcast_workload *w = two_blocks("not measured", 0, 5000);
    gcast_answer *a = answer_of(w, GCAST_METHOD_EXACT);
    assert_int_equal(gcast_answer_verdict(a, &a->responses[0]), GCAST_DEADLINE_MISSED);
    assert_int_equal(a->assumed_count, 0);
    assert_false(a->rests_on_assumed);
    gcast_answer_free(a);
    gcast_workload_free(w);
}

/* Of copies in several streams, the one that came first need not be the next where engines have channels. */
static void channels_of_copy_engines(void **state)
{
    (void)state;
    static const char json[] =
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"tasks\": [{\"name\": \"a\", \"stream\": 1, "
        "\"period_ns\": 1000000, \"ops\": [{\"kind\": \"copy\", \"direction\": \"h2d\", \"duration_ns\": 100000}, {"
        "\"kind\": \"copy\", \"direction\": \"h2d\", \"duration_ns\": 100000}, {\"kind\": \"copy\", \"direction\": "
        "\"h2d\", \"duration_ns\": 100000}]}, {\"name\": \"b\", \"stream\": 2, \"period_ns\": 1000000, "
        "\"deadline_ns\": 250000, \"ops\": [{\"kind\": \"copy\", \"direction\": \"h2d\", \"duration_ns\": 100000}]}]}";
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
    gcast_answer *a = answer_of(w, GCAST_METHOD_EXACT);
    assert_false(a->responses[0].rests_on_assumed);
    assert_true(a->responses[3].worst_ns == 200000 && a->responses[3].rests_on_assumed);
    gcast_answer_free(a);
    gcast_workload_free(w);
}

/* Numbers count where the workload has what they are about. */
static void numbers_that_count(void **state)
{
    (void)state;
    static const struct {
        const char *ops, *listed, *not_listed;
    } cases[] = {
        {"{\"kind\": \"kernel\", \"stream\": 1, \"grid\": 1, \"block\": 32, \"duration_ns\": 5}", "switch_ns",
         "turn_ns"},
        {"{\"kind\": \"kernel\", \"stream\": 1, \"grid\": 1, \"block\": 32, \"duration_ns\": 5},"
         "{\"kind\": \"kernel\", \"stream\": 2, \"grid\": 1, \"block\": 32, \"duration_ns\": 5}",
         "connections", "copy_gap_ns"},
        {"{\"kind\": \"copy\", \"direction\": \"h2d\", \"stream\": 1, \"bytes\": 100}", "h2d_bytes_per_s",
         "d2h_bytes_per_s"},
        {"{\"kind\": \"copy\", \"direction\": \"h2d\", \"stream\": 1, \"duration_ns\": 100}", "copy_gap_ns",
         "h2d_bytes_per_s"},
        {"{\"kind\": \"copy\", \"direction\": \"h2d\", \"stream\": 1, \"bytes\": 100}, {\"kind\": \"copy\", "
         "\"direction\": \"d2h\", \"stream\": 1, \"bytes\": 100}",
         "copy_duplex_percent", "copy_channels"},
        {"{\"kind\": \"copy\", \"direction\": \"h2d\", \"stream\": 1, \"bytes\": 100}, {\"kind\": \"memset\", "
         "\"stream\": 2, \"bytes\": 100}",
         "copy_channels", "switch_ns"},
        {"{\"kind\": \"memset\", \"stream\": 1, \"bytes\": 100}", "memset_bytes_per_s", "copy_duplex_percent"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char json[1000];
        gcast_error err;
        gcast_workload *w;
        gcast_assumed found[ASSUMED_MAX];
        bool has_listed = false;
        snprintf(json, sizeof json, "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"ops\": [%s]}",
                 cases[i].ops);
        assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
        size_t count = assumed_parameters(w, w->gpu, found);
        for (size_t k = 0; k < count; k++) {
            has_listed = has_listed || strcmp(found[k].field, cases[i].listed) == 0;
            assert_string_not_equal(found[k].field, cases[i].not_listed);
        }
        assert_true(has_listed);
        gcast_workload_free(w);
    }
}

static void values_that_are_tried(void **state)
{
    (void)state;
    gcast_assumed up = {.field = "stream_gap_ns", .value = 1600, .limit = 1600};
    assert_int_equal(assumed_moved(&up, 10), 16000);
    assert_int_equal(assumed_between(&up, 16000), 5000); /* the geometric mean, 5059, with two digits */
    gcast_assumed zero = {.field = "stream_gap_ns"};
    assert_int_equal(assumed_moved(&zero, 10), 10000);
    assert_int_equal(assumed_between(&zero, 10000), 1000);
    assert_int_equal(assumed_between(&zero, 100), 0); /* nothing more between */
    gcast_assumed down = {.field = "h2d_bytes_per_s", .value = 10000, .limit = 10000, .downward = true};
    assert_int_equal(assumed_moved(&down, 10), 1000);
    assert_int_equal(assumed_between(&down, 1000), 3100);
    gcast_assumed count = {.field = "connections", .value = 8, .limit = 8, .downward = true, .is_count = true};
    assert_int_equal(assumed_between(&count, 1), 2);
    gcast_assumed far = {.field = "noise_ns", .value = 900000000, .limit = 900000000};
    assert_int_equal(assumed_moved(&far, 10), 1000000000); /* the end of its range */
}

/* Of counts all values are tried that differ: 3 streams have kernels. */
static void values_of_counts(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        int64_t value;
        bool downward, all;
        size_t count;
        int64_t first; /* the farthest */
    } cases[] = {
        {"connections", 8, true, true, 2, 1},      {"connections", 8, false, true, 0, 0},
        {"connections", 0, true, true, 2, 1},      {"connections", 1, false, true, 2, 3},
        {"copy_engines", 1, false, true, 2, 3},    {"copy_engines", 3, true, true, 2, 1},
        {"priority_levels", 1, false, true, 5, 6}, {"priority_levels", 64, true, true, 5, 1},
    };
    static const char json[] =
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"streams\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3, "
        "\"priority\": -5}], \"ops\": [{\"kind\": \"kernel\", \"stream\": 1, \"grid\": 1, \"block\": 32, "
        "\"duration_ns\": "
        "5}, {\"kind\": \"kernel\", \"stream\": 2, \"grid\": 1, \"block\": 32, \"duration_ns\": 5}, {\"kind\": "
        "\"kernel\", "
        "\"stream\": 3, \"grid\": 1, \"block\": 32, \"duration_ns\": 5}]}";
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_assumed p = {
            .field = cases[i].field, .value = cases[i].value, .downward = cases[i].downward, .is_count = true};
        int64_t values[ASSUMED_VALUES] = {0};
        bool all;
        assert_int_equal(assumed_values(w, &p, values, &all), cases[i].count);
        assert_int_equal(all, cases[i].all);
        assert_int_equal(values[0], cases[i].first);
    }
    gcast_workload_free(w);
}

static void advice_is_on_a_condition(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int deadline_ns;
        bool conditional;
    } cases[] = {{"measured by hand", 9000, false}, {"not measured", 9000, true}, {"not measured", 100000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_workload *w = two_blocks(cases[i].source, 0, cases[i].deadline_ns);
        gcast_analyze_options options = gcast_analyze_options_default();
        gcast_error err;
        judgement v;
        gcast_advice *advice;
        options.launch_max_ns = 0;
        judge j = judge_by_method(GCAST_METHOD_EXACT, &options);
        assert_ok(judge_ask(&j, w, NULL, &v, &err), &err);
        assert_true(v.known && v.meets);
        assert_int_equal(v.conditional, cases[i].conditional);
        gcast_advise_options asked = gcast_advise_options_default();
        asked.sensitivity = false;
        asked.method = GCAST_METHOD_EXACT;
        asked.analyze = &options;
        assert_ok(gcast_workload_advise(w, NULL, &asked, &advice, &err), &err);
        assert_true(advice->levels->found);
        assert_int_equal(advice->levels->conditional, cases[i].conditional);
        gcast_advice_free(advice);
        options.launch_max_ns = -1; /* as the GPU has it, which was not measured */
        assert_ok(judge_ask(&j, w, NULL, &v, &err), &err);
        assert_true(v.conditional);
        gcast_workload_free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(origins_of_fields),
        cmocka_unit_test(limit_of_one_number),
        cmocka_unit_test(nothing_where_nothing_is_met),
        cmocka_unit_test(numbers_that_count),
        cmocka_unit_test(channels_of_copy_engines),
        cmocka_unit_test(values_that_are_tried),
        cmocka_unit_test(values_of_counts),
        cmocka_unit_test(advice_is_on_a_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
