/* Policies and plans of kernels in gridcast.workload/1. */
#include "files/workload_formats.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A workload with one kernel of eight blocks; `top` are further keys of the file, `kernel` those of the kernel. */
static gcast_status read_kernel(const char *top, const char *kernel, const char *file, gcast_workload **w,
                                gcast_error *err)
{
    char text[4096];
    int size = snprintf(text, sizeof text,
                        "{\"schema\": \"gridcast.workload/1\", %s \"ops\": [{\"kind\": \"kernel\", \"label\": \"K\", "
                        "\"stream\": 1, \"grid\": 8, \"block\": 64, \"duration_ns\": 9, %s}]}",
                        top, kernel);
    assert_in_range(size, 1, sizeof text - 1);
    return gcast_workload_read_native(text, (size_t)size, file, w, err);
}

static gcast_workload *accept(const char *top, const char *kernel)
{
    gcast_workload *w;
    gcast_error err;
    assert_ok(read_kernel(top, kernel, "t.json", &w, &err), &err);
    return w;
}

static void refuse(const char *top, const char *kernel, const char *path, const char *message)
{
    gcast_workload *w;
    gcast_error err;
    assert_int_equal(read_kernel(top, kernel, "t.json", &w, &err), GCAST_INPUT);
    assert_null(w);
    assert_string_equal(err.message, message);
    assert_string_equal(err.path, path);
    assert_string_equal(err.file, "t.json");
}

/* Queue `sm` of the kernel's plan has the jobs from `first` on. */
static void assert_queue(const gcast_workload *w, uint32_t sm, uint32_t first, uint32_t count, uint32_t workers)
{
    const gcast_plan *p = w->ops[0].plan;
    assert_int_equal(p->first[sm + 1] - p->first[sm], count);
    assert_int_equal(p->workers[sm], workers);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(p->job[p->first[sm] + i], first + i);
}

#define FOUR "\"partition\": {\"sms\": 4},"
#define CENTRIC "\"policy\": \"sm_centric\", "

static void persistent_needs_no_plan(void **state)
{
    (void)state;
    gcast_workload *w = accept("\"gpu\": \"tx2\",", "\"policy\": \"persistent\", \"fill\": 3");
    assert_int_equal(w->ops[0].policy, GCAST_POLICY_PERSISTENT);
    assert_int_equal(w->ops[0].fill, 3);
    assert_int_equal(w->ops[0].plan->mapping, GCAST_MAPPING_PERSISTENT);
    assert_int_equal(w->ops[0].plan->sms, 2);
    assert_queue(w, 0, 0, 8, 0);
    gcast_workload_free(w);
    w = accept("", "\"policy\": \"persistent\", \"plan\": {\"sms\": 7, \"mapping\": \"persistent\"}");
    assert_int_equal(w->ops[0].plan->sms, 7);
    gcast_workload_free(w);
    refuse("", "\"policy\": \"persistent\"", "/ops/0", "the file names no GPU, so the plan needs sms");
    refuse("", "\"policy\": \"persistent\", \"plan\": {}", "/ops/0/plan",
           "the file names no GPU, so the plan needs sms");
    refuse(FOUR, "\"policy\": \"persistent\", \"plan\": {\"on\": [1]}", "/ops/0/plan/on",
           "a plan of the policy persistent has no on");
}

static void plans_are_made_from_options(void **state)
{
    (void)state;
    gcast_workload *w = accept("\"gpu\": \"h200\", " FOUR, CENTRIC "\"plan\": {}");
    assert_int_equal(w->ops[0].plan->sms, 4);
    assert_int_equal(w->ops[0].plan->mapping, GCAST_MAPPING_SEGMENTS);
    assert_queue(w, 3, 6, 2, 1);
    gcast_workload_free(w);
    w = accept(FOUR, CENTRIC "\"plan\": {\"on\": [3, [0, 1]], \"weights\": [2, 1, 1], \"workers\": 5, \"sms\": 6, "
                             "\"mapping\": \"queues\"}");
    assert_int_equal(w->ops[0].plan->sms, 6);
    assert_int_equal(w->ops[0].plan->mapping, GCAST_MAPPING_QUEUES);
    assert_queue(w, 3, 0, 4, 5);
    assert_queue(w, 0, 4, 2, 5);
    assert_queue(w, 1, 6, 2, 5);
    assert_queue(w, 2, 0, 0, 0);
    gcast_workload_free(w);
    w = accept(FOUR, CENTRIC "\"plan\": {\"steal\": true}");
    assert_int_equal(w->ops[0].plan->mapping, GCAST_MAPPING_QUEUES);
    assert_true(w->ops[0].plan->steal);
    gcast_workload_free(w);
}

static void complete_plans_are_read(void **state)
{
    (void)state;
    gcast_workload *w =
        accept("", CENTRIC "\"plan\": {\"schema\": \"gridcast.plan/1\", \"grid\": 8, \"sms\": 2, "
                           "\"mapping\": \"one-job\", \"workers\": 4, \"queues\": [[[4, 7]], [[0, 3]]]}");
    assert_queue(w, 0, 4, 4, 4);
    assert_queue(w, 1, 0, 4, 4);
    gcast_workload_free(w);
}

