/* wide.h: quick ways of multiplying and dividing give what the slow ones give, also where 64 or 120 bits end. */
#include "support/support.h"

#include "analyze/bound/wide.h"

#define RUNS 100000

/* Of any number of bits up to `most`, often at an end of them. */
static wide any_number(support_random *r, int most)
{
    int bits = (int)support_between(r, 0, most);
    wide x = (wide)(((unsigned __int128)support_next(r) << 64 | support_next(r)) >> 1);
    wide end = (wide)1 << bits;
    int64_t near = support_between(r, -2, 1);
    return support_between(r, 0, 3) ? x % end : end + near < 0 ? 0 : end + near;
}

static void products(void **state)
{
    (void)state;
    support_random r = {1};
    uint64_t huge = 0, negative = 0;
    for (int run = 0; run < RUNS; run++) {
        wide a = any_number(&r, 119), b = any_number(&r, 119);
        wide want = a && b > WIDE_HUGE / a ? WIDE_HUGE : (wide)((unsigned __int128)a * (unsigned __int128)b);
        assert_true(wide_mul(a, b) == want && wide_mul(b, a) == want);
        huge += want == WIDE_HUGE;
        if (want == WIDE_HUGE)
            continue;
        assert_true(wide_mul(-a, b) == -want && wide_mul(-a, -b) == want);
        negative += want != 0;
    }
    assert_true(huge > RUNS / 10 && negative > RUNS / 10);
}

static void quotients(void **state)
{
    (void)state;
    support_random r = {2};
    uint64_t above = 0;
    for (int run = 0; run < RUNS; run++) {
        wide a = any_number(&r, 119), b = wide_max(any_number(&r, 119), 1);
        assert_true(wide_div(a, b) == a / b);
        assert_true(wide_div_up(a, b) == a / b + (a % b != 0));
        assert_true(wide_div_down(a, b) == a / b);
        assert_true(wide_div_down(-a, b) == -(a / b) - (a % b != 0));
        above += a >> 64 && a / b > 1;
    }
    assert_true(above > RUNS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(quotients)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
