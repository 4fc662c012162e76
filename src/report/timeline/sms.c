#include "report/timeline/sms.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/run/packing.h"
#include "report/run/sm_share.h"

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

gcast_status timeline_add_sms(timeline *t, gcast_error *err)
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
