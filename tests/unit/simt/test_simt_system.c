/* What the system provides to a kernel: malloc and free, the workspace of its
 * grid, reserved shared memory; and which functions a kernel reaches. */
#include <string.h>

#include "support/simt_case.h"

#define EXTERNS                                                                                                        \
    ".extern .func (.param .b64 r) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n"                     \
    ".extern .func nothing ();\n"
#define MALLOC(to, bytes)                                                                                              \
    "{ .param .b64 a; .param .b64 r; st.param.b64 [a], " bytes ";\ncall.uni (r), malloc, (a);\n"                       \
    "ld.param.b64 " to ", [r]; }\n"
#define FREE(at) "{ .param .b64 a; st.param.b64 [a], " at ";\ncall.uni free, (a); }\n"
#define STORE(x) "mul.wide.u32 %rd50, %r60, 4; add.u64 %rd50, %rd60, %rd50; st.global.u32 [%rd50], " x ";"

/* Two pieces that do not overlap; a freed piece is allocated again. */
static void pieces(void **state)
{
    (void)state;
    for (uint32_t cores = 1; cores <= 4; cores += 3) {
        uint32_t out[64] = {0};
        simt_case c = simt_case_start(
            MALLOC("%rd1", "24") MALLOC("%rd2", "24") "st.u32 [%rd1+20], %r60; add.u32 %r1, %r60, 7; st.u32 [%rd2], "
                                                      "%r1; ld.u32 %r2, [%rd1+20]; ld.u32 %r3, [%rd2];"
                                                      "mad.lo.u32 %r4, %r2, 1000, %r3;\n" FREE("%rd2")
                                                          MALLOC("%rd3", "32") FREE("0") STORE("%r4") "ret;",
            GCAST_SIMT_THREADS, 2, 32);
        c.before = EXTERNS;
        c.options.cores = cores;
        simt_case_buffer(&c, out, 64);
        simt_case_ok(&c);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(out[i], i * 1000 + i + 7);
        assert_true(c.report->one_by_one);
        simt_case_end(&c);
    }
}

/* 8 MiB in all: the ninth MiB is not available, nor is a piece larger than all. */
static void a_full_heap(void **state)
{
    (void)state;
    uint32_t out[64] = {0};
    simt_case c = simt_case_start(
        MALLOC("%rd1", "1048576")
            MALLOC("%rd2", "8388609") "setp.ne.u64 %p1, %rd1, 0; selp.u32 %r1, 1, 0, %p1;"
                                      "setp.ne.u64 %p1, %rd2, 0; @%p1 add.u32 %r1, %r1, 2;" STORE("%r1") "ret;",
        GCAST_SIMT_STACK, 1, 16);
    c.before = EXTERNS;
    simt_case_buffer(&c, out, 64);
    simt_case_ok(&c);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(out[i], i < 8);
    simt_case_end(&c);
}

static void wrong_frees(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        MALLOC("%rd1", "64") FREE("%rd1") "\n" FREE("%rd1") "ret;",
        MALLOC("%rd1", "64") "add.u64 %rd1, %rd1, 16;\n" FREE("%rd1") "ret;",
        "\n" FREE("%rd60") "ret;",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        uint32_t out[64] = {0};
        simt_case c = simt_case_start(bodies[i], GCAST_SIMT_THREADS, 1, 1);
        c.before = EXTERNS;
        simt_case_buffer(&c, out, 64);
        simt_case_fails(&c, "which malloc did not give or which is free already", NULL);
        simt_case_end(&c);
    }
}

/* Tables that this kernel does not use may name functions without a body; those that it uses may not. */
static void tables_of_functions(void **state)
{
    (void)state;
    static const char tables[] = EXTERNS ".func bad ()\n{ call.uni nothing, ();\nret; }\n.func good ()\n{ ret; }\n"
                                         ".global .u64 t1[2] = {bad, 0};\n.global .u64 t2[2] = {generic(t1), good};\n"
                                         ".global .u64 t3[2] = {good, nothing};\n";
    static const struct {
        const char *body, *wrong;
    } cases[] = {
        {"ret;", NULL},
        {"mov.u64 %rd1, t3; ret;", NULL},
        {"ld.global.u64 %rd1, [t2+8]; ret;", "call of nothing, which has no body"},
        {"mov.u64 %rd1, t1; ret;", "call of nothing, which has no body"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        simt_case c = simt_case_start(cases[i].body, GCAST_SIMT_THREADS, 1, 1);
        c.before = tables;
        if (cases[i].wrong)
            simt_case_fails(&c, cases[i].wrong, NULL);
        else
            simt_case_ok(&c);
        simt_case_end(&c);
    }
}

/* Blocks meet at the workspace of the grid, as cooperative groups do, with any number of cores. */
static void grid_barrier(void **state)
{
    (void)state;
    static const char body[] =
        "mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.b64 %rd1, {%r2, %r1};\n"
        "atom.add.release.gpu.u32 %r3, [%rd1+4], 1; mov.u32 %r4, %nctaid.x;\n"
        "W: ld.acquire.gpu.u32 %r3, [%rd1+4]; setp.lt.u32 %p1, %r3, %r4;\n@%p1 bra W;\n"
        "mul.wide.u32 %rd2, %r61, 4; add.u64 %rd2, %rd60, %rd2; st.global.u32 [%rd2], %r3;\nret;";
    for (uint32_t grid = 1; grid <= 65; grid += 32)
        for (uint32_t cores = 1; cores <= 4; cores += 3) {
            uint32_t out[80] = {0};
            simt_case c = simt_case_start(body, GCAST_SIMT_THREADS, grid, 1);
            c.options.cores = cores;
            simt_case_buffer(&c, out, 80);
            if (grid > 64) {
                simt_case_fails(&c, "1 more waits for room, as 64 run at a time", NULL);
            } else {
                simt_case_ok(&c);
                for (uint32_t i = 0; i < grid; i++)
                    assert_int_equal(out[i], grid);
            }
            simt_case_end(&c);
        }
}

/* The system's part of shared memory is behind the block's, and does not count as the block's. */
static void reserved_shared_memory(void **state)
{
    (void)state;
    uint32_t out[64] = {0};
    simt_case c = simt_case_start("mov.u32 %r1, %reserved_smem_offset_1; st.shared.u32 [%r1], 5;\n"
                                  "ld.shared.u32 %r2, [%r1]; mov.u32 %r3, %reserved_smem_offset_begin;\n"
                                  "mov.u32 %r4, %total_smem_size; mov.u32 %r5, %aggr_smem_size;\n"
                                  "st.global.v4.u32 [%rd60], {%r2, %r3, %r4, %r5};\nret;",
                                  GCAST_SIMT_STACK, 1, 1);
    c.shared = 64;
    simt_case_buffer(&c, out, 64);
    simt_case_ok(&c);
    assert_int_equal(out[0], 5);
    assert_int_equal(out[1], 64);
    assert_int_equal(out[2], 64);
    assert_int_equal(out[3], 64 + 1024);
    assert_int_equal(c.report->shared_bytes, 64);
    simt_case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces),       cmocka_unit_test(a_full_heap),
        cmocka_unit_test(wrong_frees),  cmocka_unit_test(tables_of_functions),
        cmocka_unit_test(grid_barrier), cmocka_unit_test(reserved_shared_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
