/* Basic blocks, what instructions read and write, and liveness, on functions
 * whose answers are obvious. */
#include "ptx/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/module.h"
#include "support/support.h"

typedef struct example {
    ptx_module *module;
    ptx_graph graph;
    ptx_live live;
} example;

static example make_example(const char *body)
{
    char source[2400];
    gcast_error err;
    example x;
    snprintf(source, sizeof source,
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
             ".reg .pred %%p<4>;\n.reg .b32 %%r<20>;\n.reg .b64 %%rd<4>;\n.reg .f32 %%f<9>;\n%s\n}\n",
             body);
    assert_ok(ptx_parse(source, strlen(source), &x.module, &err), &err);
    assert_ok(ptx_graph_make(x.module->function[0], &x.graph, &err), &err);
    assert_ok(ptx_live_find(&x.graph, NULL, &x.live, &err), &err);
    return x;
}

static void close_example(example *x)
{
    ptx_live_free(&x->live);
    ptx_graph_free(&x->graph);
    ptx_free(x->module);
}

static uint32_t reg(const example *x, const char *name)
{
    const ptx_function *fn = x->graph.fn;
    for (uint32_t i = 0; i < fn->registers; i++)
        if (strcmp(fn->reg[i].name, name) == 0)
            return i;
    fail_msg("there is no %s", name);
    return 0;
}

static bool live_in(const example *x, uint32_t block, const char *name)
{
    return ptx_live_has(&x->live, x->live.in + (size_t)block * x->live.stride, reg(x, name));
}

static void list(void *data, uint32_t r, bool part)
{
    (void)part;
    sprintf((char *)data + strlen(data), " %u", r);
}

/* Registers by number, in the order of the text: those read, then those written. */
static void assert_roles(const char *instruction, const char *reads, const char *writes)
{
    example x = make_example(instruction);
    char read[100] = "", written[100] = "";
    ptx_each_read(x.graph.in[0], list, read);
    ptx_each_write(x.graph.in[0], list, written);
    assert_string_equal(read, reads);
    assert_string_equal(written, writes);
    close_example(&x);
}

/* %p0-3 are 0 to 3, %r0-19 4 to 23, %rd0-3 24 to 27, %f0-8 28 to 36. */
static void roles(void **state)
{
    (void)state;
    assert_roles("add.u32 %r1, %r2, %r3;", " 6 7", " 5");
    assert_roles("@%p1 add.u32 %r1, %r2, 4;", " 1 6", " 5");
    assert_roles("ld.global.v2.u32 {%r1, %r2}, [%rd1+4];", " 25", " 5 6");
    assert_roles("st.global.v2.u32 [%rd1], {%r1, %r2};", " 25 5 6", "");
    assert_roles("setp.lt.and.u32 %p1|%p2, %r1, %r2, %p3;", " 5 6 3", " 1 2");
    assert_roles("atom.global.add.u32 %r1, [%rd1], %r2;", " 25 6", " 5");
    assert_roles("red.global.add.u32 [%rd1], %r2;", " 25 6", "");
    assert_roles("shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;", " 6", " 5 1");
    assert_roles("bar.red.popc.u32 %r1, 0, %p1;", " 1", " 5");
    assert_roles("bar.sync %r1;", " 5", "");
    assert_roles("mov.b64 {%r1, %r2}, %rd1;", " 25", " 5 6");
    assert_roles("mov.b64 %rd1, {%r1, %r2};", " 5 6", " 25");
    assert_roles("membar.gl;", "", "");
}

static void a_straight_line_is_one_block(void **state)
{
    (void)state;
    example x = make_example("mov.u32 %r1, 1; add.u32 %r2, %r1, 1; st.global.u32 [%rd1], %r2; ret;");
    assert_int_equal(x.graph.blocks, 1);
    assert_int_equal(x.graph.block[0].count, 4);
    assert_int_equal(x.graph.block[0].edges, 0);
    assert_true(live_in(&x, 0, "%rd1"));
    assert_false(live_in(&x, 0, "%r1"));
    close_example(&x);
}

