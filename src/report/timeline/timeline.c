#include "report/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "model/run_op.h"
#include "model/workload/workload.h"
#include "report/canvas/palette.h"
#include "report/run/display_names.h"
#include "report/run/packing.h"
#include "report/run/sm_share.h"
#include "report/timeline/areas_draw.h"
#include "report/timeline/dependency_lines.h"
#include "report/timeline/draw.h"
#include "report/timeline/job_rows.h"
#include "report/timeline/launch_marks.h"
#include "report/timeline/wait_lane.h"

/* timeline_add_sms adds rows of SMs: block by block where a person can tell blocks apart, else as areas; where there
 * are too many kernels for areas, an overview of the threads in use. */

#define MAX_BLOCKS 20000 /* drawn one by one in a picture; also bounds the time that packing takes */

/* Would the blocks of this SM be too narrow to be seen? */
static bool has_too_many(const timeline *t, int sm)
{
    return sm_index_count(&t->index, sm) > 2 * (size_t)t->shown.width;
}

/* Are there too many blocks to draw each: in some row, or, *all, in the picture? */
static bool any_too_many(const timeline *t, bool *all)
{
    size_t total = 0;
    bool in_row = false;
    for (int r = 0; r < t->sm_rows.count; r++) {
        int count, first = sm_rows_first(&t->sm_rows, &t->index, r, &count);
        total += sm_index_count(&t->index, first);
        in_row = in_row || has_too_many(t, first);
    }
    *all = total > MAX_BLOCKS || !t->sm_rows.identical;
    return in_row || *all;
}

static gcast_status add_row(timeline *t, timeline_row row, gcast_error *err)
{
    if (vec_push(&t->rows, row))
        return GCAST_OK;
    vec_free(&row.spans);
    return gcast_error_set_memory(err);
}

static gcast_status add_sm_row(timeline *t, int r, row_kind kind, gcast_error *err)
{
    timeline_row row = {.kind = kind, .sm_row = r};
    int first = sm_rows_first(&t->sm_rows, &t->index, r, &row.sms);
    uint32_t top = 0;
    sm_rows_label(&t->sm_rows, &t->index, r, row.label, sizeof row.label);
    snprintf(row.id, sizeof row.id, "sm-%d", first);
    if (kind == ROW_BLOCKS && has_too_many(t, first))
        row.kind = ROW_AREA;
    if (row.kind == ROW_BLOCKS &&
        (!sm_index_spans(&t->index, first, &row.spans) || !lanes_pack(row.spans.at, row.spans.count, &top))) {
        vec_free(&row.spans);
        return gcast_error_set_memory(err);
    }
    t->highest = max_u32(t->highest, top);
    return add_row(t, row, err);
}

static gcast_status add_overview(timeline *t, gcast_error *err)
{
    int sms = t->shown.last_sm - t->shown.first_sm + 1;
    timeline_row row = {.kind = ROW_USE, .id = "threads", .sms = sms};
    snprintf(row.label, sizeof row.label, "threads in use");
    gcast_status status = busiest_find(&t->busy, &t->index) ? add_row(t, row, err) : gcast_error_set_memory(err);
    for (int r = 0; !status && sms > 1 && r < t->sm_rows.count; r++)
        status = add_sm_row(t, r, ROW_SHADES, err);
    return status;
}

static bool find_thread_shares(timeline *t)
{
    const gcast_workload *w = t->run->workload;
    uint64_t per_sm = (uint64_t)max_int(t->run->gpu->limits.threads_per_sm, 1);
    t->threads = calloc(w->op_count + w->child_count + 1, sizeof *t->threads);
    for (size_t i = 0; t->threads && i < w->op_count + w->child_count; i++) {
        uint64_t threads = (uint64_t)max_int(w->ops[i].shape.threads, 0);
        t->threads[i] = (uint32_t)(threads >= per_sm ? SHARE_ALL : threads * SHARE_ALL / per_sm);
    }
    return t->threads;
}

static gcast_status timeline_add_sms(timeline *t, gcast_error *err)
{
    bool all = false;
    gcast_status status = find_thread_shares(t) ? GCAST_OK : gcast_error_set_memory(err);
    if (!status)
        status = sm_index_create(&t->index, t->run, &t->shown, err);
    if (!status)
        status = sm_rows_make(&t->sm_rows, &t->index, err);
    if (!status)
        status = area_keys_make(&t->keys, &t->index, t->threads, OVERVIEW_STREAMS, err);
    if (status)
        return status;
    t->overview = any_too_many(t, &all) && t->keys.streams;
    if (t->overview)
        return add_overview(t, err);
    for (int r = 0; !status && r < t->sm_rows.count; r++)
        status = add_sm_row(t, r, all ? ROW_AREA : ROW_BLOCKS, err);
    return status;
}

