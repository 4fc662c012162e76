#include "support/sample_run.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/formats/run_tables.h"
#include "support/builders.h"

static void expect(const gcast_run *run, const gcast_report_options *o, const char *want)
{
    sample_text t = sample_report(run, GCAST_FORMAT_TABLE, o);
    assert_string_equal(t.data, want);
    free(t.data);
}

static void thesis(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    expect(sample_run(s), NULL,
           "op  kind    stream  call (ms)  start (ms)  end (ms)  response (ms)  blocks  SMs\n"
           "K1  kernel       1          0           0         4              4       2    2\n"
           "K2  kernel       2          0           0        10             10       7    2\n"
           "K3  kernel       3          1           4        12             11       2    2\n"
           "K4  kernel       4          2           6        11              9       5    2\n"
           "\n"
           "makespan 12ms from the first start at 0ns, average thread occupancy 90.6 %\n");
    sample_free(s);
}

static void copies_and_skipped(void **state)
{
    (void)state;
    sample *s = sample_create("few", 1);
    sample_copy(s, "in", 3, 0, GCAST_H2D, 1500, 21250);
    int k = sample_kernel(s, "\x1b[31mred", 3, 32, 1, 0);
    sample_op(s, k)->skipped = true;
    gcast_op sync = gcast_op_default(GCAST_KIND_SYNC);
    support_add_op(sample_workload(s), &sync, NULL);
    int hidden = sample_job(s, 0, 0, 0);
    sample_op(s, hidden)->op = 2;
    expect(sample_run(s), NULL,
           "op           kind    stream  call (us)  start (us)  end (us)  response (us)  blocks\n"
           "in           h2d          3       1.50        1.50     21.25          19.75\n"
           "\\x1b[31mred  kernel       3                skipped\n"
           "\n"
           "makespan 19.75us from the first start at 1.5us\n");
    gcast_report_options o = gcast_report_options_default();
    o.color = true;
    expect(sample_run(s), &o,
           "\x1b[1mop           kind    stream  call (us)  start (us)  end (us)  response (us)  blocks\x1b[0m\n"
           "in           h2d          3       1.50        1.50     21.25          19.75\n"
           "\x1b[2m\\x1b[31mred  kernel       3                skipped\x1b[0m\n"
           "\n"
           "makespan 19.75us from the first start at 1.5us\n");
    sample_free(s);
}

static sample *tasks(uint32_t jobs)
{
    sample *s = sample_create("tasks", 1);
    gcast_task camera = {.name = "camera", .period_ns = 10000000, .deadline_ns = 8000000};
    camera.stream = support_get_stream(sample_workload(s), 2, NULL);
    support_add_task(sample_workload(s), &camera, NULL);
    int first = sample_kernel(s, "detect", 2, 512, 1, 0);
    for (uint32_t j = 0; j < jobs; j++) {
        int64_t release = j * 10000000ll;
        int op = j ? sample_job(s, first, j, release) : first;
        sample_times(s, op, release, release + 6000000 + (j % 3) * 1500000);
    }
    return s;
}

static void jobs_one_by_one_where_few(void **state)
{
    (void)state;
    sample *s = tasks(3);
    expect(sample_run(s), NULL,
           "op        kind    stream  call (ms)  start (ms)  end (ms)  response (ms)  blocks\n"
           "detect#0  kernel       2        0.0         0.0       6.0            6.0       1\n"
           "detect#1  kernel       2       10.0        10.0      17.5            7.5       1\n"
           "detect#2  kernel       2       20.0        20.0      29.0            9.0       1\n"
           "\n"
           "task    stream  jobs  deadline (us)  worst (us)  mean (us)  best (us)  late  incomplete\n"
           "camera       2     3           8000        9000       7500       6000     1           0\n"
           "\n"
           "makespan 29ms from the first start at 0ns\n");
    sample_free(s);
}

static void jobs_as_a_summary_where_many(void **state)
{
    (void)state;
    sample *s = tasks(3000);
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_TABLE, NULL);
    assert_non_null(strstr(t.data, "camera       2  3000"));
    assert_null(strstr(t.data, "detect#"));
    assert_true(t.size < 500);
    free(t.data);
    stats_task *stats = stats_tasks(sample_run(s));
    assert_int_equal(stats[0].jobs, 3000);
    assert_int_equal(stats[0].complete, 3000);
    assert_int_equal(stats[0].late_count, 1000);
    assert_int_equal(stats[0].worst, 9000000);
    assert_int_equal(stats[0].best, 6000000);
    assert_in_range(stats[0].mean, 7499000, 7501000);
    free(stats);
    sample_free(s);
}

static void lines_are_even(void **state)
{
    (void)state;
    sample *s = sample_create("wide", 1);
    static char huge[1 << 16];
    memset(huge, 'x', sizeof huge - 1);
    sample_kernel(s, huge, 1, 32, 1, 0);
    sample_kernel(s, "\xe4\xbd\xa0", 1, 32, 1, 0);
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_TABLE, NULL);
    char *first = strchr(t.data, '\n'), *second = strchr(first + 1, '\n');
    assert_int_equal(second - first - 1, first - t.data + 2); /* an ellipsis is three bytes in one column */
    free(t.data);
    sample_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thesis),
        cmocka_unit_test(copies_and_skipped),
        cmocka_unit_test(jobs_one_by_one_where_few),
        cmocka_unit_test(jobs_as_a_summary_where_many),
        cmocka_unit_test(lines_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
