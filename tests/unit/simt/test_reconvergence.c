/* Where diverged lanes reconverge, whatever the order of the text, and that no
 * lane waits forever for lanes that spin. */
#include <stdio.h>

#include "support/simt_case.h"

#define STORE(x) "mul.wide.u32 %rd50, %r60, 4; add.u64 %rd50, %rd60, %rd50; st.global.u32 [%rd50], " x "; "

/* All 32 lanes store the same; returns how many instructions that took. */
static uint64_t run_all(const char *body, int model, uint32_t want)
{
    uint32_t out[64] = {0};
    simt_case c = simt_case_block(body, model, 32, out);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], want);
    uint64_t n = c.report->counts.instructions;
    simt_case_end(&c);
    return n;
}

static void a_loop_laid_out_backwards(void **state)
{
    (void)state;
    EACH_MODEL(k)
    assert_int_equal(run_all("mov.u32 %r1, 0; bra H;\n"
                             "D: activemask.b32 %r3; " STORE("%r3") "ret;\n"
                                                                    "B: add.u32 %r1, %r1, 1;\n"
                                                                    "H: setp.lt.u32 %p1, %r1, %r60; @%p1 bra B; bra D;",
                             k, UINT32_MAX),
                     5 + 32 + 32 + 31 + 1 + 5);
}

static void ifs_in_ifs(void **state)
{
    (void)state;
    EACH_MODEL(k)
    assert_int_equal(
        run_all("and.b32 %r1, %r60, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra X; bra Y;\n"
                "J: activemask.b32 %r3; " STORE("%r3") "ret;\n"
                                                       "K: add.u32 %r2, %r2, 100; bra J;\n"
                                                       "Y: mov.u32 %r2, 7; bra J;\n"
                                                       "X: and.b32 %r4, %r60, 2; setp.eq.u32 %p2, %r4, 0; @%p2 bra Z;\n"
                                                       "mov.u32 %r2, 1; bra K;\n"
                                                       "Z: mov.u32 %r2, 2; bra K;",
                k, UINT32_MAX),
        3 + 4 + 5 + 2 * 2 + 2 + 3 + 2);
}

/* Lanes from 28 on leave both loops in the second iteration; the others reconverge after the inner one each time. */
static void an_exit_of_two_loops(void **state)
{
    (void)state;
    uint32_t out[64] = {0};
    simt_case c = simt_case_block("mov.u32 %r1, 0; mov.u32 %r5, 0; setp.ge.u32 %p5, %r60, 28;\n"
                                  "A: mov.u32 %r2, 0; add.u32 %r6, %r60, %r1; and.b32 %r6, %r6, 3;\n"
                                  "B: setp.eq.and.u32 %p1, %r1, 1, %p5; @%p1 bra O;\n"
                                  "setp.lt.u32 %p3, %r2, %r6; add.u32 %r2, %r2, 1; @%p3 bra B;\n"
                                  "activemask.b32 %r3; popc.b32 %r3, %r3; add.u32 %r5, %r5, %r3;\n"
                                  "add.u32 %r1, %r1, 1; setp.lt.u32 %p4, %r1, 4; @%p4 bra A;\n"
                                  "O: activemask.b32 %r3; setp.eq.u32 %p6, %r3, -1;\n"
                                  "@%p6 add.u32 %r5, %r5, 1000; " STORE("%r5") "ret;",
                                  0, 32, out);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], 1000 + 32 + (i < 28 ? 3 * 28 : 0));
    simt_case_end(&c);
}

/* Lanes that continue early wait at the end of the iteration, so that the first block of the loop always runs with all
 * lanes that are left. */
static void the_next_iteration(void **state)
{
    (void)state;
    uint32_t out[64] = {0};
    simt_case c = simt_case_block("mov.u32 %r1, 0; mov.u32 %r5, 0; and.b32 %r2, %r60, 1;\n"
                                  "A: activemask.b32 %r3; popc.b32 %r3, %r3; add.u32 %r5, %r5, %r3;\n"
                                  "add.u32 %r1, %r1, 1; and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r2, %r4; @%p1 bra A;\n"
                                  "setp.lt.u32 %p2, %r1, 8; @%p2 bra A;\n" STORE("%r5") "ret;",
                                  0, 32, out);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], 8 * 32 + (i % 2 ? 0 : 16)); /* even lanes run a ninth iteration */
    simt_case_end(&c);
}

