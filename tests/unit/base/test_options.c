/* Options of every size that a caller may have been compiled with, and versions. */
#include "support/support.h"

#include <string.h>

#include "base/api.h"
#include "gridcast/gridcast.h"

/* The options of this library, of an earlier header and of a later one. */
typedef struct known_options {
    size_t size;
    int64_t first, second;
} known_options;

typedef struct earlier_options {
    size_t size;
    int64_t first;
} earlier_options;

typedef struct later_options {
    size_t size;
    int64_t first, second, third;
} later_options;

static gcast_status copy(known_options *own, const void *given, gcast_error *err)
{
    *own = (known_options){sizeof *own, 10, 20};
    return options_copy(own, sizeof *own, given, "known", err);
}

static void nothing_given_leaves_the_defaults(void **state)
{
    (void)state;
    known_options own;
    assert_int_equal(copy(&own, NULL, NULL), GCAST_OK);
    assert_int_equal(own.first, 10);
    assert_int_equal(own.second, 20);
}

static void an_earlier_program_gets_defaults_for_what_it_does_not_know(void **state)
{
    (void)state;
    known_options own;
    assert_int_equal(copy(&own, &(earlier_options){sizeof(earlier_options), 1}, NULL), GCAST_OK);
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(own.first, 1);
    assert_int_equal(own.second, 20);
}

static void a_later_program_may_leave_alone_what_the_library_does_not_know(void **state)
{
    (void)state;
    known_options own;
    gcast_error err;
    assert_int_equal(copy(&own, &(later_options){sizeof(later_options), 1, 2, 0}, &err), GCAST_OK);
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(own.second, 2);
    assert_int_equal(copy(&own, &(later_options){sizeof(later_options), 1, 2, 3}, &err), GCAST_USAGE);
    assert_non_null(strstr(err.message, "later version"));
}

static void options_without_a_size_are_refused(void **state)
{
    (void)state;
    gcast_error err = {0};
    gcast_workload *w = NULL;
    gcast_run *run = NULL;
    gcast_analysis *analysis = NULL;
    static const char text[] = "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"ops\": [{\"kind\": "
                               "\"kernel\", \"stream\": 1, \"grid\": 1, \"block\": 32, \"duration_ns\": 1000}]}";
    assert_ok(gcast_workload_read(text, sizeof text - 1, "text", NULL, &w, &err), &err);
    assert_int_equal(gcast_workload_simulate(w, NULL, &(gcast_simulate_options){0}, &run, &err), GCAST_USAGE);
    assert_non_null(strstr(err.message, "gcast_simulate_options_default()"));
    assert_null(run);
    assert_int_equal(gcast_workload_analyze(w, NULL, GCAST_METHOD_EXACT, &(gcast_analyze_options){0}, &analysis, &err),
                     GCAST_USAGE);
    assert_null(analysis);
    assert_ok(gcast_workload_simulate(w, NULL, NULL, &run, &err), &err);
    gcast_run_free(run);
    gcast_workload_free(w);
}

static void a_program_needs_its_major_version_and_no_older_library(void **state)
{
    (void)state;
    gcast_error err;
    assert_int_equal(gcast_version_number(), GCAST_VERSION_NUMBER);
    assert_string_equal(gcast_version(), GCAST_VERSION);
    assert_ok(GCAST_VERSION_CHECK(&err), &err);
    assert_int_equal(gcast_version_check(GCAST_VERSION_NUMBER + 1, &err), GCAST_USAGE);
    assert_int_equal(gcast_version_check(GCAST_VERSION_NUMBER + 10000, &err), GCAST_USAGE);
    assert_non_null(strstr(err.message, GCAST_VERSION));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_given_leaves_the_defaults),
        cmocka_unit_test(an_earlier_program_gets_defaults_for_what_it_does_not_know),
        cmocka_unit_test(a_later_program_may_leave_alone_what_the_library_does_not_know),
        cmocka_unit_test(options_without_a_size_are_refused),
        cmocka_unit_test(a_program_needs_its_major_version_and_no_older_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
