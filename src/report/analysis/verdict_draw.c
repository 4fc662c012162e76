#include "report/analysis/verdict_draw.h"
#include "analyze/answer.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "base/units.h"
#include "gridcast/names.h"
#include "report/analysis/answer_table.h"
#include "report/analysis/verdict_rows.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/canvas/picture_frame.h"
#include "report/canvas/time_axis.h"

/* These draw the bar of an op, the symbol of a verdict, and the legend. The colours differ for the colour-blind, too,
 * and are light and dark in grey; the mark of a deadline divides a bar. */

#define VERDICT_LATE 0xc00020u

#define BOUND 0xb5cfe8u
#define SEEN 0x2f5f8fu
#define LATE_BOUND 0xf3bfa9u
#define WAIT_INK 0xa9b0bau /* from the release to the best case */
#define BOUND_HEIGHT PX(12)
#define SEEN_HEIGHT PX(6)
#define MIN_WIDTH 250    /* of a bar, so that it can be seen */
#define ARROW_HEAD PX(8) /* length of an arrow's head */
#define FADE_STEPS 12
#define FADE_STEP PX(5)
#define LEGEND_FONT PX(11)

/* The time axis of a panel. */
typedef struct verdict_scale {
    int32_t left, right; /* of the plot; the left one is time 0 */
    int64_t end_ns;      /* the time at the right */
} verdict_scale;

static int32_t x_of(const verdict_scale *s, int64_t ns)
{
    return s->left + (int32_t)((__int128)min_i64(ns, s->end_ns) * (s->right - s->left) / s->end_ns);
}

/* A bar from one time to another, in another colour beyond the deadline. */
static void draw_part(canvas *c, const verdict_scale *s, const verdict_row *row, int64_t start_ns, int64_t end_ns,
                      int32_t y, int32_t height, uint32_t rgb, uint32_t late_rgb, const char *tip)
{
    int32_t start = min_int(x_of(s, start_ns), s->right - MIN_WIDTH);
    int32_t end = max_int(x_of(s, end_ns), start + MIN_WIDTH);
    int32_t deadline = row->deadline_ns ? max_int(x_of(s, row->deadline_ns), start) : end;
    bool is_late = row->deadline_ns && end_ns > row->deadline_ns;
    int32_t met_end = is_late ? min_int(deadline, end) : end;
    if (met_end > start)
        canvas_rect(c, start, y - height / 2, met_end - start, height, rgb, CANVAS_NONE, tip);
    if (is_late && end > met_end)
        canvas_rect(c, met_end, y - height / 2, end - met_end, height, late_rgb, CANVAS_NONE, tip);
}

/* A colour mixed with white, which is `part` of `count` parts. */
static uint32_t fade(uint32_t rgb, uint32_t part, uint32_t count)
{
    uint32_t faded = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t value = rgb >> shift & 255;
        faded |= (value + (255 - value) * part / count) << shift;
    }
    return faded;
}

/* At the end of a bar that goes on beyond the plot. */
static void draw_arrow_head(canvas *c, int32_t x, int32_t y)
{
    const canvas_point head[] = {{x - ARROW_HEAD, y - PX(5)}, {x, y}, {x - ARROW_HEAD, y + PX(5)}};
    canvas_polygon(c, head, 3, INK, NULL);
}

/* A bar without an end fades towards the right edge. */
static void draw_unbounded(canvas *c, const verdict_scale *s, const verdict_row *row, int32_t y, const char *tip)
{
    uint32_t rgb = row->deadline_ns ? LATE_BOUND : BOUND;
    draw_part(c, s, row, row->best_ns, s->end_ns, y, BOUND_HEIGHT, BOUND, LATE_BOUND, tip);
    for (uint32_t i = 0; i < FADE_STEPS; i++) {
        int32_t x = s->right - (int32_t)(FADE_STEPS - i) * FADE_STEP;
        if (x > x_of(s, max_i64(row->best_ns, row->deadline_ns)))
            canvas_rect(c, x, y - BOUND_HEIGHT / 2, FADE_STEP, BOUND_HEIGHT, fade(rgb, i + 1, FADE_STEPS + 1),
                        CANVAS_NONE, tip);
    }
}

static void describe(const verdict_row *row, const char *label, char *tip, size_t size)
{
    char name[LABEL_SIZE], best[40], worst[40], seen[40], deadline[40];
    units_format_time(row->best_ns, best, sizeof best);
    units_format_time(row->seen_ns, seen, sizeof seen);
    units_format_time(row->deadline_ns, deadline, sizeof deadline);
    if (row->worst_ns == GCAST_NO_BOUND)
        snprintf(worst, sizeof worst, "not known");
    else
        units_format_time(row->worst_ns, worst, sizeof worst);
    snprintf(tip, size, "%s\nbest %s\nseen %s\nworst %s\ndeadline %s", label_cut(label, LABEL_CHARS, name), best,
             row->seen_ns ? seen : "-", worst, row->deadline_ns ? deadline : "-");
}

