/* Memory: every space, vectors and sizes, generic addresses, atomics, counts of
 * accesses, and every access that is an error. */
#include <string.h>

#include "support/simt_case.h"

#define AT "mul.wide.u32 %rd50, %r60, 4; add.u64 %rd50, %rd60, %rd50;"
#define STORE(x) AT "st.global.u32 [%rd50], " x ";"

static void check(const char *before, const char *body, uint32_t threads, uint32_t (*want)(uint32_t))
{
    EACH_MODEL(k)
    {
        uint32_t out[64];
        for (uint32_t i = 0; i < 64; i++)
            out[i] = i * 3;
        simt_case c = simt_case_start(body, simt_models[k], 1, threads);
        c.before = before;
        c.shared = 256;
        simt_case_buffer(&c, out, 64);
        simt_case_ok(&c);
        for (uint32_t i = 0; i < threads; i++)
            assert_int_equal(out[i], want(i));
        simt_case_end(&c);
    }
}

static uint32_t same(uint32_t i)
{
    return i * 3;
}

static uint32_t bytes_of(uint32_t i)
{
    return (uint32_t)((int8_t)(i * 3 + 250) + (uint8_t)(i * 3));
}

static void spaces(void **state)
{
    (void)state;
    static const char vars[] =
        ".shared .align 8 .b8 s[512]; .global .align 4 .u32 g[64]; .extern .shared .align 16 .b8 d[];";
    check(vars,
          AT
          "ld.global.u32 %r1, [%rd50]; mul.lo.u32 %r2, %r60, 4; mov.u32 %r3, s; add.u32 %r3, %r3, %r2; st.shared.u32 "
          "[%r3+4], %r1; ld.shared.u32 %r4, [%r3+4]; mov.u32 %r5, d; add.u32 %r5, %r5, %r2; st.shared.u32 [%r5], "
          "%r4; mov.u64 %rd2, d; cvta.shared.u64 %rd3, %rd2; cvt.u64.u32 %rd4, %r2; add.u64 %rd3, %rd3, %rd4; "
          "ld.u32 %r6, [%rd3]; isspacep.shared %p1, %rd3; mov.u64 %rd5, g; add.u64 %rd5, %rd5, %rd4; @%p1 "
          "st.global.u32 [%rd5], %r6; cvta.global.u64 %rd5, %rd5; ld.u32 %r7, [%rd5];" STORE("%r7") "ret;",
          32, same);
    check(NULL,
          ".local .align 8 .b8 l[16];\n" AT
          "ld.global.u32 %r1, [%rd50]; mov.u64 %rd1, l; cvta.local.u64 %rd2, %rd1; st.local.u32 "
          "[l+8], %r1; ld.u32 %r2, [%rd2+8]; st.u32 [%rd2], %r2; ld.local.u32 %r3, [%rd1];" STORE("%r3") "ret;",
          29, same);
    check(".const .align 4 .u32 t[3] = {1, 2, 3}; .global .u64 p = generic(t);",
          "ld.const.u32 %r1, [t+8]; ld.global.u64 %rd1, [p]; ld.u32 %r2, [%rd1+4]; mul.lo.u32 %r3, %r1, %r60; sub.u32 "
          "%r3, %r3, %r2; add.u32 %r3, %r3, 2;" STORE("%r3") "ret;",
          32, same);
}

static void sizes_and_vectors(void **state)
{
    (void)state;
    check(NULL,
          AT
          "ld.global.u32 %r1, [%rd50]; add.u32 %r2, %r1, 250; st.global.u8 [%rd50+1], %r2; st.global.u8 [%rd50], %r1; "
          "ld.global.s8 %r3, [%rd50+1]; ld.global.u8 %r4, [%rd50]; add.u32 %r3, %r3, %r4;" STORE("%r3") "ret;",
          32, bytes_of);
    check(".shared .align 16 .b8 s[1024];",
          AT
          "ld.global.u32 %r1, [%rd50]; mul.lo.u32 %r2, %r60, 16; mov.u32 %r3, s; add.u32 %r3, %r3, %r2; add.u32 %r4, "
          "%r1, 1; st.shared.v4.u32 [%r3], {%r1, %r4, %r1, %r4}; ld.shared.v2.u64 {%rd1, %rd2}, [%r3]; xor.b64 %rd1, "
          "%rd1, %rd2; cvt.u32.u64 %r5, %rd1; ld.shared.v4.u32 {_, %r6, _, _}, [%r3]; add.u32 %r5, %r5, %r6; sub.u32 "
          "%r5, %r5, 1;" STORE("%r5") "ret;",
          32, same);
}

