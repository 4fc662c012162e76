#include "report/plots/workers_draw.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/text/number.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"

#define WIDTH PX(720)
#define HEIGHT PX(420)
#define LEFT PX(64)
#define RIGHT PX(690)
#define TOP PX(84)
#define BOTTOM PX(360)
#define MARGIN PX(18) /* from the axes to the first and the last point */
#define DASH PX(7)
#define GAP PX(4)
#define MAX_TICKS 16     /* of the lower axis */
#define MAX_LONG_TICKS 4 /* where numbers have more than three digits */
#define MAX_LINES 6      /* of the left axis */
#define MAX_SHOWN_PERMILLE 3000
#define GRID 0xe4e4e4u
#define BAND 0xe9f3e9u   /* throughput that is as good as the best */
#define ENOUGH 0xcc0000u /* the least number of workers there */

typedef struct plot {
    const workers_points *points; /* what is drawn */
    canvas *c;                    /* what it is drawn on */
    int64_t first, last;          /* ends of the lower axis, in workers per SM */
    int64_t top;                  /* upper end of the left axis, in thousandths */
} plot;

static int32_t x_of(const plot *p, int64_t workers)
{
    return (int32_t)(LEFT + MARGIN + (workers - p->first) * (RIGHT - LEFT - 2 * MARGIN) / (p->last - p->first));
}

static int32_t y_of(const plot *p, int64_t permille)
{
    return (int32_t)(BOTTOM - min_i64(permille, p->top) * (BOTTOM - TOP) / p->top);
}

static void draw_axes(const plot *p)
{
    static const int64_t steps[] = {1, 2, 4, 8, 16, 32, 64, 128};
    char label[32];
    size_t i = 0;
    int64_t step = p->top > MAX_LINES * 200 ? 500 : 200;
    canvas_rect(p->c, LEFT, y_of(p, 1000), RIGHT - LEFT, y_of(p, WORKERS_ENOUGH_PERMILLE) - y_of(p, 1000), BAND,
                CANVAS_NONE, "within 5 % of the best");
    for (int64_t v = 0; v <= p->top; v += step) {
        int32_t y = y_of(p, v);
        canvas_line(p->c, LEFT, y, RIGHT, y, GRID, PX(1), false);
        snprintf(label, sizeof label, "%lld %%", (long long)v / 10);
        canvas_text(p->c, LEFT - PX(8), y + PX(4), label, PX(12), CANVAS_RIGHT, INK);
    }
    int64_t max_ticks = p->last < 1000 ? MAX_TICKS : MAX_LONG_TICKS;
    while (i + 1 < sizeof steps / sizeof *steps && (p->last - p->first) / steps[i] >= max_ticks)
        i++;
    step = max_i64(steps[i], (p->last - p->first) / max_ticks);
    for (int64_t v = step > 1 ? round_up(p->first, step) : max_i64(p->first, 1); v <= p->last; v += step) {
        int32_t x = x_of(p, v);
        canvas_line(p->c, x, BOTTOM, x, BOTTOM + PX(4), INK, PX(1), false);
        snprintf(label, sizeof label, "%lld", (long long)v);
        canvas_text(p->c, x, BOTTOM + PX(18), label, PX(12), CANVAS_CENTRE, INK);
    }
    canvas_line(p->c, LEFT, TOP, LEFT, BOTTOM, INK, PX(1), false);
    canvas_line(p->c, LEFT, BOTTOM, RIGHT, BOTTOM, INK, PX(1), false);
    canvas_text(p->c, (LEFT + RIGHT) / 2, BOTTOM + PX(42), "workers per SM", PX(13), CANVAS_CENTRE, INK);
    canvas_text_up(p->c, PX(18), (TOP + BOTTOM) / 2, "relative throughput", PX(13), CANVAS_CENTRE, INK);
}

/* A line of dashes. *at is how far the pattern of a dash and a gap has come, so that it goes on from line to line. */
static void draw_dashes(const plot *p, canvas_point from, canvas_point to, int32_t *at, uint32_t rgb)
{
    int64_t dx = to.x - from.x, dy = to.y - from.y, wide = llabs(dx), high = llabs(dy);
    int64_t length = max_i64(wide, high) + min_i64(wide, high) * 3 / 8, done = 0; /* by 7 % at most too long */
    while (done < length) {
        bool is_dash = *at < DASH;
        int64_t part = min_i64(length - done, is_dash ? DASH - *at : DASH + GAP - *at), end = done + part;
        if (is_dash)
            canvas_line(p->c, (int32_t)(from.x + dx * done / length), (int32_t)(from.y + dy * done / length),
                        (int32_t)(from.x + dx * end / length), (int32_t)(from.y + dy * end / length), rgb, PX(2),
                        false);
        *at = (int32_t)((*at + part) % (DASH + GAP));
        done = end;
    }
}

static void draw_point(const plot *p, uint32_t workers, double ns, int64_t permille, canvas_point at, bool is_measured)
{
    char tooltip[128];
    int32_t half = is_measured ? PX(4) : PX(2);
    if (number_print(tooltip, sizeof tooltip, "%s with %u: %.1f us, %lld.%lld %%",
                     is_measured ? "measured" : "predicted", workers, ns / 1000, (long long)permille / 10,
                     (long long)permille % 10) < 0) {
        canvas_no_memory(p->c);
        return;
    }
    canvas_rect(p->c, at.x - half, at.y - half, 2 * half, 2 * half, palette_stream(is_measured ? 0 : 1), CANVAS_NONE,
                tooltip);
}

