#include "report/verdicts/verdict_draw.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/text/units.h"
#include "report/analysis/table.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/canvas/ticks.h"
#include "report/verdicts/verdict_bar.h"
#include "report/verdicts/verdict_rows.h"

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

/* Of a panel, from the line of its name to the space below it. */
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
    char label[LABEL_SIZE], gpu[LABEL_SIZE], line[LABEL_SIZE + 40];
    text t;
    const char *name = f->a->workload->name;
    canvas_text(f->c, MARGIN, PX(22), label_cut(*name ? name : "response times", LABEL_CHARS, label), PX(15),
                CANVAS_LEFT, INK);
    snprintf(line, sizeof line, "%s; time from release to end", label_cut(f->a->gpu->title, 40, gpu));
    canvas_text(f->c, MARGIN, PX(40), line, FONT, CANVAS_LEFT, FAINT);
    text_open(&t, NULL, NULL);
    answer_summary(f->a, &t);
    char *summary = text_take(&t, NULL);
    if (summary)
        canvas_text(f->c, MARGIN, PX(56), summary, FONT, CANVAS_LEFT, INK);
    else
        canvas_no_memory(f->c);
    free(summary);
    verdict_legend_draw(f->c, MARGIN, PX(76), f->a);
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
    const char *word = row->response->never_called ? "never called" : gcast_deadline_verdict_name(row->verdict);
    if (row->worst_ns == GCAST_NO_BOUND)
        snprintf(slack, sizeof slack, "no bound");
    else if (row->deadline_ns && !row->response->never_called)
        units_format_time(gcast_answer_slack_ns(f->a, row->response), slack, sizeof slack);
    verdict_symbol_draw(f->c, f->right + PX(14), y, row->verdict);
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
            verdict_bar_draw(f->c, &(verdict_scale){f->left, f->right, p->end_ns}, row, middle, name);
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
    gcast_status status = canvas_write(f->c, format, write, data, err);
    canvas_free(f->c);
    return status;
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
