/* Branches and calls: the same values in both models, what each model does with
 * locks, and every deadlock reported with line and masks. */
#include <stdio.h>
#include <string.h>

#include "support/simt_case.h"

#define STORE(x) "mul.wide.u32 %rd50, %r60, 4; add.u64 %rd50, %rd60, %rd50; st.global.u32 [%rd50], " x ";"

static void loops_of_different_length(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_block("mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
                                      "L: setp.gt.u32 %p1, %r2, %r60;\n@%p1 bra D;\n"
                                      "add.u32 %r1, %r1, %r2; add.u32 %r2, %r2, 1;\nbra L;\nD: " STORE("%r1") "ret;",
                                      k, 48, out);
        for (uint32_t i = 0; i < 48; i++)
            assert_int_equal(out[i], i * (i + 1) / 2);
        assert_true(c.report->counts.divergent > 0);
        const gcast_simt_counts *n = &c.report->counts;
        assert_int_equal(n->instructions * 32,
                         n->thread_instructions + n->lost_divergence + n->lost_return + n->lost_block);
        assert_int_equal(c.report->warps, 2);
        simt_case_end(&c);
    }
}

/* Of 24 threads 8 return at once, by an exit of their own or by a jump to the last one, and 4 take another path. */
static void lanes_that_return(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "setp.lt.u32 %p1, %r60, 8;\n@%p1 exit;\nsetp.ge.u32 %p2, %r60, 20;\n@%p2 bra J;\n"
        "add.u32 %r1, %r1, 1;\nadd.u32 %r1, %r1, 1;\nJ: mov.u32 %r2, 0;\nret;",
        "setp.lt.u32 %p1, %r60, 8;\n@%p1 bra E;\nsetp.ge.u32 %p2, %r60, 20;\n@%p2 bra J;\n"
        "add.u32 %r1, %r1, 1;\nadd.u32 %r1, %r1, 1;\nJ: mov.u32 %r2, 0;\nE: ret;",
    };
    EACH_MODEL(k)
    for (int i = 0; i < 2; i++) {
        simt_case c = simt_case_start(bodies[i], simt_models[k], 1, 24);
        c.options.max_masks = 100;
        simt_case_ok(&c);
        const gcast_simt_counts *n = &c.report->counts;
        assert_int_equal(n->instructions, 10);
        assert_int_equal(n->lost_block, 8 * n->instructions);
        assert_int_equal(n->lost_divergence, 4 * 2);
        assert_int_equal(n->lost_return, 8 * (i ? 5 : 6)); /* without an exit of their own they also run the last one */
        assert_int_equal(n->thread_instructions, 10 * 32 - n->lost_block - n->lost_divergence - n->lost_return);
        assert_int_equal(c.report->mask[6].returned, 0xff);
        simt_case_end(&c);
    }
}

/* 140 threads leave 20 lanes of the fifth warp without a thread. */
static void lanes_without_threads(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        simt_case c = simt_case_start("ret;", simt_models[k], 1, 140);
        simt_case_ok(&c);
        assert_int_equal(c.report->counts.instructions, 5 * 3);
        assert_int_equal(c.report->counts.lost_block, 20 * 3);
        assert_int_equal(c.report->counts.thread_instructions, 140 * 3);
        assert_int_equal(c.report->counts.lost_divergence, 0);
        simt_case_end(&c);
    }
}

static void joins_after_a_branch(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_block(
            "and.b32 %r1, %r60, 1; setp.eq.u32 %p1, %r1, 0;\n@%p1 bra E;\nmov.u32 %r2, 7;\nbra J;\n"
            "E: mov.u32 %r2, 9;\nJ: activemask.b32 %r3;\nmul.lo.u32 %r2, %r2, 2;\nxor.b32 %r2, %r2, %r3;" STORE(
                "%r2") "ret;",
            k, 32, out);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(out[i], ((i & 1 ? 7u : 9u) * 2) ^ UINT32_MAX);
        assert_int_equal(c.report->counts.branches, 1);
        assert_int_equal(c.report->counts.divergent, 1);
        simt_case_end(&c);
    }
}

static void tables_of_branches(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_block(
            "and.b32 %r1, %r60, 3;\nT: .branchtargets A, B, C, B;\nbrx.idx %r1, T;\n"
            "A: mov.u32 %r2, 10;\nbra J;\nB: mov.u32 %r2, 20;\nbra J;\nC: mov.u32 %r2, 30;\nJ: " STORE("%r2") "ret;",
            k, 32, out);
        static const uint32_t want[] = {10, 20, 30, 20};
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(out[i], want[i & 3]);
        simt_case_end(&c);
    }
}

