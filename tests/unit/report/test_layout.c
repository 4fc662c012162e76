#include "support/drawing.h"
#include "support/sample_run.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/canvas/display_list.h"
#include "report/run/sm_share.h"
#include "report/timeline/draw.h"
#include "report/timeline/timeline.h"

static timeline lay_out(const gcast_run *run, const gcast_report_options *options)
{
    timeline t;
    gcast_error err;
    assert_ok(timeline_make(&t, run, options, &err), &err);
    return t;
}

static void thesis_rows(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    gcast_report_options options = gcast_report_options_default();
    timeline t = lay_out(sample_run(s), &options);
    assert_int_equal(t.rows.count, 2);
    assert_int_equal(t.highest, SHARE_ALL); /* it fits without a gap */
    assert_string_equal(t.rows.at[0].label, "SM 0");
    assert_int_equal(t.rows.at[0].spans.count, 8);
    assert_int_equal(t.rows.at[1].spans.count, 8);
    assert_int_equal(t.axis.step, 1000000);
    assert_string_equal(t.axis.unit->name, "ms");
    assert_int_equal(timeline_x(&t, 0), t.left);
    assert_int_equal(timeline_x(&t, 12000000), t.left + t.plot);
    assert_int_equal(timeline_x(&t, 6000000), t.left + t.plot / 2);
    assert_int_equal(t.marks.count, 4);
    timeline_free(&t);
    sample_free(s);
}

static void joins_identical_sms(void **state)
{
    (void)state;
    sample *s = sample_large(4000, false);
    gcast_report_options options = gcast_report_options_default();
    timeline t = lay_out(sample_run(s), &options);
    assert_true(t.sm_rows.identical);
    assert_int_equal(t.rows.count, 2); /* 4000 = 30 * 132 + 40 */
    assert_string_equal(t.rows.at[0].label, "40 SMs: 0-39");
    assert_string_equal(t.rows.at[1].label, "92 SMs: 40-131");
    timeline_free(&t);
    options.fold = false;
    t = lay_out(sample_run(s), &options);
    assert_int_equal(t.rows.count, 132);
    timeline_free(&t);
    options.fold = true;
    options.first_sm = 39;
    options.last_sm = 41;
    t = lay_out(sample_run(s), &options);
    assert_int_equal(t.rows.count, 3); /* few SMs have a row each, even where two are identical */
    assert_string_equal(t.rows.at[0].label, "SM 39");
    assert_string_equal(t.rows.at[2].label, "SM 41");
    timeline_free(&t);
    options.first_sm = 24;
    options.last_sm = 40;
    t = lay_out(sample_run(s), &options);
    assert_int_equal(t.rows.count, 2);
    assert_string_equal(t.rows.at[0].label, "16 SMs: 24-39");
    timeline_free(&t);
    options.last_sm = 39;
    t = lay_out(sample_run(s), &options);
    assert_int_equal(t.rows.count, 16);
    timeline_free(&t);
    sample_free(s);
}

static void groups_other_sms(void **state)
{
    (void)state;
    sample *s = sample_large(4000, true);
    gcast_report_options options = gcast_report_options_default();
    timeline t = lay_out(sample_run(s), &options);
    assert_int_equal(t.rows.count, 22); /* six SMs each */
    assert_int_equal(t.rows.at[0].kind, ROW_AREA);
    assert_string_equal(t.rows.at[21].label, "SMs 126-131");
    /* at the start every SM is full of the first kernel */
    assert_int_equal(t.rows.at[0].held.top[0], SHARE_ALL);
    assert_true(t.rows.at[0].held.highest <= SHARE_ALL);
    timeline_free(&t);
    sample_free(s);
}

/* Means over columns are exact: their sum is the time that blocks hold. */
static void areas_are_exact(void **state)
{
    (void)state;
    sample *s = sample_create("area", 2);
    int k = sample_kernel(s, "k", 1, 512, 2, 0); /* a quarter of an SM each */
    sample_block(s, k, 0, 0, 100, 300);
    sample_block(s, k, 1, 1, 0, 1000);
    gcast_report_options options = gcast_report_options_default();
    options.width = 500;
    view v;
    sm_index index;
    sm_rows rows;
    area_keys keys;
    bins columns;
    area a;
    gcast_error err;
    assert_ok(view_make(&v, sample_run(s), &options, &err), &err);
    assert_ok(sm_index_create(&index, sample_run(s), &v, &err), &err);
    rows = (sm_rows){.count = 1, .row_of = (int[]){0, 0}};
    assert_ok(area_keys_make(&keys, &index, index.share, 8, &err), &err);
    assert_ok(bins_make(&columns, sample_run(s), &v, 8, 4, &err), &err);
    assert_ok(area_make(&a, &index, &rows, 0, &keys, index.share, &columns, &err), &err);
    /* columns of 125 ns: block 0 covers 25 of the first, all of the second, and 50 of the third */
    static const uint32_t want[] = {9830, 16384, 11468, 8192, 8192, 8192, 8192, 8192};
    for (int c = 0; c < 8; c++)
        assert_int_equal(a.top[c], want[c]);
    area_free(&a);
    bins_free(&columns);
    area_keys_free(&keys);
    sm_index_free(&index);
    sample_free(s);
}

