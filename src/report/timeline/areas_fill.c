/* What areas hold, once it is known how wide the plot is. */
#include <stdlib.h>

#include "report/run/sm_share.h"
#include "report/timeline/timeline.h"

#define MOST_CELLS 400000 /* places where an area has a height */
#define NARROW 3          /* quarters of a pixel, of a column of an area */
#define WIDE 8            /* of shades, which take a rectangle each */

/* How many places there would be with columns of a pixel, over the most that there may be: how wide they must be. */
static int column_width(const timeline *t)
{
    int64_t cells = 0, time = t->shown.to - t->shown.from;
    for (size_t i = 0; i < t->run->op_count; i++)
        if (t->keys.of_op && t->keys.of_op[i] >= 0) {
            const gcast_run_op *o = &t->run->ops[i];
            cells += (int64_t)((__int128)view_clip(&t->shown, o->start_ns, o->end_ns) * t->plot / PX(1) / time) + 2;
        }
    if (t->keys.streams)
        cells = (int64_t)t->keys.count * t->plot / PX(1);
    cells *= t->overview || !t->folded.rows ? 1 : t->folded.rows;
    int64_t quarters = cells * 4 / MOST_CELLS;
    return quarters < NARROW ? NARROW : quarters > 64 ? 64 : (int)quarters;
}

/* The next round percentage, in 1/SHARE_ALL. */
static uint32_t round_up(uint32_t share)
{
    static const uint32_t percents[] = {1, 2, 3, 5, 10, 15, 20, 30, 40, 50, 60, 80, 100};
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++)
        if (share <= SHARE_ALL / 100 * percents[i])
            return SHARE_ALL * percents[i] / 100;
    return share;
}

/* All blocks of a row as one. */
static gcast_status fill_shades(timeline *t, timeline_row *row, gcast_error *err)
{
    size_t n = t->run->op_count;
    area_keys one = {.count = 1, .of_op = malloc((n + 1) * sizeof *one.of_op)};
    if (!one.of_op)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < n; i++)
        one.of_op[i] = t->keys.of_op[i] < 0 ? -1 : 0;
    gcast_status status = area_make(&row->held, &t->index, &t->folded, row->group, &one, t->threads, &t->wide, err);
    free(one.of_op);
    return status;
}

static gcast_status fill_use(timeline *t, timeline_row *row, gcast_error *err)
{
    fold all = {.rows = 1, .row = calloc((size_t)row->sms, sizeof *all.row)};
    if (!all.row)
        return gcast_error_set_memory(err);
    gcast_status status = area_make(&row->held, &t->index, &all, 0, &t->keys, t->threads, &t->columns, err);
    fold_free(&all);
    return status;
}

static gcast_status fill(timeline *t, timeline_row *row, gcast_error *err)
{
    switch (row->kind) {
    case ROW_AREA:
        return area_make(&row->held, &t->index, &t->folded, row->group, &t->keys, t->index.share, &t->columns, err);
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
    uint32_t shade = 0;
    gcast_status status = bins_make(&t->columns, t->run, &t->shown, pixels, column_width(t), err);
    if (!status)
        status = bins_make(&t->wide, t->run, &t->shown, pixels, WIDE, err);
    if (status)
        return status;
    t->outline = malloc(((size_t)t->columns.count * 4 + 4) * sizeof *t->outline);
    if (!t->outline)
        return gcast_error_set_memory(err);
    for (size_t i = 0; !status && i < t->rows.count; i++) {
        timeline_row *row = &t->rows.at[i];
        status = fill(t, row, err);
        if (row->kind == ROW_AREA && row->held.highest > t->highest)
            t->highest = row->held.highest;
        if (row->kind == ROW_SHADES && row->held.highest > shade)
            shade = row->held.highest;
    }
    for (size_t i = 0; i < t->rows.count; i++) {
        timeline_row *row = &t->rows.at[i];
        row->full = row->kind == ROW_USE      ? round_up(row->held.highest)
                    : row->kind == ROW_SHADES ? round_up(shade)
                    : row->kind == ROW_BUSY   ? SHARE_ALL
                                              : t->highest;
    }
    return status;
}
