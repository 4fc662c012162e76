/* The number of cores changes nothing in the report: whether blocks exchange
 * data does not depend on it, and neither does any count. */
#include <string.h>

#include "support/simt_case.h"

#define BLOCKS 4

static const struct {
    const char *body;
    uint32_t block;
    bool one_by_one;
} cases[] = {
    /* one word per block */
    {"mul.wide.u32 %rd1, %r61, 4; add.u64 %rd1, %rd60, %rd1;\nst.global.u32 [%rd1], %r61;\nret;", 64, false},
    /* reductions that commute */
    {"red.global.max.u32 [%rd60], %r61; red.global.add.u32 [%rd60+4], 1;\nret;", 64, false},
    /* all blocks write one word; one reads what another wrote; the order of arrivals */
    {"st.global.u32 [%rd60], %r61;\nret;", 32, true},
    {"mul.wide.u32 %rd1, %r61, 4; add.u64 %rd1, %rd60, %rd1;\nst.global.u32 [%rd1], 1; ld.global.u32 %r1, [%rd60];\n"
     "ret;",
     32, true},
    {"atom.global.add.u32 %r1, [%rd60], 1; mul.wide.u32 %rd1, %r61, 4; add.u64 %rd1, %rd60, %rd1;\n"
     "st.global.u32 [%rd1+4], %r1;\nret;",
     1, true},
    /* a warp waits long for another of its block, while other blocks write */
    {"mul.wide.u32 %rd1, %r61, 4; add.u64 %rd1, %rd60, %rd1; and.b32 %r1, %r61, 1; setp.eq.u32 %p1, %r1, 0;\n"
     "mov.u32 %r2, 0; setp.ge.u32 %p2, %r60, 32;\n@%p2 bra W;\n"
     "L: add.u32 %r2, %r2, 1;\n@%p1 st.global.u32 [%rd1], %r2;\nsetp.lt.u32 %p3, %r2, 600000;\n@%p3 bra L;\n"
     "st.shared.u32 [flag], 1;\nret;\n"
     "W: ld.volatile.shared.u32 %r3, [flag]; setp.eq.u32 %p3, %r3, 0;\n@%p3 bra W;\nret;",
     64, false},
};

static simt_case run(size_t i, uint32_t cores, uint32_t *out)
{
    simt_case c = simt_case_start(cases[i].body, GCAST_SIMT_THREADS, BLOCKS, cases[i].block);
    c.before = ".shared .align 4 .b32 flag;";
    c.options.cores = cores;
    c.options.profile = i < 5; /* the last one takes long */
    simt_case_buffer(&c, out, 64);
    simt_case_ok(&c);
    return c;
}

static void cores_change_no_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t want[64] = {0};
        simt_case one = run(i, 1, want);
        assert_int_equal(one.report->one_by_one, cases[i].one_by_one);
        for (uint32_t cores = 2; cores <= 5; cores += 3) {
            uint32_t got[64] = {0};
            simt_case many = run(i, cores, got);
            const gcast_simt_report *a = one.report, *b = many.report;
            assert_memory_equal(want, got, sizeof want);
            assert_int_equal(a->one_by_one, b->one_by_one);
            assert_int_equal(a->max_warp_instructions, b->max_warp_instructions);
            assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
            assert_int_equal(a->lines, b->lines);
            for (uint32_t k = 0; k < a->lines; k++)
                assert_memory_equal(&a->line[k].counts, &b->line[k].counts, sizeof a->line[k].counts);
            simt_case_end(&many);
        }
        simt_case_end(&one);
    }
}

/* A single block has no other to exchange data with. */
static void one_block_is_never_in_turn(void **state)
{
    (void)state;
    uint32_t out[64] = {0};
    simt_case c = simt_case_start("st.global.u32 [%rd60], %r60; atom.global.add.u32 %r1, [%rd60], 1;\nret;",
                                  GCAST_SIMT_THREADS, 1, 64);
    simt_case_buffer(&c, out, 64);
    simt_case_ok(&c);
    assert_false(c.report->one_by_one);
    simt_case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_change_no_count),
        cmocka_unit_test(one_block_is_never_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