/* timeline_add_bars adds rows of bars: one per copy engine, and one per stream where no blocks are shown. */

#define MAX_STREAM_ROWS 100

/* The copy engine that operation i ran on; -1: none. */
static int engine_of(const gcast_run *run, size_t i)
{
    return run_op(run, i)->kind == GCAST_KIND_KERNEL ? -1 : run->ops[i].engine;
}

/* The stream of a kernel; -1: operation i is none. */
static int stream_of(const gcast_run *run, size_t i)
{
    return run_op(run, i)->kind == GCAST_KIND_KERNEL ? run_op(run, i)->stream : -1;
}

/* Adds a row of the operations for which row_of returns `number`, unless there are none. */
static gcast_status add_bar_row(timeline *t, timeline_row row, int (*row_of)(const gcast_run *, size_t), int number,
                                gcast_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < t->run->op_count; i++) {
        const gcast_run_op *o = &t->run->ops[i];
        if (run_op_ran(t->run, i) && row_of(t->run, i) == number && view_holds(&t->shown, o->start_ns, o->end_ns))
            ok = vec_push(&row.spans, ((span){.start = o->start_ns, .end = o->end_ns, .op = (uint32_t)i}));
    }
    if (row.spans.count)
        qsort(row.spans.at, row.spans.count, sizeof *row.spans.at, span_order);
    ok = ok && lanes_colour(row.spans.at, row.spans.count, &row.lanes);
    if (row.spans.count > 2 * (size_t)t->shown.width) /* bars would be too narrow to be seen */
        row.kind = ROW_BUSY;
    if (ok && row.spans.count)
        return add_row(t, row, err);
    vec_free(&row.spans);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

/* Adds a row without bars, which says how many streams from `first` on are not shown. */
static gcast_status add_hidden_row(timeline *t, size_t first, gcast_error *err)
{
    timeline_row row = {.kind = ROW_BARS, .id = "more-streams"};
    size_t hidden_count = 0;
    for (size_t s = first; s < t->run->workload->stream_count; s++)
        hidden_count += t->used[s];
    snprintf(row.label, sizeof row.label, "+%u streams", (unsigned)hidden_count);
    return add_row(t, row, err);
}

static gcast_status timeline_add_bars(timeline *t, gcast_error *err)
{
    const gcast_workload *w = t->run->workload;
    gcast_status status = GCAST_OK;
    for (size_t s = 0; !status && !t->shown.blocks && s < w->stream_count; s++) {
        timeline_row row = {.kind = ROW_BARS};
        if (!t->used[s])
            continue;
        if (t->rows.count == MAX_STREAM_ROWS) {
            status = add_hidden_row(t, s, err);
            break;
        }
        stream_short(w, s, row.label, sizeof row.label);
        snprintf(row.id, sizeof row.id, "stream-%zu", s);
        status = add_bar_row(t, row, stream_of, (int)s, err);
    }
    int engines = t->run->gpu->copy_engines;
    for (int e = 0; !status && e < engines; e++) {
        timeline_row row = {.kind = ROW_BARS};
        snprintf(row.label, sizeof row.label, engines > 1 ? "copy engine %d" : "copy engine", e);
        snprintf(row.id, sizeof row.id, "engine-%d", e);
        status = add_bar_row(t, row, engine_of, e, err);
    }
    return status;
}

/* timeline_fill_areas computes the heights of areas, once the width of the plot is known. */

#define MAX_CELLS 400000 /* a cell is a column of a key of an area */
/* widths of columns, in quarters of a pixel */
#define MIN_COLUMN 3
#define MAX_COLUMN 64
#define SHADE_COLUMN 8 /* wide, as each shade is a rectangle */

/* How wide columns of areas must be, in quarters of a pixel, so that there are at most MAX_CELLS cells. */
static int column_width(const timeline *t)
{
    int64_t cells = 0, time = t->shown.end_ns - t->shown.start_ns; /* cells if columns were a pixel wide */
    for (size_t i = 0; i < t->run->op_count; i++)
        if (t->keys.of_op && t->keys.of_op[i] >= 0) {
            const gcast_run_op *o = &t->run->ops[i];
            cells += (int64_t)((__int128)view_clip(&t->shown, o->start_ns, o->end_ns) * t->plot / PX(1) / time) + 2;
        }
    /* a key of all children of a label spans all the time */
    for (int k = 0; k < t->keys.count && !t->keys.streams; k++)
        cells += t->keys.op_of[k] >= t->run->op_count ? t->plot / PX(1) : 0;
    if (t->keys.streams)
        cells = (int64_t)t->keys.count * t->plot / PX(1);
    cells *= t->overview ? 1 : max_int(t->sm_rows.count, 1);
    return (int)max_i64(MIN_COLUMN, min_i64(cells * 4 / MAX_CELLS, MAX_COLUMN));
}