static void a_branch_makes_three(void **state)
{
    (void)state;
    example x = make_example("setp.eq.u32 %p1, %r1, 0; @%p1 bra E; mov.u32 %r2, 5; E: st.global.u32 [%rd1], %r2; ret;");
    assert_int_equal(x.graph.blocks, 3);
    assert_int_equal(x.graph.block[0].edges, 2);
    assert_int_equal(x.graph.block[2].predecessors, 2);
    assert_true(live_in(&x, 0, "%r2")); /* if the branch is taken */
    assert_false(live_in(&x, 1, "%r2"));
    assert_true(live_in(&x, 2, "%r2"));
    assert_false(live_in(&x, 1, "%r1"));
    close_example(&x);
}

static void a_branch_to_the_next_has_one_way(void **state)
{
    (void)state;
    example x = make_example("@%p1 bra E; E: st.global.u32 [%rd1], %r2; ret;");
    assert_int_equal(x.graph.blocks, 2);
    assert_int_equal(x.graph.block[0].edges, 1);
    assert_int_equal(x.graph.block[1].predecessors, 1);
    close_example(&x);
}

static void a_table_leads_everywhere(void **state)
{
    (void)state;
    example x = make_example("T: .branchtargets A, B, A; brx.idx %r1, T; A: mov.u32 %r2, 1; bra C; B: mov.u32 %r2, 2;"
                             "C: st.global.u32 [%rd1], %r2; ret; D: mov.u32 %r3, 4; bra C;");
    assert_int_equal(x.graph.block[0].edges, 2);
    assert_true(x.graph.block[3].reached);
    assert_int_equal(x.graph.block[3].predecessors, 2); /* a block that nothing leads to does not count */
    assert_false(x.graph.block[4].reached);
    close_example(&x);
}

static void around_a_loop(void **state)
{
    (void)state;
    example x = make_example("mov.u32 %r1, 0; mov.u32 %r2, 0; L: add.u32 %r2, %r2, %r3; add.u32 %r1, %r1, 1;"
                             "setp.lt.u32 %p1, %r1, %r4; @%p1 bra L; st.global.u32 [%rd1], %r2; ret;");
    assert_int_equal(x.graph.blocks, 3);
    assert_true(live_in(&x, 1, "%r2"));
    assert_true(live_in(&x, 1, "%r3"));
    assert_false(live_in(&x, 2, "%r3"));
    assert_false(live_in(&x, 0, "%r1"));
    close_example(&x);
}

static void a_loop_of_one_block_carries(void **state)
{
    (void)state;
    example x = make_example("L: add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd1], %r2; bra L;");
    assert_true(live_in(&x, 0, "%r2"));
    close_example(&x);
}

static void chains_that_lead_nowhere_are_dead(void **state)
{
    (void)state;
    example x =
        make_example("mov.u32 %r1, 1; add.u32 %r2, %r1, 1; mul.lo.u32 %r3, %r2, %r2; st.global.u32 [%rd1], %r1; ret;");
    assert_int_equal(x.live.dead[0], 0);
    assert_int_equal(x.live.dead[1], 1);
    assert_int_equal(x.live.dead[2], 1);
    assert_int_equal(x.live.dead[3], 0);
    close_example(&x);
}

static void a_sum_that_only_feeds_itself_is_dead(void **state)
{
    (void)state;
    example x = make_example("mov.u32 %r1, 0; mov.u32 %r2, 0; L: add.u32 %r2, %r2, 3; add.u32 %r1, %r1, 1;"
                             "setp.lt.u32 %p1, %r1, 9; @%p1 bra L; ret;");
    assert_int_equal(x.live.dead[2], 1);
    assert_int_equal(x.live.dead[1], 1);
    assert_int_equal(x.live.dead[3], 0);
    close_example(&x);
}

