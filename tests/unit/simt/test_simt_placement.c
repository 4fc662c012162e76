/* Blocks run on the SMs, and start in the order, that the options say. */
#include <string.h>

#include "model/launch_placement.h"
#include "support/simt_case.h"

#define BLOCKS 100 /* more than run at a time */

/* By block its SM; and a list that each block appends its number to. */
static const char body[] = "mov.u32 %r1, %smid; mul.wide.u32 %rd1, %r61, 4; add.u64 %rd1, %rd60, %rd1;\n"
                           "st.global.u32 [%rd1], %r1; atom.global.add.u32 %r2, [%rd62], 1;\n"
                           "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd61, %rd2; st.global.u32 [%rd2], %r61;\nret;";

typedef struct seen {
    uint32_t sm[BLOCKS], order[BLOCKS], count;
} seen;

static simt_case start(seen *s)
{
    simt_case c = simt_case_start(body, GCAST_SIMT_THREADS, BLOCKS, 1);
    *s = (seen){.count = 0};
    c.options.sms = 7;
    c.options.placed_blocks = BLOCKS;
    simt_case_buffer(&c, s->sm, BLOCKS);
    simt_case_buffer(&c, s->order, BLOCKS);
    simt_case_buffer(&c, &s->count, 1);
    return c;
}

static void blocks_run_where_and_when_they_are_placed(void **state)
{
    (void)state;
    for (int kind = 0; kind < GCAST_PLACEMENT_KINDS; kind++)
        for (uint32_t cores = 1; cores <= 4; cores += 3) {
            uint32_t sm[BLOCKS], order[BLOCKS];
            seen s;
            simt_case c = start(&s);
            gcast_error err;
            assert_ok(gcast_placement_make((gcast_placement_kind)kind, 3, 7, 2, BLOCKS, sm, order, &err), &err);
            c.options.cores = cores;
            c.options.block_sm = sm;
            c.options.block_order = order;
            simt_case_ok(&c);
            assert_memory_equal(s.sm, sm, sizeof sm);
            assert_memory_equal(s.order, order, sizeof order);
            simt_case_end(&c);
        }
}

static void each_may_be_given_alone(void **state)
{
    (void)state;
    uint32_t sm[BLOCKS], order[BLOCKS];
    seen s;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        sm[i] = (i * i) % 7;
        order[i] = (i + 40) % BLOCKS;
    }
    for (int given = 0; given < 3; given++) { /* neither, SMs, order */
        simt_case c = start(&s);
        c.options.block_sm = given == 1 ? sm : NULL;
        c.options.block_order = given == 2 ? order : NULL;
        simt_case_ok(&c);
        for (uint32_t i = 0; i < BLOCKS; i++) {
            assert_int_equal(s.sm[i], given == 1 ? sm[i] : i % 7);
            assert_int_equal(s.order[i], given == 2 ? order[i] : i);
        }
        simt_case_end(&c);
    }
}

/* Block i waits for block i - 1: with the last one started first, 63 blocks wait while the first one starts. */
static void blocks_that_wait_let_others_start(void **state)
{
    (void)state;
    static const char chain[] = "mul.wide.u32 %rd1, %r61, 4; add.u64 %rd1, %rd60, %rd1;\n"
                                "W: ld.acquire.gpu.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0;\n@%p1 bra W;\n"
                                "add.u32 %r1, %r1, 1; st.release.gpu.u32 [%rd1+4], %r1;\nret;";
    uint32_t sm[65], order[65], words[66] = {1};
    gcast_error err;
    for (uint32_t blocks = 64; blocks <= 65; blocks++) {
        simt_case c = simt_case_start(chain, GCAST_SIMT_THREADS, blocks, 1);
        assert_ok(gcast_placement_make(GCAST_PLACEMENT_KIND_REVERSED, 0, 1, 1, blocks, sm, order, &err), &err);
        c.options.block_order = order;
        c.options.placed_blocks = blocks;
        simt_case_buffer(&c, words, 66);
        if (blocks == 64) {
            simt_case_ok(&c);
            assert_int_equal(words[64], 65);
        } else {
            memset(words + 1, 0, sizeof words - sizeof *words);
            simt_case_fails(&c, "1 more waits for room", NULL);
        }
        simt_case_end(&c);
    }
}

static void refuses(simt_case *c, const char *part)
{
    assert_int_equal(simt_case_run(c), GCAST_USAGE);
    if (!strstr(c->err.message, part))
        fail_msg("'%s' is not in '%s'", part, c->err.message);
    simt_case_end(c);
}

static void refuses_what_is_no_placement(void **state)
{
    (void)state;
    uint32_t sm[BLOCKS] = {0}, order[BLOCKS];
    seen s;
    for (uint32_t i = 0; i < BLOCKS; i++)
        order[i] = i;
    simt_case c = start(&s);
    c.options.block_sm = sm;
    c.options.block_order = order;
    sm[99] = 7;
    refuses(&c, "block 99 on SM 7, and there are 7");
    c.options.sms = 0;
    refuses(&c, "and there are 1");
    c.options.sms = 8;
    order[3] = 9;
    refuses(&c, "block 9, which it has started before");
    order[3] = BLOCKS;
    refuses(&c, "block 100, which is not there");
    order[3] = 3;
    c.options.placed_blocks = BLOCKS - 1;
    refuses(&c, "of 99 blocks, and the grid has 100");
    c.options.placed_blocks = BLOCKS;
    simt_case_ok(&c);
    simt_case_end(&c);
}

/* Static and dynamic shared memory, threads, and the registers of the options. */
static void tells_what_a_block_takes(void **state)
{
    (void)state;
    static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                               ".visible .entry k()\n{\n.shared .b8 room[1000];\n.reg .b32 %r;\n"
                               "ld.shared.u32 %r, [room];\nret;\n}\n";
    gcast_ptx *p;
    gcast_error err;
    gcast_block_shape shape;
    gcast_simt_options options = gcast_simt_options_default();
    gcast_launch l = {.grid = {4, 1, 1}, .block = {8, 4, 2}, .shared_bytes = 512};
    options.registers = 40;
    assert_ok(gcast_ptx_parse(text, strlen(text), "test", &p, &err), &err);
    assert_ok(gcast_simt_block_shape(p, &l, &options, &shape, &err), &err);
    assert_int_equal(shape.threads, 64);
    assert_int_equal(shape.registers, 40);
    assert_int_equal(shape.dynamic_smem, 512);
    assert_in_range(shape.static_smem, 1000, 1024); /* dynamic memory begins at a multiple of 16 */
    l.block[0] = 0;
    assert_int_equal(gcast_simt_block_shape(p, &l, &options, &shape, &err), GCAST_INPUT);
    gcast_ptx_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_run_where_and_when_they_are_placed),
        cmocka_unit_test(each_may_be_given_alone),
        cmocka_unit_test(blocks_that_wait_let_others_start),
        cmocka_unit_test(refuses_what_is_no_placement),
        cmocka_unit_test(tells_what_a_block_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
