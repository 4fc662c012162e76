/* Estimates of the size of a file before it is written, and files that are gzipped. */
#include "support/sample_run.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void assert_close(uint64_t estimate, uint64_t size)
{
    uint64_t error = estimate > size ? estimate - size : size - estimate;
    if (error * 100 > size * 5)
        print_error("said %llu, is %llu\n", (unsigned long long)estimate, (unsigned long long)size);
    assert_true(error * 100 <= size * 5);
}

static uint64_t size_of(const gcast_run *run, gcast_format f, const gcast_report_options *o)
{
    gcast_error err;
    uint64_t bytes;
    assert_ok(gcast_run_report_size(run, f, o, &bytes, &err), &err);
    return bytes;
}

static void assert_estimate(const gcast_run *run, gcast_format f, const gcast_report_options *o)
{
    sample_text t = sample_report(run, f, o);
    assert_close(size_of(run, f, o), t.size);
    free(t.data);
}

/* With fewer blocks than a sample has, and with more. */
static void sizes(void **state)
{
    (void)state;
    static const gcast_format formats[] = {GCAST_FORMAT_CSV, GCAST_FORMAT_JSON, GCAST_FORMAT_TRACE};
    for (int large = 0; large < 2; large++) {
        sample *s = sample_large(large ? 200000 : 300, true);
        for (size_t i = 0; i < 3; i++)
            for (int packed = 0; packed < 2; packed++) {
                gcast_report_options o = gcast_report_options_default();
                o.gzip = packed;
                if (!packed || !large) /* how well lines are compressed differs between parts of a file */
                    assert_estimate(sample_run(s), formats[i], &o);
                o.blocks = formats[i] != GCAST_FORMAT_TRACE;
                o.no_blocks = formats[i] == GCAST_FORMAT_TRACE;
                if (!packed)
                    assert_estimate(sample_run(s), formats[i], &o);
            }
        sample_free(s);
    }
}

/* All blocks on one SM: the sample is a part of the time. */
static void one_sm(void **state)
{
    (void)state;
    enum { BLOCKS = 700000 };
    sample *s = sample_create("one SM", 1);
    int k = sample_kernel(s, "k", 1, 256, BLOCKS, 0);
    for (int b = 0; b < BLOCKS; b++)
        sample_block(s, k, (uint64_t)b, 0, 1000 * (b / 8), 1000 * (b / 8) + 999);
    gcast_report_options o = gcast_report_options_default();
    assert_estimate(sample_run(s), GCAST_FORMAT_TRACE, &o);
    o.from_ns = 1000000;
    o.to_ns = 50000000;
    assert_estimate(sample_run(s), GCAST_FORMAT_TRACE, &o);
    sample_free(s);
}

static void pictures_have_none(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    assert_int_equal(size_of(sample_run(s), GCAST_FORMAT_SVG, NULL), 0);
    sample_free(s);
}

static char *unpacked(const sample_text *t, size_t size)
{
    z_stream z = {.next_in = (Bytef *)t->data, .avail_in = (uInt)t->size};
    char *out = calloc(1, size + 2);
    assert_non_null(out);
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)size + 1;
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.total_out, size);
    assert_int_equal(z.avail_in, 0);
    inflateEnd(&z);
    return out;
}

static void gzipped(void **state)
{
    (void)state;
    static const gcast_format formats[] = {GCAST_FORMAT_CSV, GCAST_FORMAT_JSON, GCAST_FORMAT_TRACE};
    sample *s = sample_large(20000, true);
    for (size_t i = 0; i < 3; i++) {
        gcast_report_options o = gcast_report_options_default();
        o.blocks = true;
        sample_text plain = sample_report(sample_run(s), formats[i], &o);
        o.gzip = true;
        sample_text packed = sample_report(sample_run(s), formats[i], &o),
                    second = sample_report(sample_run(s), formats[i], &o);
        char *out = unpacked(&packed, plain.size);
        assert_memory_equal(out, plain.data, plain.size);
        assert_true(packed.size * 2 < plain.size);
        assert_int_equal(packed.size, second.size);
        assert_memory_equal(packed.data, second.data, packed.size);
        free(out);
        free(plain.data);
        free(packed.data);
        free(second.data);
    }
    sample_free(s);
}

static bool refuse(void *data, const char *bytes, size_t size)
{
    (void)bytes;
    size_t *left = data;
    if (size > *left)
        return false;
    *left -= size;
    return true;
}

static void output_that_is_full(void **state)
{
    (void)state;
    sample *s = sample_large(20000, true);
    gcast_report_options o = gcast_report_options_default();
    o.gzip = true;
    for (size_t room = 0; room < 300000; room = room * 4 + 5) {
        gcast_error err;
        size_t left = room;
        assert_int_equal(gcast_run_report(sample_run(s), GCAST_FORMAT_TRACE, &o, refuse, &left, &err), GCAST_RESOURCE);
    }
    sample_free(s);
}

static void endings(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool ok, gzip;
        gcast_format format;
    } names[] = {{"a.trace.json.gz", true, true, GCAST_FORMAT_TRACE},
                 {"a.json.gz", true, true, GCAST_FORMAT_JSON},
                 {"-.csv.gz", true, true, GCAST_FORMAT_CSV},
                 {"a.csv", true, false, GCAST_FORMAT_CSV},
                 {"a.trace.json", true, false, GCAST_FORMAT_TRACE},
                 {"a.png.gz", false, false, GCAST_FORMAT_PNG},
                 {"a.svg.gz", false, false, GCAST_FORMAT_SVG},
                 {".gz", false, false, GCAST_FORMAT_CSV},
                 {"gz", false, false, GCAST_FORMAT_CSV},
                 {"a.csv.gzip", false, false, GCAST_FORMAT_CSV}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        gcast_format f;
        bool gzip, ok = gcast_format_from_file(names[i].name, &f, &gzip);
        assert_int_equal(ok, names[i].ok);
        if (ok) {
            assert_int_equal(f, names[i].format);
            assert_int_equal(gzip, names[i].gzip);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(one_sm),
        cmocka_unit_test(pictures_have_none),
        cmocka_unit_test(gzipped),
        cmocka_unit_test(output_that_is_full),
        cmocka_unit_test(endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
