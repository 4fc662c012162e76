/* Synchronization of lanes and threads: exchanges within a warp, barriers of a
 * block, and barriers that are never completed. */
#include <stdio.h>
#include <string.h>

#include "support/simt_case.h"

#define STORE(x) "mul.wide.u32 %rd50, %r60, 4; add.u64 %rd50, %rd60, %rd50; st.global.u32 [%rd50], " x ";"

static void exchanges(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_block(
            "mul.lo.u32 %r1, %r60, %r60;\n"
            "shfl.sync.down.b32 %r2|%p1, %r1, 1, 0x1f, -1;\nshfl.sync.up.b32 %r3, %r1, 2, 0, -1;\n"
            "shfl.sync.bfly.b32 %r4, %r1, 5, 0x1f, -1;\nshfl.sync.idx.b32 %r5, %r1, 9, 0x181f, -1;\n"
            "selp.u32 %r6, 1000, 0, %p1;\nadd.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; "
            "add.u32 %r2, %r2, %r6;" STORE("%r2") "ret;",
            k, 32, out);
        for (uint32_t i = 0; i < 32; i++) {
            uint32_t down = i < 31 ? i + 1 : i, up = i >= 2 ? i - 2 : i, idx = (i & 24) | 1;
            uint32_t want = down * down + up * up + (i ^ 5) * (i ^ 5) + idx * idx + (i < 31 ? 1000 : 0);
            assert_int_equal(out[i], want);
        }
        simt_case_end(&c);
        c = simt_case_block(
            "and.b32 %r1, %r60, 3; setp.eq.u32 %p1, %r1, 0; vote.sync.ballot.b32 %r2, %p1, -1;\n"
            "vote.sync.any.pred %p2, %p1, -1; vote.sync.all.pred %p3, %p1, -1; vote.sync.uni.pred %p4, %p1, -1;\n"
            "match.any.sync.b32 %r3, %r1, -1; redux.sync.add.u32 %r4, %r60, -1; redux.sync.max.s32 %r5, %r60, -1;\n"
            "selp.u32 %r6, 1, 0, %p2; selp.u32 %r7, 2, 0, %p3; selp.u32 %r8, 4, 0, %p4; xor.b32 %r2, %r2, %r3; "
            "add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; add.u32 %r2, %r2, %r6; add.u32 %r2, %r2, %r7; "
            "add.u32 %r2, %r2, %r8;" STORE("%r2") "ret;",
            k, 32, out);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(out[i], (0x11111111u ^ (0x11111111u << (i & 3))) + 496 + 31 + 1);
        simt_case_end(&c);
    }
}

/* Since Volta lanes wait for those of their member mask, which arrive by another path. */
static void lanes_wait_for_their_mask(void **state)
{
    (void)state;
    static const char body[] = "setp.lt.u32 %p1, %r60, 16;\nmov.u32 %r1, %r60;\n@%p1 bra A;\n"
                               "add.u32 %r1, %r1, 100;\nadd.u32 %r1, %r1, 100;\nbar.warp.sync -1;\nbra J;\n"
                               "A: add.u32 %r1, %r1, 300;\nbar.warp.sync -1;\n"
                               "J: shfl.sync.bfly.b32 %r2, %r1, 16, 0x1f, -1;\n" STORE("%r2") "ret;";
    uint32_t out[64] = {0};
    simt_case c = simt_case_block(body, 0, 32, out);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], i < 16 ? i + 16 + 200 : i - 16 + 300);
    simt_case_end(&c);
    c = simt_case_start(body, GCAST_SIMT_STACK, 1, 32);
    simt_case_buffer(&c, out, 64);
    simt_case_fails(&c, "member mask 0xffffffff for lanes 0xffff0000, which are on another path", NULL);
    assert_int_equal(c.err.line > 0, 1);
}

static void barriers_order_a_block(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[256] = {0};
        simt_case c = simt_case_start("mul.lo.u32 %r1, %r60, 4; mov.u32 %r2, buf; add.u32 %r1, %r1, %r2; st.shared.u32 "
                                      "[%r1], %r60;\nbar.sync 0;\nxor.b32 %r3, %r60, 127; mul.lo.u32 %r3, %r3, 4; "
                                      "add.u32 %r3, %r3, %r2; ld.shared.u32 %r4, [%r3];\n" STORE("%r4") "ret;",
                                      simt_models[k], 1, 128);
        c.before = ".shared .align 4 .b8 buf[512];";
        c.options.check_races = true;
        simt_case_buffer(&c, out, 256);
        simt_case_ok(&c);
        for (uint32_t i = 0; i < 128; i++)
            assert_int_equal(out[i], i ^ 127);
        assert_int_equal(c.report->races, 0);
        assert_int_equal(c.report->counts.barriers, 4);
        assert_int_equal(c.report->shared_bytes, 512);
        simt_case_end(&c);
    }
}