static void registers_that_are_vectors(void **state)
{
    (void)state;
    check(".shared .align 8 .b8 s[1024];",
          ".reg .v2 .b32 both;\n" AT
          "ld.global.u32 %r1, [%rd50]; mov.b32 both.x, 1; mov.b32 both.y, %r1; mul.lo.u32 %r2, "
          "%r60, 8; mov.u32 %r3, s; add.u32 %r3, %r3, %r2; st.shared.v2.b32 [%r3], both; ld.shared.v2.b32 both, [%r3]; "
          "mul.lo.u32 %r4, both.x, both.y;" STORE("%r4") "ret;",
          32, same);
}

/* The address of a variable may be the first thing that a kernel uses. */
static void an_address_first(void **state)
{
    (void)state;
    simt_case c = {.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.shared .b32 s;\n.entry k()\n{\n"
                          ".reg .b32 %r;\nmov.u32 %r, s;\nst.shared.u32 [%r], 1;\nret;\n}\n",
                   .grid = 1,
                   .block = 1,
                   .options = gcast_simt_options_default()};
    simt_case_ok(&c);
    assert_int_equal(c.report->counts.instructions, 3);
    simt_case_end(&c);
}

static void atomics(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t m[16] = {0, 5, 100, 0xffffffff, 0, 7, 3, 0, 0, 0, 0};
        simt_case c = simt_case_start(
            "atom.global.add.u32 %r1, [%rd60], %r60;\nred.global.max.u32 [%rd60+4], %r60;\nred.global.min.s32 "
            "[%rd60+8], "
            "%r60;\nred.global.and.b32 [%rd60+12], 0xff;\nred.global.or.b32 [%rd60+16], %r60;\nred.global.xor.b32 "
            "[%rd60+20], %r60;\natom.global.inc.u32 %r2, [%rd60+24], 6;\natom.global.exch.b32 %r3, [%rd60+28], %r60;\n"
            "red.global.add.u64 [%rd60+32], 0x100000001;\nred.global.add.f32 [%rd60+40], 0f3F000000;\nret;",
            simt_models[k], 2, 64);
        c.options.cores = 2;
        c.options.profile = true;
        simt_case_buffer(&c, m, 16);
        simt_case_ok(&c);
        assert_int_equal(m[0], 2 * 63 * 32);
        assert_int_equal(m[1], 63);
        assert_int_equal(m[2], 0);
        assert_int_equal(m[3], 255);
        assert_int_equal(m[4], 63);
        assert_int_equal(m[5], 7);
        assert_int_equal(m[6], (3 + 128) % 7);
        assert_int_equal(m[7], 63);
        assert_int_equal(m[8], 128);
        assert_int_equal(m[9], 128);
        assert_int_equal(m[10], 0x42800000); /* 64.0 */
        assert_int_equal(c.report->counts.atomics, 40);
        assert_int_equal(c.report->counts.atomic_rounds, 40 * 32);
        assert_true(c.report->one_by_one);
        simt_case_end(&c);
    }
}

static void reductions_run_on_several_cores(void **state)
{
    (void)state;
    uint32_t m[4] = {0};
    simt_case c = simt_case_start("atom.global.add.u32 %r1, [%rd60], 2;\nret;", GCAST_SIMT_THREADS, 50, 64);
    c.options.cores = 2;
    simt_case_buffer(&c, m, 4);
    simt_case_ok(&c);
    assert_int_equal(m[0], 50 * 64 * 2);
    assert_false(c.report->one_by_one);
    simt_case_end(&c);
}