static void a_lane_that_exits(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_block("and.b32 %r1, %r60, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra J;\n"
                                      "setp.ne.u32 %p2, %r60, 5; @%p2 bra N; ret;\n"
                                      "N: add.u32 %r2, %r2, 1;\nJ: activemask.b32 %r3; " STORE("%r3") "ret;",
                                      k, 32, out);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(out[i], i == 5 ? 0 : ~(1u << 5));
        simt_case_end(&c);
    }
}

static void a_loop_with_two_entries(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_block("mov.u32 %r1, 0; and.b32 %r2, %r60, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra B;\n"
                                      "A: add.u32 %r1, %r1, 3;\nB: add.u32 %r1, %r1, 1;\n"
                                      "setp.lt.u32 %p2, %r1, %r60; @%p2 bra A;\n" STORE("%r1") "ret;",
                                      k, 32, out);
        for (uint32_t i = 0; i < 32; i++) {
            uint32_t want = i % 2 ? 4 : 1;
            while (want < i)
                want += 4;
            assert_int_equal(out[i], want);
        }
        simt_case_end(&c);
    }
}

/* A loop that reads no memory waits for nobody: lanes that have left it wait for its end. */
static void a_long_loop(void **state)
{
    (void)state;
    EACH_MODEL(k)
    run_all("mov.u32 %r1, 0; setp.eq.u32 %p1, %r60, 9; @!%p1 bra J;\n"
            "L: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 60000; @%p2 bra L;\n"
            "J: activemask.b32 %r3; " STORE("%r3") "ret;",
            k, UINT32_MAX);
}

static const char lock[] = "L: %sld.volatile.global.u32 %%r1, [%%rd60+4]; atom.global.cas.b32 %%r1, [%%rd60], 0, 1;\n"
                           "setp.ne.u32 %%p1, %%r1, 0; @%%p1 bra L;\n"
                           "ld.volatile.global.u32 %%r2, [%%rd60+4]; add.u32 %%r2, %%r2, 1;\n"
                           "st.volatile.global.u32 [%%rd60+4], %%r2; atom.global.exch.b32 %%r3, [%%rd60], 0;\nret;";

/* A group that spins lets others run: at once where nothing changes, later where it counts its iterations. */
static void a_spin_lock(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        uint64_t max_instructions;
    } cases[] = {{"", 2000}, {"add.u32 %r9, %r9, 1; ", 1000000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[600];
        uint32_t out[64] = {0};
        snprintf(body, sizeof body, lock, cases[i].more);
        simt_case c = simt_case_block(body, 0, 32, out);
        assert_int_equal(out[1], 32);
        assert_true(c.report->counts.instructions < cases[i].max_instructions);
        simt_case_end(&c);
    }
}

/* Even lanes ask and wait, odd lanes wait and answer, on two paths of one warp. */
static void paths_that_wait_for_each_other(void **state)
{
    (void)state;
    uint32_t out[64] = {0};
    simt_case c = simt_case_block(
        "and.b32 %r1, %r60, 1; shr.u32 %r2, %r60, 1; mul.wide.u32 %rd1, %r2, 8; add.u64 %rd1, %rd60, %rd1;\n"
        "setp.eq.u32 %p1, %r1, 1; mov.u32 %r3, 1;\n"
        "R: @%p1 bra ODD;\nst.volatile.global.u32 [%rd1], %r3;\n"
        "E: ld.volatile.global.u32 %r4, [%rd1+4]; setp.ne.u32 %p2, %r4, %r3; @%p2 bra E;\nbra J;\n"
        "ODD: ld.volatile.global.u32 %r4, [%rd1]; setp.ne.u32 %p2, %r4, %r3; @%p2 bra ODD;\n"
        "st.volatile.global.u32 [%rd1+4], %r3;\n"
        "J: add.u32 %r3, %r3, 1; setp.le.u32 %p3, %r3, 10; @%p3 bra R;\nret;",
        0, 32, out);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], 10);
    assert_true(c.report->counts.instructions < 500);
    simt_case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_laid_out_backwards),
        cmocka_unit_test(ifs_in_ifs),
        cmocka_unit_test(an_exit_of_two_loops),
        cmocka_unit_test(the_next_iteration),
        cmocka_unit_test(a_lane_that_exits),
        cmocka_unit_test(a_loop_with_two_entries),
        cmocka_unit_test(a_long_loop),
        cmocka_unit_test(a_spin_lock),
        cmocka_unit_test(paths_that_wait_for_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
