/* What is written of a launch: the numbers, the order of lines, runs of masks, and
 * text from a program made harmless. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/exec.h"
#include "report/exec_profile.h"
#include "support/support.h"

#define MANY_LINES 100000

static gcast_simt_mask masks[MANY_LINES];

static const gcast_simt_line lines[] = {
    {"dir/k.cu", 3, 20, {.instructions = 10, .thread_instructions = 320}},
    {"dir/k.cu", 4, 22, {.instructions = 10, .thread_instructions = 160, .lost_divergence = 120, .lost_return = 40}},
    {NULL, 0, 30, {.instructions = 5, .thread_instructions = 160, .requests = 5, .sectors = 20}},
};
static const gcast_simt_race races[] = {
    {.shared = true,
     .address = 16,
     .first = {.thread = 3, .ptx_line = 11, .writes = true},
     .second = {.thread = 40, .ptx_line = 12, .file = "/src/\033b.cu", .line = 7},
     .why = "no barrier \033",
     .times = 2},
    {.kind = GCAST_RACE_SAME_VALUE,
     .buffer = "b\033",
     .address = 4,
     .first = {.block = 1, .ptx_line = 13, .writes = true, .instruction = "st.volatile.u32"},
     .second = {.ptx_line = 13, .writes = true, .instruction = "st.volatile.u32"},
     .why = "blocks",
     .times = 1}};

typedef struct sample {
    gcast_simt_report report;
    gcast_simt_options options;
    gcast_buffer buffer;
    gcast_launch launch;
    gcast_exec exec;
} sample;

static void prepare(sample *s)
{
    *s = (sample){
        .report = {.counts = {.instructions = 25,
                              .thread_instructions = 640,
                              .lost_divergence = 120,
                              .lost_return = 40,
                              .requests = 5,
                              .sectors = 20,
                              .mix = {[GCAST_SIMT_integer] = 20, [GCAST_SIMT_global_memory] = 5}},
                   .blocks = 2,
                   .warps = 2,
                   .max_warp_instructions = 13,
                   .lines = 3,
                   .line = lines,
                   .races = 1,
                   .race_notes = 1,
                   .race = races,
                   .masks = 4,
                   .mask = masks},
        .options = {.size = sizeof(gcast_simt_options),
                    .profile = true,
                    .check_races = true,
                    .max_masks = 10,
                    .masks_of_warp = 0},
        .buffer = {"b", "123456789", 9},
        .launch = {.grid = {2, 1, 1}, .block = {20, 1, 1}, .buffers = 1},
        .exec = {.source = "f.ptx", .kernel = "k\033[1m", .printed = "a\n\"b\""},
    };
    masks[0] = (gcast_simt_mask){20, 3, 0xfffff, 0};
    masks[1] = (gcast_simt_mask){21, 3, 0xfffff, 0};
    masks[2] = (gcast_simt_mask){22, 4, 0xfffff, 0};
    masks[3] = (gcast_simt_mask){22, 4, 0x1, 0xff0};
    s->launch.buffer = &s->buffer;
    s->exec.launch = &s->launch;
    s->exec.report = &s->report;
    s->exec.options = &s->options;
}

static bool collect(void *data, const char *bytes, size_t size)
{
    text_bytes(data, bytes, size);
    return true;
}

static char *written(const sample *s, gcast_format format)
{
    gcast_error err;
    text t;
    text_open(&t, NULL, NULL);
    assert_ok(gcast_exec_report(&s->exec, format, collect, &t, &err), &err);
    char *bytes = text_take(&t, NULL);
    assert_non_null(bytes);
    return bytes;
}

static void holds(const char *all, const char *part)
{
    if (!strstr(all, part))
        fail_msg("no '%s' in:\n%s", part, all);
}

static void test_table(void **state)
{
    (void)state;
    sample s;
    prepare(&s);
    char *got = written(&s, GCAST_FORMAT_TABLE);
    holds(got, "k\\x1b[1m: 2 blocks of 20 threads, 2 warps\n");
    holds(got, "  SIMT efficiency            80.0 %\n");
    holds(got, "  lanes on another path      15.0 %\n  lanes that have returned   5.0 %\n");
    holds(got, "k.cu:4        22            10          50.0          37.5        12.5          0.0 ");
    holds(got, "  sectors a request          4.00 (20 sectors, 5 requests of global memory)\n");
    holds(got, "  integer and logic          80.0 % (20)\n");
    holds(got, "\n1 race\n  shared memory, byte 16, 2 times\n      block 0 thread 3 writes at PTX line 11\n"
               "      block 0 thread 40 reads at \\x1bb.cu:7, PTX line 12\n      no barrier \\x1b\n");
    holds(got, "\n1 pair of writes in no order, of the same value\n  b\\x1b, byte 4, 1 time\n"
               "      block 1 thread 0 writes by st.volatile.u32 at PTX line 13\n");
    holds(got, "     3        20      2  ####################____________\n");
    holds(got, "     4        22      1  #...--------........____________\n");
    assert_true(strstr(got, "k.cu:4 ") < strstr(got, "k.cu:3 "));
    assert_null(strstr(got, "dir/"));
    free(got);
}

static void test_json(void **state)
{
    (void)state;
    sample s;
    prepare(&s);
    char *got = written(&s, GCAST_FORMAT_JSON);
    holds(got, "\"bytes\": 9, \"crc32\": \"cbf43926\"}"); /* the check value of CRC-32 */
    holds(got, "\"printed\": \"a\\u000a\\\"b\\\"\"}");
    holds(got, "{\"file\": null, \"line\": 0, \"ptx_line\": 30, ");
    holds(got, "\"mix\": {\"integer\": 20, \"global_memory\": 5}}");
    holds(got, "[3, 20, \"000fffff\", 2, \"00000000\"],\n  [4, 22, \"000fffff\", 1, \"00000000\"],\n"
               "  [4, 22, \"00000001\", 1, \"00000ff0\"]]}");
    free(got);
    s.exec.report = NULL;
    got = written(&s, GCAST_FORMAT_JSON);
    holds(got, "\"on\": \"gpu\",\n \"buffers\"");
    free(got);
}

