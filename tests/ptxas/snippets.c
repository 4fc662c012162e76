/* A kernel around statements: their operands are loaded before, and what they
 * leave in registers from 100 on is stored after. */
#include "ptxas/snippets.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define RESULTS 100 /* number of the first result register */
#define RESULTS_END 400

static const struct {
    const char *prefix, *type;
    int bytes, loaded;
} kinds[] = {{"%f", "f32", 4, 8}, {"%d", "f64", 8, 4}, {"%h", "b16", 2, 4}, {"%r", "b32", 4, 4}};

void snippet_head(const char *target, text *out)
{
    text_printf(out, ".version 8.6\n.target %s\n.address_size 64\n", target);
    text_str(out, ".const .align 4 .b8 cc[64];\n.shared .align 4 .b8 sm[64];\n");
}

static void put_loads(text *out)
{
    text_str(out, "ld.param.u64 %rd1, [p];\nld.param.u64 %rd3, [q];\n"
                  "cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd3, %rd3;\nmov.u32 %r90, %tid.x;\n"
                  "mul.wide.u32 %rd2, %r90, 4096;\nadd.s64 %rd1, %rd1, %rd2;\nadd.s64 %rd3, %rd3, %rd2;\n");
    for (size_t k = 0, at = 0; k < sizeof kinds / sizeof *kinds; k++, at += 64)
        for (int i = 0; i < kinds[k].loaded; i++)
            text_printf(out, "ld.global.%s %s%d, [%%rd1+%zu];\n", kinds[k].type, kinds[k].prefix, i,
                        at + (size_t)(i * kinds[k].bytes));
    text_str(out, "setp.lt.f32 %p1, %f6, %f7;\nsetp.gt.f32 %p2, %f5, %f4;\n");
}

/* Does the text name this register? */
static bool names(const char *statements, const char *prefix, int number)
{
    char word[16];
    size_t size = (size_t)snprintf(word, sizeof word, "%s%d", prefix, number);
    for (const char *at = statements; (at = strstr(at, word)); at += size)
        if (!isdigit((unsigned char)at[size]))
            return true;
    return false;
}

static void put_stores(const char *statements, text *out)
{
    for (size_t k = 0, at = 1024; k < sizeof kinds / sizeof *kinds; k++, at += 512)
        for (int i = RESULTS; i < RESULTS_END; i++)
            if (names(statements, kinds[k].prefix, i))
                text_printf(out, "st.global.%s [%%rd3+%zu], %s%d;\n", kinds[k].type,
                            at + (size_t)((i - RESULTS) * kinds[k].bytes), kinds[k].prefix, i);
}

/* A line a statement, and labels as $NAME_L. */
static void put_statements(const char *name, const char *s, text *out)
{
    for (; *s; s++) {
        bool label = *s == 'L' || *s == 'M';
        if (label && (s[-1] == ' ') && (isdigit((unsigned char)s[1]) || s[1] == ':' || s[1] == ';')) {
            text_char(out, '$');
            for (const char *c = name; *c; c++)
                text_char(out, *c == '-' ? '_' : *c);
            text_printf(out, "_%c", *s);
        } else if (*s == ';') {
            text_str(out, ";\n");
            while (s[1] == ' ' && s[2] != 'L' && s[2] != 'M')
                s++;
        } else {
            text_char(out, *s);
        }
    }
}

void snippet_kernel(const char *name, const char *statements, text *out)
{
    text_str(out, ".visible .entry ");
    for (const char *c = name; *c; c++)
        text_char(out, *c == '-' ? '_' : *c);
    text_str(out,
             "(.param .u64 p, .param .u64 q, .param .f32 fp, .param .u64 fq)\n{\n.reg .pred %p<9>;\n"
             ".reg .b16 %h<400>;\n.reg .b32 %r<400>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<400>;\n.reg .f64 %d<400>;\n");
    put_loads(out);
    put_statements(name, statements, out);
    put_stores(statements, out);
    text_str(out, "ret;\n}\n");
}
