/* gcast_calibration_apply: numbers, their sources, the order of SMs; and the file that is made can be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/calibration.h"
#include "support/builders.h"
#include "support/support.h"

static const char *source_of(const gcast_gpu *gpu, const char *field)
{
    const char *found = NULL;
    for (size_t i = 0; i < gpu->source_count; i++) {
        char padded[400], word[64];
        snprintf(padded, sizeof padded, " %s ", gpu->sources[i].fields);
        snprintf(word, sizeof word, " %s ", field);
        if (!strstr(padded, word))
            continue;
        assert_null(found); /* one source per field */
        found = gpu->sources[i].text;
    }
    return found;
}

/* A calibration of `gpu` with a few readings, and an order of SMs from the last to the first. */
static gcast_calibration seen_on(const gcast_gpu *gpu, int *order)
{
    gcast_calibration c = {.gpu = gpu, .order = order, .launches = 8, .orders = 1, .same_places = gpu->sms};
#define X(id, n, u, t) c.readings[GCAST_READ_##id] = (gcast_reading){.name = n, .text = t, .unit = GCAST_UNIT_##u};
    GCAST_READING_TABLE(X)
#undef X
    for (int i = 0; i < gpu->sms; i++)
        order[i] = gpu->sms - 1 - i;
    return c;
}

static void set(gcast_calibration *c, gcast_reading_id id, int64_t median)
{
    gcast_reading *r = &c->readings[id];
    r->samples = 9;
    r->median = median;
    r->min = median - 1;
    r->max = median + 1;
}

static void test_preset(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu, *found, *reapplied;
    char *text;
    size_t size;
    int order[GCAST_MAX_SMS];
    assert_ok(gcast_gpu_preset("h200", &gpu, &err), &err);
    found = support_gpu_copy(gpu, &err);
    gcast_calibration c = seen_on(found, order);
    set(&c, GCAST_READ_HANDOVER, 224);
    int reach[GCAST_MAX_SMS] = {[3] = 16};
    c.reach = reach;
    c.reach_difference_ns = 9; /* too much */
    assert_false(gcast_calibration_reaches(&c));
    assert_ok(gcast_calibration_apply(&c, gpu, &err), &err);
    assert_int_equal(gpu->reach_ns[3], found->reach_ns[3]);
    c.reach_difference_ns = 8;
    set(&c, GCAST_READ_H2D, 55000000001);
    set(&c, GCAST_READ_DISPATCH, 121); /* no field: only for the table */
    set(&c, GCAST_READ_COPY_SLOW, 120);
    set(&c, GCAST_READ_OVERLAP, 95);
    set(&c, GCAST_READ_SERIAL, 100);
    assert_ok(gcast_calibration_apply(&c, gpu, &err), &err);
    assert_int_equal(gpu->handover_ns, 224);
    assert_int_equal(gpu->h2d_bytes_per_s, 55000000001);
    assert_int_equal(gpu->copy_slow_percent, 121); /* the longest counts */
    assert_string_equal(source_of(gpu, "copy_slow_percent"), "measured: the longest of 9, 119..121 %");
    assert_int_equal(gpu->stream_gap_ns, found->stream_gap_ns);
    assert_int_equal(gpu->copy_engines, found->copy_engines);
    assert_int_equal(gpu->tie_list[0], gpu->sms - 1);
    assert_string_equal(source_of(gpu, "handover_ns"), "measured: median of 9, 223..225 ns");
    assert_string_equal(source_of(gpu, "h2d_bytes_per_s"), "measured: median of 9, 55000000000..55000000002 bytes/s");
    assert_int_equal(gpu->reach_ns[3], 16);
    assert_int_equal(gpu->reach_ns[2], 0);
    assert_string_equal(source_of(gpu, "reach_ns"), "measured: means of two halves, which differ by 8 ns at most");
    assert_string_equal(source_of(gpu, "tie_order"), "measured: the same in 8 launches");
    assert_string_equal(source_of(gpu, "stream_gap_ns"), source_of(found, "stream_gap_ns"));
    assert_string_equal(source_of(gpu, "d2h_bytes_per_s"), source_of(found, "d2h_bytes_per_s"));
    assert_non_null(strstr(source_of(gpu, "copy_engines"), "opposite directions run at once"));
    assert_ok(gcast_gpu_check(gpu, &err), &err);
    assert_ok(gcast_gpu_write_json(gpu, &text, &size, &err), &err);
    assert_ok(gcast_gpu_read_json(text, size, "written", &reapplied, &err), &err);
    assert_int_equal(reapplied->handover_ns, 224);
    assert_int_equal(reapplied->source_count, gpu->source_count);
    free(text);
    gcast_gpu_free(reapplied);
    gcast_gpu_free(found);
    gcast_gpu_free(gpu);
}

/* A GPU without a preset; directions that wait for each other; no stable order. */
static void test_unknown_gpu(void **state)
{
    (void)state;
    gcast_error err;
    int order[4];
    gcast_gpu *gpu = support_gpu("Some GPU", 8, 6, 4, &err), *found = support_gpu_copy(gpu, &err);
    gcast_calibration c = seen_on(found, order);
    gpu->copy_engines = 2;
    set(&c, GCAST_READ_OVERLAP, 3);
    set(&c, GCAST_READ_SERIAL, 99);
    c.orders = 3;
    c.same_places = 1;
    assert_false(gcast_calibration_stable(&c));
    assert_ok(gcast_calibration_apply(&c, gpu, &err), &err);
    assert_int_equal(gpu->copy_engines, 1);
    assert_int_equal(gpu->tie_order, GCAST_TIES_ASCENDING);
    assert_string_equal(source_of(gpu, "tie_order"),
                        "not measurable: 3 orders in 8 launches, which agree in 1 of 4 places");
    c.same_places = 2;
    assert_true(gcast_calibration_stable(&c));
    set(&c, GCAST_READ_OVERLAP, 97);
    assert_ok(gcast_calibration_apply(&c, gpu, &err), &err);
    assert_int_equal(gpu->copy_engines, 2);
    assert_int_equal(gpu->tie_order, GCAST_TIES_LIST);
    assert_string_equal(source_of(gpu, "tie_order"),
                        "measured: the most frequent of 3 orders in 8 launches, which agree in 2 of 4 places");
    assert_null(source_of(gpu, "handover_ns"));
    gcast_gpu_partition(gpu, 2, &err);
    assert_int_equal(gcast_calibration_apply(&c, gpu, &err), GCAST_INPUT);
    assert_string_equal(err.message, "measured on 4 SMs, not 2");
    gcast_gpu_free(found);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preset),
        cmocka_unit_test(test_unknown_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
