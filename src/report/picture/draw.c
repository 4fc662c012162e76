#include "report/picture/draw.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "model/run_op.h"
#include "report/canvas/palette.h"
#include "report/overlay/dependency_lines.h"
#include "report/overlay/wait_lane.h"
#include "report/picture/areas_draw.h"
#include "report/picture/boxes.h"
#include "report/picture/deadlines_draw.h"
#include "report/picture/kernel_list.h"
#include "report/picture/legend.h"
#include "report/picture/overview.h"
#include "report/timeline/timeline.h"

#define GRID 0xd9dce1u
#define AXIS 0x555555u

static void draw_heading(const timeline *t, canvas *c)
{
    const gcast_run *run = t->run;
    char title[LABEL_SIZE], gpu[LABEL_SIZE], end[40], subtitle[LABEL_SIZE + 100];
    if (font_fit(run->workload->name, PX(15), t->width - PX(24), title))
        canvas_text(c, PX(12), PX(22), title, PX(15), CANVAS_LEFT, INK);
    const char *ends = run->hang ? "HANGS" : "ends", *sms = run->gpu->sms == 1 ? "SM" : "SMs";
    units_format_time(run->hang ? run->hang->time_ns : run->end_ns, end, sizeof end);
    snprintf(subtitle, sizeof subtitle, "%s, %d %s, %s, %s at %s", label_cut(run->gpu->title, 40, gpu), run->gpu->sms,
             sms, run->source, ends, end);
    if (font_width(subtitle, PX(11)) > t->width - PX(24))
        snprintf(subtitle, sizeof subtitle, "%d %s, %s at %s", run->gpu->sms, sms, ends, end);
    canvas_text(c, PX(12), PX(40), subtitle, PX(11), CANVAS_LEFT, FAINT);
    canvas_open(c, NULL, "legend");
    legend_draw(t, c, PX(48));
    canvas_close(c);
}

/* The numbers of the axis are below the launches. */
static int32_t axis_y(const timeline *t)
{
    return t->bottom + (t->mark_levels ? t->mark_levels * MARK_STEP + PX(8) : 0);
}

void timeline_grid_draw(const timeline *t, canvas *c)
{
    canvas_open(c, NULL, "grid");
    for (int64_t at = t->axis.first; at <= t->shown.end_ns; at += t->axis.step) {
        int32_t x = timeline_x(t, at);
        canvas_line(c, x, t->top, x, axis_y(t) + PX(4), GRID, 75, false);
        if (t->shown.end_ns - at < t->axis.step)
            break;
    }
    canvas_close(c);
}

void timeline_axis_draw(const timeline *t, canvas *c)
{
    int32_t y = axis_y(t) + PX(17);
    canvas_open(c, NULL, "axis");
    canvas_line(c, t->left, t->bottom, t->left + t->plot, t->bottom, AXIS, PX(1), false);
    for (int64_t at = t->axis.first; at <= t->shown.end_ns; at += t->axis.step) {
        char label[64];
        bool last = t->shown.end_ns - at < t->axis.step;
        time_in_unit(at, t->axis.unit, t->axis.decimals, label, sizeof label);
        int32_t x = timeline_x(t, at);
        canvas_text(c, x, y, label, PX(11), CANVAS_CENTRE, INK);
        if (last) {
            snprintf(label + strlen(label), 8, " ");
            canvas_text(c, x + font_width(label, PX(11)) / 2 + PX(3), y, t->axis.unit->name, PX(11), CANVAS_LEFT, INK);
            break;
        }
    }
    canvas_close(c);
}

static void draw_launches(const timeline *t, canvas *c)
{
    canvas_open(c, NULL, "launches");
    for (size_t i = t->marks.count; i-- > 0;) { /* of arrows at one place, the shorter ones are on top */
        const timeline_mark *m = &t->marks.at[i];
        size_t stream = run_op(t->run, m->op)->stream < 0 ? 0 : (size_t)run_op(t->run, m->op)->stream;
        uint32_t rgb = palette_stream(stream);
        int32_t y = t->bottom + PX(8) + (m->level + 1) * MARK_STEP - PX(3);
        canvas_line(c, m->x, y, m->x, t->bottom + 50, rgb, 150, true);
        if (m->label[0])
            canvas_text(c, m->x + PX(4), y, m->label, PX(10), CANVAS_LEFT, palette_dark(rgb));
    }
    canvas_close(c);
}

