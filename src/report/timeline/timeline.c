#include "report/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "report/canvas/op_colours.h"
#include "report/canvas/palette.h"
#include "report/overlay/dependency_lines.h"
#include "report/overlay/wait_lane.h"
#include "report/picture/kernel_list.h"
#include "report/picture/legend.h"
#include "report/run/sm_share.h"
#include "report/timeline/areas_fill.h"
#include "report/timeline/bars.h"
#include "report/timeline/deadline_rows.h"
#include "report/timeline/marks.h"
#include "report/timeline/sms.h"

#define RIGHT PX(40)
#define HEADING PX(50)    /* title and subtitle */
#define SMS_HEIGHT 640    /* pixels that SM rows share, where the timeline does not say */
#define SHADES_HEIGHT 300 /* pixels that rows of shades share */

/* The colours of ops, which streams are used, and how many children were launched. */
static bool choose_colours(timeline *t)
{
    const gcast_workload *w = t->run->workload;
    t->colour = op_colours(w);
    t->used = calloc(w->stream_count + 1, sizeof *t->used);
    t->launched = calloc(w->child_count + 1, sizeof *t->launched);
    bool ok = t->colour && t->used && t->launched;
    for (size_t i = 0; ok && i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind))
            t->used[w->ops[i].stream < 0 ? 0 : (size_t)w->ops[i].stream] = true;
    for (size_t i = 0; ok && i < t->run->child_count; i++)
        if (!t->run->children[i].is_rest)
            t->launched[t->run->ops[t->run->op_count + i].op - w->op_count]++;
    return ok;
}

static int clamp(int v, int low, int high)
{
    return max_int(low, min_int(v, high));
}

static int32_t row_height(const timeline *t, const timeline_row *row, int sm_row_count)
{
    switch (row->kind) {
    case ROW_USE:
        return PX(200);
    case ROW_SHADES:
        return clamp(SHADES_HEIGHT / sm_row_count, 9, 20) * 100;
    case ROW_BARS:
    case ROW_BUSY:
        return PX(22);
    case ROW_JOBS:
    case ROW_WAITS:
        return PX(16);
    default:
        return clamp((t->sms_height ? t->sms_height : SMS_HEIGHT) / sm_row_count, 16, 120) * 100;
    }
}

/* The plot starts behind the widest label, at a full pixel. */
static void place_plot(timeline *t)
{
    int32_t widest = PX(20);
    for (size_t i = 0; i < t->rows.count; i++) {
        widest = max_int(widest, font_width(t->rows.at[i].label, LABEL_FONT));
    }
    t->width = PX(t->shown.width);
    t->left = (min_int(widest, LABEL_ROOM) + PX(17) - 1) / PX(1) * PX(1);
    t->plot = t->width - t->left - RIGHT;
}

static void place_rows(timeline *t, int32_t top)
{
    int sm_row_count = 0;
    for (size_t i = 0; i < t->rows.count; i++)
        sm_row_count += row_of_sms(&t->rows.at[i]);
    int32_t gap = sm_row_count > 12 ? PX(2) : PX(6);
    int32_t y = t->top = top;
    for (size_t i = 0; i < t->rows.count; i++) {
        timeline_row *row = &t->rows.at[i];
        bool other_kind =
            i && (row->kind == ROW_USE || row[-1].kind == ROW_USE || row_of_sms(row) != row_of_sms(row - 1) ||
                  (row->kind == ROW_JOBS) != (row[-1].kind == ROW_JOBS) || row->kind == ROW_WAITS);
        row->y = y + (other_kind ? PX(4) : 0);
        row->height = row_height(t, row, max_int(sm_row_count, 1));
        y = row->y + row->height + (row->kind >= ROW_JOBS ? PX(3) : gap);
    }
    t->bottom = y;
}

/* The row of what an operation waited for. */
static gcast_status add_waits(timeline *t, const gcast_report_options *options, gcast_error *err)
{
    timeline_row row = {.kind = ROW_WAITS, .id = "waits"};
    char label[LABEL_SIZE];
    if (!options->wait_count)
        return GCAST_OK;
    t->waits = options->waits;
    t->wait_count = options->wait_count;
    t->waits_title = options->waits_title;
    font_fit(options->waits_label ? options->waits_label : "waits", LABEL_FONT, LABEL_ROOM, label);
    snprintf(row.label, sizeof row.label, "%.150s", label);
    return vec_push(&t->rows, row) ? GCAST_OK : gcast_error_set_memory(err);
}

static gcast_status add_rows(timeline *t, const gcast_report_options *options, gcast_error *err)
{
    gcast_status status = t->shown.blocks ? timeline_add_sms(t, err) : GCAST_OK;
    if (!status)
        status = timeline_add_bars(t, err);
    if (!status)
        status = timeline_add_jobs(t, options, err);
    t->links = dependency_lines_any(t);
    return status ? status : add_waits(t, options, err);
}

gcast_status timeline_rows(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err)
{
    *t = (timeline){.run = run, .highest = SHARE_ALL};
    gcast_status status = view_make(&t->shown, run, options, err);
    if (!status && !choose_colours(t))
        status = gcast_error_set_memory(err);
    if (!status)
        status = add_rows(t, options, err);
    if (!status)
        place_plot(t);
    else
        timeline_free(t);
    return status;
}

gcast_status timeline_place(timeline *t, int32_t top, gcast_error *err)
{
    gcast_status status = timeline_fill_areas(t, err);
    if (!status) {
        place_rows(t, top);
        t->axis = ticks_for(t->shown.start_ns, t->shown.end_ns, t->plot, LABEL_FONT);
    }
    return status;
}

gcast_status timeline_make(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err)
{
    gcast_status status = timeline_rows(t, run, options, err);
    if (status)
        return status;
    status = timeline_place(t, HEADING + legend_draw(t, NULL, 0), err);
    if (!status) {
        status = timeline_place_marks(t, err);
        t->height = t->bottom + (t->mark_levels ? t->mark_levels * MARK_STEP + PX(8) : 0) + PX(42);
        t->height += kernel_list_draw(t, NULL, 0) + wait_list_draw(t, NULL, 0);
    }
    if (status)
        timeline_free(t);
    return status;
}

void timeline_free(timeline *t)
{
    for (size_t i = 0; i < t->rows.count; i++) {
        vec_free(&t->rows.at[i].spans);
        area_free(&t->rows.at[i].held);
    }
    vec_free(&t->rows);
    vec_free(&t->marks);
    vec_free(&t->deadlines);
    free(t->colour);
    free(t->used);
    free(t->launched);
    free(t->outline);
    free(t->threads);
    bins_free(&t->columns);
    bins_free(&t->shade_columns);
    area_keys_free(&t->keys);
    sm_rows_free(&t->sm_rows);
    sm_index_free(&t->index);
}
