/* Throughput over workers per SM: tables, files and pictures of it, and curves that cannot be written. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/plots/workers_report.h"
#include "support/drawing.h"

static const uint32_t workers[] = {1, 2, 3, 4};
static const double measured[] = {8000, 4000, 2100, 2000}, predicted[] = {7600, 3800, 0, 1900}, unknown[4];

static gcast_workers_curve sample(void)
{
    return (gcast_workers_curve){.gpu = "GPU",
                                 .kernel = "saxpy",
                                 .sms = 132,
                                 .count = 4,
                                 .workers = workers,
                                 .measured_ns = measured,
                                 .predicted_ns = predicted};
}

static bool append(void *t, const char *bytes, size_t size)
{
    text_bytes(t, bytes, size);
    return true;
}

/* All that is written, for the caller to free. */
static char *written(const gcast_workers_curve *c, gcast_format format, size_t *size)
{
    text t;
    gcast_error err;
    text_open(&t, NULL, NULL);
    assert_ok(gcast_workers_report(c, format, append, &t, &err), &err);
    char *bytes = text_take(&t, size);
    assert_non_null(bytes);
    return bytes;
}

static void assert_written(const gcast_workers_curve *c, gcast_format format, const char *want)
{
    char *bytes = written(c, format, NULL);
    assert_string_equal(bytes, want);
    free(bytes);
}

static void table(void **state)
{
    (void)state;
    gcast_workers_curve c = sample();
    assert_written(&c, GCAST_FORMAT_TABLE,
                   "GPU, 132 SMs: saxpy\n"
                   "workers/SM  time (us)  throughput  predicted (us)  throughput   error\n"
                   "         1        8.0      25.0 %             7.6      26.3 %  -5.0 %\n"
                   "         2        4.0      50.0 %             3.8      52.6 %  -5.0 %\n"
                   "         3        2.1      95.2 %\n"
                   "         4        2.0     100.0 %             1.9     105.3 %  -5.0 %\n"
                   "3 workers per SM are enough: throughput is within 5 % of the best, which 4 have\n");
    c.count = 1;
    assert_written(&c, GCAST_FORMAT_TABLE,
                   "GPU, 132 SMs: saxpy\n"
                   "workers/SM  time (us)  throughput  predicted (us)  throughput   error\n"
                   "         1        8.0     100.0 %             7.6     105.3 %  -5.0 %\n"
                   "1 worker per SM is enough: throughput is within 5 % of the best, which 1 has\n");
    c = sample();
    c.measured_ns = unknown; /* then of the best prediction */
    assert_written(&c, GCAST_FORMAT_TABLE,
                   "GPU, 132 SMs: saxpy\n"
                   "workers/SM  time (us)  throughput  predicted (us)  throughput  error\n"
                   "         1                                    7.6      25.0 %\n"
                   "         2                                    3.8      50.0 %\n"
                   "         3\n"
                   "         4                                    1.9     100.0 %\n");
}

static void files(void **state)
{
    (void)state;
    gcast_workers_curve c = sample();
    assert_written(&c, GCAST_FORMAT_CSV,
                   "workers,measured_ns,measured_throughput,predicted_ns,predicted_throughput\n"
                   "1,8000,0.250,7600,0.263\n2,4000,0.500,3800,0.526\n3,2100,0.952,,\n4,2000,1.000,1900,1.053\n");
    c.count = 1;
    assert_written(&c, GCAST_FORMAT_JSON,
                   "{\"schema\": \"gridcast.workers/1\", \"gpu\": \"GPU\", \"sms\": 132, \"kernel\": \"saxpy\",\n"
                   " \"enough\": 1, \"best\": 1, \"points\": [\n"
                   "  {\"workers\": 1, \"measured_ns\": 8000, \"measured_throughput\": 1.000, \"predicted_ns\": 7600, "
                   "\"predicted_throughput\": 1.053}\n ]}\n");
    c.measured_ns = unknown;
    assert_written(&c, GCAST_FORMAT_JSON,
                   "{\"schema\": \"gridcast.workers/1\", \"gpu\": \"GPU\", \"sms\": 132, \"kernel\": \"saxpy\",\n"
                   " \"enough\": null, \"best\": null, \"points\": [\n"
                   "  {\"workers\": 1, \"measured_ns\": null, \"measured_throughput\": null, \"predicted_ns\": 7600, "
                   "\"predicted_throughput\": 1.000}\n ]}\n");
}

static void enough(void **state)
{
    (void)state;
    static const double flat[] = {100, 95, 95.1, 97}, rising[] = {0, 10, 20, 0}, edge[] = {100, 95.01, 200, 300};
    gcast_workers_curve c = sample();
    c.measured_ns = flat; /* 95 of 100 is just enough */
    assert_int_equal(gcast_workers_enough(&c), 1);
    c.measured_ns = rising;
    assert_int_equal(gcast_workers_enough(&c), 2);
    c.measured_ns = edge;
    assert_int_equal(gcast_workers_enough(&c), 1);
    c.measured_ns = measured;
    assert_int_equal(gcast_workers_enough(&c), 3);
    c.measured_ns = unknown;
    assert_int_equal(gcast_workers_enough(&c), 0);
    c.count = 0;
    assert_int_equal(gcast_workers_enough(&c), 0);
}

static void pictures(void **state)
{
    (void)state;
    static const char *const start[] = {
        [GCAST_FORMAT_SVG] = "<svg", [GCAST_FORMAT_PNG] = "\x89PNG", [GCAST_FORMAT_PDF] = "%PDF"};
    gcast_workers_curve c = sample();
    for (gcast_format f = GCAST_FORMAT_SVG; f <= GCAST_FORMAT_PDF; f++) {
        size_t size;
        if (!gcast_format_available(f))
            continue;
        char *bytes = written(&c, f, &size);
        assert_true(size > 1000);
        assert_non_null(f == GCAST_FORMAT_SVG ? strstr(bytes, start[f]) : memcmp(bytes, start[f], 4) ? NULL : bytes);
        free(bytes);
    }
}

