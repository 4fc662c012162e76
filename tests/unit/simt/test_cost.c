/* The cost model: what waits, what overlaps, and what a block's time consists
 * of; and the clocks that --times adds to a kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/timed_run.h"
#include "model/cost.h"
#include "ptx/public.h"
#include "support/support.h"

#define HEAD                                                                                                           \
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"                             \
    ".reg .f32 %f<10>;\n.reg .b64 %d<4>;\n.reg .b32 %r<4>;\n.reg .pred %q;\n.shared .b8 s[8192];\nld.param.u64 %d1, "  \
    "[p];\n"

static gcast_simt_contract contract;

/* Cycles of one block of `threads` threads that executes a line `times` times. */
static uint64_t cycles(const char *line, int times, uint32_t threads)
{
    static char source[65536];
    gcast_error err;
    gcast_ptx *p;
    gcast_simt_report *r;
    uint32_t data[1024] = {0};
    gcast_buffer buffer = {"b", data, sizeof data};
    gcast_argument argument = {0, NULL, 8};
    gcast_launch l = {.grid = {1, 1, 1},
                      .block = {threads, 1, 1},
                      .arguments = 1,
                      .buffers = 1,
                      .argument = &argument,
                      .buffer = &buffer};
    gcast_simt_options o = gcast_simt_options_default();
    size_t used = (size_t)snprintf(source, sizeof source, "%s", HEAD);
    for (int i = 0; i < times; i++)
        used += (size_t)snprintf(source + used, sizeof source - used, "%s\n", line);
    used += (size_t)snprintf(source + used, sizeof source - used, "ret;\n}\n");
    o.cost = gcast_cost_find("h200");
    o.contract = contract;
    assert_non_null(o.cost);
    assert_ok(gcast_ptx_parse(source, used, NULL, &p, &err), &err);
    assert_ok(gcast_simt_run(p, &l, &o, &r, &err), &err);
    assert_non_null(r->cost);
    uint64_t c = r->cost[0].cycles;
    gcast_simt_report_free(r);
    gcast_ptx_free(p);
    return c;
}

static uint64_t cycles_of_hundred(const char *line, uint32_t threads)
{
    return cycles(line, 200, threads) - cycles(line, 100, threads);
}

static void test_a_chain_takes_its_latency(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_hundred("fma.rn.f32 %f1, %f1, %f2, %f3;", 32), 400);
    assert_int_equal(cycles_of_hundred("fma.rn.f64 %d2, %d2, %d2, %d2;", 32) / 10, 80);
}

/* A product that ptxas absorbs is no instruction; without contraction it is one. */
static void test_contracted_pairs_are_one(void **state)
{
    (void)state;
    static const char pair[] = "mul.f32 %f4, %f1, %f2; sub.f32 %f1, %f3, %f4; st.shared.f32 [s], %f1;";
    uint64_t one = cycles_of_hundred(pair, 32);
    contract = GCAST_SIMT_CONTRACT_OFF;
    uint64_t two = cycles_of_hundred(pair, 32);
    contract = GCAST_SIMT_CONTRACT_PTXAS;
    assert_int_equal(two - one, 400);
    assert_int_equal(cycles_of_hundred("mul.rn.f32 %f4, %f1, %f2; sub.f32 %f1, %f3, %f4; st.shared.f32 [s], %f1;", 32),
                     two);
}

static void test_independent_ones_take_their_unit(void **state)
{
    (void)state;
    uint64_t each =
        cycles_of_hundred("fma.rn.f32 %f1, %f2, %f3, %f4; fma.rn.f32 %f5, %f2, %f3, %f4; fma.rn.f32 %f6, %f2, %f3, %f4;"
                          "fma.rn.f32 %f7, %f2, %f3, %f4; fma.rn.f32 %f8, %f2, %f3, %f4;",
                          32);
    assert_in_range(each, 550, 560); /* 1.11 cycles each */
}

static void test_warps_share_quarters(void **state)
{
    (void)state;
    const char *line = "fma.rn.f32 %f1, %f1, %f2, %f3;";
    assert_in_range(cycles_of_hundred(line, 128), 400, 402);  /* one warp per quarter */
    assert_in_range(cycles_of_hundred(line, 1024), 850, 900); /* eight warps per quarter */
}

static void test_moves_are_free(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_hundred("mov.f32 %f1, %f2;", 32), 0);
}

static void test_barriers_wait_for_all(void **state)
{
    (void)state;
    assert_in_range(cycles_of_hundred("bar.sync 0;", 32), 1400, 1600);
    assert_in_range(cycles_of_hundred("bar.sync 0;", 1024), 7600, 8600);
}

