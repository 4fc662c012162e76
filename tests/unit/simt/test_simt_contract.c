/* What a launch computes where ptxas makes one fma of a product and a sum, and
 * what it computes without. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/float/approx.h"
#include "simt/float/arithmetic.h"
#include "support/simt_case.h"

static uint32_t bits(float f)
{
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

static float value(uint32_t b)
{
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

/* The first words of the buffer are values for which one rounding and two roundings give different results, with any
 * signs; the kernel writes from word 16 on. */
static void fill(uint32_t words[64])
{
    static const float values[] = {0x1.ceae7ep+0f, 0x1.2aba28p+0f, 0x1.418ae2p+1f, 0x1.2a4aecp+0f, 0x1.0184fcp+0f};
    for (int i = 0; i < 64; i++)
        words[i] = i < 5 ? bits(values[i]) : 0;
}

#define LOADS                                                                                                          \
    "ld.global.f32 %f0, [%rd60]; ld.global.f32 %f1, [%rd60+4]; ld.global.f32 %f2, [%rd60+8];"                          \
    "ld.global.f32 %f3, [%rd60+12]; ld.global.f32 %f4, [%rd60+16];"

/* Runs it with one thread; *sums is how many sums ran as one fma, or would have. */
static void run(const char *body, gcast_simt_contract contract, uint32_t words[64], uint32_t *sums)
{
    fill(words);
    simt_case c = simt_case_start(body, GCAST_SIMT_THREADS, 1, 1);
    c.options.contract = contract;
    simt_case_buffer(&c, words, 64);
    simt_case_ok(&c);
    *sums = c.report->contracted;
    simt_case_end(&c);
}

/* Checks the result in word 16: one value with contraction, another without. */
static void assert_result(const char *body, float fused, float apart)
{
    uint32_t words[64], sums;
    assert_true(bits(fused) != bits(apart)); /* else the test shows nothing */
    run(body, GCAST_SIMT_CONTRACT_PTXAS, words, &sums);
    assert_int_equal(sums, 1);
    assert_int_equal(words[16], bits(fused));
    run(body, GCAST_SIMT_CONTRACT_OFF, words, &sums);
    assert_int_equal(sums, 1);
    assert_int_equal(words[16], bits(apart));
}

static float input_value(int i)
{
    uint32_t words[64];
    fill(words);
    return value(words[i]);
}

static void each_sign(void **state)
{
    (void)state;
    float a = input_value(0), b = input_value(1), c = input_value(2);
    volatile float p = a * b;
    assert_result(LOADS "mul.f32 %f5, %f0, %f1; add.f32 %f6, %f5, %f2; st.global.f32 [%rd60+64], %f6;", fmaf(a, b, c),
                  p + c);
    assert_result(LOADS "mul.f32 %f5, %f0, %f1; sub.f32 %f6, %f2, %f5; st.global.f32 [%rd60+64], %f6;", fmaf(-a, b, c),
                  c - p);
    assert_result(LOADS "mul.f32 %f5, %f0, %f1; sub.f32 %f6, %f5, %f2; st.global.f32 [%rd60+64], %f6;", fmaf(a, b, -c),
                  p - c);
    assert_result(LOADS
                  "mul.f32 %f5, %f0, %f1; neg.f32 %f7, %f5; sub.f32 %f6, %f7, %f2; st.global.f32 [%rd60+64], %f6;",
                  fmaf(-a, b, -c), -p - c);
}

static void rounded_products_stay(void **state)
{
    (void)state;
    uint32_t words[64], sums;
    volatile float p = input_value(0) * input_value(1);
    run(LOADS "mul.rn.f32 %f5, %f0, %f1; add.f32 %f6, %f5, %f2; st.global.f32 [%rd60+64], %f6;",
        GCAST_SIMT_CONTRACT_PTXAS, words, &sums);
    assert_int_equal(sums, 0);
    assert_int_equal(words[16], bits(p + input_value(2)));
}

/* The default is what ptxas does. */
static void by_default(void **state)
{
    (void)state;
    uint32_t words[64];
    fill(words);
    simt_case c = simt_case_block(LOADS "mul.f32 %f5, %f0, %f1; sub.f32 %f6, %f2, %f5; st.global.f32 [%rd60+64], %f6;",
                                  0, 1, words);
    assert_int_equal(words[16], bits(fmaf(-input_value(0), input_value(1), input_value(2))));
    simt_case_end(&c);
}

