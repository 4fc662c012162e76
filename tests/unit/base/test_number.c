/* In a program whose locale has a decimal comma, numbers are read and written with a point. */
#include "support/support.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "files/workload_formats.h"
#include "ptx/module.h"
#include "support/comma_locale.h"
#include "support/ptx.h"

static void prints_points(void **state)
{
    (void)state;
    char got[32];
    assert_int_equal(number_print(got, sizeof got, "%.3f %g", 0.5, 1e-7), 11);
    assert_string_equal(got, "0.500 1e-07");
    assert_int_equal(number_print(got, 4, "%.3f", 0.5), 5);
    assert_string_equal(got, "0.5");
    text t;
    text_open(&t, NULL, NULL);
    text_printf(&t, "%*.1f|%1000.2f", 6, -2.5, 0.25); /* one that fits, and one that does not */
    char *all = text_take(&t, NULL);
    assert_non_null(all);
    assert_memory_equal(all, "  -2.5|", 7);
    assert_string_equal(all + 1007 - 4, "0.25");
    free(all);
}

static void reads_points(void **state)
{
    (void)state;
    char *end;
    const char *given = "1.5x";
    assert_true(number_parse(given, &end) == 1.5);
    assert_ptr_equal(end, given + 3);
    assert_true(number_parse_float("-0.1", &end) == -0.1f);
    assert_int_equal(*end, '\0');
    assert_true(number_parse("2,5", &end) == 2);
    assert_int_equal(*end, ',');
    assert_true(number_parse("nothing", &end) == 0);
    assert_int_equal(*end, 'n');
}

/* The locale of the program and of its threads does not change. */
static void gives_the_locale_back(void **state)
{
    (void)state;
    char got[16];
    locale_t before = uselocale((locale_t)0);
    number_print(got, sizeof got, "%g", 1.5);
    assert_ptr_equal(uselocale((locale_t)0), before);
    snprintf(got, sizeof got, "%.1f", 1.5);
    assert_string_equal(got, "1,5");
}

static void *print_often(void *wrong)
{
    char got[16];
    for (int i = 0; i < 2000; i++) {
        number_print(got, sizeof got, "%.1f", 1.5);
        *(int *)wrong += strcmp(got, "1.5") != 0;
        snprintf(got, sizeof got, "%.1f", 1.5);
        *(int *)wrong += strcmp(got, "1,5") != 0;
    }
    return NULL;
}

static void threads_do_not_meet(void **state)
{
    (void)state;
    pthread_t threads[4];
    int wrong[4] = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, print_often, &wrong[i]), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++)
        assert_int_equal(wrong[i], 0);
}

static void ptx_has_points(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_KERNEL("mov.f64 %rd1, 1.5;"));
    double value;
    memcpy(&value, &support_ptx_instruction(m, 0)->operand[1].bits, sizeof value);
    assert_true(value == 1.5);
    ptx_free(m);
}

static void json_has_points(void **state)
{
    (void)state;
    static const char config[] =
        "{\"name\": \"one\", \"max_iterations\": 1, \"max_time\": 0, \"cuda_device\": 0, \"benchmarks\": "
        "[{\"filename\": "
        "\"./bin/timer_spin.so\", \"thread_count\": 32, \"block_count\": 1, \"data_size\": 0, \"additional_info\": "
        "1000000, \"release_time\": 0.5}]}";
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_examiner(config, sizeof config - 1, "one", NULL, &w, &err), &err);
    assert_int_equal(w->ops[0].release_ns, 500000000);
    gcast_workload_free(w);
}

static int set_comma(void **state)
{
    (void)state;
    const char *name = comma_locale_make();
    if (name && setlocale(LC_NUMERIC, name))
        return 0;
    print_error("no locale with a decimal comma could be had\n");
    return -1;
}

static int end_comma(void **state)
{
    (void)state;
    comma_locale_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_points),         cmocka_unit_test(reads_points),
        cmocka_unit_test(gives_the_locale_back), cmocka_unit_test(threads_do_not_meet),
        cmocka_unit_test(ptx_has_points),        cmocka_unit_test(json_has_points),
    };
    return cmocka_run_group_tests(tests, set_comma, end_comma);
}
