/* Pictures of simulated runs: deadlines, names, and overviews of too many kernels. */
#include "property/generate.h"
#include "support/drawing.h"
#include "support/sample_run.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/canvas/palette.h"
#include "report/timeline/draw.h"
#include "report/timeline/timeline.h"

#define MISSED 0xc00020u

typedef struct picture {
    gcast_workload *workload;
    gcast_run *run;
    timeline t;
    canvas *c;
} picture;

static void draw(picture *p, const gcast_run *run, const gcast_report_options *o)
{
    gcast_error err;
    assert_ok(timeline_make(&p->t, run, o, &err), &err);
    p->c = timeline_draw(&p->t, &err);
    assert_non_null(p->c);
    assert_false(p->c->failed);
    drawing_assert_inside(p->c);
    drawing_assert_text_apart(p->c);
}

static picture drawn(const char *words)
{
    picture p;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_report_options o = gcast_report_options_default();
    options.record_blocks = true;
    assert_ok(gcast_workload_read(words, strlen(words), "test", NULL, &p.workload, &err), &err);
    assert_ok(gcast_workload_simulate(p.workload, NULL, &options, &p.run, &err), &err);
    draw(&p, p.run, &o);
    return p;
}

static void picture_free(picture *p)
{
    canvas_free(p->c);
    timeline_free(&p->t);
    gcast_run_free(p->run);
    gcast_workload_free(p->workload);
}

static const timeline_row *row_of(const picture *p, const char *label)
{
    for (size_t i = 0; i < p->t.rows.count; i++)
        if (strcmp(p->t.rows.at[i].label, label) == 0)
            return &p->t.rows.at[i];
    return NULL;
}

/* Lines that cross each other at x in a row, which mark a missed deadline. */
static size_t crosses_at(const canvas *c, const timeline_row *row, int32_t x)
{
    size_t n = 0;
    for (size_t i = 0; i < c->items.count; i++) {
        const canvas_item *item = &c->items.at[i];
        n += item->kind == CANVAS_LINE && item->rgb == INK && item->x != item->w && item->y != item->h &&
             (item->x + item->w) / 2 == x && (item->y + item->h) / 2 == row->y + row->height / 2;
    }
    return n / 2;
}

/* Arrows that end at the lower edge of a row, at x. */
static size_t ticks_at(const canvas *c, const timeline_row *row, int32_t x)
{
    size_t n = 0;
    for (size_t i = 0; i < c->items.count; i++) {
        const canvas_item *item = &c->items.at[i];
        n += item->kind == CANVAS_POLYGON && item->point_count == 3 && item->points[0].x == x &&
             item->points[0].y == row->y + row->height;
    }
    return n;
}

static void misses_are_marked(void **state)
{
    (void)state;
    size_t size;
    char *words = support_read("tests/cases/simulate-deadline-missed/tasks.json", &size);
    picture p = drawn(words);
    const timeline_row *camera = row_of(&p, "camera: 1 of 2 late"), *map = row_of(&p, "map: 1 of 1 late");
    assert_non_null(camera);
    assert_non_null(map);
    assert_int_equal(p.t.missed, 2);
    assert_int_equal(ticks_at(p.c, camera, timeline_x(&p.t, 10000000)), 1);
    assert_int_equal(ticks_at(p.c, camera, timeline_x(&p.t, 20000000)), 1);
    assert_int_equal(crosses_at(p.c, camera, timeline_x(&p.t, 10000000)), 0);
    assert_int_equal(crosses_at(p.c, camera, timeline_x(&p.t, 20000000)), 1);
    assert_int_equal(crosses_at(p.c, map, timeline_x(&p.t, 12000000)), 1);
    assert_int_equal(drawing_rects(p.c, MISSED), 2 + 1 + 1); /* and the legend, and the ground of a label */
    assert_non_null(drawing_text(p.c, "release"));
    assert_non_null(drawing_text(p.c, "missed deadline"));
    assert_non_null(drawing_text(p.c, "camera (stream 1)"));
    assert_non_null(drawing_text(p.c, "map (stream 2)"));
    assert_null(drawing_text(p.c, "stream 1"));
    picture_free(&p);
    free(words);
}