#define PLAN(grid, rest) CENTRIC "\"plan\": {\"schema\": \"gridcast.plan/1\", \"grid\": " grid ", \"sms\": 2, " rest "}"

static void errors_in_plans_have_paths(void **state)
{
    (void)state;
    refuse("", PLAN("7", "\"mapping\": \"queues\", \"workers\": 1, \"queues\": [[[0, 6]], []]"), "/ops/0/plan/grid",
           "the plan is for a grid of 7 x 1 x 1, the kernel has 8 x 1 x 1");
    refuse("", PLAN("8", "\"mapping\": \"queues\", \"workers\": 1, \"queues\": [[[0, 5]], []]"), "/ops/0/plan/queues",
           "job 6 is missing");
    refuse("", PLAN("8", "\"mapping\": \"queues\", \"workers\": 1, \"queues\": [[[0, 5]], [[5, 7]]]"),
           "/ops/0/plan/queues/1/0", "job 5 is listed twice, first in /ops/0/plan/queues/0/0");
    refuse("", PLAN("8", "\"mapping\": \"one-job\", \"workers\": 4, \"queues\": [[[0, 4]], [[5, 7]]]"),
           "/ops/0/plan/queues/0", "SM 0 has 5 jobs: with the mapping one-job, 4 workers take 4");
    refuse("", PLAN("8", "\"mapping\": \"persistent\", \"queues\": [[[0, 7]]]"), "/ops/0/plan/mapping",
           "the mapping persistent does not go with the policy sm_centric");
    refuse("", PLAN("8", "\"mapping\": \"queues\", \"wrokers\": 4, \"queues\": []"), "/ops/0/plan/wrokers",
           "unknown key wrokers");
}

static void errors_in_options_have_paths(void **state)
{
    (void)state;
    refuse(FOUR, "\"policy\": \"gpu\"", "/ops/0/policy", "must be hardware, persistent or sm_centric");
    refuse(FOUR, "\"plan\": {}", "/ops/0/plan", "a plan needs the policy persistent or sm_centric");
    refuse(FOUR, "\"policy\": \"hardware\", \"fill\": 1", "/ops/0/fill",
           "fill needs the policy persistent or sm_centric");
    refuse(FOUR, "\"policy\": \"sm_centric\"", "/ops/0", "a kernel with the policy sm_centric needs a plan");
    refuse(FOUR, CENTRIC "\"plan\": {}, \"fill\": 2049", "/ops/0/fill", "must be from 0 to 2048");
    refuse(FOUR, CENTRIC "\"plan\": 1", "/ops/0/plan", "must be an object, or the path of a plan");
    refuse(FOUR, CENTRIC "\"plan\": {}, \"allowed_sms\": [0]", "/ops/0/allowed_sms",
           "SM 1, which has jobs in the plan, is missing");
    refuse(FOUR, CENTRIC "\"plan\": {\"on\": [0, 1, 4]}", "/ops/0/plan/on/2", "there is no SM 4: the GPU has 0 to 3");
    refuse(FOUR, CENTRIC "\"plan\": {\"on\": [0, [1, 4]]}", "/ops/0/plan/on/1/1",
           "there is no SM 4: the GPU has 0 to 3");
    refuse(FOUR, CENTRIC "\"plan\": {\"on\": [2, [1, 3]]}", "/ops/0/plan/on/1", "SM 2 is listed twice");
    refuse(FOUR, CENTRIC "\"plan\": {\"on\": [[3, 1]]}", "/ops/0/plan/on/0", "from SM 3 to SM 1 is not ascending");
    refuse(FOUR, CENTRIC "\"plan\": {\"on\": [[1, 2, 3]]}", "/ops/0/plan/on/0", "must be an SM, or [from, to]");
    refuse(FOUR, CENTRIC "\"plan\": {\"on\": []}", "/ops/0/plan/on", "must name at least one SM");
    refuse(FOUR, CENTRIC "\"plan\": {\"on\": [1], \"weights\": [1, 2]}", "/ops/0/plan/weights",
           "must have a number for each of the 1 SMs, not 2");
    refuse(FOUR, CENTRIC "\"plan\": {\"weights\": [1, 2, -3, 4]}", "/ops/0/plan/weights/2", "must not be negative");
    refuse(FOUR, CENTRIC "\"plan\": {\"weights\": [0, 0, 0, 0]}", "/ops/0/plan",
           "all 4 weights are 0: no SM gets jobs");
    refuse(FOUR, CENTRIC "\"plan\": {\"mapping\": \"one-job\"}", "/ops/0/plan",
           "8 jobs do not fit: with the mapping one-job, 4 SMs of 1 workers take 4");
    refuse(FOUR, CENTRIC "\"plan\": {\"mapping\": \"segments\", \"steal\": true}", "/ops/0/plan",
           "workers steal with the mapping queues, not with segments");
    refuse(FOUR, CENTRIC "\"plan\": {\"mapping\": \"persistent\"}", "/ops/0/plan/mapping",
           "the mapping persistent does not go with the policy sm_centric");
    refuse(FOUR, CENTRIC "\"plan\": {\"workers\": 0}", "/ops/0/plan/workers", "must be from 1 to 524287");
    refuse(FOUR, CENTRIC "\"plan\": {\"sms\": 0}", "/ops/0/plan/sms", "must be from 1 to 4096");
    refuse(FOUR, CENTRIC "\"plan\": {\"grid\": 8}", "/ops/0/plan/grid", "unknown key grid");
}

