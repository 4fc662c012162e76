/* A case as a PTX kernel. */
#include <stdio.h>
#include <string.h>

#include "simt/float/arithmetic.h"
#include "support/float_case.h"

typedef struct sink {
    void (*write)(void *data, const char *text);
    void *data;
} sink;

#define EMIT(s, ...)                                                                                                   \
    do {                                                                                                               \
        char line_[256];                                                                                               \
        snprintf(line_, sizeof line_, __VA_ARGS__);                                                                    \
        (s).write((s).data, line_);                                                                                    \
    } while (0)

/* The registers of a type: h of 16 bits, r of 32, d of 64; integers of 8 bits lie in 32. */
static const char registers[FLOAT_TYPES] = {
    [FLOAT_u8] = 'r',   [FLOAT_u16] = 'h', [FLOAT_u32] = 'r', [FLOAT_u64] = 'd', [FLOAT_s8] = 'r',
    [FLOAT_s16] = 'h',  [FLOAT_s32] = 'r', [FLOAT_s64] = 'd', [FLOAT_f16] = 'h', [FLOAT_bf16] = 'h',
    [FLOAT_tf32] = 'r', [FLOAT_f32] = 'r', [FLOAT_f64] = 'd',
};

static void emit_body(sink s, const float_case *c, char in, char out)
{
    const char *dot = strchr(c->name, '.');
    static const char *const operands[] = {"", "%%%c3, %%%c0", "%%%c3, %%%c0, %%%c1", "%%%c3, %%%c0, %%%c1, %%%c2"};
    char list[40];
    if (!strcmp(c->opcode, "setp") || !strcmp(c->opcode, "testp")) {
        const bool two = c->operands == 2;
        int bit = 0;
        EMIT(s, "mov.b32 %%r3, 0;\n");
#define X(name, mask)                                                                                                  \
    if (two == !!float_comparison(#name))                                                                              \
        EMIT(s, "%s.%s%s %%p1, %%%c0%s%c%c;\n@%%p1 or.b32 %%r3, %%r3, %d;\n", c->opcode, #name, dot, in,               \
             two ? ", %" : "", two ? in : ' ', two ? '1' : ' ', 1 << bit++);
        FLOAT_COMPARISON_TABLE(X)
        FLOAT_TEST_TABLE(X)
#undef X
        return;
    }
    snprintf(list, sizeof list, operands[c->operands], out, in, in, in);
    EMIT(s, "%s %s;\n", c->name, list);
}

void float_case_ptx(const float_case *c, const char *entry, void (*write)(void *data, const char *text), void *data)
{
    const sink s = {write, data};
    const bool mask = !strcmp(c->opcode, "setp") || !strcmp(c->opcode, "testp"), cvt = !strcmp(c->opcode, "cvt");
    const char in = c->packed && !cvt ? 'r' : registers[c->from];
    const char out = mask || c->packed ? 'r' : registers[c->to];
    EMIT(s, ".visible .entry %s(.param .u64 in, .param .u64 out, .param .u32 n) {\n", entry);
    EMIT(s, ".reg .pred %%p<2>;\n.reg .b16 %%h<4>;\n.reg .b32 %%r<4>;\n.reg .b64 %%d<4>;\n");
    EMIT(s, ".reg .u32 %%i<4>;\n.reg .u64 %%a<4>;\n");
    EMIT(s, "mov.u32 %%i0, %%ctaid.x;\nmov.u32 %%i1, %%ntid.x;\nmov.u32 %%i2, %%tid.x;\n");
    EMIT(s, "mad.lo.u32 %%i0, %%i0, %%i1, %%i2;\nld.param.u32 %%i1, [n];\n");
    EMIT(s, "setp.ge.u32 %%p0, %%i0, %%i1;\n@%%p0 ret;\nld.param.u64 %%a0, [in];\nld.param.u64 %%a1, [out];\n");
    EMIT(s, "mad.wide.u32 %%a0, %%i0, 24, %%a0;\nmad.wide.u32 %%a1, %%i0, 8, %%a1;\n");
    for (int i = 0; i < c->operands; i++) {
        EMIT(s, "ld.global.b64 %%d%d, [%%a0 + %d];\n", i, 8 * i);
        if (in != 'd')
            EMIT(s, "cvt.u%d.u64 %%%c%d, %%d%d;\n", in == 'h' ? 16 : 32, in, i, i);
    }
    emit_body(s, c, in, out);
    if (out != 'd')
        EMIT(s, "cvt.u64.u%d %%d3, %%%c3;\n", out == 'h' ? 16 : 32, out);
    EMIT(s, "st.global.b64 [%%a1], %%d3;\nret;\n}\n");
}
