/* What kernels print, what the report says, what is refused; and that the
 * number of cores changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/simt_case.h"

static const char printing[] =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n"
    ".global .align 1 .b8 fmt[40] = {98, 37, 117, 32, 37, 45, 53, 100, 124, 37, 53, 46, 50, 102, 32, 37, 108, 108, "
    "120, "
    "32, 37, 115, 32, 37, 99, 37, 37, 10, 0};\n" /* b%u %-5d|%5.2f %llx %s %c%%\n */
    ".global .align 1 .b8 word[4] = {104, 105, 0};\n";

static void prints_in_the_order_of_blocks(void **state)
{
    (void)state;
    static const char body[] = ".local .align 8 .b8 v[48];\nsetp.ne.u32 %p1, %r60, 5;\n@%p1 ret;\nst.local.u32 [v], "
                               "%r61; st.local.u32 [v+4], -42; "
                               "mov.f64 %fd1, 0d4005BF0A8B145769; st.local.f64 [v+8], %fd1; mov.u64 %rd1, "
                               "0xdeadbeef12; st.local.u64 [v+16], %rd1; mov.u64 "
                               "%rd2, word; cvta.global.u64 %rd2, %rd2; st.local.u64 [v+24], %rd2; st.local.u32 "
                               "[v+32], 88; mov.u64 %rd3, fmt; "
                               "cvta.global.u64 %rd3, %rd3; mov.u64 %rd4, v; cvta.local.u64 %rd4, %rd4;\n{ .param .b64 "
                               "a; .param .b64 b; .param "
                               ".b32 r; st.param.b64 [a], %rd3; st.param.b64 [b], %rd4;\ncall.uni (r), vprintf, (a, "
                               "b);\nld.param.b32 %r1, [r]; }\nret;";
    EACH_MODEL(k)
    for (uint32_t cores = 1; cores <= 2; cores++) {
        simt_case c = simt_case_start(body, simt_models[k], 3, 32);
        c.before = printing;
        c.options.cores = cores;
        simt_case_ok(&c);
        assert_string_equal(c.printed, "b0 -42  | 2.72 deadbeef12 hi X%\nb1 -42  | 2.72 deadbeef12 hi X%\n"
                                       "b2 -42  | 2.72 deadbeef12 hi X%\n");
        simt_case_end(&c);
    }
}

static void assertions_are_errors(void **state)
{
    (void)state;
    simt_case c =
        simt_case_start("setp.ne.u32 %p1, %r60, 7;\n@%p1 ret;\nmov.u64 %rd1, word; cvta.global.u64 %rd1, %rd1;\n"
                        "{ .param .b64 a; .param .b64 b; .param .b32 l; .param .b64 d; .param .b64 e;\n"
                        "st.param.b64 [a], %rd1; st.param.b64 [b], %rd1; st.param.b32 [l], 12; st.param.b64 [d], "
                        "%rd1; st.param.b64 [e], 1;\ncall.uni __assertfail, (a, b, l, d, e); }\nret;",
                        GCAST_SIMT_THREADS, 1, 32);
    c.before = printing;
    simt_case_fails(&c, "thread (7,0,0) of block (0,0,0) fails the assertion 'hi' (hi:12)", "call.uni __assertfail");
}

