/* Rows of SMs: block by block where a person can tell blocks apart, else as areas. */
#include <stdio.h>

#include "report/lanes.h"
#include "report/share.h"
#include "report/timeline.h"

#define MOST_BLOCKS 20000   /* drawn one by one in a picture; also bounds the time that packing takes */
#define MOST_CORNERS 400000 /* columns times areas times rows */

/* Would its blocks be slivers? */
static bool too_many(const timeline *t, int sm)
{
    return sm_index_count(&t->index, sm) > 2 * (size_t)t->shown.width;
}

static bool all_too_many(const timeline *t)
{
    size_t total = 0;
    for (int r = 0; r < t->folded.rows; r++) {
        int count;
        total += sm_index_count(&t->index, fold_first(&t->folded, &t->index, r, &count));
    }
    return total > MOST_BLOCKS;
}

static int columns(const timeline *t)
{
    long most = MOST_CORNERS / t->folded.rows / (t->keys.count ? t->keys.count : 1);
    return most < 100 ? 100 : most < t->shown.width ? (int)most : t->shown.width;
}

static gcast_status add_row(timeline *t, int r, bool areas, gcast_error *err)
{
    timeline_row row = {.kind = ROW_BLOCKS};
    int first = fold_first(&t->folded, &t->index, r, &row.sms);
    uint32_t top = 0;
    fold_label(&t->folded, &t->index, r, row.label, sizeof row.label);
    snprintf(row.id, sizeof row.id, "sm-%d", first);
    if (areas || too_many(t, first)) {
        row.kind = ROW_AREA;
        gcast_status status = area_make(&row.held, &t->index, &t->folded, r, &t->keys, columns(t), err);
        if (status)
            return status;
        top = row.held.highest;
    } else if (!sm_index_spans(&t->index, first, &row.spans) || !lanes_pack(row.spans.at, row.spans.count, &top)) {
        vec_free(&row.spans);
        return gcast_fail_memory(err);
    }
    if (top > t->highest)
        t->highest = top;
    if (vec_push(&t->rows, row))
        return GCAST_OK;
    vec_free(&row.spans);
    area_free(&row.held);
    return gcast_fail_memory(err);
}

gcast_status timeline_add_sms(timeline *t, gcast_error *err)
{
    gcast_status status = sm_index_create(&t->index, t->run, &t->shown, err);
    if (!status)
        status = fold_make(&t->folded, &t->index, err);
    if (!status)
        status = area_keys_make(&t->keys, &t->index, err);
    if (status)
        return status;
    bool areas = !t->folded.alike || all_too_many(t);
    for (int r = 0; !status && r < t->folded.rows; r++)
        status = add_row(t, r, areas, err);
    return status;
}