static uint64_t sectors(const char *body)
{
    static uint32_t out[4096];
    simt_case c = simt_case_start(body, GCAST_SIMT_THREADS, 1, 32);
    c.options.profile = true;
    c.shared = 32768;
    c.before = ".extern .shared .align 16 .b8 d[];";
    simt_case_buffer(&c, out, 4096);
    simt_case_ok(&c);
    uint64_t n = c.report->counts.sectors * 1000 + c.report->counts.shared_wavefronts;
    simt_case_end(&c);
    return n;
}

#define GLOBAL(stride, access) "mul.wide.u32 %rd50, %r60, " stride "; add.u64 %rd50, %rd60, %rd50; " access "; ret;"
#define SHARED(stride, access)                                                                                         \
    "mul.lo.u32 %r1, %r60, " stride "; mov.u32 %r2, d; add.u32 %r1, %r1, %r2; " access "; ret;"

static void coalescing_and_banks(void **state)
{
    (void)state;
    assert_int_equal(sectors(GLOBAL("4", "ld.global.u32 %r1, [%rd50]")), 4000);
    assert_int_equal(sectors(GLOBAL("128", "ld.global.u32 %r1, [%rd50]")), 32000);
    assert_int_equal(sectors(GLOBAL("0", "ld.global.u32 %r1, [%rd50]")), 1000);
    assert_int_equal(sectors(GLOBAL("16", "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd50]")), 16000);
    assert_int_equal(sectors(SHARED("4", "ld.shared.u32 %r3, [%r1]")), 1);
    assert_int_equal(sectors(SHARED("0", "ld.shared.u32 %r3, [%r1]")), 1);
    assert_int_equal(sectors(SHARED("8", "ld.shared.u32 %r3, [%r1]")), 2);
    assert_int_equal(sectors(SHARED("128", "st.shared.u32 [%r1], %r3")), 32);
    assert_int_equal(sectors(SHARED("8", "ld.shared.u64 %rd3, [%r1]")), 2);
    assert_int_equal(sectors(SHARED("16", "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r1]")), 4);
}

/* Accesses of 8 bytes go by half-warps, the first or the second 16 lanes; accesses of 16 bytes by quarter-warps, 8
 * lanes. */
static void halves_and_quarters(void **state)
{
    (void)state;
#define GUARDED(test, access) SHARED("16", "setp." test ";\n@%p1 " access)
#define HALF "ld.shared.u64 %rd3, [%r1]"
#define QUARTER "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r1]"
    assert_int_equal(sectors(SHARED("8", "setp.lt.u32 %p1, %r60, 16;\n@%p1 " HALF)), 1);
    assert_int_equal(sectors(SHARED("8", "setp.ge.u32 %p1, %r60, 16;\n@%p1 " HALF)), 1);
    assert_int_equal(sectors(SHARED("8", HALF)), 2);
    assert_int_equal(sectors(GUARDED("lt.u32 %p1, %r60, 8", QUARTER)), 1);
    assert_int_equal(sectors(GUARDED("ge.u32 %p1, %r60, 24", QUARTER)), 1);
    assert_int_equal(sectors(GUARDED("lt.u32 %p1, %r60, 16", QUARTER)), 2);
    assert_int_equal(sectors(GUARDED("ge.u32 %p1, %r60, 0", QUARTER)), 4);
}

/* Two half-warps are merged where lanes have the address of their neighbour, or of the lane at distance two, as
 * measured on an H200. */
