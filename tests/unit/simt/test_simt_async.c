/* cp.async and mbarrier: copies with and without zeros at their end, phases of
 * barriers in shared memory, and their errors. */
#include <string.h>

#include "support/simt_case.h"

static const gcast_simt_model models[] = {GCAST_SIMT_THREADS, GCAST_SIMT_STACK};

#define SHARED ".shared .align 16 .b8 s[512];\n.shared .align 8 .b64 bar[2];\n"
#define ADDRESSES                                                                                                      \
    "mul.wide.u32 %rd1, %r60, 16; add.u64 %rd2, %rd61, %rd1; add.u64 %rd3, %rd60, %rd1;"                               \
    "shl.b32 %r1, %r60, 4; mov.u32 %r2, s; add.u32 %r2, %r2, %r1;"
#define BACK                                                                                                           \
    "cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all;"                                                 \
    "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2]; st.global.v4.u32 [%rd3], {%r4, %r5, %r6, %r7}; ret;"

static simt_case make_case(const char *body, gcast_simt_model model, uint32_t *out, uint32_t *in)
{
    simt_case c = simt_case_start(body, model, 1, 32);
    c.before = SHARED;
    c.options.profile = true;
    c.options.check_races = true;
    simt_case_buffer(&c, out, 128);
    simt_case_buffer(&c, in, 128);
    return c;
}

/* Word k of a thread's four words is copied if the copy is that long; the others are zeros. */
static void copies(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        uint32_t bytes[2]; /* sizes of even and odd threads */
    } cases[] = {
        {ADDRESSES "cp.async.cg.shared.global.L2::128B [%r2], [%rd2], 16;" BACK, {16, 16}},
        {ADDRESSES
         "cp.async.ca.shared::cta.global [%r2+4], [%rd2+4], 4; cp.async.ca.shared.global [%r2], [%rd2], 4;" BACK,
         {8, 8}},
        {ADDRESSES "cp.async.ca.shared.global [%r2], [%rd2], 16, 8;" BACK, {8, 8}},
        {ADDRESSES
         "and.b32 %r3, %r60, 1; setp.eq.u32 %p1, %r3, 1; cp.async.ca.shared.global [%r2], [%rd2], 8, %p1;" BACK,
         {8, 0}},
        {ADDRESSES
         "and.b32 %r3, %r60, 1; mul.lo.u32 %r3, %r3, 12; cp.async.ca.shared.global [%r2], [%rd2], 16, %r3;" BACK,
         {0, 12}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int m = 0; m < 2; m++) {
            uint32_t out[128] = {0}, in[128];
            for (uint32_t i = 0; i < 128; i++)
                in[i] = 1000 + i;
            simt_case c = make_case(cases[k].body, models[m], out, in);
            simt_case_ok(&c);
            for (uint32_t i = 0; i < 128; i++)
                assert_int_equal(out[i], i % 4 * 4 < cases[k].bytes[i / 4 % 2] ? 1000 + i : 0);
            assert_int_equal(c.report->races, 0);
            assert_true(c.report->counts.requests >= 2);
            simt_case_end(&c);
        }
}