static void only_kernels_have_policies(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_error err;
    const char *text = "{\"schema\": \"gridcast.workload/1\", \"ops\": [{\"kind\": \"copy\", \"stream\": 1, "
                       "\"direction\": \"h2d\", \"bytes\": 4, \"policy\": \"hardware\"}]}";
    assert_int_equal(gcast_workload_read_native(text, strlen(text), "t.json", &w, &err), GCAST_INPUT);
    assert_string_equal(err.message, "a copy has no policy");
    assert_string_equal(err.path, "/ops/0/policy");
}

/* A few bytes must not ask for gigabytes. */
static void jobs_of_all_plans_are_limited(void **state)
{
    (void)state;
    char text[2048];
    gcast_workload *w;
    gcast_error err;
    int size = 0;
    size +=
        snprintf(text, sizeof text, "{\"schema\": \"gridcast.workload/1\", \"partition\": {\"sms\": 4}, \"ops\": [");
    for (int i = 0; i < 2; i++)
        size += snprintf(text + size, sizeof text - (size_t)size,
                         "%s{\"kind\": \"kernel\", \"stream\": 1, \"grid\": %d, \"block\": 1, \"duration_ns\": 1, "
                         "\"policy\": \"persistent\"}",
                         i ? ", " : "", i ? 16777212 : 5);
    size += snprintf(text + size, sizeof text - (size_t)size, "]}");
    assert_int_equal(gcast_workload_read_native(text, (size_t)size, "t.json", &w, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the plans of a file have at most 16777216 jobs in all");
    assert_string_equal(err.path, "/ops/1/grid");
}

static void save(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static void plans_are_found_beside_the_workload(void **state)
{
    (void)state;
    char folder[] = "/tmp/gridcast-policy-XXXXXX", plan[64], file[64], kernel[128];
    gcast_workload *w;
    gcast_error err;
    assert_non_null(mkdtemp(folder));
    snprintf(plan, sizeof plan, "%s/plan.json", folder);
    snprintf(file, sizeof file, "%s/w.json", folder);
    save(plan, "{\"schema\": \"gridcast.plan/1\", \"grid\": 8, \"sms\": 1, \"mapping\": \"queues\", \"workers\": 2, "
               "\"queues\": [[[0, 7]]]}");
    assert_ok(read_kernel("", CENTRIC "\"plan\": \"plan.json\"", file, &w, &err), &err);
    assert_queue(w, 0, 0, 8, 2);
    gcast_workload_free(w);
    snprintf(kernel, sizeof kernel, CENTRIC "\"plan\": \"%s\"", plan);
    assert_ok(read_kernel("", kernel, "t.json", &w, &err), &err);
    gcast_workload_free(w);
    save(plan, "{\"schema\": \"gridcast.plan/1\", \"grid\": 8, \"sms\": 1, \"mapping\": \"queues\", \"workers\": 2, "
               "\"queues\": [[[0, 6]]]}");
    assert_int_equal(read_kernel("", CENTRIC "\"plan\": \"plan.json\"", file, &w, &err), GCAST_INPUT);
    assert_string_equal(err.message, "plan.json: job 7 is missing, at /queues");
    assert_string_equal(err.path, "/ops/0/plan");
    assert_string_equal(err.file, file);
    save(plan, "{\n  \"schema\"}");
    assert_int_equal(read_kernel("", CENTRIC "\"plan\": \"plan.json\"", file, &w, &err), GCAST_INPUT);
    assert_ptr_equal(strstr(err.message, "plan.json:2:"), err.message);
    unlink(plan);
    assert_int_equal(read_kernel("", CENTRIC "\"plan\": \"plan.json\"", file, &w, &err), GCAST_INPUT);
    assert_string_equal(err.message, "plan.json: No such file or directory");
    rmdir(folder);
    refuse("", CENTRIC "\"plan\": \"\"", "/ops/0/plan", "must not be empty");
    refuse("", CENTRIC "\"plan\": \"-\"", "/ops/0/plan", "-: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(persistent_needs_no_plan),      cmocka_unit_test(plans_are_made_from_options),
        cmocka_unit_test(complete_plans_are_read),       cmocka_unit_test(errors_in_plans_have_paths),
        cmocka_unit_test(errors_in_options_have_paths),  cmocka_unit_test(only_kernels_have_policies),
        cmocka_unit_test(jobs_of_all_plans_are_limited), cmocka_unit_test(plans_are_found_beside_the_workload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
