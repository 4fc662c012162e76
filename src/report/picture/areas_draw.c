#include "report/picture/areas_draw.h"

#include <stdio.h>

#include "base/minmax.h"
#include "model/run_op.h"
#include "report/canvas/palette.h"
#include "report/run/stream_name.h"
#include "report/timeline/op_name.h"

/* Consecutive columns in which an area covers the heights from low to high. */
typedef struct strip {
    int first, count;   /* columns */
    uint32_t low, high; /* in 1/SHARE_ALL */
} strip;

/* The strip of a key with the most columns that is at least min_height high, for its label. */
static strip widest_strip(const area *a, int key, uint32_t min_height)
{
    strip best = {0}, current = {0};
    for (int c = 0; c < a->columns.count; c++) {
        uint32_t high = area_top(a, key, c), low = area_low(a, key, c);
        uint32_t common_low = current.count ? max_u32(current.low, low) : low;
        uint32_t common_high = current.count ? min_u32(current.high, high) : high;
        if (current.count && common_high >= common_low + min_height)
            current = (strip){current.first, current.count + 1, common_low, common_high};
        else
            current = high >= low + min_height ? (strip){c, 1, low, high} : (strip){0};
        if (current.count > best.count)
            best = current;
    }
    return best;
}

static int32_t column_x(const timeline *t, const area *a, int c)
{
    return timeline_x(t, a->columns.edge[c]);
}

/* The place of the name: where the area is nearly at its maximum height, else anywhere that it fits. */
static void label_area(const timeline *t, const timeline_row *row, int key, const char *name, uint32_t rgb, canvas *c)
{
    const area *a = &row->held;
    uint32_t highest = 0, min_height = (uint32_t)((uint64_t)PX(11) * row->capacity / (uint64_t)row->height);
    for (int k = 0; k < a->columns.count; k++)
        highest = max_u32(highest, area_top(a, key, k) - area_low(a, key, k));
    for (uint32_t wanted = highest / 10 * 9; highest >= min_height; wanted = min_height) {
        wanted = max_u32(wanted, min_height);
        strip s = widest_strip(a, key, wanted);
        int32_t x0 = column_x(t, a, s.first), x1 = column_x(t, a, s.first + s.count);
        char fitting[LABEL_SIZE];
        if (s.count && font_fit_box(name, PX(9), x1 - x0, fitting)) {
            int32_t middle = row->y + row->height - row_share_height(row, ((uint64_t)s.low + s.high) / 2);
            canvas_text(c, (x0 + x1) / 2, middle + PX(3), fitting, PX(9), CANVAS_CENTRE, palette_on(rgb));
            return;
        }
        if (wanted == min_height)
            return;
    }
}

/* The outline of one key in columns first to last: along its upper edge and back along its lower one, with points only
 * where the edge changes. Returns how many points it has. */
static size_t outline(const timeline *t, const timeline_row *row, int key, int first, int last)
{
    canvas_point *out = t->outline;
    const area *a = &row->held;
    int32_t row_bottom = row->y + row->height;
    size_t n = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k <= last - first; k++) {
            int c = side ? last - k : first + k;
            int32_t y = row_bottom - row_share_height(row, side ? area_low(a, key, c) : area_top(a, key, c));
            int32_t x0 = column_x(t, a, side ? c + 1 : c), x1 = column_x(t, a, side ? c : c + 1);
            if (k && out[n - 1].y == y) {
                out[n - 1].x = x1;
                continue;
            }
            out[n++] = (canvas_point){x0, y};
            out[n++] = (canvas_point){x1, y};
        }
    return n;
}

static void draw_key(const timeline *t, const timeline_row *row, int key, const char *name, uint32_t rgb, canvas *c)
{
    const area *a = &row->held;
    char tip[LABEL_SIZE + 200];
    snprintf(tip, sizeof tip, "%s\n%s", name, row->label);
    for (int first = 0; first < a->columns.count; first++) {
        int last = first;
        while (last < a->columns.count && area_top(a, key, last) > area_low(a, key, last))
            last++;
        if (last > first)
            canvas_polygon(c, t->outline, outline(t, row, key, first, last - 1), rgb, tip);
        first = last;
    }
    label_area(t, row, key, name, rgb, c);
}

void areas_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    for (int key = 0; key < row->held.keys; key++) {
        uint32_t op = t->keys.op_of[key], rgb = t->colour[t->run->ops[op].op];
        char name[LABEL_SIZE];
        if (op < t->run->op_count)
            timeline_name(t->run, op, name);
        else
            label_cut(run_op(t->run, op)->label, 40, name); /* all children of it */
        if (key == t->keys.others_key) {
            rgb = t->keys.only_others ? ALL_COLOUR : OTHERS_COLOUR;
            snprintf(name, sizeof name, t->keys.only_others ? "all streams" : "other streams");
        } else if (t->keys.streams && run_op(t->run, op)->stream >= 0) {
            size_t stream = (size_t)run_op(t->run, op)->stream;
            rgb = palette_stream(stream);
            stream_short(t->run->workload, stream, name, sizeof name);
        }
        draw_key(t, row, key, name, rgb, c);
    }
}

void busy_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    const gcast_op *op = run_op(t->run, row->spans.at[0].op);
    bool stream = op->kind == GCAST_KIND_KERNEL && op->stream >= 0;
    draw_key(t, row, 0, "busy", stream ? palette_stream((size_t)op->stream) : OTHERS_COLOUR, c);
}
