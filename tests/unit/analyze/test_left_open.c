/* What a workload leaves open: carveouts of kernels, and whether streams wait for the NULL stream. A deadline that is
 * met only as that is assumed is met on a condition. */
#include "analyze/answer.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "analyze/advice/judge.h"
#include "files/workload_formats.h"
#include "model/workload/left_open.h"
#include "support/builders.h"

#define LATE 60 /* a deadline that the small kernel misses behind the long one */

/* A long kernel, and a small one in another stream: `keys` are further ones of it, `shape` of its blocks. */
static gcast_workload *two_kernels_with(const char *cc, int first_stream, const char *streams, const char *shape,
                                        const char *keys, int deadline_ns, const char *registers)
{
    char json[1500];
    snprintf(
        json, sizeof json,
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": {\"schema\": \"gridcast.gpu/1\", \"name\": \"test\", \"cc\": "
        "\"%s\", \"sms\": 1}, %s \"tasks\": [{\"name\": \"a\", \"stream\": %d, \"period_ns\": 1000, \"ops\": [{"
        "\"kind\": \"kernel\", \"label\": \"A\", \"grid\": 1, \"block\": 32%s%s, \"duration_ns\": 500}]}, {\"name\": "
        "\"b\", \"stream\": 1, \"period_ns\": 1000, \"deadline_ns\": %d, \"ops\": [{\"kind\": \"kernel\", \"label\": "
        "\"B\", \"grid\": 1, %s%s%s, \"duration_ns\": 10}]}]}",
        cc, streams, first_stream, keys, registers, deadline_ns, shape, keys, registers);
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
    return w;
}

static gcast_workload *two_kernels(const char *cc, int first_stream, const char *streams, const char *shape,
                                   const char *keys, int deadline_ns)
{
    return two_kernels_with(cc, first_stream, streams, shape, keys, deadline_ns, ", \"registers\": 32");
}

static gcast_answer *answer_of(const gcast_workload *w)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_error err;
    gcast_analysis *a;
    gcast_answer *answer;
    options.launch_max_ns = 0;
    assert_ok(gcast_workload_analyze(w, NULL, GCAST_METHOD_EXACT, &options, &a, &err), &err);
    assert_ok(gcast_answer_create(w, w->gpu, &a, 1, &answer, &err), &err);
    assert_ok(gcast_answer_move_assumed(answer, &options, &err), &err);
    return answer;
}

static void check(gcast_workload *w, bool carveouts, bool blocking)
{
    gcast_answer *a = answer_of(w);
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_error err;
    judgement v;
    assert_int_equal(a->rests_on_carveouts, carveouts);
    assert_int_equal(a->rests_on_blocking, blocking);
    assert_false(a->rests_on_assumed);
    assert_int_equal(gcast_answer_verdict(a, &a->responses[0]), GCAST_DEADLINE_MET);
    assert_int_equal(gcast_answer_verdict(a, &a->responses[1]),
                     carveouts || blocking ? GCAST_DEADLINE_MET_IF : GCAST_DEADLINE_MET);
    options.launch_max_ns = 0;
    judge j = judge_by_method(GCAST_METHOD_EXACT, &options);
    assert_ok(judge_ask(&j, w, NULL, &v, &err), &err);
    assert_true(v.known && v.meets);
    assert_int_equal(v.conditional, carveouts || blocking);
    gcast_answer_free(a);
    gcast_workload_free(w);
}

#define LARGE "\"block\": 1024, \"dynamic_smem\": 49152"

/* With CUDA's default the small block of the long kernel leaves an SM with 8 KiB of shared memory. */
static void carveouts(void **state)
{
    (void)state;
    check(two_kernels("8.6", 2, "", LARGE, "", LATE), true, false);
    check(two_kernels("8.6", 2, "", LARGE, "", 800), false, false); /* met either way */
    check(two_kernels("8.6", 2, "", LARGE, ", \"carveout\": \"most\"", LATE), false, false);
    check(two_kernels("6.2", 2, "", LARGE, "", LATE), false, false); /* it has one size */
    check(two_kernels("8.6", 2, "", "\"block\": 32", "", LATE), false, false);
}

static void blocking(void **state)
{
    (void)state;
    check(two_kernels("6.2", 0, "", "\"block\": 32", "", LATE), false, true);
    check(two_kernels("6.2", 0, "", "\"block\": 32", "", 600), false, false);
    check(two_kernels("6.2", 0, "\"streams\": [{\"id\": 1, \"blocking\": false}],", "\"block\": 32", "", LATE), false,
          false);
    check(two_kernels("6.2", 2, "", "\"block\": 32", "", LATE), false, false);
}

/* Both kernels have these registers, or say nothing of them. Up to `enough` nothing changes; below 0: the verdict does
 * not rest on them. */
static void check_registers(const char *shape, const char *registers, int enough)
{
    gcast_workload *w = two_kernels_with("6.2", 2, "", shape, "", LATE, registers);
    gcast_answer *a = answer_of(w);
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_error err;
    judgement v;
    assert_int_equal(a->rests_on_open, enough >= 0);
    assert_int_equal(a->rests_on_registers, enough >= 0);
    assert_false(a->rests_on_carveouts || a->rests_on_blocking);
    assert_int_equal(gcast_answer_verdict(a, &a->responses[1]),
                     enough >= 0 ? GCAST_DEADLINE_MET_IF : GCAST_DEADLINE_MET);
    if (enough >= 0)
        assert_int_equal(a->open_registers, enough);
    options.launch_max_ns = 0;
    judge j = judge_by_method(GCAST_METHOD_EXACT, &options);
    assert_ok(judge_ask(&j, w, NULL, &v, &err), &err);
    assert_true(v.known && v.meets);
    assert_int_equal(v.conditional, enough >= 0);
    gcast_answer_free(a);
    gcast_workload_free(w);
}

static void registers(void **state)
{
    (void)state;
    check_registers("\"block\": 32", "", 32); /* 65,536 for 2,048 threads */
    check_registers("\"block\": 32, \"dynamic_smem\": 49152", "", 32);
    check_registers("\"block\": 1024", ", \"registers\": 32", -1);
    check_registers("\"block\": 1024", ", \"registers\": 0", -1);
}

static bool may_matter(const char *shape)
{
    gcast_workload *w = two_kernels("8.6", 2, "", shape, "", LATE);
    bool open = workload_leaves_open(w, w->gpu, LEFT_OPEN_CARVEOUTS);
    gcast_workload_free(w);
    return open;
}

/* Sizes do not matter where the smallest is enough for whatever fits on an SM. */
static void sizes_that_are_enough(void **state)
{
    (void)state;
    assert_false(may_matter("\"block\": 32")); /* of one shape */
    assert_false(may_matter("\"block\": 64")); /* 16 blocks of either take 16 KiB, and have them */
    /* an SM that it finds empty gets 8 KiB, and 16 small ones need 16 */
    assert_true(may_matter("\"block\": 1024"));
    assert_true(may_matter(LARGE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(carveouts), cmocka_unit_test(blocking),
                                       cmocka_unit_test(registers), cmocka_unit_test(sizes_that_are_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
