#include "report/timeline/areas_fill.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "model/run_children.h"
#include "report/run/sm_share.h"

#define MAX_CELLS 400000 /* a cell is a column of a key of an area */
/* widths of columns, in quarters of a pixel */
#define MIN_COLUMN 3
#define MAX_COLUMN 64
#define SHADE_COLUMN 8 /* wider, as each shade is a rectangle */

/* How wide columns of areas must be, in quarters of a pixel, so that there are at most MAX_CELLS cells. */
static int column_width(const timeline *t)
{
    int64_t cells = 0, time = t->shown.end_ns - t->shown.start_ns; /* cells with columns of a pixel */
    for (size_t i = 0; i < t->run->op_count; i++)
        if (t->keys.of_op && t->keys.of_op[i] >= 0) {
            const gcast_run_op *o = &t->run->ops[i];
            cells += (int64_t)((__int128)view_clip(&t->shown, o->start_ns, o->end_ns) * t->plot / PX(1) / time) + 2;
        }
    for (int k = 0; k < t->keys.count && !t->keys.streams; k++) /* children have a key together, over all the time */
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

/* The blocks of all kernels as one key. */
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

/* All SMs as one row. */
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

gcast_status timeline_fill_areas(timeline *t, gcast_error *err)
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
