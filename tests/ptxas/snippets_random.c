/* Random statements. Of products and sums of a few values, products often have
 * several uses; nothing is dead: what nobody used is stored, or goes into a
 * variable that lives to the end. A register that is no variable is written once,
 * as compilers do. */
#include <stdlib.h>
#include <string.h>

#include "ptxas/snippets.h"
#include "support/support.h"

#define MAX_VALUES 90 /* registers from 100 on are results */
#define VARIABLES 6   /* %f100 and on: of programs with branches */

typedef struct snippet_builder {
    support_random r;
    text *out;
    const char *type, *prefix, *ftz;
    int values; /* %f0 to %f(values - 1) */
    bool is_product[MAX_VALUES], used[MAX_VALUES];
    bool pair[MAX_VALUES][MAX_VALUES]; /* there is a product or sum of these two values */
    int scope[MAX_VALUES], scope_size; /* values that may be used in this block, and how many */
    int labels, depth;
    bool loops;
} snippet_builder;

static int random_below(snippet_builder *m, int limit)
{
    return (int)support_between(&m->r, 0, limit - 1);
}

/* A random value. `products`: the percentage of tries that look for a product. */
static int pick(snippet_builder *m, int products)
{
    int v = random_below(m, m->values);
    for (int tries = 0; random_below(m, 100) < products && !m->is_product[v] && tries < 20; tries++)
        v = random_below(m, m->values);
    return v;
}

static bool add_straight(snippet_builder *m, int inputs)
{
    bool product = m->values < inputs + 2 || random_below(m, 100) < 35;
    int a = pick(m, product ? 0 : 60), b = pick(m, product ? 0 : 60);
    if (a == b || m->pair[a][b])
        return false;
    m->pair[a][b] = m->pair[b][a] = m->used[a] = m->used[b] = true;
    /* In statements of their own: compilers evaluate the arguments of a call in any order. */
    const char *op = product ? "mul" : random_below(m, 3) ? "add" : "sub";
    const char *rounding = random_below(m, 30) ? "" : ".rn";
    text_printf(m->out, "%s%s%s.%s %s%d,%s%d,%s%d; ", op, rounding, m->ftz, m->type, m->prefix, m->values, m->prefix, a,
                m->prefix, b);
    m->is_product[m->values++] = product;
    return true;
}

static void make_straight(snippet_builder *m)
{
    int inputs = m->prefix[1] == 'f' ? 8 : 4, count = inputs + 6 + random_below(m, 30);
    m->values = inputs;
    for (int tries = 0; m->values < count && tries < 1000; tries++)
        add_straight(m, inputs);
    for (int i = inputs, stored = 100; i < m->values; i++)
        if (!m->used[i] || !random_below(m, 20))
            text_printf(m->out, "mov.%s %s%d,%s%d; ", m->prefix[1] == 'r' ? "b32" : m->type, m->prefix, stored++,
                        m->prefix, i);
}

/* An operand of a program with branches: a value of this block or one around it, or a variable. */
static void put_operand(snippet_builder *m, bool constant)
{
    int k = random_below(m, 100);
    if (k < 60 && m->scope_size) {
        int v = m->scope[m->scope_size - 1 - random_below(m, m->scope_size < 6 ? m->scope_size : 6)];
        m->used[v] = true;
        text_printf(m->out, "%%f%d", v);
    } else if (k < 92 || !constant) {
        text_printf(m->out, "%%f%d", 100 + random_below(m, VARIABLES));
    } else {
        static const char *const constants[] = {"0f40000000", "0f3F490FDB", "0f3E99999A", "0fBF000000"};
        text_str(m->out, constants[random_below(m, 4)]);
    }
}

static void put_assignment(snippet_builder *m)
{
    static const char *const ops[] = {"mul", "mul", "mul", "add", "add", "sub", "max"};
    const char *op = ops[random_below(m, 7)];
    if (m->values >= MAX_VALUES)
        return;
    text_printf(m->out, "%s%s.f32 %%f%d,", op, op[1] != 'a' && !random_below(m, 30) ? ".rn" : "", m->values);
    put_operand(m, false);
    text_str(m->out, ",");
    put_operand(m, true);
    text_str(m->out, "; ");
    m->scope[m->scope_size++] = m->values;
    m->used[m->values++] = false;
}

static void put_other(snippet_builder *m)
{
    static const char *const statements[] = {"st.global.f32 [%rd3+512],%f100", "bar.warp.sync -1", "membar.cta",
                                             "@%p1 st.global.f32 [%rd3+516],%f101"};
    text_printf(m->out, "%s; ", statements[random_below(m, 8) / 2]);
}

static void make_block(snippet_builder *m, int statements);

static void make_inner(snippet_builder *m)
{
    m->depth++;
    make_block(m, 2 + random_below(m, 8));
    m->depth--;
}

static void put_branch(snippet_builder *m)
{
    int label = m->labels++;
    int a = 100 + random_below(m, VARIABLES);
    text_printf(m->out, "setp.gt.f32 %%p3,%%f%d,%%f%d; @%%p3 bra L%d; ", a, 100 + (a - 99) % VARIABLES, label);
    make_inner(m);
    if (random_below(m, 2)) {
        text_printf(m->out, "bra M%d; L%d: ", label, label);
        make_inner(m);
        text_printf(m->out, "M%d: ", label);
    } else {
        text_printf(m->out, "L%d: ", label);
    }
}

static void put_loop(snippet_builder *m)
{
    int label = m->labels++;
    text_printf(m->out, "mov.u32 %%r%d,0; L%d: ", 20 + label, label);
    make_inner(m);
    text_printf(m->out, "add.u32 %%r%d,%%r%d,1; setp.lt.u32 %%p4,%%r%d,%%r0; @%%p4 bra L%d; ", 20 + label, 20 + label,
                20 + label, label);
}

/* Its values may be used until its end; values without a use are then stored to a variable. */
static void make_block(snippet_builder *m, int statements)
{
    int before = m->scope_size;
    for (int i = 0; i < statements; i++) {
        int k = random_below(m, 100);
        if (k < 80 || m->depth == 3 || m->labels > 30)
            put_assignment(m);
        else if (k < 88)
            put_other(m);
        else if (m->loops && k >= 95)
            put_loop(m);
        else
            put_branch(m);
    }
    for (; m->scope_size > before; m->scope_size--) {
        int v = 100 + random_below(m, VARIABLES), i = m->scope[m->scope_size - 1];
        if (!m->used[i])
            text_printf(m->out, "%s.f32 %%f%d,%%f%d,%%f%d; ", random_below(m, 2) ? "max" : "add", v, v, i);
    }
}

static void make_branches(snippet_builder *m)
{
    for (int i = 0; i < VARIABLES; i++)
        text_printf(m->out, "abs.f32 %%f%d,%%f%d; ", 100 + i, i);
    m->values = 8;
    make_block(m, 12 + random_below(m, 30));
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
    snippet_builder *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (snippet_builder){.r = {seed * 64 + (uint64_t)k},
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
