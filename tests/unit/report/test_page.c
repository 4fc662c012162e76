/* The page of a run: its data, read back by a reader of its own, against the run; and text that must stay text. */
#include "base/base64.h"
#include "report/run/sm_share.h"
#include "report/web/page_assets.h"
#include "report/web/page_means.h"
#include "report/web/page_waits.h"
#include "support/page_data.h"
#include "support/sample_run.h"
#include "support/support.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static char *encode(const int64_t *numbers, size_t count, bool are_signed)
{
    text t;
    base64 b;
    size_t size;
    text_open(&t, NULL, NULL);
    base64_open(&b, &t);
    for (size_t i = 0; i < count; i++)
        are_signed ? base64_signed(&b, numbers[i]) : base64_number(&b, (uint64_t)numbers[i]);
    base64_close(&b);
    char *s = text_take(&t, &size);
    assert_non_null(s);
    return s;
}

static void numbers(void **state)
{
    (void)state;
    const int64_t bytes[] = {'M', 'a', 'n'};
    const struct {
        size_t count;
        const char *text;
    } expected[] = {{1, "TQ==\n"}, {2, "TWE=\n"}, {3, "TWFu\n"}};
    for (int i = 0; i < 3; i++) { /* RFC 4648 */
        char *s = encode(bytes, expected[i].count, false);
        assert_string_equal(s, expected[i].text);
        free(s);
    }
    const int64_t some[] = {0, 1, -1, 63, -64, 64, 127, 128, -129, INT64_C(1) << 40, INT64_MAX, INT64_MIN};
    char *s = encode(some, sizeof some / sizeof *some, true);
    page_reader r = page_reader_open(s, strlen(s));
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_int_equal(page_reader_signed(&r), some[i]);
    assert_true(page_reader_at_end(&r));
    page_reader_close(&r);
    free(s);
}

static void strings(void **state)
{
    (void)state;
    const struct {
        const char *given;
        size_t max;
        const char *expected;
    } cases[] = {{"</script><!--", 99, "\"\\u003c/script\\u003e\\u003c!--\""},
                 {"a&b\"\\\n", 99, "\"a\\u0026b\\\"\\\\\\ufffd\""},
                 {"\xe2\x80\xae\xff", 99, "\"\\ufffd\\ufffd\""},
                 {"abc", 2, "\"ab\xe2\x80\xa6\""},
                 {"ab", 2, "\"ab\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text t;
        text_open(&t, NULL, NULL);
        text_json_page(&t, cases[i].given, cases[i].max);
        char *s = text_take(&t, NULL);
        assert_string_equal(s, cases[i].expected);
        free(s);
    }
}

static int by_all(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(page_block));
}

/* The blocks of a page are those of its run, and those of a lane follow each other. */
static void assert_blocks(const gcast_run *run, const char *page)
{
    page_block *found, *expected = calloc(10000, sizeof *expected);
    size_t count = page_blocks_read(page, 0, run->gpu->sms, &found), n = 0;
    for (size_t i = 0; i < run->op_count; i++)
        for (uint64_t b = 0; run->ops[i].blocks && b < run->ops[i].block_count; b++) {
            const gcast_block *k = &run->ops[i].blocks[b];
            assert_true(n < 10000);
            expected[n++] = (page_block){k->start_ns, k->end_ns, (int64_t)i, (int64_t)b, k->sm};
        }
    assert_int_equal(count, n);
    qsort(found, count, sizeof *found, by_all);
    qsort(expected, n, sizeof *expected, by_all);
    assert_memory_equal(found, expected, n * sizeof *found);
    free(found);
    free(expected);
}

static void blocks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        sample *s = sample_random(seed);
        sample_text t = sample_report(sample_run(s), GCAST_FORMAT_HTML, NULL);
        if (sample_run(s)->blocks_recorded)
            assert_blocks(sample_run(s), t.data);
        free(t.data);
        sample_free(s);
    }
}

