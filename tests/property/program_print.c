/* Random programs as PTX: the module, how functions start with known registers,
 * and how the kernel gives them back. */
#include "property/program_print.h"

#define REGISTERS_TEXT                                                                                                 \
    ".reg .b32 %a<4>, %t<4>, %c<4>, %sown, %sbase, %scount, %ntid_, %lanes, %depth, %unread;\n"                        \
    ".reg .b64 %w<4>, %u<4>, %own, %count;\n.reg .b16 %h<4>, %g<4>;\n.reg .f32 %f<4>;\n.reg .f64 %d<4>;\n"             \
    ".reg .pred %p<4>, %q<4>, %first;\n.local .align 16 .b8 loc[32];\n"                                                \
    "mov.u64 %u0, 0;\nst.local.v2.u64 [loc], {%u0, %u0};\nst.local.v2.u64 [loc+16], {%u0, %u0};\n"

static const char kernel_start[] =
    "mov.u32 %a0, %tid.x;\nmov.u32 %ntid_, %ntid.x;\nmov.u32 %t0, %ctaid.x;\nmad.lo.u32 %a1, %t0, %ntid_, %a0;\n"
    "ld.param.u64 %own, [global];\nmad.wide.u32 %own, %a1, 64, %own;\nld.param.u64 %count, [counters];\n"
    "mov.u32 %sbase, slots;\nmad.lo.u32 %sown, %a0, 16, %sbase;\nmov.u32 %scount, scounters;\n"
    "and.b32 %t0, %a0, 0xffffffe0;\nsub.u32 %lanes, %ntid_, %t0;\nmin.u32 %lanes, %lanes, 32;\nmov.u32 %depth, 2;\n"
    "mov.u32 %t1, 0;\nsetp.eq.u32 %first, %a0, 0;\nst.shared.v4.u32 [%sown], {%t1, %t1, %t1, %t1};\n"
    "@%first st.shared.v4.u32 [scounters], {%t1, %t1, %t1, %t1};\n"
    "@%first st.shared.v4.u32 [scounters+16], {%t1, %t1, %t1, %t1};\n"
    "ld.global.v2.u32 {%a2, %a3}, [%own];\nld.global.u64 %w0, [%own+8];\ncvt.u64.u32 %w1, %a1;\n"
    "mov.u64 %w2, 0x123456789;\nmov.u64 %w3, -1;\nld.global.v4.u16 {%h0, %h1, %h2, %h3}, [%own+16];\n"
    "cvt.rn.f32.u32 %f0, %a0;\nmov.f32 %f1, 0f3FC00000;\nld.global.f32 %f2, [%own+24];\nmov.f32 %f3, 0f00000000;\n"
    "cvt.rn.f64.u32 %d0, %a1;\nmov.f64 %d1, 0d3FD0000000000000;\nld.global.f64 %d2, [%own+32];\n"
    "mov.f64 %d3, 0dC000000000000000;\nand.b32 %t0, %a0, 1;\nsetp.ne.u32 %p0, %t0, 0;\nand.b32 %t0, %a1, 2;\n"
    "setp.ne.u32 %p1, %t0, 0;\nsetp.lt.s32 %p2, %a2, %a3;\nsetp.eq.u32 %p3, %a0, %a0;\nbar.sync 0;\n";

static const char kernel_end[] =
    "bar.sync 0;\nmov.u32 %t0, %ctaid.x;\nmov.u32 %t1, %tid.x;\nmad.lo.u32 %t0, %t0, %ntid_, %t1;\n"
    "ld.param.u64 %u0, [saved];\nmad.wide.u32 %u0, %t0, 128, %u0;\nst.global.v4.u32 [%u0], {%a0, %a1, %a2, %a3};\n"
    "st.global.v2.u64 [%u0+16], {%w0, %w1};\nst.global.v2.u64 [%u0+32], {%w2, %w3};\n"
    "st.global.v4.u16 [%u0+48], {%h0, %h1, %h2, %h3};\nst.global.f32 [%u0+56], %f0;\nst.global.f32 [%u0+60], %f1;\n"
    "st.global.v2.f32 [%u0+64], {%f2, %f3};\nst.global.f64 [%u0+72], %d0;\nst.global.v2.f64 [%u0+80], {%d1, %d2};\n"
    "st.global.f64 [%u0+96], %d3;\n";