/* The next round percentage that is not below a share, in 1/SHARE_ALL. */
static uint32_t round_percentage(uint32_t share)
{
    static const uint32_t percents[] = {1, 2, 3, 5, 10, 15, 20, 30, 40, 50, 60, 80, 100};
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++)
        if (share <= SHARE_ALL / 100 * percents[i])
            return SHARE_ALL * percents[i] / 100;
    return share;
}

/* Fills a row of shades: the blocks of all kernels are one key. */
static gcast_status fill_shades(timeline *t, timeline_row *row, gcast_error *err)
{
    size_t n = run_total(t->run);
    area_keys keys = {.count = 1, .of_op = malloc((n + 1) * sizeof *keys.of_op)};
    if (!keys.of_op)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < n; i++)
        keys.of_op[i] = t->keys.of_op[i] < 0 ? -1 : 0;
    gcast_status status =
        area_make(&row->held, &t->index, &t->sm_rows, row->sm_row, &keys, t->threads, &t->shade_columns, err);
    free(keys.of_op);
    return status;
}

/* Fills the row of the threads in use: all SMs are one row. */
static gcast_status fill_use(timeline *t, timeline_row *row, gcast_error *err)
{
    sm_rows all = {.count = 1, .row_of = calloc((size_t)row->sms, sizeof *all.row_of)};
    if (!all.row_of)
        return gcast_error_set_memory(err);
    gcast_status status = area_make(&row->held, &t->index, &all, 0, &t->keys, t->threads, &t->columns, err);
    sm_rows_free(&all);
    return status;
}

static gcast_status fill(timeline *t, timeline_row *row, gcast_error *err)
{
    switch (row->kind) {
    case ROW_AREA:
        return area_make(&row->held, &t->index, &t->sm_rows, row->sm_row, &t->keys, t->index.share, &t->columns, err);
    case ROW_USE:
        return fill_use(t, row, err);
    case ROW_SHADES:
        return fill_shades(t, row, err);
    case ROW_BUSY:
        return area_of_spans(&row->held, &t->shown, &row->spans, row->lanes, &t->columns, err);
    default:
        return GCAST_OK;
    }
}

static gcast_status timeline_fill_areas(timeline *t, gcast_error *err)
{
    int pixels = t->plot / PX(1);
    uint32_t darkest = 0;
    gcast_status status = bins_make(&t->columns, t->run, &t->shown, pixels, column_width(t), err);
    if (!status)
        status = bins_make(&t->shade_columns, t->run, &t->shown, pixels, SHADE_COLUMN, err);
    if (status)
        return status;
    t->outline = malloc(((size_t)t->columns.count * 4 + 4) * sizeof *t->outline);
    if (!t->outline)
        return gcast_error_set_memory(err);
    for (size_t i = 0; !status && i < t->rows.count; i++) {
        timeline_row *row = &t->rows.at[i];
        status = fill(t, row, err);
        if (row->kind == ROW_AREA)
            t->highest = max_u32(t->highest, row->held.highest);
        if (row->kind == ROW_SHADES)
            darkest = max_u32(darkest, row->held.highest);
    }
    for (size_t i = 0; i < t->rows.count; i++) {
        timeline_row *row = &t->rows.at[i];
        row->capacity = row->kind == ROW_USE      ? round_percentage(row->held.highest)
                        : row->kind == ROW_SHADES ? round_percentage(darkest)
                        : row->kind == ROW_BUSY   ? SHARE_ALL
                                                  : t->highest;
    }
    return status;
}

/* timeline_make adds all rows, and gives each its place. */

#define RIGHT PX(40)
#define HEADING PX(50)    /* title and subtitle */
#define SMS_HEIGHT 640    /* pixels that SM rows share, where the timeline does not say */
#define SHADES_HEIGHT 300 /* pixels that rows of shades share */

/* Chooses the colours of ops, and finds which streams are used and how many children were launched. */
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

/* The plot starts right of the widest label, at a full pixel. */
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

/* Adds the row of what an operation waited for. */
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
    return add_row(t, row, err);
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
