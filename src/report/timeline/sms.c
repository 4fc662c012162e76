/* Rows of SMs: block by block where a person can tell blocks apart, else as areas, and
 * where kernels are too many for these too, the threads in use. */
#include <stdio.h>
#include <stdlib.h>

#include "report/run/packing.h"
#include "report/run/sm_share.h"
#include "report/timeline/timeline.h"

#define MOST_BLOCKS 20000 /* drawn one by one in a picture; also bounds the time that packing takes */

/* Would its blocks be slivers? */
static bool too_many(const timeline *t, int sm)
{
    return sm_index_count(&t->index, sm) > 2 * (size_t)t->shown.width;
}

/* Of all rows, or of one. */
static bool any_too_many(const timeline *t, bool *all)
{
    size_t total = 0;
    bool one = false;
    for (int r = 0; r < t->folded.rows; r++) {
        int count, first = fold_first(&t->folded, &t->index, r, &count);
        total += sm_index_count(&t->index, first);
        one = one || too_many(t, first);
    }
    *all = total > MOST_BLOCKS || !t->folded.alike;
    return one || *all;
}

static gcast_status add_row(timeline *t, timeline_row row, gcast_error *err)
{
    if (vec_push(&t->rows, row))
        return GCAST_OK;
    vec_free(&row.spans);
    return gcast_error_set_memory(err);
}

static gcast_status add_group(timeline *t, int r, row_kind kind, gcast_error *err)
{
    timeline_row row = {.kind = kind, .group = r};
    int first = fold_first(&t->folded, &t->index, r, &row.sms);
    uint32_t top = 0;
    fold_label(&t->folded, &t->index, r, row.label, sizeof row.label);
    snprintf(row.id, sizeof row.id, "sm-%d", first);
    if (kind == ROW_BLOCKS && too_many(t, first))
        row.kind = ROW_AREA;
    if (row.kind == ROW_BLOCKS &&
        (!sm_index_spans(&t->index, first, &row.spans) || !lanes_pack(row.spans.at, row.spans.count, &top))) {
        vec_free(&row.spans);
        return gcast_error_set_memory(err);
    }
    if (top > t->highest)
        t->highest = top;
    return add_row(t, row, err);
}

static gcast_status add_overview(timeline *t, gcast_error *err)
{
    int sms = t->shown.last_sm - t->shown.first_sm + 1;
    timeline_row row = {.kind = ROW_USE, .id = "threads", .sms = sms};
    snprintf(row.label, sizeof row.label, "threads in use");
    gcast_status status = busiest_find(&t->busy, &t->index) ? add_row(t, row, err) : gcast_error_set_memory(err);
    for (int r = 0; !status && sms > 1 && r < t->folded.rows; r++)
        status = add_group(t, r, ROW_SHADES, err);
    return status;
}

static bool weigh_threads(timeline *t)
{
    const gcast_workload *w = t->run->workload;
    uint64_t all = (uint64_t)(t->run->gpu->limits.threads_per_sm > 0 ? t->run->gpu->limits.threads_per_sm : 1);
    t->threads = calloc(w->op_count + 1, sizeof *t->threads);
    for (size_t i = 0; t->threads && i < w->op_count; i++) {
        uint64_t threads = (uint64_t)(w->ops[i].shape.threads > 0 ? w->ops[i].shape.threads : 0);
        t->threads[i] = (uint32_t)(threads >= all ? SHARE_ALL : threads * SHARE_ALL / all);
    }
    return t->threads;
}

gcast_status timeline_add_sms(timeline *t, gcast_error *err)
{
    bool all = false;
    gcast_status status = weigh_threads(t) ? GCAST_OK : gcast_error_set_memory(err);
    if (!status)
        status = sm_index_create(&t->index, t->run, &t->shown, err);
    if (!status)
        status = fold_make(&t->folded, &t->index, err);
    if (!status)
        status = area_keys_make(&t->keys, &t->index, t->threads, OVERVIEW_STREAMS, err);
    if (status)
        return status;
    t->overview = any_too_many(t, &all) && t->keys.streams;
    if (t->overview)
        return add_overview(t, err);
    for (int r = 0; !status && r < t->folded.rows; r++)
        status = add_group(t, r, all ? ROW_AREA : ROW_BLOCKS, err);
    return status;
}
