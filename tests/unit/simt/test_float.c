/* Floating point compared with that of this computer in every rounding mode;
 * f16 compared with integers that hold all its sums and products. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simt/float/arithmetic.h"
#include "simt/float/soft.h"
#include "support/float_case.h"
#include "support/support.h"

enum { TRIES = 100000 };

static const struct {
    float_round round;
    int native;
    const char *name;
} roundings[] = {{FLOAT_RN, FE_TONEAREST, "rn"},
                 {FLOAT_RZ, FE_TOWARDZERO, "rz"},
                 {FLOAT_RM, FE_DOWNWARD, "rm"},
                 {FLOAT_RP, FE_UPWARD, "rp"}};

/* Compilers may replace these by code that is correct in one rounding mode only: gcc for x86-64 does so with rint.
 * Pointers that might change make them call the C library itself. */
static float (*volatile call_fmaf)(float, float, float) = fmaf;
static float (*volatile call_sqrtf)(float) = sqrtf;
static double (*volatile call_fma)(double, double, double) = fma;
static double (*volatile call_sqrt)(double) = sqrt;
static double (*volatile call_rint)(double) = rint;

static double f64_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static float f32_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}

/* The result of an operation on this computer, as bits; volatile keeps it between the changes of the rounding mode. */
#define NATIVE(type, of, fma_of, sqrt_of)                                                                              \
    static uint64_t native_##type(const char *op, const uint64_t in[3])                                                \
    {                                                                                                                  \
        volatile type a = of(in[0]), b = of(in[1]), c = of(in[2]), r;                                                  \
        if (!strcmp(op, "add"))                                                                                        \
            r = a + b;                                                                                                 \
        else if (!strcmp(op, "sub"))                                                                                   \
            r = a - b;                                                                                                 \
        else if (!strcmp(op, "mul"))                                                                                   \
            r = a * b;                                                                                                 \
        else if (!strcmp(op, "fma"))                                                                                   \
            r = fma_of(a, b, c);                                                                                       \
        else if (!strcmp(op, "div"))                                                                                   \
            r = a / b;                                                                                                 \
        else                                                                                                           \
            r = sqrt_of(a);                                                                                            \
        uint64_t bits = 0;                                                                                             \
        type result = r;                                                                                               \
        memcpy(&bits, &result, sizeof result);                                                                         \
        return bits;                                                                                                   \
    }
NATIVE(float, f32_of, call_fmaf, call_sqrtf)
NATIVE(double, f64_of, call_fma, call_sqrt)

static void check_native(const float_case *c, int rounding)
{
    uint32_t numbers = 0;
    for (uint64_t i = 0; i < TRIES; i++) {
        uint64_t in[3];
        float_case_inputs(c, i, in);
        const uint64_t simulated = float_case_apply(c, in);
        fesetround(roundings[rounding].native);
        const uint64_t native = c->to == FLOAT_f32 ? native_float(c->opcode, in) : native_double(c->opcode, in);
        fesetround(FE_TONEAREST);
        if (soft_is_nan(c->to, native) ? !soft_is_nan(c->to, simulated) : simulated != native)
            fail_msg("%s %llx %llx %llx: %llx, the machine has %llx", c->name, (unsigned long long)in[0],
                     (unsigned long long)in[1], (unsigned long long)in[2], (unsigned long long)simulated,
                     (unsigned long long)native);
        numbers += !soft_is_nan(c->to, native);
    }
    assert_true(numbers > TRIES / 3);
}

static void test_roundings(void **state)
{
    (void)state;
    static const char *const operations[] = {"add", "sub", "mul", "fma", "div", "sqrt"};
    for (size_t o = 0; o < sizeof operations / sizeof operations[0]; o++)
        for (int r = 0; r < 4; r++)
            for (int wide = 0; wide < 2; wide++) {
                char name[32];
                float_case c;
                snprintf(name, sizeof name, "%s.%s.%s", operations[o], roundings[r].name, wide ? "f64" : "f32");
                assert_true(float_case_parse(name, &c));
                check_native(&c, r);
            }
}

typedef unsigned __int128 uint128;

/* The magnitude of an f16 in units of 2^-24, its smallest number; infinity is 2^16. */
static uint128 f16_units(uint64_t bits)
{
    const uint128 fraction = bits & 0x3ff;
    const int field = (int)(bits >> 10 & 0x1f);
    return field ? (fraction | 0x400) << (field - 1) : fraction;
}

