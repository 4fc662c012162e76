/* gcast_workers_report: how few workers per SM still hide latency, as a table, CSV, JSON or a picture. */
#include "report/plots/workers_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "base/number.h"
#include "base/text.h"
#include "gridcast/names.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/canvas/picture_frame.h"
#include "report/format_names.h"
#include "report/grid.h"
#include "report/schemas.h"

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
#define BAND 0xe9f3e9u   /* throughput that is as good as the best */
#define ENOUGH 0xcc0000u /* the least number of workers in that band */

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
        snprintf(label, sizeof label, "%lld %%", (long long)v / 10);
        frame_line(p->c, LEFT, RIGHT, y, label);
    }
    int64_t max_ticks = p->last < 1000 ? MAX_TICKS : MAX_LONG_TICKS;
    while (i + 1 < sizeof steps / sizeof *steps && (p->last - p->first) / steps[i] >= max_ticks)
        i++;
    step = max_i64(steps[i], (p->last - p->first) / max_ticks);
    for (int64_t v = step > 1 ? round_up(p->first, step) : max_i64(p->first, 1); v <= p->last; v += step) {
        snprintf(label, sizeof label, "%lld", (long long)v);
        frame_tick(p->c, x_of(p, v), BOTTOM, label, PX(12));
    }
    canvas_line(p->c, LEFT, TOP, LEFT, BOTTOM, INK, PX(1), false);
    canvas_line(p->c, LEFT, BOTTOM, RIGHT, BOTTOM, INK, PX(1), false);
    canvas_text(p->c, (LEFT + RIGHT) / 2, BOTTOM + PX(42), "workers per SM", PX(13), CANVAS_CENTRE, INK);
    canvas_text_up(p->c, PX(18), (TOP + BOTTOM) / 2, "relative throughput", PX(13), CANVAS_CENTRE, INK);
}

/* Draws a line of dashes. *at is the position in the pattern of a dash and a gap, which goes on from line to line. */
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
    char name[LABEL_SIZE], gpu[LABEL_SIZE], title[LABEL_SIZE + 96], line[LABEL_SIZE + 96];
    snprintf(title, sizeof title, "%s: throughput over workers per SM", label_cut(c->kernel, LABEL_CHARS / 2, name));
    snprintf(line, sizeof line, "%s, %u SMs", label_cut(c->gpu, LABEL_CHARS / 2, gpu), c->sms);
    frame_heading(p->c, LEFT, title, line);
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

static gcast_status workers_draw(const workers_points *points, gcast_format format, gcast_write_fn write, void *data,
                                 gcast_error *err)
{
    return canvas_end(workers_canvas(points), format, write, data, err);
}

#define US_PER_NS 0.001

/* The index of the shortest time that is known; count where there is none. */
static size_t find_shortest(const double *ns, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (ns[i] > 0 && (best == count || ns[i] < ns[best]))
            best = i;
    return best;
}

uint32_t gcast_workers_enough(const gcast_workers_curve *c)
{
    if (!c || !c->measured_ns || !c->workers)
        return 0;
    size_t best = find_shortest(c->measured_ns, c->count);
    for (size_t i = 0; best < c->count && i < c->count; i++)
        if (c->measured_ns[i] > 0 && c->measured_ns[best] * 1000 >= c->measured_ns[i] * WORKERS_ENOUGH_PERMILLE)
            return c->workers[i];
    return 0;
}

static bool is_time(double ns)
{
    return isfinite(ns) && ns >= 0;
}

static gcast_status find_points(workers_points *p, const gcast_workers_curve *c, gcast_error *err)
{
    char path[48];
    for (size_t i = 0; i < c->count; i++) {
        snprintf(path, sizeof path, "/points/%zu", i);
        if (c->workers[i] <= (i ? c->workers[i - 1] : 0))
            return gcast_error_set(err, GCAST_INPUT, path, "workers per SM must ascend from 1 on");
        if (!is_time(c->measured_ns[i]) || !is_time(c->predicted_ns[i]))
            return gcast_error_set(err, GCAST_INPUT, path, "a time is a finite number from 0 on");
    }
    size_t best = find_shortest(c->measured_ns, c->count), predicted = find_shortest(c->predicted_ns, c->count);
    if (best == c->count && predicted == c->count)
        return gcast_error_set(err, GCAST_INPUT, "/points", "no time is known");
    *p = (workers_points){.curve = c, .enough = gcast_workers_enough(c)};
    p->best_ns = best < c->count ? c->measured_ns[best] : c->predicted_ns[predicted];
    p->best = best < c->count ? c->workers[best] : 0;
    return GCAST_OK;
}

static void put_permille(grid *g, int column, int64_t permille)
{
    grid_print(g, column, "%lld.%lld %%", (long long)permille / 10, (long long)permille % 10);
}