static void broadcasts(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        uint64_t wavefronts;
    } cases[] = {
        {SHARED("0", HALF), 1},
        {"and.b32 %r60, %r60, 1; " SHARED("8", HALF), 1},
        {"shr.u32 %r60, %r60, 1; " SHARED("8", HALF), 1},
        {"shr.u32 %r60, %r60, 2; " SHARED("8", HALF), 1},
        {"shr.u32 %r60, %r60, 4; " SHARED("128", HALF), 2},
        {"shr.u32 %r60, %r60, 3; " SHARED("128", HALF), 4},
        {"and.b32 %r60, %r60, 7; " SHARED("8", HALF), 2},
        {SHARED("16", HALF), 4},
        {SHARED("0", QUARTER), 2},
        {"and.b32 %r60, %r60, 1; " SHARED("16", QUARTER), 2},
        {"shr.u32 %r60, %r60, 1; " SHARED("16", QUARTER), 2},
        {"shr.u32 %r60, %r60, 4; " SHARED("128", QUARTER), 2},
        {"shr.u32 %r60, %r60, 3; " SHARED("128", QUARTER), 4},
        {"and.b32 %r60, %r60, 15; " SHARED("16", QUARTER), 4},
        {"and.b32 %r60, %r60, 3; " SHARED("16", QUARTER), 4},
        {SHARED("32", QUARTER), 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sectors(cases[i].body), cases[i].wavefronts);
}

static void bad_accesses(void **state)
{
    (void)state;
    static const struct {
        const char *body, *part, *mark;
    } bad[] = {
        {GLOBAL("4", "\nld.global.u32 %r1, [%rd50+4]"), "thread (31,0,0) of block (0,0,0) reads 4 bytes at 0x40",
         "ld.global"},
        {GLOBAL("4", "\nst.global.u32 [%rd50+12], 1"), "thread (29,0,0) of block (0,0,0) writes 4 bytes", "st.global"},
        {GLOBAL("4", "\nld.global.u32 %r1, [%rd50+4]"), "0 bytes after the end of b0", "ld.global"},
        {GLOBAL("4", "\nld.global.u64 %rd1, [%rd50]"),
         "thread (1,0,0) of block (0,0,0) reads 8 bytes at 0x4000000004, which is misaligned", "ld.global"},
        {"\nld.global.u32 %r1, [0];\nret;", "near null", "ld.global.u32 %r1, [0]"},
        {"mov.u32 %r1, 0;\nld.shared.u32 %r2, [%r1+16];\nret;", "0 bytes after the end of shared memory", "ld.shared"},
        {".local .b32 l;\nmov.u64 %rd1, l;\nld.local.u32 %r2, [%rd1+64];\nret;", "after the end of local memory",
         "ld.local"},
        {"mov.u64 %rd1, c0;\nst.global.u32 [%rd1], 1;\nret;", "in c0, which is constant", "st.global"},
        {GLOBAL("4", "\nred.global.add.u32 [%rd50+4096], 1"), "writes 4 bytes", "red.global"},
        {"\ntrap;", "traps", "trap"},
        {"\nbar.sync 16;\nret;", "names barrier 16 of 16", "bar.sync"},
        {"\nbar.sync 1, 33;\nret;", "no multiple of 32", "bar.sync"},
        {"\nshfl.sync.idx.b32 %r1, %r60, 0, 31, 0xfffffffe;\nret;", "is not in the member mask", "shfl"},
    };
    EACH_MODEL(k)
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t out[32];
        memset(out, 7, sizeof out);
        simt_case c = simt_case_start(bad[i].body, simt_models[k], 1, 32);
        c.before = ".shared .align 4 .b8 s0[16]; .const .align 4 .b32 c0;";
        c.options.cores = 2;
        simt_case_buffer(&c, out, 32);
        simt_case_fails(&c, bad[i].part, bad[i].mark);
        for (int n = 0; n < 32; n++)
            assert_int_equal(out[n], 0x07070707);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces),
        cmocka_unit_test(sizes_and_vectors),
        cmocka_unit_test(registers_that_are_vectors),
        cmocka_unit_test(an_address_first),
        cmocka_unit_test(atomics),
        cmocka_unit_test(reductions_run_on_several_cores),
        cmocka_unit_test(coalescing_and_banks),
        cmocka_unit_test(halves_and_quarters),
        cmocka_unit_test(broadcasts),
        cmocka_unit_test(bad_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