static const char fib[] =
    ".func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .pred %p; .reg .b32 %n, %a, %b;\nld.param.u32 %n, [n];\n"
    "setp.lt.u32 %p, %n, 2;\n@%p bra E;\nsub.u32 %a, %n, 1;\n"
    "{ .param .b32 x; st.param.b32 [x], %a; .param .b32 y; call.uni (y), fib, (x); ld.param.b32 %b, [y]; }\n"
    "sub.u32 %a, %n, 2;\n"
    "{ .param .b32 x; st.param.b32 [x], %a; .param .b32 y; call.uni (y), fib, (x); ld.param.b32 %a, [y]; }\n"
    "add.u32 %n, %a, %b;\nE: st.param.b32 [r], %n;\nret;\n}\n"
    ".func (.param .b32 r) triple(.param .b32 n)\n{\n.reg .b32 %n;\nld.param.u32 %n, [n];\nmul.lo.u32 %n, %n, 3;\n"
    "st.param.b32 [r], %n;\nret;\n}\n";

static uint32_t fibonacci(uint32_t n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void calls_that_recurse(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_start("and.b32 %r1, %r60, 7;\n{ .param .b32 x; st.param.b32 [x], %r1; .param .b32 y;\n"
                                      "call (y), fib, (x);\nld.param.b32 %r2, [y]; }\n" STORE("%r2") "ret;",
                                      simt_models[k], 1, 32);
        c.before = fib;
        simt_case_buffer(&c, out, 64);
        simt_case_ok(&c);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(out[i], fibonacci(i & 7));
        simt_case_end(&c);
    }
}

static void calls_through_registers(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_start("mov.u64 %rd1, fib; mov.u64 %rd2, triple; and.b32 %r1, %r60, 1; setp.eq.u32 %p1, "
                                      "%r1, 0; selp.b64 %rd3, %rd1, %rd2, %p1; and.b32 %r1, %r60, 7;\n"
                                      "{ .param .b32 x; st.param.b32 [x], %r1; .param .b32 y;\n"
                                      "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                                      "call (y), %rd3, (x), P;\nld.param.b32 %r2, [y]; }\n" STORE("%r2") "ret;",
                                      simt_models[k], 1, 32);
        c.before = fib;
        simt_case_buffer(&c, out, 64);
        simt_case_ok(&c);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(out[i], i & 1 ? (i & 7) * 3 : fibonacci(i & 7));
        simt_case_end(&c);
    }
}

static void endless_recursion_is_an_error(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        simt_case c = simt_case_start("{ call f, (); }\nret;", simt_models[k], 1, 32);
        c.before = ".func f()\n{\ncall f, ();\nret;\n}\n";
        simt_case_fails(&c, "deep", "call f, ();\nret;\n}");
    }
}

static const char lock[] = "L: atom.global.cas.b32 %r1, [%rd60], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\n"
                           "ld.volatile.global.u32 %r2, [%rd60+4];\nadd.u32 %r2, %r2, 1;\n"
                           "st.volatile.global.u32 [%rd60+4], %r2;\nmembar.gl;\n"
                           "atom.global.exch.b32 %r3, [%rd60], 0;\nret;";

/* Lanes of one warp compete for a lock: a deadlock before Volta, none since. */
static void a_lock_inside_a_warp(void **state)
{
    (void)state;
    uint32_t out[64] = {0};
    simt_case c = simt_case_block(lock, 0, 32, out);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 32);
    simt_case_end(&c);
    memset(out, 0, sizeof out);
    c = simt_case_start(lock, GCAST_SIMT_STACK, 1, 32);
    simt_case_buffer(&c, out, 64);
    simt_case_fails(&c, "lanes 0xfffffffe spin", "L: atom");
    assert_non_null(strstr(c.err.message, "lanes 0x00000001 wait for them"));
    assert_int_equal(out[0] + out[1], 0);
}

static void a_lock_between_warps_and_blocks(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_start(lock, simt_models[k], 5, 1);
        simt_case_buffer(&c, out, 64);
        simt_case_ok(&c);
        assert_int_equal(out[1], 5);
        simt_case_end(&c);
    }
}

/* Block 0 waits for what block 3 writes. */
static void blocks_wait_for_later_ones(void **state)
{
    (void)state;
    for (uint32_t cores = 1; cores <= 2; cores++)
        EACH_MODEL(k)
        {
            uint32_t out[64] = {0};
            simt_case c = simt_case_start("setp.eq.u32 %p1, %r61, 3;\n@%p1 st.global.u32 [%rd60], 77;\n"
                                          "L: ld.volatile.global.u32 %r1, [%rd60];\nsetp.ne.u32 %p1, %r1, 77;\n"
                                          "@%p1 bra L;\natom.global.add.u32 %r2, [%rd60+4], 1;\nret;",
                                          simt_models[k], 4, 32);
            c.options.cores = cores;
            simt_case_buffer(&c, out, 64);
            simt_case_ok(&c);
            assert_int_equal(out[1], 128);
            assert_true(c.report->one_by_one);
            simt_case_end(&c);
        }
}

static void a_spin_without_end(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_start("L: ld.volatile.global.u32 %r1, [%rd60];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\n"
                                      "ret;",
                                      simt_models[k], 2, 64);
        simt_case_buffer(&c, out, 64);
        simt_case_fails(&c, "deadlock in warp 0 of block (0,0,0): lanes 0xffffffff spin", "L: ld");
    }
}

static void too_many_instructions(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        simt_case c = simt_case_start("L: mov.u32 %r1, %clock;\nbra L;", simt_models[k], 1, 32);
        c.options.max_instructions = 50000;
        simt_case_fails(&c, "the most that were allowed", NULL);
    }
}