static void test_csv(void **state)
{
    (void)state;
    sample s;
    prepare(&s);
    char *got = written(&s, GCAST_FORMAT_CSV);
    assert_int_equal(strncmp(got, "file,line,ptx_line,instructions,", 32), 0);
    holds(got, "\ndir/k.cu,4,22,10,160,120,40,0,");
    holds(got, "\n,0,30,5,160,0,0,0,0,0,5,20,");
    free(got);
}

static void test_picture(void **state)
{
    (void)state;
    sample s;
    prepare(&s);
    char *got = written(&s, GCAST_FORMAT_SVG);
    holds(got, "<title>instructions 0 to 1: line 3, PTX line 20, 20 of 32 lanes, mask 0x000fffff</title>");
    holds(got, ">has returned</text>");
    holds(got, ">no thread</text>");
    free(got);
}

static size_t rects(const char *svg)
{
    size_t n = 0;
    while ((svg = strstr(svg, "<rect"))) {
        n++;
        svg++;
    }
    return n;
}

/* The picture of a warp with many instructions stays small. */
static void test_long_picture(void **state)
{
    (void)state;
    sample s;
    prepare(&s);
    for (uint32_t i = 0; i < MANY_LINES; i++)
        masks[i] = (gcast_simt_mask){20 + i % 7, 3, i % 3 ? 0xfffffu : 0xfu, 0};
    s.report.masks = MANY_LINES;
    char *got = written(&s, GCAST_FORMAT_SVG);
    assert_in_range(rects(got), 1840, 1840 * 4);
    free(got);
    for (uint32_t i = 0; i < MANY_LINES; i++) /* all equal */
        masks[i] = (gcast_simt_mask){20 + i % 7, 0, 0xfffffu, 0};
    got = written(&s, GCAST_FORMAT_SVG);
    assert_in_range(rects(got), 1, 10);
    free(got);
}

static void test_refused(void **state)
{
    (void)state;
    gcast_error err;
    sample s;
    prepare(&s);
    assert_int_equal(gcast_exec_report(&s.exec, GCAST_FORMAT_HTML, collect, NULL, &err), GCAST_USAGE);
    s.report.masks = 0;
    assert_int_equal(gcast_exec_report(&s.exec, GCAST_FORMAT_SVG, collect, NULL, &err), GCAST_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),   cmocka_unit_test(test_json),    cmocka_unit_test(test_csv),
        cmocka_unit_test(test_picture), cmocka_unit_test(test_refused), cmocka_unit_test(test_long_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
