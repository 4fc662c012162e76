#include "support/support.h"

#include <string.h>

#include "files/unique_names.h"

static void changes_names_given_before(void **state)
{
    (void)state;
    unique_names u = {0};
    assert_string_equal(unique_take(&u, "K"), "K");
    assert_string_equal(unique_take(&u, "K"), "K (2)");
    assert_string_equal(unique_take(&u, "K"), "K (3)");
    assert_string_equal(unique_take(&u, "K (2)"), "K (2) (2)");
    assert_string_equal(unique_take(&u, "K (4)"), "K (4)");
    assert_string_equal(unique_take(&u, "K"), "K (5)");
    assert_string_equal(unique_take(&u, ""), "");
    unique_free(&u);
}

static void many_of_one_name(void **state)
{
    (void)state;
    unique_names u = {0};
    const char *last = NULL;
    for (int i = 0; i < 20000; i++)
        last = unique_take(&u, "K");
    assert_string_equal(last, "K (20000)");
    unique_free(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_names_given_before),
        cmocka_unit_test(many_of_one_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