static void clocks_and_sleep_advance(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0}, second[64] = {0};
        static const char body[] =
            "mov.u64 %rd1, %globaltimer;\nmov.u32 %r1, %clock;\nnanosleep.u32 5000;\n"
            "mov.u32 %r2, %clock;\nmov.u64 %rd2, %globaltimer;\nsub.u64 %rd2, %rd2, %rd1; "
            "cvt.u32.u64 %r3, %rd2; sub.u32 %r2, %r2, %r1; min.u32 %r3, %r3, %r2;" STORE("%r3") "ret;";
        simt_case c = simt_case_block(body, k, 32, out), d = simt_case_block(body, k, 32, second);
        assert_true(out[0] >= 5000);
        assert_memory_equal(out, second, sizeof out);
        simt_case_end(&c);
        simt_case_end(&d);
    }
}

/* Lanes reconverge behind an exit of some of them, so that the warp arrives at the barrier once. */
static void joins_after_an_exit(void **state)
{
    (void)state;
    static const char *const exits[] = {"@%p2 exit;\n", "@!%p2 bra N;\nexit;\nN:\n"};
    for (int i = 0; i < 2; i++)
        EACH_MODEL(k)
        {
            uint32_t out[128] = {0};
            char body[800];
            snprintf(body, sizeof body,
                     "and.b32 %%r1, %%r60, 1; setp.eq.u32 %%p1, %%r1, 0; setp.lt.u32 %%p2, %%r60, 4; "
                     "shl.b32 %%r2, %%r60, 2;\n@%%p1 bra A;\n%sadd.u32 %%r1, %%r1, 1;\nA: add.u32 %%r3, %%r1, 10; "
                     "st.shared.u32 [%%r2], %%r3;\nbar.sync 0;\nxor.b32 %%r2, %%r2, 4; ld.shared.u32 %%r4, [%%r2];\n"
                     "%sret;",
                     exits[i], STORE("%r4"));
            simt_case c = simt_case_start(body, simt_models[k], 1, 64);
            c.before = ".shared .align 4 .b8 s0[256];";
            simt_case_buffer(&c, out, 128);
            simt_case_ok(&c);
            for (uint32_t n = 0; n < 64; n++)
                assert_int_equal(out[n], n == 1 || n == 3 ? 0 : n & 1 ? 10 : n < 4 ? 0 : 12);
            simt_case_end(&c);
        }
}

/* A function loops in the same way each time, while the loop of its caller goes on. */
static void calls_in_a_loop_do_not_spin(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        uint32_t out[64] = {0};
        simt_case c = simt_case_start("mov.u32 %r1, 0;\nL: call f;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 50;\n"
                                      "@%p1 bra L;\n" STORE("%r1") "ret;",
                                      simt_models[k], 1, 32);
        c.before = ".func f()\n{\n.reg .b32 %r<2>;\n.reg .pred %p;\nmov.u32 %r1, 0;\n"
                   "M: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 40;\n@%p bra M;\nret;\n}\n";
        simt_case_buffer(&c, out, 64);
        simt_case_ok(&c);
        assert_int_equal(out[31], 50);
        simt_case_end(&c);
    }
}

/* More instructions than allowed are an error, in loops, at barriers and up to the end. */
static void the_most_instructions(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 500;\n@%p1 bra L;\nret;",
        "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nbar.sync 0;\nsetp.lt.u32 %p1, %r1, 500;\n@%p1 bra L;\nret;"};
    static const uint64_t count[] = {2 + 1 + 3 * 500 + 1, 2 + 1 + 4 * 500 + 1};
    EACH_MODEL(k)
    for (int i = 0; i < 2; i++) {
        simt_case c = simt_case_start(bodies[i], simt_models[k], 1, 64);
        c.options.max_instructions = count[i];
        simt_case_ok(&c);
        assert_int_equal(c.report->max_warp_instructions, count[i]);
        simt_case_end(&c);
        c.options.max_instructions = count[i] - 1;
        simt_case_fails(&c, "instructions", NULL);
        c.options.max_instructions = 100;
        simt_case_fails(&c, "has run more than 100 instructions", NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_of_different_length),  cmocka_unit_test(lanes_that_return),
        cmocka_unit_test(lanes_without_threads),      cmocka_unit_test(joins_after_a_branch),
        cmocka_unit_test(tables_of_branches),         cmocka_unit_test(calls_that_recurse),
        cmocka_unit_test(calls_through_registers),    cmocka_unit_test(endless_recursion_is_an_error),
        cmocka_unit_test(a_lock_inside_a_warp),       cmocka_unit_test(a_lock_between_warps_and_blocks),
        cmocka_unit_test(blocks_wait_for_later_ones), cmocka_unit_test(a_spin_without_end),
        cmocka_unit_test(too_many_instructions),      cmocka_unit_test(clocks_and_sleep_advance),
        cmocka_unit_test(the_most_instructions),      cmocka_unit_test(calls_in_a_loop_do_not_spin),
        cmocka_unit_test(joins_after_an_exit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
