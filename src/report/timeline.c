/* Rows, then their places. */
#include "report/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/palette.h"
#include "report/share.h"

#define LABEL PX(11)
#define LABEL_ROOM PX(150)
#define RIGHT PX(40)
#define HEAD PX(50) /* title and subtitle */
#define SM_ROOM 640 /* pixels that SM rows share */
#define BAR_ROW PX(22)

char *timeline_name(const gcast_run *run, size_t i, char out[LABEL_SIZE])
{
    const gcast_op *op = run_op(run, i);
    if (op->task < 0)
        return label_cut(op->label, 40, out);
    label_cut(op->label, 30, out);
    size_t used = strlen(out);
    snprintf(out + used, LABEL_SIZE - used, "#%u", run->ops[i].job);
    return out;
}

int32_t timeline_x(const timeline *t, int64_t ns)
{
    const view *v = &t->shown;
    if (ns < v->from)
        ns = v->from;
    if (ns > v->to)
        ns = v->to;
    return t->left + (int32_t)((__int128)(ns - v->from) * t->plot / (v->to - v->from));
}

/* Each stream its colour, each of its ops a shade. */
static bool choose_colours(timeline *t)
{
    const gcast_workload *w = t->run->workload;
    size_t *rank = calloc(w->stream_count + 1, sizeof *rank);
    t->colour = calloc(w->op_count + 1, sizeof *t->colour);
    t->used = calloc(w->stream_count + 1, sizeof *t->used);
    bool ok = rank && t->colour && t->used;
    for (size_t i = 0; ok && i < w->op_count; i++) {
        size_t stream = w->ops[i].stream < 0 ? 0 : (size_t)w->ops[i].stream;
        if (!gcast_kind_on_gpu(w->ops[i].kind))
            continue;
        t->colour[i] = palette_shade(palette_stream(stream), rank[stream]++);
        t->used[stream] = true;
    }
    free(rank);
    return ok;
}

static int32_t clamp(int32_t v, int32_t least, int32_t most)
{
    return v < least ? least : v > most ? most : v;
}

static void place_rows(timeline *t)
{
    int sm_rows = 0;
    int32_t widest = PX(20);
    for (size_t i = 0; i < t->rows.count; i++) {
        int32_t w = font_width(t->rows.at[i].label, LABEL);
        widest = w > widest ? w : widest;
        sm_rows += t->rows.at[i].kind != ROW_BARS;
    }
    t->width = PX(t->shown.width);
    t->left = clamp(widest, 0, LABEL_ROOM) + PX(16);
    t->plot = t->width - t->left - RIGHT;
    int32_t height = sm_rows ? clamp(SM_ROOM / sm_rows, 16, 120) * 100 : 0;
    int32_t gap = sm_rows > 12 ? PX(2) : PX(6);
    int32_t y = t->top = HEAD + legend_draw(t, NULL, 0);
    for (size_t i = 0; i < t->rows.count; i++) {
        timeline_row *row = &t->rows.at[i];
        bool first_bar = row->kind == ROW_BARS && i && t->rows.at[i - 1].kind != ROW_BARS;
        row->y = y + (first_bar ? PX(4) : 0);
        row->height = row->kind == ROW_BARS ? BAR_ROW : height;
        y = row->y + row->height + gap;
    }
    t->bottom = y;
}

gcast_status timeline_make(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err)
{
    *t = (timeline){.run = run, .highest = SHARE_ALL};
    gcast_status status = view_make(&t->shown, run, options, err);
    if (!status) {
        t->outline = malloc(((size_t)t->shown.width * 4 + 4) * sizeof *t->outline);
        if (!t->outline || !choose_colours(t))
            status = gcast_fail_memory(err);
    }
    if (!status && t->shown.blocks)
        status = timeline_add_sms(t, err);
    if (!status)
        status = timeline_add_bars(t, err);
    if (!status) {
        place_rows(t);
        t->axis = ticks_for(t->shown.from, t->shown.to, t->plot, LABEL);
        status = timeline_place_marks(t, err);
        t->height = t->bottom + (t->mark_levels ? t->mark_levels * MARK_STEP + PX(8) : 0) + PX(42);
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
    free(t->colour);
    free(t->used);
    free(t->outline);
    area_keys_free(&t->keys);
    fold_free(&t->folded);
    sm_index_free(&t->index);
}