static void test_conflicts_cost(void **state)
{
    (void)state;
    const char *near = "mov.u32 %r1, %tid.x; mad.lo.u32 %r2, %r1, 4, %r3; ld.shared.u32 %r3, [%r2];";
    const char *far = "mov.u32 %r1, %tid.x; mad.lo.u32 %r2, %r1, 128, %r3; ld.shared.u32 %r3, [%r2];";
    assert_true(cycles_of_hundred(far, 32) > cycles_of_hundred(near, 32) + 2000);
}

/* Loads whose addresses are known overlap, but not past a store or out of their basic block. */
static void test_loads_move_up(void **state)
{
    (void)state;
#define SUM(at) "ld.global.u32 %r1, [%d1+" #at "]; add.u32 %r2, %r2, %r1;"
#define FOUR(between) SUM(0) between SUM(512) between SUM(1024) between SUM(1536)
    uint64_t one = cycles(SUM(0), 1, 32);
    assert_in_range(cycles(FOUR(""), 1, 32), one, one + 60);
    assert_in_range(cycles(FOUR("bar.sync 0;"), 1, 32), one + 3 * 280, one + 3 * 330);
    assert_in_range(cycles(FOUR("st.shared.u32 [%r3], %r2;"), 1, 32), one + 3 * 280, one + 3 * 330);
    assert_in_range(cycles(FOUR("membar.cta;"), 1, 32), one + 3 * 280, one + 3 * 330);
}

/* Words that were stored are in L1, the rest of their sector is not. */
static void test_stores_fill_l1(void **state)
{
    (void)state;
#define STORED(at) "st.global.u32 [%d1], %r1; bar.sync 0; ld.global.u32 %r1, [%d1+" #at "]; add.u32 %r2, %r2, %r1;"
    uint64_t same = cycles(STORED(0), 1, 32), beside = cycles(STORED(4), 1, 32);
    assert_in_range(beside - same, 240, 260);
    assert_in_range(cycles("ld.global.u32 %r1, [%d1]; bar.sync 0;" STORED(4), 1, 32), beside, beside + 60);
}

/* An mbarrier is eight bytes, also at address 0: one wavefront, however many lanes access it. */
static void test_mbarriers(void **state)
{
    (void)state;
    uint64_t made = cycles("mbarrier.init.shared.b64 [s], 1000000;", 1, 32);
    assert_in_range(made, 1, 200);
    assert_in_range(cycles("mbarrier.init.shared.b64 [s], 1000000; mbarrier.arrive.shared.b64 %d2, [s];"
                           "mbarrier.test_wait.shared.b64 %q, [s], %d2;",
                           1, 32),
                    made + 1, made + 400);
}

/* Lists of registers of every length, so that a sanitizer sees a read past the end of one. */
static void test_lists_of_registers(void **state)
{
    (void)state;
    for (int n = 0; n < 40; n++)
        assert_true(cycles("mov.f32 %f1, 0f00000000;", n, 32) >= cycles("", 1, 32));
}

static void test_no_figures(void **state)
{
    (void)state;
    assert_null(gcast_cost_find("k20m"));
    assert_string_equal(gcast_cost_unit(999), "latency");
}

static void test_clocks(void **state)
{
    (void)state;
    static const char source[] = HEAD "setp.eq.u32 %q, %r1, 0;\n@%q ret;\nst.global.u32 [%d1], %r1;\nret;\n}\n";
    gcast_error err;
    gcast_ptx *p, *timed;
    char *out;
    assert_ok(gcast_ptx_parse(source, strlen(source), NULL, &p, &err), &err);
    assert_ok(timed_ptx(p, "k", &out, &err), &err);
    assert_ok(gcast_ptx_parse(out, strlen(out), NULL, &timed, &err), &err);
    assert_int_equal(gcast_ptx_params(timed, 0), 2);
    assert_non_null(strstr(out, "@!%q bra $gcast_on_0;"));
    int ends = 0;
    for (const char *at = out; (at = strstr(at, "red.global.max.u64 [%gcast_d4+16]")); at++)
        ends++;
    assert_int_equal(ends, 3);
    gcast_ptx_free(timed);
    free(out);
    assert_int_equal(timed_ptx(p, "none", &out, &err), GCAST_INPUT);
    gcast_ptx_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_chain_takes_its_latency),
        cmocka_unit_test(test_contracted_pairs_are_one),
        cmocka_unit_test(test_independent_ones_take_their_unit),
        cmocka_unit_test(test_warps_share_quarters),
        cmocka_unit_test(test_moves_are_free),
        cmocka_unit_test(test_barriers_wait_for_all),
        cmocka_unit_test(test_conflicts_cost),
        cmocka_unit_test(test_loads_move_up),
        cmocka_unit_test(test_stores_fill_l1),
        cmocka_unit_test(test_mbarriers),
        cmocka_unit_test(test_lists_of_registers),
        cmocka_unit_test(test_no_figures),
        cmocka_unit_test(test_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