static void refuses_unknown_instructions(void **state)
{
    (void)state;
    static const struct {
        const char *body, *part, *mark;
    } bad[] = {
        {"\nwgmma.fence.sync.aligned;\nret;", "instruction wgmma.fence.sync.aligned is not supported", "wgmma"},
        {"\nadd.rz.s32 %r1, %r2, %r3;\nret;", "add.rz.s32 is not supported", "add.rz"},
        {"\nsqrt.rn.f16 %h1, %h2;\nret;", "sqrt.f16 is not supported", "sqrt"},
        {"\nld.global.funny.u32 %r1, [%rd60];\nret;", "ld with .funny is not supported", "ld.global.funny"},
        {"\nadd.s32 %r1, %rd2, %r3;\nret;", "register %rd2 of type .b64 does not fit add here", "add.s32"},
        {"\nmov.u32 %r1, %pm0;\nret;", "special register %pm0 is not supported", "mov.u32 %r1, %pm0"},
        {"\nshfl.sync.idx.b32 %r1, %r2, 0, 31;\nret;", "takes 5 operands", "shfl"},
        {"\nactivemask.b64 %rd1;\nret;", "activemask of such a kind is not supported", "activemask"},
        {"\natom.global.add.u16 %h1, [%rd60], %h2;\nret;", "is not supported", "atom"},
        {"{ call nobody, (); }\nret;", "call of nobody, which has no body, is not supported", "call nobody"},
        {"{ call __cudaCDP2Malloc, (); }\nret;",
         "call of __cudaCDP2Malloc: the CUDA runtime for kernels is not supported", "call __cudaCDP2Malloc"},
        {"{ call cudaDeviceSynchronize, (); }\nret;", "the CUDA runtime for kernels is not supported",
         "call cudaDevice"},
        {"{ call __cudaCDP2LaunchDeviceV2, (); }\nret;", "kernels that start kernels are not supported", "call __cuda"},
        {"{ call cudaGetParameterBufferV2, (); }\nret;", "kernels that start kernels are not supported",
         "call cudaGet"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t out[4] = {0};
        simt_case c = simt_case_start(bad[i].body, GCAST_SIMT_THREADS, 1, 1);
        c.before = ".extern .func nobody(); .extern .func __cudaCDP2Malloc(); .extern .func cudaDeviceSynchronize();"
                   ".extern .func __cudaCDP2LaunchDeviceV2(); .extern .func cudaGetParameterBufferV2();";
        simt_case_buffer(&c, out, 4);
        simt_case_fails(&c, bad[i].part, bad[i].mark);
    }
}

static void refuses_bad_launches(void **state)
{
    (void)state;
    simt_case c = simt_case_start("ret;", GCAST_SIMT_THREADS, 0, 32);
    simt_case_fails(&c, "0 blocks along x", NULL);
    assert_string_equal(c.err.path, "/grid");
    c = simt_case_start("ret;", GCAST_SIMT_THREADS, 1, 1025);
    simt_case_fails(&c, "1025 threads along x", NULL);
    c = simt_case_start(NULL, GCAST_SIMT_THREADS, 1, 32);
    c.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.entry a(.param .u32 x)\n{\nret;\n}\n";
    simt_case_fails(&c, "kernel a takes 1 arguments, not 0", NULL);
    c.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.entry a()\n{\nret;\n}\n.entry b()\n{\nret;\n}\n";
    simt_case_fails(&c, "there are several kernels", NULL);
    c.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.entry a() .reqntid 64\n{\nret;\n}\n";
    simt_case_fails(&c, "demands blocks of 64 x 1 x 1", NULL);
}

/* Below sm_70 a warp has one program counter, so a lock between its lanes hangs; the option of the other model prevents
 * it. */
static void the_target_decides_the_model(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        gcast_simt_model asked, used;
        int sm;
    } cases[] = {
        {"sm_30", GCAST_SIMT_BY_TARGET, GCAST_SIMT_STACK, 30},
        {"sm_62", GCAST_SIMT_BY_TARGET, GCAST_SIMT_STACK, 62},
        {"sm_62", GCAST_SIMT_THREADS, GCAST_SIMT_THREADS, 62},
        {"sm_70", GCAST_SIMT_BY_TARGET, GCAST_SIMT_THREADS, 70},
        {"sm_70", GCAST_SIMT_STACK, GCAST_SIMT_STACK, 70},
        {"sm_100a", GCAST_SIMT_BY_TARGET, GCAST_SIMT_THREADS, 100},
        {"texmode_unified", GCAST_SIMT_BY_TARGET, GCAST_SIMT_THREADS, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int locks = 0; locks < 2; locks++) {
            char ptx[512];
            snprintf(ptx, sizeof ptx,
                     ".version 6.0\n.target %s\n.address_size 64\n.global .u32 lock;\n.entry k()\n{\n.reg .pred %%p;\n"
                     ".reg .b32 %%r;\n%s\nret;\n}\n",
                     cases[i].target,
                     locks ? "L: atom.global.cas.b32 %r, [lock], 0, 1;\nsetp.ne.u32 %p, %r, 0;\n@%p bra L;\n"
                             "st.volatile.global.u32 [lock], 0;"
                           : "mov.u32 %r, %tid.x;");
            simt_case c = {.ptx = ptx, .grid = 1, .block = 32, .options = gcast_simt_options_default()};
            c.options.model = cases[i].asked;
            if (locks && cases[i].used == GCAST_SIMT_STACK) {
                simt_case_fails(&c, "deadlock", NULL);
                continue;
            }
            simt_case_ok(&c);
            assert_int_equal(c.report->model, cases[i].used);
            assert_int_equal(c.report->sm, cases[i].sm);
            simt_case_end(&c);
        }
}

static void profiles_by_line(void **state)
{
    (void)state;
    uint32_t out[64] = {0};
    simt_case c = simt_case_start("setp.lt.u32 %p1, %r60, 8;\n@%p1 bra A;\nmul.lo.u32 %r1, %r60, 2;\nA: ret;",
                                  GCAST_SIMT_STACK, 1, 32);
    c.options.profile = true;
    c.options.max_masks = 100;
    simt_case_buffer(&c, out, 64);
    simt_case_ok(&c);
    const gcast_simt_report *r = c.report;
    uint64_t total = 0, divergent = 0, mixed = 0;
    for (uint32_t i = 0; i < r->lines; i++) {
        total += r->line[i].counts.instructions;
        divergent += r->line[i].counts.divergent;
        assert_null(r->line[i].file);
    }
    for (int i = 0; i < GCAST_SIMT_MIX; i++)
        mixed += r->counts.mix[i];
    assert_int_equal(total, r->counts.instructions);
    assert_int_equal(mixed, total);
    assert_int_equal(divergent, 1);
    assert_int_equal(r->counts.lost_divergence, 0);
    assert_int_equal(r->counts.lost_return, 8);
    assert_int_equal(r->masks, total);
    assert_int_equal(r->mask[r->masks - 2].active, 0xffffff00u);
    assert_int_equal(r->mask[r->masks - 1].active, UINT32_MAX);
    simt_case_end(&c);
}

static void cores_change_nothing(void **state)
{
    (void)state;
    static const char body[] = "mad.lo.u32 %r1, %r61, 64, %r60; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd2, %rd60, %rd1; "
                               "add.u64 %rd3, %rd61, %rd1; ld.global.u32 %r2, [%rd2]; mul.lo.u32 %r2, %r2, %r1; "
                               "st.global.u32 [%rd3], %r2; ret;";
    uint32_t in[2048], out[2][2048] = {{0}};
    for (uint32_t i = 0; i < 2048; i++)
        in[i] = i * i;
    for (uint32_t cores = 1; cores <= 2; cores++) {
        simt_case c = simt_case_start(body, GCAST_SIMT_THREADS, 32, 64);
        c.options.cores = cores;
        simt_case_buffer(&c, in, 2048);
        simt_case_buffer(&c, out[cores - 1], 2048);
        simt_case_ok(&c);
        assert_false(c.report->one_by_one);
        simt_case_end(&c);
    }
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    assert_int_equal(out[0][100], 100 * 100 * 100);
}

static void lists_what_is_supported(void **state)
{
    (void)state;
    const char *name, *forms;
    uint32_t n = 0;
    char before[32] = "";
    while (gcast_simt_instruction(n, &name, &forms)) {
        assert_true(strcmp(before, name) < 0);
        assert_non_null(forms);
        strncpy(before, name, sizeof before - 1);
        n++;
    }
    assert_true(n > 70);
}

static void kinds_go_by_type(void **state)
{
    (void)state;
    uint32_t words[64] = {0};
    simt_case c =
        simt_case_block("add.f32 %f1, %f0, %f0; mul.f32 %f2, %f1, %f1; max.f32 %f3, %f1, %f2; neg.f32 %f4, %f3;"
                        "add.f16 %h1, %h0, %h0; add.f64 %fd1, %fd0, %fd0; div.approx.f32 %f5, %f4, %f3;"
                        "add.u32 %r1, %r0, 1; fma.rn.f32 %f6, %f1, %f1, %f1;",
                        0, 32, words);
    const uint64_t *mix = c.report->counts.mix;
    assert_int_equal(mix[GCAST_SIMT_float32], 6);
    assert_int_equal(mix[GCAST_SIMT_float64], 1);
    assert_int_equal(mix[GCAST_SIMT_special], 1);
    assert_int_equal(mix[GCAST_SIMT_integer], 1);
    simt_case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_in_the_order_of_blocks),
        cmocka_unit_test(assertions_are_errors),
        cmocka_unit_test(refuses_unknown_instructions),
        cmocka_unit_test(refuses_bad_launches),
        cmocka_unit_test(the_target_decides_the_model),
        cmocka_unit_test(profiles_by_line),
        cmocka_unit_test(cores_change_nothing),
        cmocka_unit_test(lists_what_is_supported),
        cmocka_unit_test(kinds_go_by_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