/* Draws the bar of an op, centred on y. */
static void draw_op_bar(canvas *c, const verdict_scale *s, const verdict_row *row, int32_t y, const char *label)
{
    char tip[LABEL_SIZE + 240];
    describe(row, label, tip, sizeof tip);
    canvas_line(c, s->left, y, x_of(s, row->best_ns), y, WAIT_INK, 75, false);
    if (row->worst_ns == GCAST_NO_BOUND)
        draw_unbounded(c, s, row, y, tip);
    else
        draw_part(c, s, row, row->best_ns, row->worst_ns, y, BOUND_HEIGHT, BOUND, LATE_BOUND, tip);
    if (row->seen_ns)
        draw_part(c, s, row, row->best_ns, row->seen_ns, y, SEEN_HEIGHT, SEEN, VERDICT_LATE, tip);
    if (max_i64(row->worst_ns, row->seen_ns) > s->end_ns)
        draw_arrow_head(c, s->right + ARROW_HEAD, y);
    if (row->deadline_ns && row->deadline_ns <= s->end_ns) {
        int32_t x = x_of(s, row->deadline_ns);
        canvas_line(c, x, y - PX(8), x, y + PX(8), INK, PX(2), false);
    }
}

static void draw_square(canvas *c, int32_t x, int32_t y, uint32_t rgb, bool is_filled)
{
    canvas_rect(c, x, y - PX(5), PX(10), PX(10), rgb, CANVAS_NONE, NULL);
    if (!is_filled)
        canvas_rect(c, x + 150, y - PX(5) + 150, PX(7), PX(7), 0xffffff, CANVAS_NONE, NULL);
}

/* Draws the symbol of a verdict from x on, centred on y; nothing where there is no deadline. */
static void draw_symbol(canvas *c, int32_t x, int32_t y, gcast_deadline_verdict v)
{
    switch (v) {
    case GCAST_DEADLINE_MET:
    case GCAST_DEADLINE_MET_IF:
        draw_square(c, x, y, SEEN, v == GCAST_DEADLINE_MET);
        break;
    case GCAST_DEADLINE_MISSED:
        canvas_line(c, x, y - PX(5), x + PX(10), y + PX(5), VERDICT_LATE, 250, false);
        canvas_line(c, x, y + PX(5), x + PX(10), y - PX(5), VERDICT_LATE, 250, false);
        break;
    case GCAST_DEADLINE_OPEN:
        canvas_text(c, x + PX(5), y + PX(5), "?", PX(14), CANVAS_CENTRE, INK);
        break;
    default:
        break;
    }
}

/* One entry of the legend; returns where the next one begins. */
static int32_t draw_legend_bar(canvas *c, int32_t x, int32_t base_line, uint32_t rgb, int32_t height, const char *words)
{
    canvas_rect(c, x, base_line - PX(4) - height / 2, PX(18), height, rgb, CANVAS_NONE, NULL);
    canvas_text(c, x + PX(23), base_line, words, LEGEND_FONT, CANVAS_LEFT, INK);
    return x + PX(23) + font_width(words, LEGEND_FONT) + PX(16);
}

static void draw_legend(canvas *c, int32_t x, int32_t base_line, const gcast_answer *a)
{
    bool has_deadline = false, is_late = false, is_late_seen = false, is_bound = !a->attained;
    for (size_t i = 0; i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        has_deadline = has_deadline || r->deadline_ns;
        is_late = is_late || (is_bound && r->deadline_ns && gcast_answer_verdict(a, r) == GCAST_DEADLINE_OPEN);
        is_late_seen = is_late_seen || gcast_answer_verdict(a, r) == GCAST_DEADLINE_MISSED;
    }
    canvas_open(c, NULL, "legend");
    if (is_bound)
        x = draw_legend_bar(c, x, base_line, BOUND, BOUND_HEIGHT, "best case to bound");
    if (!is_bound || a->searched)
        x = draw_legend_bar(c, x, base_line, SEEN, SEEN_HEIGHT,
                            is_bound ? "to the longest seen" : "best to worst case");
    if (is_late || (is_bound && is_late_seen))
        x = draw_legend_bar(c, x, base_line, LATE_BOUND, BOUND_HEIGHT, "may be late");
    if (is_late_seen)
        x = draw_legend_bar(c, x, base_line, VERDICT_LATE, SEEN_HEIGHT, "late");
    if (has_deadline) {
        canvas_line(c, x + PX(3), base_line - PX(11), x + PX(3), base_line + PX(2), INK, PX(2), false);
        canvas_text(c, x + PX(10), base_line, "deadline", LEGEND_FONT, CANVAS_LEFT, INK);
    }
    canvas_close(c);
}

