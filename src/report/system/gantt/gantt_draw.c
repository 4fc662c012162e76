#include "report/system/gantt/gantt_draw.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "report/canvas/palette.h"
#include "report/picture/draw.h"
#include "report/system/gantt/gantt.h"
#include "report/system/gantt/gantt_boxes.h"
#include "report/system/gantt/gantt_legend.h"
#include "report/system/gantt/gantt_marks.h"

static void draw_heading(const gantt *g, canvas *c)
{
    const sys_system *s = g->run->of;
    char title[LABEL_SIZE], gpu[LABEL_SIZE], from[40], to[40], words[LABEL_SIZE + 200];
    if (font_fit(*s->name ? s->name : "system", PX(15), g->t.width - PX(24), title))
        canvas_text(c, PX(12), PX(22), title, PX(15), CANVAS_LEFT, INK);
    units_format_time(g->t.shown.start_ns, from, sizeof from);
    units_format_time(g->t.shown.end_ns, to, sizeof to);
    int used = snprintf(words, sizeof words, "%zu task%s on %zu core%s", s->task_count, s->task_count == 1 ? "" : "s",
                        s->core_count, s->core_count == 1 ? "" : "s");
    if (s->gpu)
        used += snprintf(words + used, sizeof words - (size_t)used, " and %s", label_cut(s->gpu->title, 40, gpu));
    snprintf(words + used, sizeof words - (size_t)used, ", simulated, %s to %s", from, to);
    canvas_text(c, PX(12), PX(40), words, PX(11), CANVAS_LEFT, FAINT);
    canvas_open(c, NULL, "legend");
    gantt_legend_draw(g, c, PX(48));
    canvas_close(c);
}

static void draw_row(const gantt *g, const gantt_row *row, canvas *c)
{
    char label[LABEL_SIZE], id[32];
    int32_t lane = row->lane ? LANE : 0, middle = row->y + lane + (row->height - lane) / 2;
    snprintf(id, sizeof id, row->core == SYS_GPU ? "gpu" : "core-%d", row->core);
    canvas_open(c, id, "row");
    if (font_fit(row->label, LABEL_FONT, g->t.left - PX(14), label))
        canvas_text(c, g->t.left - PX(8), middle + PX(4), label, LABEL_FONT, CANVAS_RIGHT, INK);
    gantt_boxes_draw(g, row, c);
    if (row->lane)
        gantt_marks_draw(g, row, c);
    canvas_close(c);
}

static void draw_ground(const gantt *g, canvas *c)
{
    for (size_t i = 0; i < g->rows.count; i++) {
        const gantt_row *row = &g->rows.at[i];
        int32_t lane = row->lane ? LANE : 0;
        canvas_rect(c, g->t.left, row->y + lane, g->t.plot, row->height - lane, ROW_GROUND, CANVAS_NONE, NULL);
    }
    for (size_t i = 0; i < g->t.rows.count; i++)
        canvas_rect(c, g->t.left, g->t.rows.at[i].y, g->t.plot, g->t.rows.at[i].height, ROW_GROUND, CANVAS_NONE, NULL);
}

/* What is not shown, and what heights mean. */
static void draw_caption(const gantt *g, canvas *c)
{
    char words[200] = "";
    size_t used = 0;
    bool dense = false;
    for (size_t i = 0; i < g->rows.count; i++)
        dense = dense || (g->rows.at[i].lane && g->rows.at[i].dense);
    if (dense)
        used += (size_t)snprintf(words, sizeof words, "where jobs are many, releases and deadlines are not marked");
    if (g->hidden_cores)
        snprintf(words + used, sizeof words - used, "%s%zu more cores are not shown", used ? "; " : "",
                 g->hidden_cores);
    canvas_text(c, g->t.left + g->t.plot, g->t.height - PX(6), words, PX(9), CANVAS_RIGHT, FAINT);
}

gcast_status system_draw(const sys_run *run, const sys_report_options *options, canvas **out, gcast_error *err)
{
    gantt g;
    char title[LABEL_SIZE];
    *out = NULL;
    gcast_status status = gantt_make(&g, run, options, err);
    if (status != GCAST_OK)
        return status;
    canvas *c = canvas_create(g.t.width, g.t.height, label_cut(run->of->name, LABEL_CHARS, title));
    if (!c) {
        gantt_free(&g);
        return gcast_error_set_memory(err);
    }
    draw_heading(&g, c);
    draw_ground(&g, c);
    timeline_grid_draw(&g.t, c);
    for (size_t i = 0; i < g.rows.count; i++)
        draw_row(&g, &g.rows.at[i], c);
    for (size_t i = 0; i < g.t.rows.count; i++)
        timeline_row_draw(&g.t, &g.t.rows.at[i], c);
    timeline_axis_draw(&g.t, c);
    draw_caption(&g, c);
    gantt_free(&g);
    *out = c;
    return GCAST_OK;
}