/* The f16 nearest to a magnitude in units of 2^-48, found by search. */
static uint64_t f16_nearest(uint128 magnitude)
{
    uint64_t low = 0, high = 0x7c00;
    while (high - low > 1) {
        const uint64_t middle = (low + high) / 2;
        if (f16_units(middle) << 24 <= magnitude)
            low = middle;
        else
            high = middle;
    }
    const uint128 below = f16_units(low) << 24, above = f16_units(high) << 24;
    if (magnitude >= above)
        return high;
    const uint128 down = magnitude - below, up = above - magnitude;
    return up < down || (up == down && (low & 1)) ? high : low;
}

static void test_f16_fma(void **state)
{
    (void)state;
    float_case c;
    assert_true(float_case_parse("fma.rn.f16", &c));
    uint32_t tried = 0;
    for (uint64_t i = 0; i < 4 * TRIES; i++) {
        uint64_t in[3];
        float_case_inputs(&c, i, in);
        if ((in[0] & 0x7c00) == 0x7c00 || (in[1] & 0x7c00) == 0x7c00 || (in[2] & 0x7c00) == 0x7c00)
            continue;
        const uint128 product = f16_units(in[0]) * f16_units(in[1]), addend = f16_units(in[2]) << 24;
        const uint128 exact =
            ((in[0] ^ in[1]) & 0x8000 ? 0 - product : product) + (in[2] & 0x8000 ? 0 - addend : addend);
        const bool negative = exact >> 127;
        if (exact == 0)
            continue;
        const uint64_t want = (negative ? 0x8000 : 0) | f16_nearest(negative ? 0 - exact : exact);
        assert_int_equal(float_case_apply(&c, in), want);
        tried++;
    }
    assert_true(tried > TRIES);
}

/* Conversions that C has, in every rounding mode. */
static void test_conversions(void **state)
{
    (void)state;
    float_case c;
    assert_true(float_case_parse("cvt.rn.f32.f64", &c));
    for (uint64_t i = 0; i < TRIES; i++)
        for (int r = 0; r < 4; r++) {
            uint64_t in[3];
            float_case_inputs(&c, i, in);
            if (soft_is_nan(FLOAT_f64, in[0]))
                continue;
            fesetround(roundings[r].native);
            volatile double d = f64_of(in[0]);
            volatile float narrow = (float)d, of_s64 = (float)(int64_t)in[0], of_u64 = (float)in[0];
            volatile double integer = call_rint(d), wide = (double)in[0];
            fesetround(FE_TONEAREST);
            const float_mode m = {.round = roundings[r].round},
                             integral = {.round = roundings[r].round, .integral = true};
            assert_true(f32_of(float_convert(FLOAT_f32, FLOAT_f64, in[0], m)) == narrow);
            assert_true(f32_of(float_convert(FLOAT_f32, FLOAT_s64, in[0], m)) == of_s64);
            assert_true(f32_of(float_convert(FLOAT_f32, FLOAT_u64, in[0], m)) == of_u64);
            assert_true(f64_of(float_convert(FLOAT_f64, FLOAT_u64, in[0], m)) == wide);
            assert_true(f64_of(float_convert(FLOAT_f64, FLOAT_f64, in[0], integral)) == integer);
            const int64_t s64 = integer >= 0x1p63 ? INT64_MAX : integer < -0x1p63 ? INT64_MIN : (int64_t)integer;
            const uint64_t u8 = integer <= 0 ? 0 : integer > 255 ? 255 : (uint64_t)integer;
            assert_true((int64_t)float_convert(FLOAT_s64, FLOAT_f64, in[0], m) == s64);
            assert_true(float_convert(FLOAT_u8, FLOAT_f64, in[0], m) == u8);
        }
}

static uint64_t fma_of(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)
{
    return float_fma(t, a, b, c, m);
}

static void test_names_and_halves(void **state)
{
    (void)state;
    assert_int_equal(float_comparison("ltu"), FLOAT_LESS | FLOAT_UNORDERED);
    assert_int_equal(float_comparison("lo"), 0);
    assert_int_equal(float_test("subnormal"), FLOAT_SUBNORMAL);
    assert_int_equal(float_test("zero"), 0);
    /* 2 * 3 + 1 and 1 * 1 + 1 */
    assert_int_equal(float_halves(fma_of, FLOAT_f16, 0x40003c00, 0x42003c00, 0x3c003c00, (float_mode){0}), 0x47004000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roundings),
        cmocka_unit_test(test_f16_fma),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_names_and_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
