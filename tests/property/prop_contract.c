/* Random sums and products of floats and doubles: what the SIMT machine stores against a slow model, which
 * reads the same statements, looks for products as they are described (docs/exec.md), and computes with C's fma. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptxas/snippets.h"
#include "support/support.h"

#define MAX_STATEMENTS 200
#define ROUNDS 400

/* d = a op b; of a move, d = a */
typedef struct statement {
    char op; /* * + - = */
    bool rounded;
    int d, a, b;
    int takes; /* the operand that is a product it takes: 1, 2; 0: none */
} statement;

typedef struct model {
    int count;
    statement s[MAX_STATEMENTS];
    bool wide;
} model;

static void read_statements(const char *statements, model *m)
{
    char op[20], d[20], a[20], b[20];
    m->count = 0;
    for (const char *at = statements; *at; at = strchr(at, ';') + 1, at += strspn(at, " ")) {
        statement *s = &m->s[m->count++];
        *s = (statement){0};
        if (sscanf(at, "%19[a-z0-9.] %%%*[fd]%19[0-9],%%%*[fd]%19[0-9],%%%*[fd]%19[0-9]", op, d, a, b) == 4)
            s->b = atoi(b);
        else
            assert_int_equal(sscanf(at, "%19[a-z0-9.] %%%*[fd]%19[0-9],%%%*[fd]%19[0-9]", op, d, a), 3);
        s->op = op[0] == 'a' ? '+' : op[0] == 's' ? '-' : op[1] == 'u' ? '*' : '=';
        s->rounded = strstr(op, ".rn") != NULL;
        s->d = atoi(d);
        s->a = atoi(a);
    }
}

static bool is_sum(const statement *s)
{
    return (s->op == '+' || s->op == '-') && !s->rounded;
}

static const statement *product(const model *m, int value)
{
    for (int i = 0; i < m->count; i++)
        if (m->s[i].d == value)
            return m->s[i].op == '*' && !m->s[i].rounded ? &m->s[i] : NULL;
    return NULL;
}

static int uses(const model *m, int value)
{
    int n = 0;
    for (int i = 0; i < m->count; i++)
        n += (m->s[i].a == value) + (m->s[i].op != '=' && m->s[i].b == value);
    return n;
}

/* May a sum take it: are all that use it sums that have taken it, or nothing yet? */
static bool is_free(const model *m, int value)
{
    for (int i = 0; i < m->count; i++) {
        const statement *s = &m->s[i];
        bool first = s->a == value, second = s->op != '=' && s->b == value;
        if ((first || second) && (!is_sum(s) || (s->takes && s->takes != (first ? 1 : 2))))
            return false;
    }
    return true;
}

static void contract(model *m)
{
    for (int several = 0; several < 2; several++)
        for (int i = 0; i < m->count; i++) {
            statement *s = &m->s[i];
            int best = 0, min_count = 0;
            for (int k = 1; k <= 2 && is_sum(s) && !s->takes; k++) {
                int value = k == 1 ? s->a : s->b, n = uses(m, value);
                bool may = product(m, value) && (several || n == 1) && is_free(m, value);
                if (may && (!best || n < min_count)) {
                    best = k;
                    min_count = n;
                }
            }
            s->takes = s->takes ? s->takes : best;
        }
}

static double round_to(const model *m, double x)
{
    return m->wide ? x : (float)x;
}

static double fused(const model *m, double a, double b, double c)
{
    return m->wide ? fma(a, b, c) : fmaf((float)a, (float)b, (float)c);
}

static void compute(const model *m, double value[MAX_STATEMENTS])
{
    for (int i = 0; i < m->count; i++) {
        const statement *s = &m->s[i];
        double a = value[s->a], b = value[s->b], sign = s->op == '-' ? -1 : 1;
        const statement *p = s->takes ? product(m, s->takes == 1 ? s->a : s->b) : NULL;
        if (p && s->takes == 1)
            value[s->d] = fused(m, value[p->a], value[p->b], sign * b);
        else if (p)
            value[s->d] = fused(m, sign * value[p->a], value[p->b], a);
        else
            value[s->d] = s->op == '=' ? a : s->op == '*' ? round_to(m, a * b) : round_to(m, a + sign * b);
    }
}

/* What the kernel stores of results 100 and on, from the values in the buffer. */
static void run(const char *statements, char in[4096], char out[4096])
{
    size_t size;
    text t;
    gcast_ptx *ptx;
    gcast_error err;
    gcast_simt_report *report;
    static const uint64_t zero;
    text_open(&t, NULL, NULL);
    snippet_head("sm_90", &t);
    snippet_kernel("k", statements, &t);
    char *source = text_take(&t, &size);
    assert_ok(gcast_ptx_parse(source, size, "random", &ptx, &err), &err);
    gcast_buffer buffer[] = {{"in", in, 4096}, {"out", out, 4096}};
    gcast_argument argument[] = {{0, NULL, 0}, {1, NULL, 0}, {-1, &zero, 4}, {-1, &zero, 8}};
    gcast_launch launch = {.kernel = "k",
                           .grid = {1, 1, 1},
                           .block = {1, 1, 1},
                           .arguments = 4,
                           .argument = argument,
                           .buffers = 2,
                           .buffer = buffer};
    assert_ok(gcast_simt_run(ptx, &launch, NULL, &report, &err), &err);
    gcast_simt_report_free(report);
    gcast_ptx_free(ptx);
    free(source);
}

static int compare(snippet_kind kind, uint64_t seed)
{
    model m = {.wide = kind == SNIPPET_f64};
    char in[4096] = {0}, out[4096] = {0}, *statements = snippet_random(kind, seed);
    double value[MAX_STATEMENTS] = {0};
    support_random r = {seed};
    int sums = 0;
    for (int i = 0; i < (m.wide ? 4 : 8); i++) {
        float f = (float)support_between(&r, -(1 << 24), 1 << 24) / (1 << 22);
        value[i] = m.wide ? f / 3.0 : f;
        if (m.wide)
            memcpy(in + 64 + 8 * i, &value[i], 8);
        else
            memcpy(in + 4 * i, &f, 4);
    }
    read_statements(statements, &m);
    contract(&m);
    compute(&m, value);
    run(statements, in, out);
    for (int i = 0; i < m.count; i++) {
        const statement *s = &m.s[i];
        sums += s->takes != 0;
        if (s->op != '=')
            continue;
        float f = (float)value[s->d];
        int at = m.wide ? 1536 + 8 * (s->d - 100) : 1024 + 4 * (s->d - 100);
        if (m.wide ? memcmp(out + at, &value[s->d], 8) != 0 : memcmp(out + at, &f, 4) != 0)
            fail_msg("seed %llu: result %d is other than %a in\n%s", (unsigned long long)seed, s->d, value[s->d],
                     statements);
    }
    free(statements);
    return sums;
}

static void floats(void **state)
{
    (void)state;
    int sums = 0;
    for (uint64_t seed = 1000; seed < 1000 + ROUNDS; seed++)
        sums += compare(SNIPPET_f32, seed);
    assert_true(sums > ROUNDS);
}

static void doubles(void **state)
{
    (void)state;
    int sums = 0;
    for (uint64_t seed = 1000; seed < 1000 + ROUNDS; seed++)
        sums += compare(SNIPPET_f64, seed);
    assert_true(sums > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(floats), cmocka_unit_test(doubles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
