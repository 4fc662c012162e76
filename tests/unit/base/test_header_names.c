/* The headers leave names of the program alone. */
#define X 42
#include <gridcast/gridcast.h>

#include "gridcast/names.h"
#include "support/support.h"

static void stay(void **state)
{
    (void)state;
    assert_int_equal(X, 42);
    assert_string_equal(gcast_text(GCAST_NAMES_STATUS, GCAST_OK), "done");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
