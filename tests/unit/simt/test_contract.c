/* Which products become part of sums: each rule, random programs and real
 * kernels, compared with what ptxas made of them
 * (tests/data/ptxas/contract.txt). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/module.h"
#include "ptx/ptx.h"
#include "ptxas/letters.h"
#include "ptxas/snippets.h"
#include "support/support.h"

/* How many sums of a module agree with ptxas. Of products only those count that must be absorbed. */
typedef struct tally {
    size_t sums, fused, other, mixed, products, stay;
} tally;

static ptx_module *parse(const char *source, size_t size)
{
    ptx_module *m;
    gcast_error err;
    assert_ok(ptx_parse(source, size, &m, &err), &err);
    return m;
}

/* The statements of a kernel in rules.txt; to be freed. */
static char *rule(const char *rules, const char *kernel)
{
    for (const char *line = rules; line; line = strchr(line, '\n'), line += line != NULL) {
        size_t name = strcspn(line, " \n");
        bool same = *line != '#' && name == strlen(kernel);
        for (size_t i = 0; same && i < name; i++)
            same = line[i] == kernel[i] || (line[i] == '-' && kernel[i] == '_');
        if (same)
            return strndup(line + name + strspn(line + name, " "),
                           strcspn(line + name + strspn(line + name, " "), "\n"));
    }
    fail_msg("rules.txt has no %s", kernel);
    return NULL;
}

static ptx_module *module_of_file(const char *name)
{
    size_t size;
    char path[300], *source;
    gcast_error err;
    snprintf(path, sizeof path, SOURCE_DIR "/tests/%s", name);
    assert_ok(gcast_file_read(path, &source, &size, &err), &err);
    ptx_module *m = parse(source, size);
    free(source);
    return m;
}

/* The module that a line of the record is about. */
static ptx_module *module_of(const char *name, const char *kernel, const char *rules)
{
    size_t size;
    if (strchr(name, '/'))
        return module_of_file(name);
    char *statements = NULL;
    for (int k = 0; k < SNIPPETS; k++)
        if (strcmp(name, snippet_kind_name((snippet_kind)k)) == 0)
            statements = snippet_random((snippet_kind)k, strtoull(kernel + 1, NULL, 10));
    if (!statements)
        statements = rule(rules, kernel);
    text t;
    text_open(&t, NULL, NULL);
    snippet_head("sm_90", &t);
    snippet_kernel(kernel, statements, &t);
    char *source = text_take(&t, &size);
    ptx_module *m = parse(source, size);
    free(source);
    free(statements);
    return m;
}

static void compare(const char *recorded, const char *predicted, tally *t)
{
    assert_int_equal(strlen(recorded), strlen(predicted));
    for (size_t i = 0; recorded[i]; i++) {
        bool sum = predicted[i] == 'F' || predicted[i] == 'A';
        if (sum && recorded[i] == 'M')
            t->mixed++;
        else if (sum && recorded[i] != 'x') {
            t->sums++;
            t->fused += predicted[i] == 'F';
            t->other += predicted[i] != recorded[i];
        } else if (predicted[i] == '-') {
            t->products++;
            t->stay += recorded[i] != '-';
        }
    }
}

/* Compares all lines of the record about this module, for one architecture or for all. */
static tally tally_of(const char *module, const char *arch, bool exact)
{
    size_t size;
    char *all = support_read("tests/data/ptxas/contract.txt", &size), *save = NULL;
    char *rules = support_read("tests/data/ptxas/rules.txt", &size);
    tally t = {0};
    for (char *line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char name[100], kernel[100], archs[60], recorded[MOST_LETTERS], predicted[MOST_LETTERS] = "";
        if (*line == '#' || sscanf(line, "%99s %99s %59s %3999s", name, kernel, archs, recorded) != 4)
            continue;
        if (strncmp(name, module, strlen(module)) != 0 || (arch && !strstr(archs, arch)))
            continue;
        ptx_module *m = module_of(name, kernel, rules);
        const ptx_function *fn = ptx_find_function(m, kernel);
        assert_non_null(fn);
        letters_predicted(fn, predicted);
        if (*recorded == '.')
            *recorded = '\0';
        size_t before = t.other + t.stay;
        compare(recorded, predicted, &t);
        if (exact && t.other + t.stay != before)
            fail_msg("%s %s: ptxas makes %s, not %s", name, kernel, recorded, predicted);
        ptx_free(m);
    }
    free(all);
    free(rules);
    assert_true(t.sums > 0);
    return t;
}

static void every_rule(void **state)
{
    (void)state;
    tally t = tally_of("rules", NULL, true);
    assert_true(t.sums > 150);
    assert_int_equal(t.mixed, 0);
}

static void straight_programs(void **state)
{
    (void)state;
    static const char *const kinds[] = {"f32", "ftz", "f64", "f16x2"};
    for (size_t i = 0; i < 4; i++) {
        tally t = tally_of(kinds[i], NULL, true);
        assert_true(t.fused > 100);
        assert_int_equal(t.mixed, 0);
    }
}

static void real_kernels(void **state)
{
    (void)state;
    tally t = tally_of("contract/", NULL, true);
    assert_true(t.fused > 60);
    assert_int_equal(t.mixed, 0);
    t = tally_of("data/ptxas/kernels/", NULL, false);
    assert_true(t.fused > 1900);
    assert_int_equal(t.other + t.mixed, 0);
    assert_true(t.stay <= 4); /* other instructions have the same source lines */
}

/* ptxas also moves and copies code between blocks before it contracts, and unrolls loops, which is not modelled here;
 * before sm_90 bar.warp.sync in a branch ends a run. */
static void branches_and_loops(void **state)
{
    (void)state;
    tally b = tally_of("branches", "sm_90", false), l = tally_of("loops", "sm_90", false);
    assert_true(b.fused > 300 && l.fused > 150);
    print_message("branches: %zu of %zu sums other, %zu both; loops: %zu of %zu, %zu\n", b.other, b.sums, b.mixed,
                  l.other, l.sums, l.mixed);
    assert_true((b.other + b.mixed) * 200 < b.sums);
    assert_true((l.other + l.mixed) * 100 < l.sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule),
        cmocka_unit_test(straight_programs),
        cmocka_unit_test(real_kernels),
        cmocka_unit_test(branches_and_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