/* In a view that ends before a deadline, that is not missed. */
static void misses_in_a_part(void **state)
{
    (void)state;
    size_t size;
    char *words = support_read("tests/cases/simulate-deadline-missed/tasks.json", &size);
    picture p = drawn(words), part = {0};
    gcast_report_options o = gcast_report_options_default();
    o.to_ns = 12000000;
    draw(&part, p.run, &o);
    assert_int_equal(part.t.missed, 0);
    assert_non_null(row_of(&part, "map"));
    assert_int_equal(drawing_rects(part.c, MISSED), 0);
    canvas_free(part.c);
    timeline_free(&part.t);
    o.from_ns = 13000000;
    o.to_ns = 15000000;
    draw(&part, p.run, &o);
    assert_non_null(row_of(&part, "map: 1 of 1 late"));
    assert_non_null(row_of(&part, "camera"));
    canvas_free(part.c);
    timeline_free(&part.t);
    picture_free(&p);
    free(words);
}

/* All deadlines of jobs are in the picture, also those after the last end; the legend names missed ones only if there
 * are any. */
static void deadlines_that_are_met(void **state)
{
    (void)state;
    size_t size;
    char *words = support_read("examples/07-deadlines.json", &size);
    picture p = drawn(words);
    assert_int_equal(p.t.shown.end_ns, 30000000);
    assert_int_equal(ticks_at(p.c, row_of(&p, "brake"), timeline_x(&p.t, 26000000)), 1);
    assert_int_equal(ticks_at(p.c, row_of(&p, "map"), timeline_x(&p.t, 30000000)), 1);
    assert_non_null(drawing_text(p.c, "deadline"));
    assert_null(drawing_text(p.c, "missed"));
    assert_int_equal(drawing_rects(p.c, MISSED), 0);
    assert_string_equal(p.workload->ops[1].label, "frame"); /* a copy, and a kernel: both as in the legend */
    assert_int_equal(p.t.colour[1], palette_stream(1));
    assert_int_equal(p.t.colour[2], palette_stream(1));
    picture_free(&p);
    free(words);
}

static char *many_tasks(int count, int late)
{
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"tasks\": [");
    for (int i = 0; i < count; i++)
        text_printf(&t,
                    "%s{\"name\": \"task %d\", \"stream\": %d, \"period_ns\": 1000000, \"deadline_ns\": %d, \"ops\": ["
                    "{\"kind\": \"kernel\", \"label\": \"k%d\", \"grid\": 1, \"block\": 32, \"duration_ns\": 1000}]}",
                    i ? ", " : "", i, i + 1, i < count - late ? 900000 : 10, i);
    text_str(&t, "]}");
    return text_take(&t, NULL);
}

/* Where there are too many tasks, those that miss deadlines are shown first. */
static void many_tasks_with_deadlines(void **state)
{
    (void)state;
    char *words = many_tasks(40, 5);
    picture p = drawn(words);
    size_t rows = 0;
    for (size_t i = 0; i < p.t.rows.count; i++)
        rows += p.t.rows.at[i].kind == ROW_JOBS;
    assert_int_equal(rows, 12 + 1);
    assert_non_null(row_of(&p, "task 0"));
    assert_non_null(row_of(&p, "task 39: 1 of 1 late"));
    assert_non_null(row_of(&p, "+28 tasks"));
    picture_free(&p);
    free(words);
    words = many_tasks(40, 30);
    p = drawn(words);
    assert_non_null(row_of(&p, "task 10: 1 of 1 late"));
    assert_null(row_of(&p, "task 0"));
    picture_free(&p);
    free(words);
}

/* Kernels with a thousand launches each, where each kernel holds more than the one before. */
static sample *kernels(int labels, int launches)
{
    sample *s = sample_create("many kernels", 40);
    for (int i = 0; i < launches; i++)
        for (int k = 0; k < labels; k++) {
            char label[32];
            snprintf(label, sizeof label, i ? "kernel %d#%d" : "kernel %d", k, i + 1);
            int op = sample_kernel(s, label, k + 1, 64 * (k + 1), 1, 100 * i);
            sample_block(s, op, 0, (i + k) % 40, 100 * i, 100 * i + 100);
        }
    return s;
}

