#include "report/format_names.h"
#include "support/sample_run.h"
#include "support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ops(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    sample_op(s, 3)->skipped = true;
    sample_op(s, 3)->call_ns = -1;
    sample_op(s, 3)->start_ns = -1;
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_CSV, NULL);
    assert_memory_equal(t.data,
                        "label,kind,stream,job,call_ns,arrive_ns,head_ns,enter_ns,start_ns,dispatched_ns,end_ns,"
                        "response_ns,blocks,skipped\n"
                        "K1,kernel,1,0,0,0,0,0,0,0,4000000,4000000,2,0\n"
                        "K2,kernel,2,0,0,0,0,0,0,4000000,10000000,10000000,7,0\n"
                        "K3,kernel,3,0,1000000,1000000,1000000,1000000,4000000,6000000,12000000,11000000,2,0\n"
                        "K4,kernel,4,0,,2000000,2000000,2000000,,6000000,11000000,,5,1\n",
                        t.size);
    free(t.data);
    sample_free(s);
}

/* Compared with lines by snprintf, with numbers of every length. */
static void blocks(void **state)
{
    (void)state;
    sample *s = sample_create("blocks", 4096);
    int k = sample_kernel(s, "a,\"b\"", 1, 32, 20000, 0);
    support_random r = {5};
    for (uint64_t b = 0; b < 20000; b++) {
        int64_t start = (int64_t)(support_next(&r) >> support_between(&r, 2, 63));
        sample_block(s, k, b, (int)support_between(&r, 0, 4095), start, start + support_between(&r, 0, 99999));
    }
    gcast_report_options o = gcast_report_options_default();
    o.blocks = true;
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_CSV, &o);
    const char *at = t.data, *head = "label,job,block,sm,start_ns,end_ns\n";
    assert_memory_equal(at, head, strlen(head));
    at += strlen(head);
    for (uint64_t b = 0; b < 20000; b++) {
        char line[200];
        const gcast_block *x = &sample_op(s, k)->blocks[b];
        int n = snprintf(line, sizeof line, "\"a,\"\"b\"\"\",0,%" PRIu64 ",%u,%" PRId64 ",%" PRId64 "\n", b, x->sm,
                         x->start_ns, x->end_ns);
        assert_memory_equal(at, line, (size_t)n);
        at += n;
    }
    assert_ptr_equal(at, t.data + t.size);
    free(t.data);
    sample_free(s);
}

static void labels_of_every_length(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 1, 31, 32, 33, 64, 3900, 3960, 4096, 5000, 100000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char *label = malloc(lengths[i] + 1);
        memset(label, 'x', lengths[i]);
        label[lengths[i]] = '\0';
        sample *s = sample_create("long", 1);
        int k = sample_kernel(s, label, 1, 32, 2, 0);
        sample_block(s, k, 0, 0, 1, 2);
        sample_block(s, k, 1, 0, 3, 4);
        gcast_report_options o = gcast_report_options_default();
        o.blocks = true;
        sample_text t = sample_report(sample_run(s), GCAST_FORMAT_CSV, &o);
        assert_int_equal(t.size, 35 + 2 * (lengths[i] + 11));
        assert_memory_equal(t.data + t.size - 11, ",0,1,0,3,4\n", 11);
        free(t.data);
        free(label);
        sample_free(s);
    }
}

static bool refuse(void *data, const char *bytes, size_t size)
{
    (void)data;
    (void)bytes;
    (void)size;
    return false;
}

static void failures(void **state)
{
    (void)state;
    gcast_error err;
    gcast_report_options o = gcast_report_options_default();
    sample *s = sample_thesis();
    assert_int_equal(gcast_run_report(sample_run(s), GCAST_FORMAT_CSV, &o, refuse, NULL, &err), GCAST_RESOURCE);
    sample_free(s);
    s = sample_create("none", 1);
    sample_kernel(s, "k", 1, 32, 1, 0);
    o.blocks = true;
    assert_int_equal(gcast_run_report(sample_run(s), GCAST_FORMAT_CSV, &o, refuse, NULL, &err), GCAST_USAGE);
    assert_string_equal(err.message, "the run has no blocks recorded");
    sample_free(s);
}

static void names(void **state)
{
    (void)state;
    gcast_format f;
    assert_true(gcast_format_from_name("a.trace.json", &f));
    assert_int_equal(f, GCAST_FORMAT_TRACE);
    assert_true(gcast_format_from_name("a.json", &f));
    assert_int_equal(f, GCAST_FORMAT_JSON);
    assert_true(gcast_format_from_name("-.svg", &f));
    assert_int_equal(f, GCAST_FORMAT_SVG);
    assert_false(gcast_format_from_name("svg", &f));
    assert_false(gcast_format_from_name("", &f));
    assert_true(gcast_format_available(GCAST_FORMAT_SVG));
    assert_false(gcast_format_available(GCAST_FORMATS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ops),      cmocka_unit_test(blocks), cmocka_unit_test(labels_of_every_length),
        cmocka_unit_test(failures), cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