/* The sum of what all blocks take of a resource, in the order of pages. */
static double taken_by_all(const gcast_run *run, int resource)
{
    double sum = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        block_demand d = demand_of_block(&run->gpu->limits, &run->workload->ops[run->ops[i].op].shape);
        const int64_t takes[] = {d.threads, 1, d.registers, d.smem};
        for (uint64_t b = 0; b < run->ops[i].block_count; b++)
            sum += (double)takes[resource] * (double)(run->ops[i].blocks[b].end_ns - run->ops[i].blocks[b].start_ns);
    }
    return sum;
}

/* What kernels hold in steps is what their blocks held, SM by SM; and what is in use is the sum of all. */
static void steps(void **state)
{
    (void)state;
    sample *s = sample_large(20000, true);
    const gcast_run *run = sample_run(s);
    view v;
    text t;
    gcast_error err;
    page_means *means;
    gcast_report_options o = gcast_report_options_default();
    assert_ok(view_make(&v, run, &o, &err), &err);
    text_open(&t, NULL, NULL);
    assert_ok(page_means_make(&means, run, &v, &o, &err), &err);
    page_means_put(means, 0, &t);
    char *page = text_take(&t, NULL);
    json_t *keys = page_json(page, "keys-0");
    double slack = (double)(v.end_ns - v.start_ns), all = 0; /* each step is rounded by less than one */
    double *held = page_steps_read(page, "blocks-0", (size_t)run->gpu->sms * json_array_size(keys));
    for (int sm = 0; sm < run->gpu->sms; sm++)
        for (size_t k = 0; k < json_array_size(keys); k++) {
            double expected = 0;
            for (uint64_t b = 0; b < run->ops[k].block_count; b++)
                if ((int)run->ops[k].blocks[b].sm == sm)
                    expected += (double)share_of_block(&run->gpu->limits, &run->workload->ops[run->ops[k].op].shape) *
                                (double)(run->ops[k].blocks[b].end_ns - run->ops[k].blocks[b].start_ns);
            double found = held[(size_t)sm * json_array_size(keys) + k];
            assert_true(found <= expected + slack && found >= expected - slack);
        }
    double *use = page_steps_read(page, "use-0", 4);
    for (int r = 0; r < 4; r++) {
        double expected = taken_by_all(run, r) * 1024;
        assert_true(use[r] <= expected + slack && use[r] >= expected - slack);
        all += expected;
    }
    assert_true(all > 1000 * slack);
    uint64_t blocks = 0;
    for (size_t i = 0; i < run->op_count; i++)
        blocks += run->ops[i].block_count;
    assert_int_equal(page_means_blocks(means), blocks);
    free(held);
    free(use);
    json_decref(keys);
    free(page);
    page_means_free(means);
    sample_free(s);
}

/* Of more names than the page tells apart those that hold the most have keys, and the others are counted. */
static void many_names(void **state)
{
    (void)state;
    char labels[100][24];
    sample *s = sample_create("names", 2);
    for (int i = 0; i < 100; i++) {
        snprintf(labels[i], sizeof labels[i], i % 10 == 9 ? "K%d#%d" : "K%d", i % 10 == 9 ? i - 1 : i, 7);
        int k = sample_kernel(s, labels[i], i % 3, 512, 1, i * 1000);
        sample_block(s, k, 0, 0, i * 1000, i * 1000 + 10 + (99 - i));
    }
    text t;
    view v;
    gcast_error err;
    page_means *means;
    gcast_report_options o = gcast_report_options_default();
    assert_ok(view_make(&v, sample_run(s), &o, &err), &err);
    assert_ok(page_means_make(&means, sample_run(s), &v, &o, &err), &err);
    text_open(&t, NULL, NULL);
    page_means_put(means, 0, &t);
    char *page = text_take(&t, NULL);
    json_t *keys = page_json(page, "keys-0");
    assert_int_equal(json_array_size(keys), 64);
    assert_string_equal(json_string_value(json_array_get(json_array_get(keys, 0), 0)), "K0");
    assert_string_equal(json_string_value(json_array_get(json_array_get(keys, 8), 0)), "K8"); /* and K8#7 */
    assert_string_equal(json_string_value(json_array_get(json_array_get(keys, 9), 0)), "K10");
    assert_string_equal(json_string_value(json_array_get(json_array_get(keys, 63), 0)), "27 other kernels");
    json_decref(keys);
    free(page);
    page_means_free(means);
    sample_free(s);
}