/* Threads arrive and wait; then each sees what the others wrote. Twice, by state and by parity. */
static void phases(void **state)
{
    (void)state;
    static const char body[] =
        ADDRESSES "setp.eq.u32 %p1, %r60, 0;\n@%p1 mbarrier.init.shared.b64 [bar], 64;\nbar.sync 0;\n"
                  "st.shared.u32 [%r2], %r60;\nmbarrier.arrive.shared.b64 %rd4, [bar], 2;\n"
                  "mbarrier.pending_count.b64 %r8, %rd4;\n"
                  "W: mbarrier.try_wait.shared::cta.b64 %p2, [bar], %rd4;\n@!%p2 bra W;\n"
                  "mov.u32 %r3, 496; sub.u32 %r3, %r3, %r1; mov.u32 %r9, s; add.u32 %r9, %r9, %r3;\n"
                  "ld.shared.u32 %r4, [%r9];\n"
                  "mbarrier.arrive_drop.release.cta.shared.b64 _, [bar];\nmbarrier.arrive.shared.b64 _, [bar];\n"
                  "V: mbarrier.test_wait.parity.acquire.cta.shared.b64 %p2, [bar], 1;\n@!%p2 bra V;\n"
                  "st.shared.u32 [%r2], 7;\nmbarrier.arrive.shared.b64 %rd5, [bar];\n"
                  "mbarrier.pending_count.b64 %r5, %rd5;\n"
                  "U: mbarrier.test_wait.shared.b64 %p2, [bar], %rd5;\n@!%p2 bra U;\nld.shared.u32 %r6, [%r9];\n"
                  "st.global.v4.u32 [%rd3], {%r4, %r5, %r6, %r8};\nret;";
    for (int m = 0; m < 2; m++) {
        uint32_t out[128] = {0}, in[128] = {0};
        simt_case c = make_case(body, models[m], out, in);
        simt_case_ok(&c);
        for (uint32_t i = 0; i < 32; i++) {
            assert_int_equal(out[4 * i], 31 - i);
            assert_int_equal(out[4 * i + 1], 32 - i); /* each has dropped one of its two arrivals */
            assert_int_equal(out[4 * i + 2], 7);
            assert_int_equal(out[4 * i + 3], 64 - 2 * i);
        }
        assert_int_equal(c.report->races, 0);
        simt_case_end(&c);
    }
}

static void wrong_uses(void **state)
{
    (void)state;
    static const struct {
        const char *body, *part, *mark;
    } cases[] = {
        {ADDRESSES "\ncp.async.ca.shared.global [%r2+8], [%rd2], 16;\nret;", "which is misaligned", "cp.async"},
        {ADDRESSES "\ncp.async.ca.shared.global [%r2], [%rd2+8], 16, 4;\nret;", "which is misaligned", "cp.async"},
        {ADDRESSES "\ncp.async.ca.shared.global [%r2], [%rd2], 8, 12;\nret;", "copies 12 of 8 bytes", "cp.async"},
        {ADDRESSES "\ncp.async.ca.shared.global [%r2], [%rd2+16], 16;\nret;", "0 bytes after the end of b1",
         "cp.async"},
        {"\ncp.async.ca.shared.global [s], [%rd61], 5;\nret;", "copies 4, 8 or 16 bytes", "cp.async"},
        {"\ncp.async.bulk.wait_group 0;\nret;", "instruction cp.async.bulk.wait_group is not supported", "bulk"},
        {"\nmbarrier.arrive.shared.b64 %rd1, [bar];\nret;", "not initialized", "mbarrier"},
        {"\nmbarrier.init.shared.b64 [bar], 0;\nret;", "makes an mbarrier of 0 arrivals", "mbarrier"},
        {"mbarrier.init.shared.b64 [bar], 8;\nmbarrier.arrive.shared.b64 %rd1, [bar], 9;\nret;",
         "arrives 9 times at an mbarrier that waits for 8", "arrive"},
        {"mbarrier.init.shared.b64 [bar], 40;\nbar.sync 0;\nmbarrier.arrive.shared.b64 %rd1, [bar];\n"
         "W: mbarrier.test_wait.shared.b64 %p2, [bar], %rd1;\n@!%p2 bra W;\nret;",
         "deadlock", NULL},
        {"\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;\nret;", "mbarrier with .expect_tx", "expect_tx"},
        {"\nbrkpt;\nret;", "comes to a breakpoint", "brkpt"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int m = 0; m < 2; m++) {
            uint32_t out[128] = {0}, in[128] = {0};
            simt_case c = make_case(cases[k].body, models[m], out, in);
            simt_case_fails(&c, cases[k].part, cases[k].mark);
            simt_case_end(&c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies),
        cmocka_unit_test(phases),
        cmocka_unit_test(wrong_uses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
