/* What lies over the rows of a timeline: releases, lines of dependencies, jobs that are given, and a lane of waits. And
 * the rows of a picture of verdicts. */
#include "support/drawing.h"
#include "support/support.h"

#include <string.h>

#include "report/analysis/verdict_rows.h"
#include "report/canvas/palette.h"
#include "report/timeline/draw.h"
#include "report/timeline/timeline.h"

typedef struct picture {
    gcast_workload *workload;
    gcast_run *run;
    timeline t;
    canvas *c;
} picture;

static picture drawn(const char *file, const gcast_report_options *o)
{
    picture p;
    gcast_error err;
    size_t size;
    char *words = support_read(file, &size);
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    assert_ok(gcast_workload_read(words, size, "test", NULL, &p.workload, &err), &err);
    assert_ok(gcast_workload_simulate(p.workload, NULL, &options, &p.run, &err), &err);
    assert_ok(timeline_make(&p.t, p.run, o, &err), &err);
    p.c = timeline_draw(&p.t, &err);
    assert_non_null(p.c);
    drawing_assert_inside(p.c);
    drawing_assert_text_apart(p.c);
    free(words);
    return p;
}

static void picture_free(picture *p)
{
    canvas_free(p->c);
    timeline_free(&p->t);
    gcast_run_free(p->run);
    gcast_workload_free(p->workload);
}

/* Arrows whose point is at x, from y_min to y_max. */
static size_t heads_at(const canvas *c, int32_t x, int32_t y_min, int32_t y_max)
{
    size_t n = 0;
    for (size_t i = 0; i < c->items.count; i++) {
        const canvas_item *item = &c->items.at[i];
        n += item->kind == CANVAS_POLYGON && item->point_count == 3 && item->points[0].x == x &&
             item->points[0].y >= y_min && item->points[0].y <= y_max;
    }
    return n;
}

/* detect is after two kernels and starts at 4.6 ms; boxes, a copy, is after detect and starts at 16.6 ms. */
static void dependencies_are_drawn(void **state)
{
    (void)state;
    gcast_report_options o = gcast_report_options_default();
    picture p = drawn("examples/11-dependencies.json", &o);
    const timeline_row *sm = &p.t.rows.at[0], *engine = &p.t.rows.at[2];
    assert_true(p.t.links);
    assert_non_null(drawing_text(p.c, "after"));
    assert_int_equal(heads_at(p.c, timeline_x(&p.t, 4600000), sm->y, sm->y + sm->height), 2);
    assert_int_equal(heads_at(p.c, timeline_x(&p.t, 16600000), engine->y, engine->y), 1);
    picture_free(&p);
}

static void releases_are_drawn(void **state)
{
    (void)state;
    gcast_report_options o = gcast_report_options_default();
    picture p = drawn("examples/11-dependencies.json", &o);
    const timeline_row *control = &p.t.rows.at[p.t.rows.count - 1];
    assert_string_equal(control->label, "control");
    for (int job = 0; job < 3; job++)
        assert_int_equal(heads_at(p.c, timeline_x(&p.t, job * 11000000), control->y, control->y), 1);
    picture_free(&p);
}

/* A workload without tasks gets rows of jobs and waits by the options. */
static void jobs_and_waits_are_given(void **state)
{
    (void)state;
    static const gcast_report_job jobs[] = {
        {.task = "late", .row = 1, .job = 0, .stream = 0, .release_ns = 0, .deadline_ns = 1000, .end_ns = 2000000},
        {.task = "met", .row = 0, .job = 0, .stream = 0, .release_ns = 0, .deadline_ns = 3000000, .end_ns = 2000000},
    };
    gcast_report_wait waits[12];
    for (int i = 0; i < 12; i++)
        waits[i] = (gcast_report_wait){i * 1000, (i + 1) * 1000, i == 11, "K <&>", "X1", "why", i % 2 ? "other" : ""};
    gcast_report_options o = gcast_report_options_default();
    o.jobs = jobs;
    o.job_count = 2;
    o.waits = waits;
    o.wait_count = 12;
    o.waits_label = "why K";
    picture p = drawn("examples/thesis.json", &o);
    const timeline_row *rows = &p.t.rows.at[p.t.rows.count - 3];
    assert_string_equal(rows[0].label, "met");
    assert_string_equal(rows[1].label, "late: 1 of 1 late");
    assert_string_equal(rows[2].label, "why K");
    assert_int_equal(rows[2].kind, ROW_WAITS);
    assert_non_null(drawing_text(p.c, "the longest 8 of 12 waits"));
    assert_non_null(drawing_text(p.c, "X1: why: "));
    picture_free(&p);
}