static void write_table(text *t, const workers_points *p)
{
    static const grid_column columns[] = {
        {"workers/SM", true}, {"time (us)", true}, {"throughput", true}, {"predicted (us)", true},
        {"throughput", true}, {"error", true},     {NULL, false}};
    const gcast_workers_curve *c = p->curve;
    grid g;
    text_terminal(t, c->gpu);
    text_printf(t, ", %u SMs: ", c->sms);
    text_terminal(t, c->kernel);
    text_char(t, '\n');
    grid_open(&g, columns);
    for (size_t i = 0; i < c->count; i++) {
        double measured = c->measured_ns[i], predicted = c->predicted_ns[i];
        grid_add(&g, GRID_PLAIN);
        grid_print(&g, 0, "%u", c->workers[i]);
        if (measured > 0) {
            grid_print(&g, 1, "%.1f", measured * US_PER_NS);
            put_permille(&g, 2, workers_permille(p, measured));
        }
        if (predicted > 0) {
            grid_print(&g, 3, "%.1f", predicted * US_PER_NS);
            put_permille(&g, 4, workers_permille(p, predicted));
        }
        if (measured > 0 && predicted > 0)
            grid_print(&g, 5, "%+.1f %%", (predicted / measured - 1) * 100);
    }
    grid_text(&g, false, t);
    grid_close(&g);
    if (p->enough)
        text_printf(t, "%u %s per SM %s enough: throughput is within 5 %% of the best, which %u %s\n", p->enough,
                    p->enough == 1 ? "worker" : "workers", p->enough == 1 ? "is" : "are", p->best,
                    p->best == 1 ? "has" : "have");
}

/* Times and throughputs that are not known are null, or empty in CSV. */
static double known_ns(double ns)
{
    return ns > 0 ? ns : NAN;
}

static int64_t throughput(const workers_points *p, double ns)
{
    return ns > 0 ? workers_permille(p, ns) : JSON_UNKNOWN;
}

#define POINT_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(count, workers, true, c->workers[i], "workers per SM")                                                       \
    FIELD(mean, measured_ns, true, known_ns(c->measured_ns[i]), "measured time")                                       \
    FIELD(milli, measured_throughput, true, throughput(p, c->measured_ns[i]), "1: the best")                           \
    FIELD(mean, predicted_ns, true, known_ns(c->predicted_ns[i]), "predicted time")                                    \
    FIELD(milli, predicted_throughput, true, throughput(p, c->predicted_ns[i]), "1: the best")

static void write_csv(text *out, const workers_points *p)
{
    const gcast_workers_curve *c = p->curve;
    text_str(out, COLUMNS(POINT_FIELDS));
    text_char(out, '\n');
    for (size_t i = 0; i < c->count; i++) {
        bool is_first = true;
        PUT_COLUMNS(POINT_FIELDS);
        text_char(out, '\n');
    }
}

static void put_points(json_out *j, const workers_points *p)
{
    const gcast_workers_curve *c = p->curve;
    for (size_t i = 0; i < c->count; i++)
        PUT_ELEMENT(POINT_FIELDS);
    text_str(j->out, "\n ");
}

#define WORKERS_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(text, schema, true, "gridcast.workers/1", "the format")                                                      \
    FIELD(text, gpu, true, p->curve->gpu, "the GPU")                                                                   \
    FIELD(count, sms, true, p->curve->sms, "its SMs")                                                                  \
    FIELD(text, kernel, true, p->curve->kernel, "the kernel")                                                          \
    LINE(int, enough, true, p->enough ? p->enough : JSON_UNKNOWN, "fewest workers with 0.95 of the best throughput")   \
    FIELD(int, best, true, p->enough ? p->best : JSON_UNKNOWN, "workers with the best throughput")                     \
    FIELD(list, points, true, put_points(j, p), "by workers; in CSV a line each")

const record workers_schema[] = {RECORD("", WORKERS_FIELDS), RECORD("points", POINT_FIELDS), {NULL, NULL}};

static void write_json(text *t, const workers_points *p)
{
    json_out *j = &(json_out){.out = t, .indent = 1};
    PUT_DOCUMENT(WORKERS_FIELDS);
}

gcast_status gcast_workers_report(const gcast_workers_curve *curve, gcast_format format, gcast_write_fn write,
                                  void *data, gcast_error *err)
{
    if (!curve || !curve->gpu || !curve->kernel || !curve->workers || !curve->measured_ns || !curve->predicted_ns ||
        !write)
        return argument_missing(err);
    static void (*const writers[GCAST_FORMATS])(text *, const workers_points *) = {
        [GCAST_FORMAT_TABLE] = write_table, [GCAST_FORMAT_CSV] = write_csv, [GCAST_FORMAT_JSON] = write_json};
    workers_points points;
    if ((unsigned)format >= GCAST_FORMATS || (!canvas_writes(format) && !writers[format]))
        return format_refused("a curve of workers", format, err);
    gcast_status status = find_points(&points, curve, err);
    if (status != GCAST_OK)
        return status;
    if (canvas_writes(format))
        return workers_draw(&points, format, write, data, err);
    text t;
    text_open(&t, write, data);
    writers[format](&t, &points);
    return text_finish(&t, err);
}
