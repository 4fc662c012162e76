/* Random statements. Of products and sums of a few values, products often have
 * several uses; nothing is dead: what nobody used is stored, or goes into a
 * variable that lives to the end. A register that is no variable is written once,
 * as compilers do. */
#include <stdlib.h>
#include <string.h>

#include "ptxas/snippets.h"
#include "support/support.h"

#define MOST_VALUES 90 /* registers from 100 on are results */
#define VARIABLES 6    /* %f100 and on: of programs with branches */

typedef struct maker {
    support_random r;
    text *out;
    const char *type, *prefix, *ftz;
    int values; /* %f0 to %f(values - 1) */
    bool is_product[MOST_VALUES], used[MOST_VALUES];
    bool pair[MOST_VALUES][MOST_VALUES]; /* was there such a product or sum? */
    int scope[MOST_VALUES], seen;        /* values that are there in this block */
    int labels, depth;
    bool loops;
} maker;

static int roll(maker *m, int sides)
{
    return (int)support_between(&m->r, 0, sides - 1);
}

/* A value, rather a product if `products`. */
static int pick(maker *m, int products)
{
    int v = roll(m, m->values);
    for (int tries = 0; roll(m, 100) < products && !m->is_product[v] && tries < 20; tries++)
        v = roll(m, m->values);
    return v;
}

static bool add_straight(maker *m, int from)
{
    bool product = m->values < from + 2 || roll(m, 100) < 35;
    int a = pick(m, product ? 0 : 60), b = pick(m, product ? 0 : 60);
    if (a == b || m->pair[a][b])
        return false;
    m->pair[a][b] = m->pair[b][a] = m->used[a] = m->used[b] = true;
    /* One after the other: compilers roll the arguments of a call in orders of their own. */
    const char *op = product ? "mul" : roll(m, 3) ? "add" : "sub";
    const char *rounding = roll(m, 30) ? "" : ".rn";
    text_printf(m->out, "%s%s%s.%s %s%d,%s%d,%s%d; ", op, rounding, m->ftz, m->type, m->prefix, m->values, m->prefix, a,
                m->prefix, b);
    m->is_product[m->values++] = product;
    return true;
}

static void make_straight(maker *m)
{
    int from = m->prefix[1] == 'f' ? 8 : 4, count = from + 6 + roll(m, 30);
    m->values = from;
    for (int tries = 0; m->values < count && tries < 1000; tries++)
        add_straight(m, from);
    for (int i = from, stored = 100; i < m->values; i++)
        if (!m->used[i] || !roll(m, 20))
            text_printf(m->out, "mov.%s %s%d,%s%d; ", m->prefix[1] == 'r' ? "b32" : m->type, m->prefix, stored++,
                        m->prefix, i);
}

/* An operand of a program with branches: a value of this block or one around it, or a variable. */
static void put_operand(maker *m, bool constant)
{
    int k = roll(m, 100);
    if (k < 60 && m->seen) {
        int v = m->scope[m->seen - 1 - roll(m, m->seen < 6 ? m->seen : 6)];
        m->used[v] = true;
        text_printf(m->out, "%%f%d", v);
    } else if (k < 92 || !constant) {
        text_printf(m->out, "%%f%d", 100 + roll(m, VARIABLES));
    } else {
        static const char *const constants[] = {"0f40000000", "0f3F490FDB", "0f3E99999A", "0fBF000000"};
        text_str(m->out, constants[roll(m, 4)]);
    }
}

static void put_assignment(maker *m)
{
    static const char *const ops[] = {"mul", "mul", "mul", "add", "add", "sub", "max"};
    const char *op = ops[roll(m, 7)];
    if (m->values >= MOST_VALUES)
        return;
    text_printf(m->out, "%s%s.f32 %%f%d,", op, op[1] != 'a' && !roll(m, 30) ? ".rn" : "", m->values);
    put_operand(m, false);
    text_str(m->out, ",");
    put_operand(m, true);
    text_str(m->out, "; ");
    m->scope[m->seen++] = m->values;
    m->used[m->values++] = false;
}

static void put_other(maker *m)
{
    static const char *const others[] = {"st.global.f32 [%rd3+512],%f100", "bar.warp.sync -1", "membar.cta",
                                         "@%p1 st.global.f32 [%rd3+516],%f101"};
    text_printf(m->out, "%s; ", others[roll(m, 8) / 2]);
}

static void make_block(maker *m, int statements);

static void make_inner(maker *m)
{
    m->depth++;
    make_block(m, 2 + roll(m, 8));
    m->depth--;
}

static void put_branch(maker *m)
{
    int label = m->labels++;
    int a = 100 + roll(m, VARIABLES);
    text_printf(m->out, "setp.gt.f32 %%p3,%%f%d,%%f%d; @%%p3 bra L%d; ", a, 100 + (a - 99) % VARIABLES, label);
    make_inner(m);
    if (roll(m, 2)) {
        text_printf(m->out, "bra M%d; L%d: ", label, label);
        make_inner(m);
        text_printf(m->out, "M%d: ", label);
    } else {
        text_printf(m->out, "L%d: ", label);
    }
}

static void put_loop(maker *m)
{
    int label = m->labels++;
    text_printf(m->out, "mov.u32 %%r%d,0; L%d: ", 20 + label, label);
    make_inner(m);
    text_printf(m->out, "add.u32 %%r%d,%%r%d,1; setp.lt.u32 %%p4,%%r%d,%%r0; @%%p4 bra L%d; ", 20 + label, 20 + label,
                20 + label, label);
}

/* What it made is seen to its end; what nobody used then goes into a variable. */
static void make_block(maker *m, int statements)
{
    int before = m->seen;
    for (int i = 0; i < statements; i++) {
        int k = roll(m, 100);
        if (k < 80 || m->depth == 3 || m->labels > 30)
            put_assignment(m);
        else if (k < 88)
            put_other(m);
        else if (m->loops && k >= 95)
            put_loop(m);
        else
            put_branch(m);
    }
    for (; m->seen > before; m->seen--) {
        int v = 100 + roll(m, VARIABLES), i = m->scope[m->seen - 1];
        if (!m->used[i])
            text_printf(m->out, "%s.f32 %%f%d,%%f%d,%%f%d; ", roll(m, 2) ? "max" : "add", v, v, i);
    }
}

static void make_branches(maker *m)
{
    for (int i = 0; i < VARIABLES; i++)
        text_printf(m->out, "abs.f32 %%f%d,%%f%d; ", 100 + i, i);
    m->values = 8;
    make_block(m, 12 + roll(m, 30));
}

const char *snippet_kind_name(snippet_kind k)
{
    static const char *const names[] = {"f32", "ftz", "f64", "f16x2", "branches", "loops"};
    return names[k];
}

char *snippet_random(snippet_kind k, uint64_t seed)
{
    static const char *const types[] = {"f32", "f32", "f64", "f16x2", "f32", "f32"};
    static const char *const prefixes[] = {"%f", "%f", "%d", "%r", "%f", "%f"};
    text t;
    text_open(&t, NULL, NULL);
    maker *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (maker){.r = {seed * 64 + (uint64_t)k},
                 .out = &t,
                 .type = types[k],
                 .prefix = prefixes[k],
                 .ftz = k == SNIPPET_ftz ? ".ftz" : "",
                 .loops = k == SNIPPET_loops};
    if (k >= SNIPPET_branches)
        make_branches(m);
    else
        make_straight(m);
    free(m);
    return text_take(&t, NULL);
}
