/* The race checker on small kernels: which races are found, between which
 * threads, and why. Kernels in CUDA are in tests/races. */
#include <string.h>

#include "support/simt_case.h"

/* Runs with 64 words of global memory and 1024 bytes of shared memory `s`. */
static simt_case run(const char *body, gcast_simt_model model, uint32_t grid, uint32_t threads)
{
    static uint32_t out[64];
    simt_case c = simt_case_start(body, model, grid, threads);
    memset(out, 0, sizeof out);
    c.before = ".shared .align 8 .b8 s[1024];";
    c.options.check_races = true;
    simt_case_buffer(&c, out, 64);
    simt_case_ok(&c);
    return c;
}

static void assert_races(const char *body, uint32_t grid, uint32_t threads, uint32_t races)
{
    simt_case c = run(body, GCAST_SIMT_THREADS, grid, threads);
    assert_int_equal(c.report->races, races);
    assert_int_equal(c.report->race_notes, 0);
    simt_case_end(&c);
}

#define EXCHANGE(between)                                                                                              \
    "mul.lo.u32 %r1, %r60, 4; mov.u32 %r2, s; add.u32 %r1, %r1, %r2;\nst.shared.u32 [%r1], %r60;\n" between            \
    "xor.b32 %r3, %r60, 63; mul.lo.u32 %r3, %r3, 4; add.u32 %r3, %r3, %r2;\nld.shared.u32 %r4, [%r3];\nret;"

static void between_warps(void **state)
{
    (void)state;
    EACH_MODEL(k)
    {
        simt_case c = run(EXCHANGE(""), simt_models[k], 1, 64);
        assert_int_equal(c.report->races, 1);
        const gcast_simt_race *r = c.report->race;
        assert_int_equal(r->kind, GCAST_RACE_UNORDERED);
        assert_true(r->shared);
        assert_null(r->buffer);
        assert_true(r->first.writes != r->second.writes);
        assert_int_equal(r->first.thread ^ r->second.thread, 63);
        assert_int_equal(r->address, (r->first.writes ? r->first.thread : r->second.thread) * 4);
        assert_true(r->times > 0);
        assert_non_null(strstr(r->why, "waited for"));
        simt_case_end(&c);
        c = run(EXCHANGE("bar.sync 0;\n"), simt_models[k], 1, 64);
        assert_int_equal(c.report->races, 0);
        simt_case_end(&c);
        c = run("mov.u32 %r2, s;\nst.shared.u32 [%r2], %r60;\nret;", simt_models[k], 1, 32);
        assert_int_equal(c.report->races, 1);
        assert_non_null(strstr(c.report->race->why, "one instruction"));
        simt_case_end(&c);
        c = run("mov.u32 %r2, s;\natom.shared.add.u32 %r1, [%r2], %r60;\nret;", simt_models[k], 1, 64);
        assert_int_equal(c.report->races, 0);
        simt_case_end(&c);
    }
}

/* Within a warp lockstep is an order before Volta; since then bar.warp.sync is needed. */
static void inside_a_warp(void **state)
{
    (void)state;
#define NEIGHBOUR(between)                                                                                             \
    "mul.lo.u32 %r1, %r60, 4; mov.u32 %r2, s; add.u32 %r1, %r1, %r2;\nst.shared.u32 [%r1], %r60;\n" between            \
    "xor.b32 %r3, %r1, 4;\nld.shared.u32 %r4, [%r3];\nret;"
    simt_case c = run(NEIGHBOUR(""), GCAST_SIMT_THREADS, 1, 32);
    assert_int_equal(c.report->races, 1);
    assert_non_null(strstr(c.report->race->why, "__syncwarp"));
    simt_case_end(&c);
    c = run(NEIGHBOUR(""), GCAST_SIMT_STACK, 1, 32);
    assert_int_equal(c.report->races, 0);
    simt_case_end(&c);
    c = run(NEIGHBOUR("bar.warp.sync -1;\n"), GCAST_SIMT_THREADS, 1, 32);
    assert_int_equal(c.report->races, 0);
    simt_case_end(&c);
    c = run(NEIGHBOUR("shfl.sync.idx.b32 %r5, %r60, 0, 31, -1;\n"), GCAST_SIMT_THREADS, 1, 32);
    assert_int_equal(c.report->races, 0);
    assert_int_equal(c.report->race_notes, 1);
    assert_int_equal(c.report->race->kind, GCAST_RACE_NOT_PROMISED);
    assert_non_null(strstr(c.report->race->why, "shfl.sync"));
    simt_case_end(&c);
}