static void a_guarded_write_keeps_the_value(void **state)
{
    (void)state;
    example x = make_example("mov.u32 %r2, 7; @%p1 mov.u32 %r2, 5; st.global.u32 [%rd1], %r2; ret;");
    assert_int_equal(x.live.dead[0], 0);
    close_example(&x);
    x = make_example("mov.u32 %r2, 7; mov.u32 %r2, 5; st.global.u32 [%rd1], %r2; ret;");
    assert_int_equal(x.live.dead[0], 1);
    close_example(&x);
}

static void effects_are_never_dead(void **state)
{
    (void)state;
    example x = make_example(
        "atom.global.add.u32 %r1, [%rd1], 1; ld.volatile.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1];"
        "add.cc.u32 %r4, %r1, 1; ret;");
    assert_int_equal(x.live.dead[0], 0);
    assert_int_equal(x.live.dead[1], 0);
    assert_int_equal(x.live.dead[2], 1);
    assert_int_equal(x.live.dead[3], 0);
    close_example(&x);
}

/* By definition: a register is live if a path leads to a read of it without a write in between. */
static bool path_to_read(const ptx_graph *g, uint32_t b, uint32_t r, uint8_t *seen)
{
    char name[16], reads[400], writes[100];
    snprintf(name, sizeof name, " %u ", r);
    if (seen[b])
        return false;
    seen[b] = 1;
    for (uint32_t i = g->block[b].first; i < g->block[b].first + g->block[b].count; i++) {
        *reads = *writes = '\0';
        ptx_each_read(g->in[i], list, reads);
        ptx_each_write(g->in[i], list, writes);
        strcat(reads, " ");
        strcat(writes, " ");
        if (strstr(reads, name))
            return true;
        if (strstr(writes, name) && g->in[i]->guard < 0)
            return false;
    }
    for (uint32_t k = 0; k < g->block[b].edges; k++)
        if (path_to_read(g, g->edge[g->block[b].edge + k], r, seen))
            return true;
    return false;
}

/* Random jumps among blocks that store what they read, so that nothing is dead. */
static void random_jumps(void **state)
{
    (void)state;
    support_random r = {5};
    for (int round = 0; round < 300; round++) {
        char body[1800] = "";
        int blocks = (int)support_between(&r, 2, 8);
        for (int b = 0; b < blocks; b++) {
            sprintf(body + strlen(body), "L%d:\n", b);
            for (int i = (int)support_between(&r, 1, 3); i-- > 0;) {
                int written = (int)support_between(&r, 0, 7), read = (int)support_between(&r, 0, 7);
                sprintf(body + strlen(body), "st.global.u32 [%%rd1], %%r%d;\n%s mov.u32 %%r%d, 3;\n", read,
                        support_between(&r, 0, 3) ? "" : "@%p1", written);
            }
            sprintf(body + strlen(body), "%s bra L%d;\n", support_between(&r, 0, 2) ? "@%p2" : "",
                    (int)support_between(&r, 0, blocks - 1));
        }
        strcat(body, "ret;");
        example x = make_example(body);
        for (uint32_t b = 0; b < x.graph.blocks; b++)
            for (uint32_t n = 4; n < 12; n++) {
                uint8_t seen[40] = {0};
                bool found = ptx_live_has(&x.live, x.live.in + (size_t)b * x.live.stride, n);
                if (found != path_to_read(&x.graph, b, n, seen))
                    fail_msg("round %d, block %u: register %u is %slive\n%s", round, b, n, found ? "not " : "", body);
            }
        close_example(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles),
        cmocka_unit_test(a_straight_line_is_one_block),
        cmocka_unit_test(a_branch_makes_three),
        cmocka_unit_test(a_branch_to_the_next_has_one_way),
        cmocka_unit_test(a_table_leads_everywhere),
        cmocka_unit_test(around_a_loop),
        cmocka_unit_test(a_loop_of_one_block_carries),
        cmocka_unit_test(chains_that_lead_nowhere_are_dead),
        cmocka_unit_test(a_sum_that_only_feeds_itself_is_dead),
        cmocka_unit_test(a_guarded_write_keeps_the_value),
        cmocka_unit_test(effects_are_never_dead),
        cmocka_unit_test(random_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