/* verdict_draw lays out the picture: a panel per task, in it a row per op, with its bar, its verdict and its slack. */

#define WIDTH PX(1000)
#define MARGIN PX(12)
#define RIGHT PX(190) /* verdict and slack */
#define MAX_LABEL PX(200)
#define HEAD PX(86) /* title, two lines, and the legend */
#define ROW PX(18)
#define TASK PX(24) /* the line with a task's name */
#define AXIS PX(20)
#define FONT PX(11)
#define SMALL PX(10)
#define PLOT_FILL 0xf6f7f9u
#define GRID_INK 0xd9dce1u

typedef struct verdict_picture {
    canvas *c;             /* what is drawn on */
    const gcast_answer *a; /* what is drawn */
    verdict_rows v;        /* its rows */
    int32_t left, right;   /* of the plot */
} verdict_picture;

static void place_plot(verdict_picture *f)
{
    int32_t widest = PX(60);
    for (size_t i = 0; i < f->v.rows.count; i++)
        widest = max_int(widest, font_width(f->a->workload->ops[f->v.rows.at[i].response->op].label, FONT));
    f->left = MARGIN + min_int(widest, MAX_LABEL) + PX(14);
    f->right = WIDTH - RIGHT - MARGIN;
}

/* From the line with the panel's name to the space below it. */
static int32_t panel_height(const verdict_picture *f, const verdict_panel *p)
{
    return TASK + (int32_t)p->row_count * ROW + (f->v.own_axes ? AXIS + PX(4) : 0);
}

static int32_t picture_height(const verdict_picture *f)
{
    int32_t height = HEAD + (f->v.own_axes ? PX(18) : PX(28)) + (f->v.hidden ? PX(18) : 0);
    for (size_t i = 0; i < f->v.panels.count; i++)
        height += panel_height(f, &f->v.panels.at[i]);
    return height;
}

static void draw_heading(const verdict_picture *f)
{
    char gpu[LABEL_SIZE], line[LABEL_SIZE + 40];
    text t;
    const char *name = f->a->workload->name;
    snprintf(line, sizeof line, "%s; time from release to end", label_cut(f->a->gpu->title, 40, gpu));
    frame_rows_heading(f->c, *name ? name : "response times", line);
    text_open(&t, NULL, NULL);
    answer_summary(f->a, &t);
    char *summary = text_take(&t, NULL);
    if (summary)
        canvas_text(f->c, MARGIN, PX(56), summary, FONT, CANVAS_LEFT, INK);
    else
        canvas_no_memory(f->c);
    free(summary);
    draw_legend(f->c, MARGIN, PX(76), f->a);
    canvas_text(f->c, f->right + PX(30), PX(76), "verdict", FONT, CANVAS_LEFT, FAINT);
    canvas_text(f->c, WIDTH - MARGIN, PX(76), "slack", FONT, CANVAS_RIGHT, FAINT);
}

/* Lines from `top` to `bottom` at the ticks of a panel's axis and, where it has one, the numbers below them. */
static void draw_axis(const verdict_picture *f, const verdict_panel *p, int32_t top, int32_t bottom, bool has_numbers)
{
    ticks axis = ticks_for(0, p->end_ns, f->right - f->left, SMALL);
    for (int64_t at = axis.first; at <= p->end_ns; at += axis.step) {
        char label[64];
        int32_t x = f->left + (int32_t)((__int128)at * (f->right - f->left) / p->end_ns);
        bool is_last = p->end_ns - at < axis.step;
        time_in_unit(at, axis.unit, axis.decimals, label, sizeof label);
        if (!has_numbers)
            canvas_line(f->c, x, top, x, bottom, GRID_INK, 75, false);
        else
            canvas_text(f->c, x, bottom + PX(13), label, SMALL, CANVAS_CENTRE, FAINT);
        if (is_last && has_numbers)
            canvas_text(f->c, x + font_width(label, SMALL) / 2 + PX(4), bottom + PX(13), axis.unit->name, SMALL,
                        CANVAS_LEFT, FAINT);
        if (is_last)
            break;
    }
}