/* %r1 is the warp, %p1 to %p4 are set in warps 0 to 3, %p9 is set in lane 0. */
#define WARPS                                                                                                          \
    "shr.u32 %r1, %r60, 5; and.b32 %r2, %r60, 31; setp.eq.u32 %p9, %r2, 0;\n"                                          \
    "setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 1; setp.eq.u32 %p3, %r1, 2; setp.eq.u32 %p4, %r1, 3;\n"            \
    "and.pred %p5, %p1, %p9; or.pred %p6, %p2, %p3;\n"

static void barriers_of_others(void **state)
{
    (void)state;
    assert_races(WARPS "@%p5 st.shared.u32 [s], 5;\n@%p6 bar.sync 1, 64;\n@%p4 ld.shared.u32 %r3, [s];\nret;", 1, 128,
                 1);
    assert_races(WARPS "@%p5 st.shared.u32 [s], 5;\n@!%p6 bar.sync 1, 64;\n@%p4 ld.shared.u32 %r3, [s];\nret;", 1, 128,
                 0);
}

static void arriving_is_not_waiting(void **state)
{
    (void)state;
    simt_case c = run(WARPS "@%p5 st.shared.u32 [s], 5;\n@%p1 bar.arrive 1, 64;\n@%p5 st.shared.u32 [s], 6;\n"
                            "@%p2 bar.sync 1, 64;\n@%p2 ld.shared.u32 %r3, [s];\nret;",
                      GCAST_SIMT_THREADS, 1, 64);
    assert_int_equal(c.report->races, 1);
    simt_case_end(&c);
    assert_races(WARPS "@%p5 st.shared.u32 [s], 5;\n@%p1 bar.arrive 1, 64;\n@%p2 bar.sync 1, 64;\n"
                       "@%p2 ld.shared.u32 %r3, [s];\nret;",
                 1, 64, 0);
}

static void bytes_are_bytes(void **state)
{
    (void)state;
    assert_races(WARPS "@%p1 st.shared.u8 [%r60], 7;\nand.b32 %r3, %r60, 28;\n@%p2 ld.shared.u8 %r4, [%r3];\nret;", 1,
                 64, 1);
    assert_races(WARPS "@%p1 st.shared.u8 [%r2], 7;\nadd.u32 %r3, %r2, 32;\n@%p2 ld.shared.u8 %r4, [%r3];\nret;", 1, 64,
                 0);
    /* the upper half of a word, and all of it */
    assert_races(WARPS "@%p5 st.shared.u16 [s+2], 7;\n@%p2 ld.shared.u16 %h1, [s];\nret;", 1, 64, 0);
    assert_races(WARPS "@%p5 st.shared.u16 [s+2], 7;\n@%p2 ld.shared.u32 %r3, [s];\nret;", 1, 64, 1);
    assert_races(WARPS "@%p5 st.shared.u32 [s+12], 7;\n@%p2 ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [s];\nret;", 1, 64,
                 1);
}

/* Thread 0 reads, works, and writes; thread 32 reads at the same time. */
static void a_second_reader(void **state)
{
    (void)state;
    assert_races(WARPS "and.pred %p10, %p2, %p9;\n@%p5 ld.shared.u32 %r3, [s];\n@%p10 ld.shared.u32 %r4, [s];\n"
                       "mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1; setp.lt.u32 %p11, %r5, 5000;\n@%p11 bra L;\n"
                       "@%p5 st.shared.u32 [s], %r5;\nret;",
                 1, 64, 1);
}