/* An answer with ops of these deadlines and worst times, each of a task of its own. */
static verdict_rows rows_of(const int64_t *deadlines, const int64_t *worst, size_t count)
{
    gcast_op ops[300] = {0};
    gcast_response responses[300] = {0};
    verdict_rows v;
    for (size_t i = 0; i < count; i++) {
        ops[i].task = (int)i;
        responses[i] = (gcast_response){.op = i, .deadline_ns = deadlines[i], .worst_ns = worst[i], .best_ns = 1};
    }
    gcast_workload w = {.ops = ops, .op_count = count};
    gcast_answer a = {.workload = &w, .responses = responses, .response_count = count, .complete = true};
    assert_true(verdict_rows_make(&v, &a));
    return v;
}

static void panels_have_axes_of_their_own(void **state)
{
    (void)state;
    verdict_rows v = rows_of((int64_t[]){1000, 4000}, (int64_t[]){500, 100000}, 2);
    assert_false(v.own_axes);
    assert_int_equal(v.panels.count, 2);
    assert_int_equal(v.panels.at[0].end_ns, v.panels.at[1].end_ns);
    assert_in_range(v.panels.at[0].end_ns, 3 * 4000, 3 * 4000 * 11 / 10); /* a bar that is too long is cut */
    verdict_rows_free(&v);
    v = rows_of((int64_t[]){1000, 6000}, (int64_t[]){GCAST_NO_BOUND, 100}, 2);
    assert_true(v.own_axes);
    assert_in_range(v.panels.at[0].end_ns, 1000, 1100);
    assert_in_range(v.panels.at[1].end_ns, 6000, 6600);
    verdict_rows_free(&v);
    v = rows_of((int64_t[]){INT64_MAX, 1}, (int64_t[]){INT64_MAX - 1, INT64_MAX - 1}, 2); /* nothing overflows */
    assert_true(v.panels.at[0].end_ns > 0 && v.panels.at[1].end_ns > 0);
    verdict_rows_free(&v);
}

/* Of too many ops those with the least slack are shown, in the order of the workload. */
static void ops_at_risk_are_shown(void **state)
{
    (void)state;
    int64_t deadlines[300], worst[300];
    for (size_t i = 0; i < 300; i++) {
        deadlines[i] = 1000;
        worst[i] = (int64_t)(i % 3 == 0 ? 10 : 900 + i % 3);
    }
    worst[0] = GCAST_NO_BOUND;
    verdict_rows v = rows_of(deadlines, worst, 300);
    assert_int_equal(v.rows.count, 200);
    assert_int_equal(v.hidden, 100);
    assert_int_equal(v.rows.at[0].response->op, 0);
    for (size_t i = 1; i < 200; i++) {
        assert_true(v.rows.at[i].task > v.rows.at[i - 1].task);
        assert_true(v.rows.at[i].task % 3 != 0);
    }
    verdict_rows_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependencies_are_drawn),   cmocka_unit_test(releases_are_drawn),
        cmocka_unit_test(jobs_and_waits_are_given), cmocka_unit_test(panels_have_axes_of_their_own),
        cmocka_unit_test(ops_at_risk_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