static void assert_rows_hold(const timeline *t)
{
    assert_true(t->rows.count <= (size_t)t->shown.max_rows + 1);
    for (size_t r = 0; r < t->rows.count; r++) {
        const timeline_row *row = &t->rows.at[r];
        assert_true(row->y >= t->top && row->y + row->height <= t->bottom);
        if (r)
            assert_true(row->y >= row[-1].y + row[-1].height);
        for (size_t i = 0; i < row->spans.count; i++)
            if (row->kind == ROW_BLOCKS)
                assert_true(row->spans.at[i].place + row->spans.at[i].share <= t->highest);
            else
                assert_true(row->spans.at[i].place < row->lanes);
    }
}

static void any_run_stays_in_bounds(void **state)
{
    (void)state;
    support_random r = {7};
    for (uint64_t seed = 1; seed <= 120; seed++) {
        sample *s = sample_random(seed);
        gcast_report_options options = gcast_report_options_default();
        options.width = (int)support_between(&r, 300, 1500);
        options.max_rows = (int)support_between(&r, 1, 40);
        if (seed % 3 == 0 && sample_run(s)->end_ns > 10) {
            options.from_ns = support_between(&r, 0, sample_run(s)->end_ns / 2);
            options.to_ns = options.from_ns + support_between(&r, 1, sample_run(s)->end_ns);
        }
        timeline t = lay_out(sample_run(s), &options);
        assert_rows_hold(&t);
        gcast_error err;
        canvas *c = timeline_draw(&t, &err);
        assert_non_null(c);
        drawing_assert_inside(c);
        drawing_assert_text_apart(c);
        canvas_free(c);
        timeline_free(&t);
        sample_free(s);
    }
}

static void wrong_views(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    gcast_error err;
    view v;
    gcast_report_options o = gcast_report_options_default();
    o.first_sm = 1;
    o.last_sm = 2;
    assert_int_equal(view_make(&v, sample_run(s), &o, &err), GCAST_USAGE);
    assert_string_equal(err.message, "SMs 1 to 2 cannot be shown: the GPU has 0 to 1");
    o = gcast_report_options_default();
    o.from_ns = 12000000;
    assert_int_equal(view_make(&v, sample_run(s), &o, &err), GCAST_USAGE);
    o.to_ns = 12000000;
    assert_int_equal(view_make(&v, sample_run(s), &o, &err), GCAST_USAGE);
    sample_free(s);
}

static void a_block_on_no_sm(void **state)
{
    (void)state;
    sample *s = sample_create("bad", 2);
    int k = sample_kernel(s, "k", 1, 32, 1, 0);
    sample_block(s, k, 0, 2, 0, 1);
    timeline t;
    gcast_error err;
    gcast_report_options o = gcast_report_options_default();
    assert_int_equal(timeline_make(&t, sample_run(s), &o, &err), GCAST_INPUT);
    assert_string_equal(err.path, "/ops/0/blocks");
    sample_free(s);
}

static void tick_steps(void **state)
{
    (void)state;
    ticks t = ticks_for(0, 12000000, PX(400), PX(11));
    assert_int_equal(t.step, 2000000);
    assert_int_equal(t.decimals, 0);
    t = ticks_for(1500, 2600, PX(900), PX(11));
    assert_string_equal(t.unit->name, "ns");
    assert_int_equal(t.first % t.step, 0);
    assert_true(t.first >= 1500);
    char out[48];
    time_in_unit(1234567, time_unit_for(12000000, 10), 3, out, sizeof out);
    assert_string_equal(out, "1.235");
    time_in_unit(999999999, time_unit_for(INT64_MAX, 1), 2, out, sizeof out);
    assert_string_equal(out, "1.00");
    time_in_unit(-1500, time_unit_for(2000, 1), 1, out, sizeof out);
    assert_string_equal(out, "-1.5");
    assert_int_equal(time_decimals(1500, time_unit_for(2000, 1), 3), 1);
    t = ticks_for(0, INT64_MAX, PX(900), PX(11));
    assert_true(t.step > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thesis_rows),      cmocka_unit_test(joins_identical_sms),
        cmocka_unit_test(groups_other_sms), cmocka_unit_test(areas_are_exact),
        cmocka_unit_test(wrong_views),      cmocka_unit_test(any_run_stays_in_bounds),
        cmocka_unit_test(a_block_on_no_sm), cmocka_unit_test(tick_steps),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
