/* The estimate of registers: how far it is from what ptxas said
 * (tests/data/ptxas/registers.txt), and what it consists of. */
#include "simt/ptxas/registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/module.h"
#include "ptx/ptx.h"
#include "ptx/reachable.h"
#include "support/support.h"

static ptx_module *read_module(const char *name)
{
    size_t size;
    char path[300], *source;
    gcast_error err;
    ptx_module *m;
    snprintf(path, sizeof path, SOURCE_DIR "/tests/%s", name);
    assert_ok(gcast_file_read(path, &source, &size, &err), &err);
    assert_ok(ptx_parse(source, size, &m, &err), &err);
    free(source);
    return m;
}

static uint32_t estimate(const ptx_module *m, const char *kernel, int sm)
{
    program p = {.module = m};
    gcast_error err;
    uint32_t n;
    const ptx_function *f = ptx_find_function(m, kernel);
    assert_non_null(f);
    ptx_reached reached;
    assert_true(ptx_reach(m, f, &p.memory, &reached));
    p.functions = reached.functions;
    p.function = arena_alloc_array(&p.memory, reached.functions, sizeof *p.function);
    assert_non_null(p.function);
    for (uint32_t i = 0; i < reached.functions; i++)
        p.function[i].source = reached.function[i];
    assert_ok(registers_estimate(&p, sm, &n, &err), &err);
    arena_free(&p.memory);
    return n;
}

typedef struct errors {
    uint32_t count, same_unit;
    uint32_t by[600];
    double part[600];
} errors;

static int rising(const void *a, const void *b)
{
    return (*(const uint32_t *)a > *(const uint32_t *)b) - (*(const uint32_t *)a < *(const uint32_t *)b);
}

