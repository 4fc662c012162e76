#include "support/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/module.h"
#include "ptx/print.h"
#include "ptx/same.h"
#include "support/ptx.h"

static char *printed(const ptx_module *m)
{
    text t;
    size_t size;
    text_open(&t, NULL, NULL);
    ptx_print(m, &t);
    char *out = text_take(&t, &size);
    assert_non_null(out);
    return out;
}

static void prints_one_form(void **state)
{
    (void)state;
    ptx_module *m =
        support_ptx(PTX_HEAD ".global .v2 .f32 g[2][2]={{{1.0,2.0}},{{3.0,0.0}}}; .global .u64 a=generic(g)+8;\n"
                             ".visible .entry k(.param .u64 o) .maxntid 32 { .reg .b32 %r<2>;.reg .pred p;\n"
                             "L:@!p ld.global.u32 %r1,[o+-4];{mov.b32 %r0,-1;} setp.eq.u32 p|_,%r0.x,0x10U;bra L;}");
    char *out = printed(m);
    assert_string_equal(out, PTX_HEAD
                        ".global .v2 .f32 g[2][2] = {{{0f3F800000, 0f40000000}, {0f00000000, 0f00000000}}, "
                        "{{0f40400000, 0f00000000}}};\n"
                        ".global .u64 a = generic(g)+8;\n"
                        ".visible .entry k(\n\t.param .u64 o\n)\n.maxntid 32\n{\n\t.reg .b32 %r<2>;\n\t.reg .pred p;\n"
                        "L:\n\t@!p ld.global.u32 %r1, [o+-4];\n\t{\n\tmov.b32 %r0, -1;\n\t}\n"
                        "\tsetp.eq.u32 p|_, %r0.x, 16U;\n\tbra L;\n}\n");
    free(out);
    ptx_free(m);
}

static void comes_back_the_same(const char *path)
{
    size_t size;
    char *source = support_read(path, &size);
    ptx_module *m = support_ptx(source);
    char *out = printed(m);
    ptx_module *reparsed = support_ptx(out);
    if (!ptx_same(m, reparsed))
        fail_msg("%s: printed and parsed again it differs", path);
    char *twice = printed(reparsed);
    assert_string_equal(out, twice);
    free(twice);
    free(out);
    free(source);
    ptx_free(m);
    ptx_free(reparsed);
}

static void brings_every_sample_back(void **state)
{
    (void)state;
    static const char *const folders[] = {"tests/data/ptx", "fuzz/corpus/ptx", "src/measure"};
    int count = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[512];
        snprintf(path, sizeof path, SOURCE_DIR "/%s", folders[i]);
        DIR *folder = opendir(path);
        assert_non_null(folder);
        for (struct dirent *entry; (entry = readdir(folder));) {
            const char *dot = strrchr(entry->d_name, '.');
            if (!dot || strcmp(dot, ".ptx") != 0)
                continue;
            snprintf(path, sizeof path, "%s/%s", folders[i], entry->d_name);
            comes_back_the_same(path);
            count++;
        }
        closedir(folder);
    }
    assert_true(count >= 10);
}

static void keeps_numbers(void **state)
{
    (void)state;
    static const char *const numbers[] = {"0",  "-1",         "-9223372036854775807-1", "9223372036854775807",
                                          "5U", "0f80000000", "0dFFF8000000000001",     "18446744073709551615U"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char source[300], expected[64];
        snprintf(source, sizeof source, PTX_HEAD ".entry k() { .reg .b64 a; mov.b64 a, %s; ld.b64 a, [a+%s]; }",
                 numbers[i], numbers[i][1] && strchr("fd", numbers[i][1]) ? "1" : numbers[i]);
        ptx_module *m = support_ptx(source);
        char *out = printed(m);
        snprintf(expected, sizeof expected, "a, %s;", numbers[i]);
        assert_non_null(strstr(out, expected));
        ptx_module *reparsed = support_ptx(out);
        assert_true(ptx_same(m, reparsed));
        free(out);
        ptx_free(m);
        ptx_free(reparsed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_one_form),
        cmocka_unit_test(brings_every_sample_back),
        cmocka_unit_test(keeps_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
