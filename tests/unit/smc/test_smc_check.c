/* What is made SM-centric and what is refused, with the line and the reason. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define KERNEL(body)                                                                                                   \
    HEAD ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<9>; .reg .b64 %d<5>; .reg .pred %p<5>;\n"                  \
         "ld.param.u64 %d1, [a];\n" body "\nret;\n}\n"

static gcast_status transform_by(const char *source, const gcast_smc_options *o, gcast_error *err)
{
    char *out;
    size_t size;
    gcast_status status = gcast_smc_transform(source, strlen(source), "k.ptx", o, &out, &size, err);
    free(out);
    return status;
}

static gcast_status transform(const char *source, bool independent, gcast_error *err)
{
    gcast_smc_options o = gcast_smc_options_default();
    o.independent = independent;
    return transform_by(source, &o, err);
}

/* Its first line is line 8 of the text. */
static void refuses(const char *source, int line, const char *reason)
{
    gcast_error err = {0};
    assert_int_equal(transform(source, false, &err), GCAST_INPUT);
    if (!strstr(err.message, reason))
        print_error("%s\n", err.message);
    assert_non_null(strstr(err.message, reason));
    assert_int_equal(err.line, line);
    assert_string_equal(err.file, "k.ptx");
}

static void accepts(const char *source)
{
    gcast_error err = {0};
    gcast_status status = transform(source, false, &err);
    if (status != GCAST_OK)
        print_error("line %d: %s\n", err.line, err.message);
    assert_int_equal(status, GCAST_OK);
}

static void refuses_what_shows_blocks(void **state)
{
    (void)state;
    refuses(KERNEL("mov.u32 %r1, %smid;"), 8, "asks for its SM");
    refuses(KERNEL("mov.u32 %r1, %nsmid;"), 8, "asks for the SMs");
    refuses(KERNEL("mov.u64 %d2, %gridid;"), 8, "asks for its grid");
    refuses(KERNEL("mov.u32 %r1, %clock;"), 8, "reads a clock");
    refuses(KERNEL("mov.u64 %d2, %clock64;"), 8, "reads a clock");
    refuses(KERNEL("mov.u64 %d2, %globaltimer;"), 8, "reads a clock");
    refuses(KERNEL("mov.u32 %r1, %cluster_ctaid.x;"), 8, "clusters");
    refuses(KERNEL("barrier.cluster.arrive;"), 8, "clusters");
    refuses(KERNEL("mov.u32 %r1, %envreg1;"), 4, "blocks meet");
    refuses(KERNEL("griddepcontrol.wait;"), 8, "another grid");
    refuses(KERNEL("{ .reg .v4 .u32 v; mov.v4.u32 v, %ctaid; }"), 8, "all components");
    accepts(KERNEL("mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.z; mov.u32 %r3, %warpid;"));
}

static void refuses_what_outlives_a_job(void **state)
{
    (void)state;
    refuses(KERNEL("{ .shared .b64 m; mbarrier.init.shared.b64 [m], 1; }"), 8, "outlives a job");
    refuses(KERNEL("setmaxnreg.inc.sync.aligned.u32 40;"), 8, "registers of a thread");
    refuses(KERNEL(".shared .b8 much[49100];"), 4, "shared memory leaves no");
    accepts(KERNEL(".shared .b8 less[48000];"));
}