static void a_factor_that_changes(void **state)
{
    (void)state;
    float a = input_value(0), b = input_value(1), c = input_value(2);
    volatile float p = a * b;
    assert_result(LOADS "mul.f32 %f5, %f0, %f1; mov.f32 %f0, %f3; mov.f32 %f1, %f4; add.f32 %f6, %f5, %f2;"
                        "st.global.f32 [%rd60+64], %f6; st.global.f32 [%rd60+68], %f0; st.global.f32 [%rd60+72], %f1;",
                  fmaf(a, b, c), p + c);
    assert_result(LOADS "mul.f32 %f0, %f0, %f1; sub.f32 %f0, %f2, %f0; st.global.f32 [%rd60+64], %f0;", fmaf(-a, b, c),
                  c - p);
}

/* The sum stands before the product in the text, and a factor is written in between. */
static void a_sum_elsewhere(void **state)
{
    (void)state;
    float a = input_value(0), c = input_value(2);
    volatile float p = a * 0.3f;
    assert_result(LOADS
                  "bra B; A: sub.f32 %f6, %f2, %f5; st.global.f32 [%rd60+64], %f6; ret;"
                  "B: mul.f32 %f5, %f0, 0f3E99999A; mov.f32 %f0, %f4; setp.eq.f32 %p1, %f0, %f3; @%p1 bra C; bra A;"
                  "C: ret;",
                  fmaf(-a, 0.3f, c), c - p);
}

/* Lanes whose guard is false keep their value. */
static void a_guarded_sum(void **state)
{
    (void)state;
    uint32_t words[64];
    fill(words);
    simt_case c = simt_case_block(LOADS "mov.f32 %f6, %f3; mul.f32 %f5, %f0, %f1; setp.lt.u32 %p1, %r60, 7;"
                                        "@%p1 add.f32 %f6, %f5, %f2; mul.wide.u32 %rd1, %r60, 4;"
                                        "add.u64 %rd1, %rd1, %rd60; st.global.f32 [%rd1+64], %f6;",
                                  0, 12, words);
    for (int i = 0; i < 12; i++)
        assert_int_equal(words[16 + i],
                         bits(i < 7 ? fmaf(input_value(0), input_value(1), input_value(2)) : input_value(3)));
    assert_int_equal(c.report->contracted, 1);
    simt_case_end(&c);
}

/* Only sums that ran are counted. */
static void sums_that_did_not_run(void **state)
{
    (void)state;
    uint32_t words[64], sums;
    run(LOADS "setp.ne.u32 %p1, %r60, 0; @!%p1 bra E; mul.f32 %f5, %f0, %f1; add.f32 %f6, %f5, %f2;"
              "st.global.f32 [%rd60+64], %f6; E: ret;",
        GCAST_SIMT_CONTRACT_PTXAS, words, &sums);
    assert_int_equal(sums, 0);
}

static void flushed_and_saturated(void **state)
{
    (void)state;
    uint32_t words[64], sums;
    float_mode ftz = {.ftz = true}, sat = {.sat = true};
    run(LOADS "mul.f32 %f0, %f0, 0f00800000; mul.ftz.f32 %f5, %f0, %f1; mul.rn.f32 %f2, %f2, 0f00C00000;"
              "sub.ftz.f32 %f6, %f2, %f5; st.global.f32 [%rd60+64], %f6; st.global.f32 [%rd60+68], %f0;"
              "st.global.f32 [%rd60+72], %f2;",
        GCAST_SIMT_CONTRACT_PTXAS, words, &sums);
    assert_int_equal(sums, 1);
    assert_int_equal(words[16], float_fma(FLOAT_f32, words[17] ^ 0x80000000, words[1], words[18], ftz));
    run(LOADS "mul.f32 %f5, %f0, %f1; sub.sat.f32 %f6, %f5, %f2; st.global.f32 [%rd60+64], %f6;",
        GCAST_SIMT_CONTRACT_PTXAS, words, &sums);
    assert_int_equal(sums, 1);
    assert_int_equal(words[16], float_fma(FLOAT_f32, words[0], words[1], words[2] ^ 0x80000000, sat));
}

static void doubles(void **state)
{
    (void)state;
    uint32_t words[64], sums;
    double a = input_value(0), b = input_value(1), c = input_value(2), got, want;
    run(LOADS "cvt.f64.f32 %fd0, %f0; cvt.f64.f32 %fd1, %f1; cvt.f64.f32 %fd2, %f2; div.rn.f64 %fd3, %fd0, %fd1;"
              "mul.f64 %fd4, %fd3, %fd1; sub.f64 %fd5, %fd2, %fd4; st.global.f64 [%rd60+64], %fd5;"
              "mul.f64 %fd6, %fd3, %fd2; neg.f64 %fd7, %fd6; sub.f64 %fd8, %fd7, %fd1; st.global.f64 [%rd60+72], %fd8;",
        GCAST_SIMT_CONTRACT_PTXAS, words, &sums);
    assert_int_equal(sums, 2);
    memcpy(&got, words + 16, 8);
    want = fma(-(a / b), b, c);
    assert_memory_equal(&got, &want, 8);
    memcpy(&got, words + 18, 8);
    want = fma(-(a / b), c, -b);
    assert_memory_equal(&got, &want, 8);
}