static const char function_start[] =
    "ld.param.b32 %a0, [x];\nadd.u32 %a1, %a0, 5;\nld.param.b32 %depth, [n];\nmov.u32 %a2, %depth;\nmov.u32 %a3, 77;\n"
    "ld.param.b64 %own, [m];\nld.param.b64 %count, [k];\ncvt.u64.u32 %w0, %a0;\nmov.u64 %w1, 9;\n"
    "mov.u64 %w2, 0x123456789;\nmov.u64 %w3, -1;\nmov.u16 %h0, 1;\nmov.u16 %h1, 2;\nmov.u16 %h2, 3;\nmov.u16 %h3, -1;\n"
    "cvt.rn.f32.u32 %f0, %a0;\nmov.f32 %f1, 0f3FC00000;\nmov.f32 %f2, 0f00000000;\nmov.f32 %f3, 0fBF800000;\n"
    "cvt.rn.f64.u32 %d0, %a0;\nmov.f64 %d1, 0d3FD0000000000000;\nmov.f64 %d2, 0d0000000000000000;\n"
    "mov.f64 %d3, 0dC000000000000000;\nand.b32 %t0, %a0, 1;\nsetp.ne.u32 %p0, %t0, 0;\nnot.pred %p1, %p0;\n"
    "setp.ne.u32 %p2, %a0, %a0;\nsetp.eq.u32 %p3, %a0, %a0;\n";

static void print_kernel_end(printer *p)
{
    text *o = &p->out;
    text_str(o, kernel_end);
    for (int i = 0; i < REGISTERS; i++)
        text_printf(o, "selp.u32 %%t1, 1, 0, %%p%d;\nst.global.u8 [%%u0+%d], %%t1;\n", i, 104 + i);
    for (int k = 0; k < COUNTERS; k++)
        text_printf(o,
                    "@%%first ld.shared.u32 %%t1, [scounters+%d];\n@%%first red.global.add.u32 [%%count+%d], %%t1;\n",
                    4 * k, 4 * (COUNTERS + k));
    text_str(o, "ret;\n}\n");
}

char *program_print(const program_tree *t)
{
    static const char head[] =
        ".func (.param .b32 result) f%d (.param .b32 x, .param .b32 n, .param .b64 m, .param .b64 k)";
    printer p = {.tree = t, .loop = -1};
    text *o = &p.out;
    text_open(o, NULL, NULL);
    text_str(o, ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 16 .b8 table[64] = {");
    for (int i = 0; i < CONST_BYTES; i++)
        text_printf(o, "%s%d", i ? ", " : "", tree_constants[i]);
    text_str(o, "};\n");
    for (int f = 1; f < FUNCTIONS; f++) {
        text_printf(o, head, f);
        text_str(o, ";\n");
    }
    for (p.function = 1; p.function < FUNCTIONS; p.function++) {
        text_printf(o, head, p.function);
        text_str(o, "\n{\n" REGISTERS_TEXT);
        text_str(o, function_start);
        program_print_list(&p, t->body[p.function]);
        text_str(o, "st.param.b32 [result], %a0;\nret;\n}\n");
    }
    p.function = 0;
    text_printf(o,
                ".visible .entry k(.param .u64 global, .param .u64 saved, .param .u64 counters)\n{\n"
                ".shared .align 16 .b8 slots[%u];\n.shared .align 16 .b8 scounters[32];\n",
                t->block * SHARED_BYTES);
    text_str(o, REGISTERS_TEXT);
    text_str(o, kernel_start);
    program_print_list(&p, t->body[0]);
    print_kernel_end(&p);
    return text_take(o, NULL);
}