/* Says what heights mean, and how many launches and dependencies are not shown. */
static void draw_caption(const timeline *t, size_t hidden_links, canvas *c)
{
    const char *words = t->shown.blocks     ? ""
                        : !t->run->launches ? "no blocks: operations from start to end"
                        : !t->run->blocks_recorded
                            ? "no blocks: operations from start to end, which is that of their children"
                            : "no blocks: operations from start to end; pale: it waits for children";
    char line[200];
    for (size_t i = 0; i < t->rows.count; i++) {
        if (t->rows.at[i].kind == ROW_BLOCKS)
            words = "height of a block: its largest share of any resource of its SM";
        if (t->rows.at[i].kind == ROW_AREA)
            words = "height: share of the row's SMs that a kernel's blocks hold";
        if (t->rows.at[i].kind == ROW_BUSY)
            words = "height: part of the time that something runs there";
    }
    if (t->overview)
        words = "height: share of the threads of all SMs shown";
    if (t->shown.blocks && t->run->launches && !t->run->blocks_recorded)
        words = "blocks of children are not recorded in a window of time";
    snprintf(line, sizeof line, "%s", words);
    if (t->unmarked)
        snprintf(line, sizeof line, "%s%s%zu launches are not marked", words, words[0] ? "; " : "", t->unmarked);
    size_t length = strlen(line);
    if (hidden_links)
        snprintf(line + length, sizeof line - length, "%s%zu dependencies are not drawn", length ? "; " : "",
                 hidden_links);
    if (font_width(line, PX(9)) < t->left + t->plot - PX(8))
        canvas_text(c, t->left + t->plot, t->height - PX(6), line, PX(9), CANVAS_RIGHT, FAINT);
}

void timeline_row_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    static void (*const draw[])(const timeline *, const timeline_row *, canvas *) = {
        [ROW_BLOCKS] = blocks_draw, [ROW_AREA] = areas_draw, [ROW_USE] = use_draw,   [ROW_SHADES] = shades_draw,
        [ROW_BARS] = bars_draw,     [ROW_BUSY] = busy_draw,  [ROW_JOBS] = jobs_draw, [ROW_WAITS] = wait_lane_draw};
    char label[LABEL_SIZE];
    canvas_open(c, row->id, "row");
    if (font_fit(row->label, PX(11), t->left - PX(14), label))
        canvas_text(c, t->left - PX(8), row->y + row->height / 2 + PX(4), label, PX(11), CANVAS_RIGHT, INK);
    draw[row->kind](t, row, c);
    canvas_close(c);
}

canvas *timeline_draw(const timeline *t, gcast_error *err)
{
    char title[LABEL_SIZE];
    canvas *c = canvas_create(t->width, t->height, label_cut(t->run->workload->name, LABEL_CHARS, title));
    if (!c) {
        gcast_error_set_memory(err);
        return NULL;
    }
    draw_heading(t, c);
    for (size_t i = 0; i < t->rows.count; i++) {
        const timeline_row *row = &t->rows.at[i];
        canvas_rect(c, t->left, row->y, t->plot, row->height, ROW_GROUND, CANVAS_NONE, NULL);
    }
    timeline_grid_draw(t, c);
    for (size_t i = 0; i < t->rows.count; i++)
        timeline_row_draw(t, &t->rows.at[i], c);
    size_t hidden_links = dependency_lines_draw(t, c);
    timeline_axis_draw(t, c);
    draw_launches(t, c);
    int32_t list_y = axis_y(t) + PX(24);
    wait_list_draw(t, c, list_y + kernel_list_draw(t, c, list_y));
    draw_caption(t, hidden_links, c);
    return c;
}

gcast_status run_draw(const gcast_run *run, const gcast_report_options *options, canvas **out, gcast_error *err)
{
    timeline t;
    gcast_status status = timeline_make(&t, run, options, err);
    if (status)
        return status;
    *out = timeline_draw(&t, err);
    timeline_free(&t);
    return *out ? GCAST_OK : GCAST_RESOURCE;
}
