#include "report/timeline_boxes.h"

#include <stdio.h>

#include "report/palette.h"
#include "report/share.h"

#define THIN PX(12) /* blocks less high than this are merged with their like */
#define GAP 60      /* white between blocks */

typedef struct box {
    int32_t x, y, w, h;
} box;

/* A label whole, or cut where some of it is still worth reading. */
static bool fits(const char *label, int32_t size, int32_t w, char fitting[LABEL_SIZE])
{
    int32_t room = w - PX(4);
    return (font_width(label, size) <= room || room > PX(36)) && font_fit(label, size, room, fitting);
}

/* A rectangle with its label where that fits, else its name. White gaps keep neighbours apart,
 * unless it is so small that nothing would be left. */
static void draw(canvas *c, box b, uint32_t rgb, const char *label, const char *name, const char *tooltip)
{
    if (b.w > PX(2))
        b.w -= GAP;
    if (b.h > PX(2))
        b.h -= GAP;
    if (b.w < 10)
        b.w = 10;
    if (b.h < 10)
        b.h = 10;
    canvas_rect(c, b.x, b.y, b.w, b.h, rgb, CANVAS_NONE, tooltip);
    if (b.h < PX(8))
        return;
    int32_t size = b.h < PX(9) ? PX(7) : PX(8);
    if (b.h >= PX(13) && font_width(label, PX(10)) <= b.w - PX(4))
        size = PX(10);
    char fitting[LABEL_SIZE];
    if (font_width(label, size) > b.w - PX(4))
        label = name;
    if (fits(label, size, b.w, fitting))
        canvas_text(c, b.x + b.w / 2, b.y + b.h / 2 + size * 36 / 100, fitting, size, CANVAS_CENTRE, palette_on(rgb));
}

static int32_t scale(const timeline *t, const timeline_row *row, uint64_t share)
{
    return (int32_t)(share * (uint64_t)row->height / t->highest);
}

static void draw_block(const timeline *t, const timeline_row *row, const span *s, uint32_t count, canvas *c)
{
    char name[LABEL_SIZE], label[LABEL_SIZE + 40], tip[LABEL_SIZE + 400];
    const gcast_run_op *o = &t->run->ops[s->op];
    timeline_name(t->run, s->op, name);
    uint32_t share = s->share * count;
    int32_t x = timeline_x(t, s->start), foot = row->y + row->height;
    box b = {x, foot - scale(t, row, (uint64_t)s->place + share), timeline_x(t, s->end) - x, 0};
    b.h = foot - scale(t, row, s->place) - b.y;
    if (count > 1)
        snprintf(label, sizeof label, "%s x%u", name, count);
    else if (row->sms > 1)
        snprintf(label, sizeof label, "%s", name);
    else
        snprintf(label, sizeof label, "%s:%u", name, s->block);
    if (count == 1 && row->sms == 1)
        snprintf(tip, sizeof tip, "%s block %u\n%s\nstart %lld ns\nend %lld ns", name, s->block, row->label,
                 (long long)s->start, (long long)s->end);
    else
        snprintf(tip, sizeof tip, "%s, %u of its blocks\n%s\nstart %lld ns\nend %lld ns", name, count, row->label,
                 (long long)s->start, (long long)s->end);
    draw(c, b, t->colour[o->op], label, name, tip);
}

/* How many spans from s on are one another's continuation upwards. */
static uint32_t alike(const span *s, const span *end)
{
    uint32_t n = 1;
    while (s + n < end && s[n].op == s->op && s[n].start == s->start && s[n].end == s->end &&
           s[n].place == s->place + n * s->share)
        n++;
    return n;
}

static void draw_blocks(const timeline *t, const timeline_row *row, canvas *c)
{
    const span *s = row->spans.at, *end = row->spans.count ? s + row->spans.count : s;
    while (s < end) {
        uint32_t n = scale(t, row, s->share) < THIN ? alike(s, end) : 1;
        draw_block(t, row, s, n, c);
        s += n;
    }
}

static void draw_bars(const timeline *t, const timeline_row *row, canvas *c)
{
    for (size_t i = 0; i < row->spans.count; i++) {
        const span *s = &row->spans.at[i];
        const gcast_op *op = run_op(t->run, s->op);
        char name[LABEL_SIZE], label[LABEL_SIZE + 40], tip[LABEL_SIZE + 200];
        timeline_name(t->run, s->op, name);
        int32_t x = timeline_x(t, s->start), h = row->height / (int32_t)row->lanes;
        box b = {x, row->y + (int32_t)((int64_t)row->height * s->place / row->lanes), timeline_x(t, s->end) - x, h};
        snprintf(label, sizeof label, op->kind == GCAST_KIND_COPY ? "%s %s" : "%s", name,
                 gcast_direction_name(op->direction));
        snprintf(tip, sizeof tip, "%s %s\nstart %lld ns\nend %lld ns", gcast_kind_name(op->kind), label,
                 (long long)s->start, (long long)s->end);
        draw(c, b, t->colour[t->run->ops[s->op].op], label, name, tip);
    }
}