static void between_blocks(void **state)
{
    (void)state;
    simt_case c = run("st.global.u32 [%rd60], %r60;\nret;", GCAST_SIMT_THREADS, 1, 32);
    assert_int_equal(c.report->races, 1);
    assert_false(c.report->race->shared);
    assert_string_equal(c.report->race->buffer, "b0");
    simt_case_end(&c);
    c = run("setp.eq.u32 %p1, %r60, 0;\n@%p1 st.global.u32 [%rd60+8], %r61;\nret;", GCAST_SIMT_THREADS, 4, 32);
    assert_int_equal(c.report->races, 1);
    assert_true(c.report->race->first.block != c.report->race->second.block);
    assert_int_equal(c.report->race->address, 8);
    assert_non_null(strstr(c.report->race->why, "different blocks"));
    simt_case_end(&c);
    assert_races("setp.eq.u32 %p1, %r60, 0;\n@%p1 red.global.add.u32 [%rd60], %r61;\nret;", 4, 32, 0);
    assert_races("mul.wide.u32 %rd1, %r61, 4; add.u64 %rd1, %rd1, %rd60; setp.eq.u32 %p1, %r60, 0;\n"
                 "@%p1 st.global.u32 [%rd1], %r61;\nret;",
                 4, 32, 0);
}

/* A store of the value that is there already changes nothing; but the first store of it is a write, whatever memory
 * held before. */
static void writes_of_one_value(void **state)
{
    (void)state;
    simt_case c = run("st.global.u32 [%rd60], 9;\nret;", GCAST_SIMT_THREADS, 2, 64);
    assert_int_equal(c.report->races, 0);
    assert_int_equal(c.report->race_notes, 1);
    assert_int_equal(c.report->race->kind, GCAST_RACE_SAME_VALUE);
    simt_case_end(&c);
    assert_races(WARPS "@%p5 st.shared.u32 [s], 0;\n@%p2 ld.shared.u32 %r3, [s];\nret;", 1, 64, 1);
    c = run(WARPS "st.global.u32 [%rd60], 9;\nbar.sync 0;\n@%p2 ld.global.u32 %r3, [%rd60];\n"
                  "@%p5 st.global.u32 [%rd60], 8;\nret;",
            GCAST_SIMT_THREADS, 1, 64);
    assert_int_equal(c.report->races, 1); /* the last writer and those who read */
    assert_int_equal(c.report->race_notes, 1);
    assert_true(c.report->race[0].first.writes != c.report->race[0].second.writes);
    assert_int_equal(c.report->race[1].kind, GCAST_RACE_SAME_VALUE);
    simt_case_end(&c);
}

/* Scopes, and a lock without fences. */
static void atomics(void **state)
{
    (void)state;
    simt_case c = run("setp.eq.u32 %p1, %r60, 0;\n@%p1 atom.cta.global.add.u32 %r1, [%rd60], 1;\nret;",
                      GCAST_SIMT_THREADS, 2, 32);
    assert_int_equal(c.report->races, 1);
    assert_non_null(strstr(c.report->race->why, ".cta"));
    assert_string_equal(c.report->race->first.instruction, "atom.cta.global.add.u32");
    simt_case_end(&c);
#define LOCK(fence)                                                                                                    \
    "L: atom.global.cas.b32 %r1, [%rd60], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\n" fence                        \
    "ld.global.u32 %r2, [%rd60+4];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd60+4], %r2;\n" fence                       \
    "atom.global.exch.b32 %r1, [%rd60], 0;\nret;"
    c = run(LOCK("membar.gl;\n"), GCAST_SIMT_THREADS, 2, 64);
    assert_int_equal(c.report->races + c.report->race_notes, 0);
    assert_int_equal(c.buffer[0][1], 128);
    simt_case_end(&c);
    c = run(LOCK(""), GCAST_SIMT_THREADS, 2, 64);
    assert_int_equal(c.report->races, 0);
    assert_true(c.report->race_notes > 0);
    assert_int_equal(c.report->race->kind, GCAST_RACE_NOT_PROMISED);
    simt_case_end(&c);
}