static size_t times(const char *s, const char *word)
{
    size_t count = 0;
    for (; (s = strstr(s, word)); s++)
        count++;
    return count;
}

static void hostile_labels(void **state)
{
    (void)state;
    static char huge[1 << 20];
    memset(huge, 'W', sizeof huge - 1);
    const char *labels[] = {"</script><script>alert(1)", "\x01\x1b[31m\xff\"'&", huge, "\xe2\x80\xae rtl",
                            "</noscript>"};
    sample *s = sample_create("</title><script>", 2);
    for (int i = 0; i < 5; i++) {
        int k = sample_kernel(s, labels[i], i, 512, 2, i * 1000);
        sample_block(s, k, 0, 0, i * 1000, i * 1000 + 30000);
        sample_block(s, k, 1, 1, i * 1000, i * 1000 + 30001);
    }
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_HTML, NULL);
    assert_int_equal(times(t.data, "<script"), 4); /* run, waits, blocks, and the page's own */
    assert_int_equal(times(t.data, "</script"), 4);
    assert_int_equal(times(t.data, "</noscript"), 1);
    assert_null(strstr(t.data, "\x1b"));
    assert_null(strstr(t.data, "\xe2\x80\xae"));
    assert_true(t.size < strlen(page_script) + strlen(page_style) + strlen(page_body) + 40000);
    json_t *run = page_json(t.data, "run-0");
    assert_string_equal(json_string_value(json_object_get(json_array_get(json_object_get(run, "ops"), 0), "label")),
                        labels[0]);
    json_decref(run);
    free(t.data);
    sample_free(s);
}

/* The explanations of a simulated run are in its page, and without the call what its times tell. */
static void explanations(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_run *run;
    gcast_error err;
    gcast_simulate_options o = gcast_simulate_options_default();
    gcast_report_options report = gcast_report_options_default();
    o.record_blocks = true;
    assert_ok(gcast_workload_load(SOURCE_DIR "/examples/thesis.json", NULL, &w, &err), &err);
    assert_ok(gcast_workload_simulate(w, NULL, &o, &run, &err), &err);
    for (int exact = 0; exact < 2; exact++) {
        report.explain = exact ? gcast_run_explain : NULL;
        sample_text t = sample_report(run, GCAST_FORMAT_HTML, &report);
        json_t *waits = page_json(t.data, "waits-0"), *k3 = json_array_get(json_object_get(waits, "list"), 2);
        json_t *first = json_array_get(k3, 4), *reasons = json_object_get(waits, "reasons");
        assert_int_equal(json_integer_value(json_array_get(k3, 0)), exact);
        size_t reason = (size_t)json_integer_value(json_array_get(first, 0));
        assert_string_equal(json_string_value(json_array_get(json_array_get(reasons, reason), 0)), "X1");
        assert_int_equal(json_integer_value(json_array_get(first, 2)), 4000000);
        assert_int_equal(json_array_size(k3),
                         exact ? 4 + 3 : 4 + 2); /* its start and then its run, block by block or not */
        json_t *last = json_array_get(k3, json_array_size(k3) - 1);
        assert_int_equal(json_integer_value(json_array_get(last, 2)), run->ops[2].end_ns);
        assert_int_equal(json_integer_value(json_array_get(last, 9)), !exact); /* rough, and says so */
        json_decref(waits);
        free(t.data);
    }
    gcast_run_free(run);
    gcast_workload_free(w);
}

/* Nothing is allowed that the policy does not name, and it names the script and the style by their hashes. */
static void policy(void **state)
{
    (void)state;
    assert_non_null(strstr(page_policy, "default-src 'none'; script-src 'sha256-"));
    assert_null(strstr(page_policy, "unsafe"));
    assert_null(strstr(page_script, "http"));
    assert_null(strstr(page_style, "url("));
    assert_true(strlen(page_script) + strlen(page_style) < 150000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers), cmocka_unit_test(strings),        cmocka_unit_test(blocks),
        cmocka_unit_test(steps),   cmocka_unit_test(hostile_labels), cmocka_unit_test(explanations),
        cmocka_unit_test(policy),  cmocka_unit_test(many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
