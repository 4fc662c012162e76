#include "report/timeline/bars.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/run_op.h"
#include "report/run/packing.h"
#include "report/run/stream_name.h"

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
static gcast_status add_row(timeline *t, timeline_row row, int (*row_of)(const gcast_run *, size_t), int number,
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
    if (ok && !row.spans.count) {
        vec_free(&row.spans);
        return GCAST_OK;
    }
    if (ok && vec_push(&t->rows, row))
        return GCAST_OK;
    vec_free(&row.spans);
    return gcast_error_set_memory(err);
}

/* A row without bars says how many streams from `first` on are not shown. */
static gcast_status add_hidden_row(timeline *t, size_t first, gcast_error *err)
{
    timeline_row row = {.kind = ROW_BARS, .id = "more-streams"};
    size_t hidden_count = 0;
    for (size_t s = first; s < t->run->workload->stream_count; s++)
        hidden_count += t->used[s];
    snprintf(row.label, sizeof row.label, "+%u streams", (unsigned)hidden_count);
    return vec_push(&t->rows, row) ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status timeline_add_bars(timeline *t, gcast_error *err)
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
        status = add_row(t, row, stream_of, (int)s, err);
    }
    int engines = t->run->gpu->copy_engines;
    for (int e = 0; !status && e < engines; e++) {
        timeline_row row = {.kind = ROW_BARS};
        snprintf(row.label, sizeof row.label, engines > 1 ? "copy engine %d" : "copy engine", e);
        snprintf(row.id, sizeof row.id, "engine-%d", e);
        status = add_row(t, row, engine_of, e, err);
    }
    return status;
}