/* One warp fills, the other empties, with one barrier for each direction. */
static void barriers_by_number(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[128] = {0};
        simt_case c = simt_case_start("setp.ge.u32 %p1, %r60, 32; mov.u32 %r9, 0; mov.u32 %r8, s; mov.u32 %r7, 0;\n"
                                      "@%p1 bra C;\n"
                                      "P: bar.sync 1, 64;\nst.shared.u32 [%r8], %r9;\nbar.arrive 2, 64;\n"
                                      "add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 5;\n@%p2 bra P;\nret;\n"
                                      "C: bar.arrive 1, 64;\nbar.sync 2, 64;\nld.shared.u32 %r6, [%r8];\n"
                                      "mad.lo.u32 %r7, %r7, 10, %r6;\nadd.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 5;\n"
                                      "@%p2 bra C;\n" STORE("%r7") "ret;",
                                      simt_models[k], 1, 64);
        c.before = ".shared .align 4 .b8 s[4];";
        simt_case_buffer(&c, out, 128);
        simt_case_ok(&c);
        assert_int_equal(out[32], 1234);
        assert_int_equal(out[63], 1234);
        simt_case_end(&c);
    }
}

static void barriers_reduce(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[128] = {0};
        simt_case c = simt_case_start("setp.lt.u32 %p1, %r60, 40; barrier.cta.red.popc.aligned.u32 %r1, 1, %p1; "
                                      "bar.red.and.pred %p2, 2, %p1; bar.red.or.pred %p3, 2, 96, %p1; selp.u32 %r2, "
                                      "100, 0, %p2; selp.u32 %r3, 1000, 0, %p3; add.u32 %r1, %r1, %r2; add.u32 %r1, "
                                      "%r1, %r3;\n" STORE("%r1") "ret;",
                                      simt_models[k], 1, 96);
        simt_case_buffer(&c, out, 128);
        simt_case_ok(&c);
        for (uint32_t i = 0; i < 96; i++)
            assert_int_equal(out[i], 1040);
        simt_case_end(&c);
    }
}

/* A barrier does not wait for threads that have exited. */
static void exited_threads_do_not_hold_a_barrier(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        simt_case c =
            simt_case_start("setp.ge.u32 %p1, %r60, 64;\n@%p1 exit;\nbar.sync 0;\nret;", simt_models[k], 1, 128);
        simt_case_ok(&c);
        simt_case_end(&c);
    }
}

static void a_barrier_that_is_never_met(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        simt_case c = simt_case_start("setp.ge.u32 %p1, %r60, 32;\n@%p1 bra B;\nbar.sync 1, 64;\nret;\n"
                                      "B: bar.sync 2, 64;\nret;",
                                      simt_models[k], 1, 64);
        simt_case_fails(&c, "deadlock in warp 0 of block (0,0,0): lanes 0xffffffff wait", "bar.sync 1");
    }
}

static void divergent_member_masks_deadlock(void **state)
{
    (void)state;
    simt_case c = simt_case_start("setp.lt.u32 %p1, %r60, 16;\n@%p1 bra A;\nvote.sync.any.pred %p2, %p1, -1;\nret;\n"
                                  "A: bar.warp.sync -1;\nret;",
                                  GCAST_SIMT_THREADS, 1, 32);
    simt_case_fails(&c, "deadlock", NULL);
    assert_non_null(strstr(c.err.message, "lanes 0x0000ffff wait"));
    assert_non_null(strstr(c.err.message, "lanes 0xffff0000 wait"));
}

/* Of two warps the first issues 3 more instructions in each of 50 iterations; the other waits as long. The order in
 * which the machine runs them does not matter. */
static void waits_at_barriers(void **state)
{
    (void)state;
    static const char *const first[] = {"ge", "lt"};
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < 2; m++) {
            char body[512];
            snprintf(body, sizeof body,
                     "setp.%s.u32 %%p1, %%r60, 32; mov.u32 %%r1, 0;\n@%%p1 bra B;\n"
                     "L: add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p2, %%r1, 50;\n@%%p2 bra L;\nB: bar.sync 0;\n"
                     "bar.sync 0;\nret;",
                     first[k]);
            simt_case c = simt_case_start(body, m ? GCAST_SIMT_STACK : GCAST_SIMT_THREADS, 1, 64);
            simt_case_ok(&c);
            assert_int_equal(c.report->counts.barriers, 4);
            assert_int_equal(c.report->counts.barrier_waits, 150);
            simt_case_end(&c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges),
        cmocka_unit_test(lanes_wait_for_their_mask),
        cmocka_unit_test(barriers_order_a_block),
        cmocka_unit_test(barriers_by_number),
        cmocka_unit_test(barriers_reduce),
        cmocka_unit_test(exited_threads_do_not_hold_a_barrier),
        cmocka_unit_test(a_barrier_that_is_never_met),
        cmocka_unit_test(divergent_member_masks_deadlock),
        cmocka_unit_test(waits_at_barriers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