static void refuses_waits_for_other_blocks(void **state)
{
    (void)state;
    refuses(KERNEL("again: ld.volatile.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra again;"), 8, "waits");
    refuses(KERNEL("again: ld.acquire.gpu.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra again;"), 8, "waits");
    refuses(KERNEL("again: atom.global.cas.b32 %r1, [%d1], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra again;"), 8,
            "waits");
    refuses(
        KERNEL(
            "again: mov.u32 %r2, 0;\natom.global.cas.b32 %r1, [%d1], %r2, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra again;"),
        9, "waits");
    refuses(KERNEL("again: atom.global.add.u32 %r1, [%d1], 0; setp.ne.u32 %p1, %r1, 3; @%p1 bra again;"), 8, "waits");
    refuses(KERNEL("again: atom.global.exch.b32 %r1, [%d1], 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra again;"), 8, "waits");
    /* in a loop inside another one, which goes on either way */
    refuses(KERNEL("outer: add.u32 %r3, %r3, 1;\nagain: ld.volatile.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 0;"
                   "@%p1 bra again; setp.lt.u32 %p2, %r3, 9; @%p2 bra outer;"),
            9, "waits");
    /* the flag goes through shared memory, or through a branch */
    refuses(KERNEL(".shared .b32 f;\nagain: ld.volatile.global.u32 %r1, [%d1];\nst.shared.u32 [f], %r1; bar.sync 0;"
                   "ld.shared.u32 %r2, [f]; bar.sync 0; setp.eq.u32 %p1, %r2, 0; @%p1 bra again;"),
            9, "waits");
    refuses(KERNEL("again: ld.volatile.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 0; @%p1 bra on;"
                   "mov.u32 %r2, 1; on: setp.eq.u32 %p2, %r2, 0; @%p2 bra again;"),
            8, "waits");
    /* nobody waits here: no loop, a queue, another try, the block's own memory, a value that decides nothing */
    accepts(KERNEL("ld.volatile.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra on; on:"));
    accepts(KERNEL("again: atom.global.add.u32 %r1, [%d1], 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra again;"));
    accepts(KERNEL("ld.global.u32 %r1, [%d1]; again: mov.u32 %r2, %r1; add.u32 %r3, %r2, 5;"
                   "atom.global.cas.b32 %r1, [%d1], %r2, %r3; setp.ne.u32 %p1, %r1, %r2; @%p1 bra again;"));
    accepts(KERNEL(".shared .b32 f; again: ld.volatile.shared.u32 %r1, [f]; setp.eq.u32 %p1, %r1, 0; @%p1 bra again;"));
    accepts(
        KERNEL("mov.u32 %r2, 0; again: ld.volatile.global.u32 %r1, [%d1]; add.u32 %r3, %r3, %r1; add.u32 %r2, %r2, 1;"
               "setp.lt.u32 %p1, %r2, 9; @%p1 bra again;"));
    gcast_error err = {0};
    assert_int_equal(transform(KERNEL("again: ld.volatile.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 0;"
                                      "@%p1 bra again;"),
                               true, &err),
                     GCAST_OK);
}

static void refuses_functions_it_would_have_to_change(void **state)
{
    (void)state;
#define WITH(body)                                                                                                     \
    HEAD ".func f()\n{\n.reg .b32 %r<3>;\n" body "\nret;\n}\n"                                                         \
         ".visible .entry k()\n{\ncall f;\nret;\n}\n"
    refuses(WITH("mov.u32 %r1, %ctaid.x;"), 7, "reads a block index");
    refuses(WITH("bar.sync 0;"), 7, "has a barrier");
    refuses(WITH("exit;"), 7, "ends the thread");
    accepts(WITH("mov.u32 %r1, %tid.x;"));
    refuses(HEAD ".extern .func g();\n.visible .entry k()\n{\ncall g;\nret;\n}\n", 7, "whose code is not here");
}

static void refuses_recursion_that_may_wait(void **state)
{
    (void)state;
#define RECURSIVE(body)                                                                                                \
    HEAD ".func f(.param .u64 a)\n{\n.reg .b32 %r<3>; .reg .b64 %d<2>; .reg .pred %p<2>; .param .u64 b;\n"             \
         "ld.param.u64 %d1, [a];\n" body "\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 ret;\nst.param.u64 [b], %d1;\n"             \
         "call f, (b);\nret;\n}\n"                                                                                     \
         ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %d<2>; .param .u64 b;\nld.param.u64 %d1, [a];\n"              \
         "st.param.u64 [b], %d1;\ncall f, (b);\nret;\n}\n"
    refuses(RECURSIVE("ld.volatile.global.u32 %r1, [%d1];"), 4, "f calls itself");
    accepts(RECURSIVE("ld.global.u32 %r1, [%d1];"));
}