/* Points whose time is not known are left out, and interrupt the line. */
static void draw_series(const plot *p, const double *ns, bool is_measured)
{
    const gcast_workers_curve *c = p->points->curve;
    uint32_t rgb = palette_stream(is_measured ? 0 : 1);
    canvas_point last = {0, 0};
    int32_t at = 0;
    bool joined = false;
    for (size_t i = 0; i < c->count; i++) {
        int64_t permille = workers_permille(p->points, ns[i]);
        canvas_point point = {x_of(p, c->workers[i]), y_of(p, max_i64(permille, 0))};
        if (permille >= 0 && joined && is_measured)
            canvas_line(p->c, last.x, last.y, point.x, point.y, rgb, PX(2), false);
        else if (permille >= 0 && joined)
            draw_dashes(p, last, point, &at, rgb);
        joined = permille >= 0;
        last = point;
    }
    for (size_t i = 0; i < c->count; i++) {
        int64_t permille = workers_permille(p->points, ns[i]);
        canvas_point point = {x_of(p, c->workers[i]), y_of(p, max_i64(permille, 0))};
        if (permille >= 0)
            draw_point(p, c->workers[i], ns[i], permille, point, is_measured);
    }
}

static void draw_enough(const plot *p)
{
    char label[96];
    uint32_t enough = p->points->enough;
    if (!enough)
        return;
    int32_t x = x_of(p, enough);
    bool is_left = x > (LEFT + RIGHT) / 2;
    snprintf(label, sizeof label, "%u %s: within 5 %% of the best", enough, enough == 1 ? "worker" : "workers");
    canvas_line(p->c, x, TOP - PX(8), x, BOTTOM, ENOUGH, PX(1), false);
    canvas_text(p->c, is_left ? x - PX(5) : x + PX(5), TOP - PX(5), label, PX(12), is_left ? CANVAS_RIGHT : CANVAS_LEFT,
                ENOUGH);
}

static void draw_heading(const plot *p)
{
    const gcast_workers_curve *c = p->points->curve;
    char name[LABEL_SIZE], gpu[LABEL_SIZE], line[LABEL_SIZE + 96];
    snprintf(line, sizeof line, "%s: throughput over workers per SM", label_cut(c->kernel, LABEL_CHARS / 2, name));
    canvas_text(p->c, LEFT, PX(24), line, PX(16), CANVAS_LEFT, INK);
    snprintf(line, sizeof line, "%s, %u SMs", label_cut(c->gpu, LABEL_CHARS / 2, gpu), c->sms);
    canvas_text(p->c, LEFT, PX(42), line, PX(12), CANVAS_LEFT, FAINT);
}

static bool is_any_known(const double *ns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ns[i] > 0)
            return true;
    return false;
}

static void draw_legend(const plot *p)
{
    const gcast_workers_curve *c = p->points->curve;
    int32_t x = LEFT, y = PX(62), at = 0;
    if (is_any_known(c->measured_ns, c->count)) {
        canvas_line(p->c, x, y - PX(4), x + PX(26), y - PX(4), palette_stream(0), PX(2), false);
        canvas_rect(p->c, x + PX(9), y - PX(8), PX(8), PX(8), palette_stream(0), CANVAS_NONE, NULL);
        canvas_text(p->c, x + PX(32), y, "measured", PX(12), CANVAS_LEFT, INK);
        x += PX(32) + font_width("measured", PX(12)) + PX(16);
    }
    if (is_any_known(c->predicted_ns, c->count)) {
        draw_dashes(p, (canvas_point){x, y - PX(4)}, (canvas_point){x + PX(29), y - PX(4)}, &at, palette_stream(1));
        canvas_text(p->c, x + PX(35), y, "predicted", PX(12), CANVAS_LEFT, INK);
    }
}

static void set_axes(plot *p)
{
    const gcast_workers_curve *c = p->points->curve;
    int64_t most = 1000;
    p->first = c->workers[0];
    p->last = c->workers[c->count - 1];
    if (p->first == p->last) { /* a single point is in the middle */
        p->first--;
        p->last++;
    }
    for (size_t i = 0; i < c->count; i++)
        most = max_i64(most, workers_permille(p->points, c->predicted_ns[i]));
    p->top = min_i64(most, MAX_SHOWN_PERMILLE);
    if (p->top > 1050) /* so that a prediction just above the best does not move the axis */
        p->top = round_up(p->top, p->top > MAX_LINES * 200 ? 500 : 200);
}

canvas *workers_canvas(const workers_points *points)
{
    plot p = {.points = points, .c = canvas_create(WIDTH, HEIGHT, "Throughput over workers per SM")};
    if (!p.c)
        return NULL;
    set_axes(&p);
    draw_heading(&p);
    draw_legend(&p);
    draw_axes(&p);
    draw_enough(&p);
    draw_series(&p, points->curve->measured_ns, true);
    draw_series(&p, points->curve->predicted_ns, false);
    return p.c;
}

gcast_status workers_draw(const workers_points *points, gcast_format format, gcast_write_fn write, void *data,
                          gcast_error *err)
{
    canvas *c = workers_canvas(points);
    if (!c)
        return gcast_error_set_memory(err);
    gcast_status status = canvas_write(c, format, write, data, err);
    canvas_free(c);
    return status;
}