/* Whatever the numbers, all is on the canvas, and no text covers another. */
static void drawings(void **state)
{
    (void)state;
    static const uint32_t wide[] = {1, 24, 32, UINT32_MAX};
    static const double best_first[] = {1, 1e3, 1e6, 1e30}, tiny[] = {1e-300, 1, 1e-9, 5};
    const uint32_t *const counts[] = {workers, wide, wide + 3};
    const double *const times[] = {measured, predicted, best_first, tiny, unknown};
    for (size_t k = 0; k < 3; k++)
        for (size_t m = 0; m < 5; m++)
            for (size_t n = 0; n < 5; n++) {
                gcast_workers_curve c = sample();
                c.count = k == 2 ? 1 : 4;
                c.workers = counts[k];
                c.measured_ns = times[m];
                c.predicted_ns = times[n];
                double best = times[m][0] > 0 ? times[m][0] : 1;
                workers_points p = {.curve = &c, .best_ns = best, .enough = gcast_workers_enough(&c)};
                canvas *drawn = workers_canvas(&p);
                assert_non_null(drawn);
                drawing_assert_inside(drawn);
                drawing_assert_text_apart(drawn);
                assert_int_equal(drawing_text(drawn, "measured") != NULL, m < 4);
                assert_int_equal(drawing_text(drawn, "predicted") != NULL, n < 4);
                canvas_free(drawn);
            }
}

static void hostile_names(void **state)
{
    (void)state;
    gcast_workers_curve c = sample();
    c.kernel = "<script>\x1b[31m\"&\n";
    c.gpu = "</svg>\xff\x07";
    char *bytes = written(&c, GCAST_FORMAT_TABLE, NULL);
    assert_null(strpbrk(bytes, "\x1b\x07\xff"));
    free(bytes);
    bytes = written(&c, GCAST_FORMAT_JSON, NULL);
    assert_null(strpbrk(bytes, "\x1b\x07\xff"));
    assert_non_null(strstr(bytes, "\"<script>\\u001b[31m\\\"&\\u000a\""));
    free(bytes);
    bytes = written(&c, GCAST_FORMAT_SVG, NULL);
    assert_null(strpbrk(bytes, "\x1b\x07\xff"));
    assert_null(strstr(bytes, "<script"));
    assert_non_null(strstr(bytes, "&lt;script&gt;"));
    assert_ptr_equal(strstr(bytes, "</svg>"), bytes + strlen(bytes) - strlen("</svg>\n"));
    free(bytes);
    assert_written(&c, GCAST_FORMAT_CSV,
                   "workers,measured_ns,measured_throughput,predicted_ns,predicted_throughput\n"
                   "1,8000,0.250,7600,0.263\n2,4000,0.500,3800,0.526\n3,2100,0.952,,\n4,2000,1.000,1900,1.053\n");
}

static void refuse(const gcast_workers_curve *c, const char *path, const char *message)
{
    static const gcast_format formats[] = {GCAST_FORMAT_TABLE, GCAST_FORMAT_CSV, GCAST_FORMAT_JSON, GCAST_FORMAT_SVG};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        gcast_error err;
        assert_int_equal(gcast_workers_report(c, formats[i], append, NULL, &err), GCAST_INPUT);
        assert_string_equal(err.path, path);
        assert_string_equal(err.message, message);
    }
}

static bool fail_to_write(void *data, const char *bytes, size_t size)
{
    (void)data, (void)bytes, (void)size;
    return false;
}

static void refused(void **state)
{
    (void)state;
    static const uint32_t none[] = {0, 1, 2, 3}, repeated[] = {1, 2, 2, 3};
    static const double infinite[] = {1, INFINITY, 1, 1}, negative[] = {1, 1, 1, -1}, not_a_number[] = {NAN, 1, 1, 1};
    gcast_error err;
    gcast_workers_curve c = sample();
    c.count = 0;
    refuse(&c, "/points", "no time is known");
    c = sample();
    c.measured_ns = c.predicted_ns = unknown;
    refuse(&c, "/points", "no time is known");
    c = sample();
    c.workers = none;
    refuse(&c, "/points/0", "workers per SM must ascend from 1 on");
    c.workers = repeated;
    refuse(&c, "/points/2", "workers per SM must ascend from 1 on");
    c = sample();
    c.measured_ns = infinite;
    refuse(&c, "/points/1", "a time is a finite number from 0 on");
    c = sample();
    c.predicted_ns = negative;
    refuse(&c, "/points/3", "a time is a finite number from 0 on");
    c.predicted_ns = not_a_number;
    refuse(&c, "/points/0", "a time is a finite number from 0 on");
    c = sample();
    assert_int_equal(gcast_workers_report(&c, GCAST_FORMAT_HTML, append, NULL, &err), GCAST_USAGE);
    assert_int_equal(gcast_workers_report(&c, GCAST_FORMAT_TRACE, append, NULL, &err), GCAST_USAGE);
    assert_int_not_equal(gcast_workers_report(&c, GCAST_FORMAT_TABLE, fail_to_write, NULL, &err), GCAST_OK);
    assert_int_not_equal(gcast_workers_report(&c, GCAST_FORMAT_SVG, fail_to_write, NULL, &err), GCAST_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),    cmocka_unit_test(files),    cmocka_unit_test(enough),
        cmocka_unit_test(pictures), cmocka_unit_test(drawings), cmocka_unit_test(hostile_names),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