/* A NaN of doubles keeps its bits, as without contraction. */
static void a_nan_of_doubles(void **state)
{
    (void)state;
    uint32_t words[64], sums;
    uint64_t got;
    run(LOADS "mov.b64 %rd1, 0xFFF8000000001234; mov.b64 %fd0, %rd1; cvt.f64.f32 %fd1, %f1; cvt.f64.f32 %fd2, %f2;"
              "mul.f64 %fd4, %fd0, %fd1; sub.f64 %fd5, %fd2, %fd4; st.global.f64 [%rd60+64], %fd5;",
        GCAST_SIMT_CONTRACT_PTXAS, words, &sums);
    assert_int_equal(sums, 1);
    memcpy(&got, words + 16, 8);
    assert_true(got == UINT64_C(0xFFF8000000001234));
}

/* Both halves of a word, each with one rounding. */
static void pairs_of_halves(void **state)
{
    (void)state;
    static const char *const types[] = {"f16x2", "bf16x2"};
    static const float_type kinds[] = {FLOAT_f16, FLOAT_bf16};
    for (int k = 0; k < 2; k++) {
        uint32_t words[64], sums;
        char body[400];
        snprintf(body, sizeof body,
                 "ld.global.b32 %%r1, [%%rd60]; ld.global.b32 %%r2, [%%rd60+4]; ld.global.b32 %%r3, [%%rd60+8];"
                 "and.b32 %%r1, %%r1, 0x3FFF3FFF; and.b32 %%r2, %%r2, 0x3FFF3FFF; and.b32 %%r3, %%r3, 0x3FFF3FFF;"
                 "mul.%s %%r4, %%r1, %%r2; sub.%s %%r5, %%r3, %%r4; st.global.b32 [%%rd60+64], %%r5;",
                 types[k], types[k]);
        run(body, GCAST_SIMT_CONTRACT_PTXAS, words, &sums);
        assert_int_equal(sums, 1);
        for (int half = 0; half < 2; half++) {
            uint64_t x[3];
            for (int i = 0; i < 3; i++)
                x[i] = (words[i] & 0x3fff3fff) >> 16 * half & 0xffff;
            assert_int_equal(words[16] >> 16 * half & 0xffff,
                             float_fma(kinds[k], x[0] ^ 0x8000, x[1], x[2], (float_mode){0}));
        }
    }
}

/* An approximate quotient is a product with a reciprocal. */
static void quotients(void **state)
{
    (void)state;
    uint32_t words[64], sums;
    uint64_t a, b;
    run(LOADS "div.approx.ftz.f32 %f5, %f0, %f1; sub.ftz.f32 %f6, %f2, %f5; st.global.f32 [%rd60+64], %f6;"
              "div.full.f32 %f7, %f3, %f4; add.f32 %f8, %f7, %f1; st.global.f32 [%rd60+68], %f8;"
              "rcp.approx.f32 %f9, %f3; add.f32 %f10, %f9, %f2; st.global.f32 [%rd60+72], %f10;",
        GCAST_SIMT_CONTRACT_PTXAS, words, &sums);
    assert_int_equal(sums, 3);
    a = words[0], b = words[1];
    float_div_factors(false, &a, &b, true);
    assert_int_equal(words[16], float_fma(FLOAT_f32, a ^ 0x80000000, b, words[2], (float_mode){.ftz = true}));
    a = words[3], b = words[4];
    float_div_factors(true, &a, &b, false);
    assert_int_equal(words[17], float_fma(FLOAT_f32, a, b, words[1], (float_mode){0}));
    a = words[3];
    float_rcp_factors(&a, &b);
    assert_int_equal(words[18], float_fma(FLOAT_f32, a, b, words[2], (float_mode){0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sign),
        cmocka_unit_test(rounded_products_stay),
        cmocka_unit_test(by_default),
        cmocka_unit_test(a_factor_that_changes),
        cmocka_unit_test(a_sum_elsewhere),
        cmocka_unit_test(a_guarded_sum),
        cmocka_unit_test(sums_that_did_not_run),
        cmocka_unit_test(flushed_and_saturated),
        cmocka_unit_test(doubles),
        cmocka_unit_test(a_nan_of_doubles),
        cmocka_unit_test(pairs_of_halves),
        cmocka_unit_test(quotients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