static void says_how_threads_meet(void **state)
{
    (void)state;
    /* part of a warp may end before the barrier, which needs sm_70 */
    const char *old = ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n"
                      ".reg .b32 %r<4>; .reg .pred %p<2>;\nmov.u32 %r1, %tid.x; ld.param.u32 %r2, [n];\n"
                      "setp.ge.u32 %p1, %r1, %r2;\n@%p1 bra done;\nbar.sync 0;\ndone: ret;\n}\n";
    refuses(old, 10, "needs .target sm_70");
    char newer[1000];
    snprintf(newer, sizeof newer, ".version 6.0\n.target sm_70%s", strstr(old, "\n.address"));
    accepts(newer);
    /* the loop's end is the same for all threads: no thread ends before another one's barrier */
    accepts(".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n"
            ".reg .b32 %r<4>; .reg .pred %p<2>;\nmov.u32 %r1, 0; ld.param.u32 %r2, [n];\n"
            "again: bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra again;\nret;\n}\n");
    refuses(KERNEL("mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 5; @%p1 ret; bar.sync 0;\nbar.sync 1;"), 8,
            "several numbers");
    refuses(KERNEL("mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 5; @%p1 ret; bar.red.popc.u32 %r2, 0, %p1;"), 8, "vote");
    refuses(KERNEL("mov.u32 %r1, %tid.x; bar.sync %r1;"), 8, "number of this barrier");
}

static void accepts_whole_warps(const char *source)
{
    gcast_smc_options o = gcast_smc_options_default();
    gcast_error err = {0};
    o.whole_warps = true;
    assert_ok(transform_by(source, &o, &err), &err);
}

/* A thread that has ended is not waited for in the original; in a worker it is still there. */
static void refuses_warps_that_end_in_parts(void **state)
{
    (void)state;
#define BY_THREAD "mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 5;\n"
#define BY_PARAMETER "setp.gt.u64 %p1, %d1, 5;\n"
#define BY_BLOCK "mov.u32 %r1, %ctaid.x; setp.gt.u32 %p1, %r1, 5;\n"
#define SHFL "shfl.sync.down.b32 %r2, %r3, 1, 31, 0xffffffff;\n"
    static const char reason[] = "threads of a warp may have ended before others of it synchronize here";
    const char *early = KERNEL(BY_THREAD "@%p1 ret;\n" SHFL);
    refuses(early, 10, reason);
    accepts_whole_warps(early);
    refuses(KERNEL(BY_THREAD "@%p1 exit;\n" SHFL), 10, reason);
    refuses(KERNEL(BY_THREAD "@%p1 bra more; ret;\nmore: add.u32 %r3, %r3, 1;\n" SHFL), 11, reason);
    refuses(KERNEL(BY_THREAD "@%p1 ret;\nbar.warp.sync 0xffffffff;"), 10, reason);
    refuses(KERNEL(BY_THREAD "@%p1 ret;\nvote.sync.any.pred %p2, %p3, 0xffffffff;"), 10, reason);
    refuses(KERNEL(BY_THREAD "@%p1 ret;\nactivemask.b32 %r2;\nmatch.any.sync.b32 %r3, %r2, 0xffffffff;"), 11, reason);
    /* around it to an end that all share; but not where they wait for each other before the end, or another warp's sync
     */
    refuses(KERNEL(BY_THREAD "@%p1 bra done;\n" SHFL "done:"), 10, reason);
    refuses(KERNEL(BY_THREAD "@%p1 bra more;\n" SHFL "more: add.u32 %r3, %r3, 1;"), 10, reason);
    accepts(KERNEL(BY_THREAD "@%p1 bra more;\n" SHFL "more: bar.sync 0;"));
    accepts(KERNEL(BY_THREAD "@%p1 bra more;\n" SHFL "more: bar.warp.sync 0xffffffff;"));
    accepts(KERNEL(BY_BLOCK "@%p1 bra done;\n" SHFL "done:"));
    /* all threads end, or none; none has ended yet; a barrier of the block is no matter of the warp */
    accepts(KERNEL(BY_PARAMETER "@%p1 ret;\n" SHFL));
    accepts(KERNEL(BY_BLOCK "@%p1 ret;\n" SHFL));
    accepts(KERNEL(SHFL BY_THREAD "@%p1 ret;\n"));
    accepts(KERNEL(BY_THREAD "@%p1 ret;\nadd.u32 %r3, %r3, 1;"));
    accepts(KERNEL(BY_THREAD "@%p1 ret;\nbar.sync 0;"));
#define CALLS(before, body)                                                                                            \
    HEAD ".func f()\n{\n.reg .b32 %r<3>;\n" body "\nret;\n}\n"                                                         \
         ".visible .entry k()\n{\n.reg .b32 %r<3>; .reg .pred %p<2>;\n" BY_THREAD before "ret;\n}\n"
#define SHFL_HERE "shfl.sync.down.b32 %r1, %r2, 1, 31, 0xffffffff;"
    refuses(CALLS("@%p1 ret;\ncall f;\n", SHFL_HERE), 15, reason);
    accepts_whole_warps(CALLS("@%p1 ret;\ncall f;\n", SHFL_HERE));
    accepts(CALLS("call f;\n@%p1 ret;\n", SHFL_HERE));
    accepts(CALLS("@%p1 ret;\ncall f;\n", "mov.u32 %r1, %tid.x;"));
}

