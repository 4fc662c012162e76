/* Files of gridcast.job-data/1. */
#include "model/plan/affinity.h"
#include "support/support.h"

#include <string.h>

#define HEAD "{\"schema\": \"gridcast.job-data/1\", \"jobs\": "

static void reads_and_sorts(void **state)
{
    (void)state;
    const char *text = HEAD "[[3, 1, 2], [], [4294967295, 0]]}";
    const uint32_t first[] = {0, 3, 3, 5}, item[] = {1, 2, 3, 0, 4294967295};
    gcast_job_data *d;
    gcast_error err;
    assert_ok(gcast_job_data_read(text, strlen(text), "d.json", &d, &err), &err);
    assert_int_equal(d->jobs, 3);
    assert_memory_equal(d->first, first, sizeof first);
    assert_memory_equal(d->item, item, sizeof item);
    gcast_job_data_free(d);
}

static void jobs_without_data(void **state)
{
    (void)state;
    const char *text = HEAD "[[], []]}";
    gcast_job_data *d;
    gcast_error err;
    gcast_plan *p;
    gcast_plan_options o = gcast_plan_options_default();
    assert_ok(gcast_job_data_read(text, strlen(text), "d.json", &d, &err), &err);
    assert_int_equal(d->first[2], 0);
    o.grid[0] = o.sms = 2;
    o.grid[1] = o.grid[2] = o.workers = 1;
    o.data = d;
    assert_ok(gcast_plan_make(&o, &p, &err), &err);
    assert_int_equal(p->job[0], 0);
    assert_int_equal(p->job[1], 1);
    gcast_plan_free(p);
    gcast_job_data_free(d);
}

static void errors_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *json, *path, *message;
    } cases[] = {
        {"{\"jobs\": []}", "", "schema is missing"},
        {"{\"schema\": \"gridcast.plan/1\"}", "/schema", "must be \"gridcast.job-data/1\""},
        {"{\"schema\": \"gridcast.job-data/1\"}", "", "jobs is missing"},
        {HEAD "[], \"items\": 3}", "/items", "unknown key items"},
        {HEAD "[]}", "/jobs", "must have from 1 to 2147483647 jobs, not 0"},
        {HEAD "{}}", "/jobs", "must be an array"},
        {HEAD "[[1], 2]}", "/jobs/1", "must be an array"},
        {HEAD "[[1], [2, 4294967296]]}", "/jobs/1/1", "must be from 0 to 4294967295"},
        {HEAD "[[1], [-2]]}", "/jobs/1/0", "must not be negative"},
        {HEAD "[[1], [1.5]]}", "/jobs/1/0", "must be a whole number"},
        {HEAD "[[1], [7, 1, 7, 2]]}", "/jobs/1/2", "item 7 is listed twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_job_data *d;
        gcast_error err;
        assert_int_equal(gcast_job_data_read(cases[i].json, strlen(cases[i].json), "d.json", &d, &err), GCAST_INPUT);
        assert_null(d);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.path, cases[i].path);
        assert_string_equal(err.file, "d.json");
        assert_int_equal(gcast_job_data_read(cases[i].json, strlen(cases[i].json), "d.json", &d, NULL), GCAST_INPUT);
    }
}

static void files(void **state)
{
    (void)state;
    gcast_job_data *d;
    gcast_error err;
    assert_ok(gcast_job_data_load(SOURCE_DIR "/fuzz/corpus/job_data/two_groups.json", &d, &err), &err);
    assert_int_equal(d->jobs, 8);
    gcast_job_data_free(d);
    assert_int_equal(gcast_job_data_load("no/such/file", &d, &err), GCAST_INPUT);
    assert_null(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_sorts),
        cmocka_unit_test(jobs_without_data),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