/* A flag that a fence makes correct, with each part left out in turn. */
static void flags(void **state)
{
    (void)state;
#define FLAG(release, acquire)                                                                                         \
    "setp.ne.u32 %p1, %r60, 0;\n@%p1 ret;\nsetp.eq.u32 %p2, %r61, 0;\n@%p2 bra W;\n"                                   \
    "L: ld.volatile.global.u32 %r1, [%rd60];\nsetp.eq.u32 %p3, %r1, 0;\n@%p3 bra L;\n" acquire                         \
    "ld.global.u32 %r2, [%rd60+4];\nret;\n"                                                                            \
    "W: st.global.u32 [%rd60+4], 7;\n" release "st.volatile.global.u32 [%rd60], 1;\nret;"
    assert_races(FLAG("membar.gl;\n", "membar.gl;\n"), 2, 32, 0);
    assert_races(FLAG("fence.acq_rel.gpu;\n", "fence.sc.sys;\n"), 2, 32, 0);
    assert_races(FLAG("membar.gl;\n", ""), 2, 32, 1);
    assert_races(FLAG("", "membar.gl;\n"), 2, 32, 1);
    assert_races(FLAG("membar.cta;\n", "membar.gl;\n"), 2, 32, 1);
    assert_races(FLAG("membar.gl;\n", "membar.cta;\n"), 2, 32, 1);
    simt_case c = run(FLAG("membar.gl;\n", ""), GCAST_SIMT_THREADS, 2, 32);
    assert_non_null(strstr(c.report->race->why, "no fence or acquire came after"));
    simt_case_end(&c);
}

/* Two warps pass a turn back and forth in shared memory, each spinning at the end of its turn: no deadlock. */
static void turns_in_shared_memory(void **state)
{
    (void)state;
    assert_races(
        WARPS "@!%p9 ret;\nmov.u32 %r5, %r1;\nmov.u32 %r6, 0;\n"
              "N: ld.volatile.shared.u32 %r3, [s];\nsetp.ne.u32 %p10, %r3, %r5;\n@%p10 bra N;\n"
              "membar.cta;\nld.shared.u32 %r4, [s+8];\nadd.u32 %r4, %r4, 1;\nst.shared.u32 [s+8], %r4;\nmembar.cta;\n"
              "add.u32 %r3, %r3, 1;\nst.volatile.shared.u32 [s], %r3;\nadd.u32 %r5, %r5, 2;\n"
              "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p11, %r6, 5;\n@%p11 bra N;\nret;",
        1, 64, 0);
}

/* Warp 0 copies `size` of 8 bytes for each thread, warp 1 writes 4 of them. */
#define COPY_PART(size, written)                                                                                       \
    "mov.u32 %r2, s; and.b32 %r3, %r60, 31; shl.b32 %r3, %r3, 3; cvt.u64.u32 %rd1, %r3; add.u64 %rd1, %rd60, %rd1;\n"  \
    "setp.lt.u32 %p1, %r60, 32; @%p1 bra COPY;\nst.global.u32 [%rd1+" written "], %r60; ret;\n"                        \
    "COPY: mov.u32 %r4, " size "; add.u32 %r2, %r2, %r3; cp.async.ca.shared.global [%r2], [%rd1], 8, %r4;\n"           \
    "cp.async.wait_all; ret;"

static void copies_of_a_part(void **state)
{
    (void)state;
    assert_races(COPY_PART("8", "4"), 1, 64, 1);
    assert_races(COPY_PART("4", "0"), 1, 64, 1);
    assert_races(COPY_PART("4", "4"), 1, 64, 0);
    assert_races(COPY_PART("0", "0"), 1, 64, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_warps),
        cmocka_unit_test(inside_a_warp),
        cmocka_unit_test(barriers_of_others),
        cmocka_unit_test(arriving_is_not_waiting),
        cmocka_unit_test(bytes_are_bytes),
        cmocka_unit_test(a_second_reader),
        cmocka_unit_test(between_blocks),
        cmocka_unit_test(writes_of_one_value),
        cmocka_unit_test(atomics),
        cmocka_unit_test(flags),
        cmocka_unit_test(turns_in_shared_memory),
        cmocka_unit_test(copies_of_a_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