static void too_many_kernels(void **state)
{
    (void)state;
    sample *s = kernels(11, 3000);
    picture p = {0};
    gcast_report_options o = gcast_report_options_default();
    draw(&p, sample_run(s), &o);
    assert_true(p.t.overview);
    assert_int_equal(p.t.rows.at[0].kind, ROW_USE);
    assert_int_equal(p.t.rows.at[1].kind, ROW_SHADES);
    assert_int_equal(p.t.keys.count, 8 + 1);
    /* 64 to 704 threads of 40 * 2048 each, 5.2 % in all */
    uint32_t all = area_top(&p.t.rows.at[0].held, p.t.keys.count - 1, 10);
    assert_in_range(all, 65536 * 4224 / (40 * 2048) - 20, 65536 * 4224 / (40 * 2048));
    assert_int_equal(p.t.busy.kernels, 11);
    assert_int_equal(p.t.busy.count, 10);
    for (int i = 0; i < p.t.busy.count; i++) {
        assert_int_equal(p.t.busy.at[i].runs, 3000);
        assert_int_equal(p.t.busy.at[i].ppm, (1000000u * (11 - (unsigned)i) + 33) / 66);
    }
    assert_non_null(drawing_text(p.c, "busiest of 11 kernels"));
    assert_non_null(drawing_text(p.c, "kernel 10"));
    assert_non_null(drawing_text(p.c, "16.7 %"));
    assert_non_null(drawing_text(p.c, "other streams"));
    assert_non_null(drawing_text(p.c, "height: share of the threads of all SMs shown; 33000 launches are not marked"));
    assert_true(p.c->items.count < 20000);
    canvas_free(p.c);
    timeline_free(&p.t);
    sample_free(s);
}

/* Any part of it, at any width. */
static void parts_of_too_many(void **state)
{
    (void)state;
    sample *s = kernels(7, 900);
    support_random r = {11};
    for (int i = 0; i < 40; i++) {
        picture p = {0};
        gcast_report_options o = gcast_report_options_default();
        o.width = (int)support_between(&r, 300, 1400);
        o.from_ns = support_between(&r, 0, 80000);
        o.to_ns = o.from_ns + support_between(&r, 1, 40000);
        o.first_sm = (int)support_between(&r, 0, 20);
        o.last_sm = (int)support_between(&r, o.first_sm, 39);
        o.fold = i % 5 != 0;
        o.no_blocks = i % 7 == 0;
        draw(&p, sample_run(s), &o);
        canvas_free(p.c);
        timeline_free(&p.t);
    }
    sample_free(s);
}

/* Copies that would be too narrow are shown as the part of the time that they take. */
static void too_many_copies(void **state)
{
    (void)state;
    sample *s = sample_create("copies", 2);
    for (int i = 0; i < 5000; i++)
        sample_copy(s, "c", 1, 0, GCAST_H2D, 100 * i, 100 * i + 25);
    picture p = {0};
    gcast_report_options o = gcast_report_options_default();
    o.to_ns = 500000;
    draw(&p, sample_run(s), &o);
    const timeline_row *row = row_of(&p, "copy engine 0");
    row = row ? row : row_of(&p, "copy engine");
    assert_non_null(row);
    assert_int_equal(row->kind, ROW_BUSY);
    uint64_t sum = 0;
    for (int c = 0; c < row->held.columns.count; c++)
        sum += area_top(&row->held, 0, c) * (uint64_t)(row->held.columns.edge[c + 1] - row->held.columns.edge[c]);
    assert_in_range(sum / 500000, 65536 / 4 - 200, 65536 / 4);
    assert_true(p.c->items.count < 200);
    canvas_free(p.c);
    timeline_free(&p.t);
    sample_free(s);
}

static void any_workload(void **state)
{
    (void)state;
    support_random r = {3};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        gcast_error err;
        picture p = {0};
        generated g = seed % 4 ? generate(seed) : generate_planned(seed);
        gcast_report_options o = gcast_report_options_default();
        o.width = (int)support_between(&r, 300, 1400);
        assert_ok(gcast_workload_simulate(g.workload, g.gpu, &g.options, &p.run, &err), &err);
        draw(&p, p.run, &o);
        canvas_free(p.c);
        timeline_free(&p.t);
        gcast_run_free(p.run);
        generated_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_are_marked),      cmocka_unit_test(misses_in_a_part),
        cmocka_unit_test(deadlines_that_are_met), cmocka_unit_test(many_tasks_with_deadlines),
        cmocka_unit_test(too_many_kernels),       cmocka_unit_test(parts_of_too_many),
        cmocka_unit_test(too_many_copies),        cmocka_unit_test(any_workload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