static uint32_t count(const char *text, const char *words)
{
    uint32_t times = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
        times++;
    return times;
}

static void assert_limits(const char *source, uint32_t max_registers, uint32_t limits, uint32_t of_32)
{
    gcast_smc_options o = gcast_smc_options_default();
    gcast_error err = {0};
    char *out;
    size_t size;
    o.max_registers = max_registers;
    assert_ok(gcast_smc_transform(source, strlen(source), "k.ptx", &o, &out, &size, &err), &err);
    assert_int_equal(count(out, ".maxnreg"), limits);
    assert_int_equal(count(out, ".maxnreg 32"), of_32);
    gcast_ptx *p;
    assert_ok(gcast_ptx_parse(out, size, NULL, &p, &err), &err);
    gcast_ptx_free(p);
    free(out);
}

static void limits_registers(void **state)
{
    (void)state;
#define ENTRY(name, directives) ".visible .entry " name "()\n" directives "{\nret;\n}\n"
    assert_limits(HEAD ENTRY("k", ""), 32, 1, 1);
    assert_limits(HEAD ENTRY("k", ""), 0, 0, 0);
    assert_limits(HEAD ENTRY("k", ".maxntid 128, 1, 1\n"), 32, 1, 1);
    assert_limits(HEAD ENTRY("k", ".maxnreg 64\n"), 32, 1, 0);
    assert_limits(HEAD ENTRY("k", ".maxnreg 64\n"), 0, 1, 0);
    assert_limits(HEAD ENTRY("k", ".maxnreg 64\n") ENTRY("l", ""), 32, 2, 1);
}

static void refuses_what_is_transformed_already(void **state)
{
    (void)state;
    gcast_smc_options o = gcast_smc_options_default();
    gcast_error err = {0};
    char *out, *twice;
    size_t size;
    const char *source = KERNEL("mov.u32 %r1, %ctaid.x;");
    assert_ok(gcast_smc_transform(source, strlen(source), "k.ptx", &o, &out, &size, &err), &err);
    assert_int_equal(gcast_smc_transform(out, size, NULL, &o, &twice, &size, &err), GCAST_INPUT);
    assert_null(twice);
    assert_non_null(strstr(err.message, "k_smc"));
    free(out);
    o.kernel = "other";
    assert_int_equal(gcast_smc_transform(source, strlen(source), "k.ptx", &o, &out, &size, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "no kernel other"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_shows_blocks),
        cmocka_unit_test(refuses_what_outlives_a_job),
        cmocka_unit_test(refuses_waits_for_other_blocks),
        cmocka_unit_test(refuses_functions_it_would_have_to_change),
        cmocka_unit_test(refuses_recursion_that_may_wait),
        cmocka_unit_test(says_how_threads_meet),
        cmocka_unit_test(refuses_warps_that_end_in_parts),
        cmocka_unit_test(limits_registers),
        cmocka_unit_test(refuses_what_is_transformed_already),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