/* The longest run of columns in which an area is at least `least` high, for its label. */
typedef struct strip {
    int first, count;
    uint32_t low, high;
} strip;

static strip widest_strip(const area *a, int key, uint32_t least)
{
    strip best = {0}, now = {0};
    for (int c = 0; c < a->columns; c++) {
        const uint32_t *top = &a->top[(size_t)key * (size_t)a->columns + (size_t)c];
        uint32_t low = key ? top[-a->columns] : 0, high = *top;
        uint32_t both_low = now.count && now.low > low ? now.low : low;
        uint32_t both_high = now.count && now.high < high ? now.high : high;
        if (now.count && both_high >= both_low + least)
            now = (strip){now.first, now.count + 1, both_low, both_high};
        else
            now = high >= low + least ? (strip){c, 1, low, high} : (strip){0};
        if (now.count > best.count)
            best = now;
    }
    return best;
}

static int32_t column_x(const timeline *t, const area *a, int c)
{
    return timeline_x(t, area_column_ns(&t->shown, a->columns, c));
}

/* In the middle of the area where it is high, else wherever the name fits. */
static void label_area(const timeline *t, const timeline_row *row, int key, const char *name, uint32_t rgb, canvas *c)
{
    const area *a = &row->held;
    uint32_t highest = 0, least = (uint32_t)((uint64_t)PX(11) * t->highest / (uint64_t)row->height);
    for (int k = 0; k < a->columns; k++) {
        const uint32_t *top = &a->top[(size_t)key * (size_t)a->columns + (size_t)k];
        uint32_t h = *top - (key ? top[-a->columns] : 0);
        highest = h > highest ? h : highest;
    }
    for (uint32_t wanted = highest / 10 * 9; highest >= least; wanted = least) {
        wanted = wanted > least ? wanted : least;
        strip s = widest_strip(a, key, wanted);
        int32_t x0 = column_x(t, a, s.first), x1 = column_x(t, a, s.first + s.count);
        char fitting[LABEL_SIZE];
        if (s.count && fits(name, PX(9), x1 - x0, fitting)) {
            int32_t middle = row->y + row->height - scale(t, row, ((uint64_t)s.low + s.high) / 2);
            canvas_text(c, (x0 + x1) / 2, middle + PX(3), fitting, PX(9), CANVAS_CENTRE, palette_on(rgb));
            return;
        }
        if (wanted == least)
            return;
    }
}

/* The outline of columns first to last of one key: along its upper edge, back
 * along its lower one, with a point only where an edge changes. */
static size_t outline(const timeline *t, const timeline_row *row, int key, int first, int last)
{
    canvas_point *out = t->outline;
    const area *a = &row->held;
    const uint32_t *high = &a->top[(size_t)key * (size_t)a->columns];
    const uint32_t *low = key ? high - a->columns : NULL;
    int32_t foot = row->y + row->height;
    size_t n = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k <= last - first; k++) {
            int c = side ? last - k : first + k;
            int32_t y = foot - scale(t, row, side ? (low ? low[c] : 0) : high[c]);
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

static void draw_area(const timeline *t, const timeline_row *row, canvas *c)
{
    const area *a = &row->held;
    for (int key = 0; key < a->keys; key++) {
        const uint32_t *high = &a->top[(size_t)key * (size_t)a->columns];
        uint32_t op = t->keys.op_of[key], rgb = t->colour[t->run->ops[op].op];
        char name[LABEL_SIZE], tip[LABEL_SIZE + 200];
        timeline_name(t->run, op, name);
        if (t->keys.streams && run_op(t->run, op)->stream >= 0) {
            rgb = palette_stream((size_t)run_op(t->run, op)->stream);
            snprintf(name, sizeof name, "stream %d", t->run->workload->streams[run_op(t->run, op)->stream].id);
        }
        snprintf(tip, sizeof tip, "%s\n%s", name, row->label);
        for (int first = 0; first < a->columns; first++) {
            int last = first;
            while (last < a->columns && high[last] > (key ? high[last - a->columns] : 0))
                last++;
            if (last > first)
                canvas_polygon(c, t->outline, outline(t, row, key, first, last - 1), rgb, tip);
            first = last;
        }
        label_area(t, row, key, name, rgb, c);
    }
}

void boxes_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    static void (*const draws[])(const timeline *, const timeline_row *, canvas *) = {
        [ROW_BLOCKS] = draw_blocks, [ROW_AREA] = draw_area, [ROW_BARS] = draw_bars};
    draws[row->kind](t, row, c);
}