/* "camera", and beside it "period 33ms" and its deadline. */
static void draw_task(const verdict_picture *f, const verdict_panel *p, int32_t y)
{
    char name[LABEL_SIZE], period[40], deadline[40], line[120];
    if (p->task == GCAST_ONCE) {
        canvas_text(f->c, MARGIN, y, "operations that run once", FONT, CANVAS_LEFT, INK);
        return;
    }
    const gcast_task *task = &f->a->workload->tasks[p->task];
    units_format_time(task->period_ns, period, sizeof period);
    units_format_time(task->deadline_ns, deadline, sizeof deadline);
    snprintf(line, sizeof line, task->deadline_ns ? "period %s, deadline %s" : "period %s", period, deadline);
    if (font_fit(task->name, PX(12), f->right - f->left, name))
        canvas_text(f->c, MARGIN, y, name, PX(12), CANVAS_LEFT, INK);
    canvas_text(f->c, max_int(f->left, MARGIN + font_width(name, PX(12)) + PX(14)), y, line, SMALL, CANVAS_LEFT, FAINT);
}

static void draw_verdict(const verdict_picture *f, const verdict_row *row, int32_t y)
{
    char slack[48] = "";
    const char *word = row->response->never_called ? "never called" : gcast_name(GCAST_NAMES_VERDICT, row->verdict);
    if (row->worst_ns == GCAST_NO_BOUND)
        snprintf(slack, sizeof slack, "no bound");
    else if (row->deadline_ns && !row->response->never_called)
        units_format_time(gcast_answer_slack_ns(f->a, row->response), slack, sizeof slack);
    draw_symbol(f->c, f->right + PX(14), y, row->verdict);
    canvas_text(f->c, f->right + PX(30), y + PX(4), word, FONT, CANVAS_LEFT,
                row->verdict == GCAST_DEADLINE_MISSED ? VERDICT_LATE : INK);
    canvas_text(f->c, WIDTH - MARGIN, y + PX(4), slack, FONT, CANVAS_RIGHT, INK);
}

static void draw_panel(const verdict_picture *f, const verdict_panel *p, int32_t y)
{
    int32_t top = y + TASK, bottom = top + (int32_t)p->row_count * ROW;
    draw_task(f, p, top - PX(7));
    canvas_rect(f->c, f->left, top, f->right - f->left, bottom - top, PLOT_FILL, CANVAS_NONE, NULL);
    draw_axis(f, p, top, bottom, false);
    for (size_t i = 0; i < p->row_count; i++) {
        const verdict_row *row = &f->v.rows.at[p->first_row + i];
        const char *name = f->a->workload->ops[row->response->op].label;
        char label[LABEL_SIZE];
        int32_t middle = top + (int32_t)i * ROW + ROW / 2;
        canvas_open(f->c, NULL, "op");
        if (font_fit(name, FONT, f->left - MARGIN - PX(8), label))
            canvas_text(f->c, f->left - PX(8), middle + PX(4), label, FONT, CANVAS_RIGHT, INK);
        if (!row->response->never_called)
            draw_op_bar(f->c, &(verdict_scale){f->left, f->right, p->end_ns}, row, middle, name);
        draw_verdict(f, row, middle);
        canvas_close(f->c);
    }
    if (f->v.own_axes)
        draw_axis(f, p, top, bottom, true);
}

static gcast_status draw(verdict_picture *f, gcast_format format, gcast_write_fn write, void *data, gcast_error *err)
{
    char title[LABEL_SIZE];
    int32_t y = HEAD;
    place_plot(f);
    f->c = canvas_create(WIDTH, picture_height(f), label_cut(f->a->workload->name, LABEL_CHARS, title));
    if (!f->c)
        return gcast_error_set_memory(err);
    draw_heading(f);
    for (size_t i = 0; i < f->v.panels.count; i++) {
        draw_panel(f, &f->v.panels.at[i], y);
        y += panel_height(f, &f->v.panels.at[i]);
    }
    if (f->v.panels.count && !f->v.own_axes)
        draw_axis(f, &f->v.panels.at[0], y, y, true);
    y += f->v.own_axes ? PX(8) : PX(18);
    if (f->v.own_axes)
        canvas_text(f->c, f->right, y, "each task has an axis of its own: their deadlines differ by far", PX(9),
                    CANVAS_RIGHT, FAINT);
    if (f->v.hidden) {
        char line[80];
        snprintf(line, sizeof line, "%zu more operations, which have more slack, are not shown", f->v.hidden);
        canvas_text(f->c, MARGIN, y + PX(14), line, FONT, CANVAS_LEFT, FAINT);
    }
    return canvas_end(f->c, format, write, data, err);
}

gcast_status verdict_draw(const gcast_answer *a, gcast_format format, gcast_write_fn write, void *data,
                          gcast_error *err)
{
    verdict_picture f = {.a = a};
    if (!verdict_rows_make(&f.v, a))
        return gcast_error_set_memory(err);
    gcast_status status = draw(&f, format, write, data, err);
    verdict_rows_free(&f.v);
    return status;
}
