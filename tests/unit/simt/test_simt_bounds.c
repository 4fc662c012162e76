/* How far apart buffers and variables are: what a wrong index reaches. */
#include <stdio.h>

#include "support/simt_case.h"

/* A wrong 32-bit index, times the size of an element, reaches no other buffer or variable, forwards or backwards; and
 * the nearest one is named. */
static void wild_indices(void **state)
{
    (void)state;
    static const struct {
        const char *address, *part;
    } cases[] = {
        {"add.u64 %rd1, %rd60, 128;", "0 bytes after the end of b0"},
        {"add.u64 %rd1, %rd60, 2097152;", "2097024 bytes after the end of b0"},
        {"add.u64 %rd1, %rd61, -4;", "4 bytes before the start of b1"},
        {"add.u64 %rd1, %rd60, -4;", "4 bytes before the start of b0"},
        {"mul.wide.u32 %rd1, %r62, 8; add.u64 %rd1, %rd1, %rd60;", "34359738232 bytes after the end of b0"},
        {"mul.wide.u32 %rd1, %r62, 16; sub.u64 %rd1, %rd61, %rd1;", "68719476720 bytes before the start of b1"},
        {"mul.wide.u32 %rd1, %r62, 32; add.u64 %rd1, %rd1, %rd61;", "137438953312 bytes after the end of b1"},
        {"mov.u64 %rd1, v; mul.wide.u32 %rd2, %r62, 16; add.u64 %rd1, %rd1, %rd2;",
         "68719476656 bytes after the end of v"},
        {"mov.u64 %rd1, 0x123456780;", "where nothing is"},
        {"mov.u64 %rd1, 0x7fffffffffffff00;", "where nothing is"},
        {"mov.u64 %rd1, 64;", "near null"},
    };
    char body[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t b0[32] = {0}, b1[32] = {0};
        snprintf(body, sizeof body, "mov.u32 %%r62, -1;\n%s\nld.global.u32 %%r1, [%%rd1];\nret;", cases[i].address);
        simt_case c = simt_case_start(body, GCAST_SIMT_THREADS, 1, 1);
        c.before = ".global .align 4 .b8 v[64]; .global .align 4 .b8 w[64];";
        simt_case_buffer(&c, b0, 32);
        simt_case_buffer(&c, b1, 32);
        simt_case_fails(&c, cases[i].part, "ld.global");
    }
}

/* Where a kernel cuts addresses to 32 bits, those of different buffers still differ. */
static void low_halves_differ(void **state)
{
    (void)state;
    uint32_t b0[32] = {0}, b1[32] = {0};
    simt_case c = simt_case_start("cvt.u32.u64 %r1, %rd60; cvt.u32.u64 %r2, %rd61; sub.u32 %r3, %r2, %r1;"
                                  "st.global.u32 [%rd60], %r3; ret;",
                                  GCAST_SIMT_THREADS, 1, 1);
    simt_case_buffer(&c, b0, 32);
    simt_case_buffer(&c, b1, 32);
    simt_case_ok(&c);
    assert_int_equal(b0[0], 2 << 20);
    simt_case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wild_indices),
        cmocka_unit_test(low_halves_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