static int rising_part(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The errors of the lines of one architecture whose file has `part` in its name, or has not. */
static void collect(const char *part, bool has, const char *arch, errors *e)
{
    size_t size;
    char *all = support_read("tests/data/ptxas/registers.txt", &size), *save = NULL, last[200] = "";
    ptx_module *m = NULL;
    *e = (errors){0};
    for (char *line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char file[200], kernel[300], of[20];
        uint32_t said;
        if (*line == '#' || sscanf(line, "%199s %299s %19s %u", file, kernel, of, &said) != 4)
            continue;
        if (strcmp(of, arch) != 0 || (strstr(file, part) != NULL) != has)
            continue;
        if (strcmp(file, last) != 0) {
            ptx_free(m);
            m = read_module(strcpy(last, file));
        }
        uint32_t n = estimate(m, kernel, atoi(arch + 3)), by = n > said ? n - said : said - n;
        e->by[e->count] = by;
        e->part[e->count++] = by / (double)said;
        e->same_unit += (n + 7) / 8 == (said + 7) / 8;
    }
    ptx_free(m);
    free(all);
    qsort(e->by, e->count, sizeof *e->by, rising);
    qsort(e->part, e->count, sizeof *e->part, rising_part);
    print_message("%s, %s%s: %u kernels, median error %u (%.0f %%), 90th percentile %u (%.0f %%), same unit %u\n", arch,
                  has ? "" : "not ", part, e->count, e->by[e->count / 2], e->part[e->count / 2] * 100,
                  e->by[e->count * 9 / 10], e->part[e->count * 9 / 10] * 100, e->same_unit);
}

static void assert_errors(const char *part, bool has, const char *arch, uint32_t median, uint32_t max_error)
{
    errors e;
    collect(part, has, arch, &e);
    assert_true(e.count >= 20);
    assert_true(e.by[e.count / 2] <= median);
    assert_true(e.by[e.count * 9 / 10] <= max_error);
}

/* Kernels that the constants were fitted to, and kernels that they were not fitted to. */
static void against_ptxas(void **state)
{
    (void)state;
    assert_errors("unseen", false, "sm_90", 2, 8);
    assert_errors("unseen", true, "sm_90", 2, 6);
    assert_errors("/", true, "sm_80", 3, 9);
    assert_errors("/", true, "sm_100", 2, 8);
    assert_errors("/", true, "sm_75", 4, 21);
}

static uint32_t estimate_body(const char *directives, const char *body, int sm)
{
    char source[14000];
    gcast_error err;
    ptx_module *m;
    snprintf(source, sizeof source,
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)%s\n{\n"
             ".reg .pred %%p<4>;\n.reg .b32 %%r<200>;\n.reg .b64 %%rd<40>;\n.reg .f32 %%f<200>;\n.reg .f64 %%d<9>;\n"
             "ld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd2, %%r1, 1024;\n"
             "add.u64 %%rd3, %%rd1, %%rd2;\n%s\nret;\n}\n",
             directives, body);
    assert_ok(ptx_parse(source, strlen(source), &m, &err), &err);
    uint32_t n = estimate(m, "k", sm);
    ptx_free(m);
    return n;
}

/* A kernel with so many values that are live across a barrier, and a statement there. */
static const char *values(int count, const char *middle)
{
    static char body[12000];
    *body = '\0';
    for (int i = 0; i < count; i++)
        sprintf(body + strlen(body), "ld.volatile.global.f32 %%f%d, [%%rd3+%d];\n", i, 4 * i);
    strcat(body, middle);
    for (int i = 0; i < count; i++)
        sprintf(body + strlen(body), "st.volatile.global.f32 [%%rd3+%d], %%f%d;\n", 4 * i, i);
    return body;
}

/* What ptxas allocates there (CUDA 13.0), in units of eight registers: any number up to 32, then levels. */
static void levels(void **state)
{
    (void)state;
    static const struct {
        const char *directives;
        int values, sm;
        uint32_t registers;
    } cases[] = {
        {"", 24, 90, 32},
        {"", 30, 90, 40},
        {"", 40, 90, 48},
        {"", 56, 90, 64},
        {"", 64, 90, 72},
        {"", 80, 90, 96},
        {" .maxntid 256", 50, 90, 64},
        {" .maxntid 512", 40, 90, 64},
        {" .maxntid 1024", 30, 90, 64},
        {" .maxntid 256 .minnctapersm 4", 80, 90, 64},
        {" .maxntid 256 .minnctapersm 6", 80, 90, 40},
        {" .maxntid 1024 .minnctapersm 2", 60, 90, 32},
        {" .maxnreg 37", 60, 90, 37},
        {" .maxnreg 24", 30, 90, 24},
        {" .reqntid 1024", 80, 90, 64},
        {" .maxnreg 9", 40, 90, 24},
        {" .maxnreg 300", 40, 90, 48},
        {" .maxntid 1024 .minnctapersm 4", 40, 90, 64},
        {" .maxntid 1024 .minnctapersm 4194304", 40, 90, 64},
        {" .maxntid 64 .minnctapersm 32", 40, 90, 32},
        {"", 30, 86, 40},
        {"", 56, 75, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t n = estimate_body(cases[i].directives, values(cases[i].values, "bar.sync 0;\n"), cases[i].sm);
        if (n > cases[i].registers || (n + 7) / 8 != (cases[i].registers + 7) / 8)
            fail_msg("%d values on sm_%d%s: %u, not %u", cases[i].values, cases[i].sm, cases[i].directives, n,
                     cases[i].registers);
    }
}

static void values_without_registers(void **state)
{
    (void)state;
    static const char plain[] = "ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1;";
    uint32_t n = estimate_body("", plain, 90);
    assert_int_equal(estimate_body("", "", 90), 4);
    /* constants, parameters and what is computed of them, copies, predicates, and dead values */
    assert_int_equal(
        estimate_body("",
                      "mov.u32 %r2, 5; ld.param.u32 %r3, [n]; add.u32 %r4, %r2, %r3; mov.u32 %r5, %ctaid.x;"
                      "mad.lo.u32 %r6, %r5, %r4, 3; mov.u64 %rd4, %rd3; cvta.to.global.u64 %rd5, %rd4;"
                      "setp.eq.u32 %p1, %r6, 7; add.u32 %r7, %r1, 1; mul.lo.u32 %r8, %r7, %r7;"
                      "ld.global.f32 %f1, [%rd5]; @%p1 st.global.f32 [%rd5+4], %f1;",
                      90),
        n);
}

static void wide_values_count_twice(void **state)
{
    (void)state;
    static const char narrow[] = "ld.volatile.global.f32 %f1, [%rd3]; ld.volatile.global.f32 %f2, [%rd3+8];"
                                 "bar.sync 0; st.global.f32 [%rd3], %f1; st.global.f32 [%rd3+8], %f2;";
    static const char wide[] = "ld.volatile.global.f64 %d1, [%rd3]; ld.volatile.global.f64 %d2, [%rd3+8];"
                               "bar.sync 0; st.global.f64 [%rd3], %d1; st.global.f64 [%rd3+8], %d2;";
    assert_int_equal(estimate_body("", wide, 90), estimate_body("", narrow, 90) + 2);
}

/* A quotient of doubles needs the registers of a function besides. */
static void functions_need_more(void **state)
{
    (void)state;
    uint32_t plain = estimate_body("",
                                   values(40, "ld.volatile.global.f64 %d1, [%rd3+512]; add.f64 %d2, %d1, %d1;"
                                              "st.volatile.global.f64 [%rd3+520], %d2;\n"),
                                   90);
    uint32_t divided = estimate_body("",
                                     values(40, "ld.volatile.global.f64 %d1, [%rd3+512]; div.rn.f64 %d2, %d1, %d1;"
                                                "st.volatile.global.f64 [%rd3+520], %d2;\n"),
                                     90);
    assert_int_equal(plain, 48);
    assert_int_equal(divided, 64);
}

/* Loads go first, so that all their results are live at once. */
static void loads_go_first(void **state)
{
    (void)state;
    char one_by_one[3000] = "", fenced[3000] = "";
    for (int i = 0; i < 12; i++) {
        sprintf(one_by_one + strlen(one_by_one),
                "ld.global.f32 %%f%d, [%%rd3+%d]; fma.rn.f32 %%f100, %%f%d, %%f%d, %%f100;", i, 4 * i, i, i);
        sprintf(fenced + strlen(fenced),
                "ld.volatile.global.f32 %%f%d, [%%rd3+%d]; fma.rn.f32 %%f100, %%f%d, %%f%d, %%f100;"
                "st.volatile.global.f32 [%%rd3], %%f100;",
                i, 4 * i, i, i);
    }
    strcat(one_by_one, "st.global.f32 [%rd3], %f100;");
    assert_true(estimate_body("", one_by_one, 90) >= estimate_body("", fenced, 90) + 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_ptxas),
        cmocka_unit_test(levels),
        cmocka_unit_test(values_without_registers),
        cmocka_unit_test(wide_values_count_twice),
        cmocka_unit_test(functions_need_more),
        cmocka_unit_test(loads_go_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
