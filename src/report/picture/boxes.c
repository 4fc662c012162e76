#include "report/picture/boxes.h"

#include <stdio.h>

#include "base/minmax.h"
#include "model/run_children.h"
#include "model/run_op.h"
#include "report/canvas/palette.h"
#include "report/hang/never_ends.h"
#include "report/timeline/op_name.h"

#define THIN PX(12) /* lower blocks are drawn as one box with equal blocks above them */
#define GAP 60      /* white between boxes */
#define PALE 3      /* the shade of a bar that waits */
#define MIN_SIDE 60 /* minimum width, so that a very short box can still be seen */

/* A rectangle of the picture. */
typedef struct box {
    int32_t x, y, w, h;
} box;

/* Draws the first that fits: the label, the name, the name upwards, or nothing. */
static void label_box(canvas *c, box b, uint32_t rgb, const char *label, const char *name)
{
    char fitting[LABEL_SIZE];
    int32_t size = b.h < PX(9) ? PX(7) : PX(8);
    if (b.h >= PX(13) && font_width(label, PX(10)) <= b.w - PX(4))
        size = PX(10);
    if (font_width(label, size) > b.w - PX(4))
        label = name;
    int32_t drop = size * 36 / 100; /* from the middle of a text to its base line */
    if (b.h >= PX(8) && font_fit_box(label, size, b.w, fitting))
        canvas_text(c, b.x + b.w / 2, b.y + b.h / 2 + drop, fitting, size, CANVAS_CENTRE, rgb);
    else if (b.w >= PX(9) && b.h > b.w && font_fit_box(name, PX(8), b.h, fitting))
        canvas_text_up(c, b.x + b.w / 2 + PX(8) * 36 / 100, b.y + b.h / 2, fitting, PX(8), CANVAS_CENTRE, rgb);
}

/* White gaps keep boxes apart, unless a box is so small that nothing would be left of it. */
static void draw_box(canvas *c, box b, uint32_t rgb, const char *label, const char *name, const char *tooltip)
{
    if (b.w > PX(2))
        b.w -= GAP;
    if (b.h > PX(2))
        b.h -= GAP;
    b.w = max_int(b.w, MIN_SIDE);
    b.h = max_int(b.h, MIN_SIDE);
    canvas_rect(c, b.x, b.y, b.w, b.h, rgb, CANVAS_NONE, tooltip);
    label_box(c, b, palette_on(rgb), label, name);
}

/* "end 9000 ns"; where it waits for ever, that. */
static void describe_end(const timeline *t, const span *s, char *out, size_t size)
{
    if (never_ends(t->run, s->op) && s->end == t->run->hang->time_ns)
        snprintf(out, size, "waits for ever: the run hangs at %lld ns", (long long)s->end);
    else
        snprintf(out, size, "end %lld ns", (long long)s->end);
}

/* `count` blocks that lie on top of each other, s the lowest of them. */
static void draw_block(const timeline *t, const timeline_row *row, const span *s, uint32_t count, canvas *c)
{
    char name[LABEL_SIZE], label[LABEL_SIZE + 40], tip[LABEL_SIZE + 400];
    const gcast_run_op *o = &t->run->ops[s->op];
    timeline_name(t->run, s->op, name);
    uint32_t share = s->share * count;
    int32_t x = timeline_x(t, s->start), row_bottom = row->y + row->height;
    box b = {x, row_bottom - row_share_height(row, (uint64_t)s->place + share), timeline_x(t, s->end) - x, 0};
    b.h = row_bottom - row_share_height(row, s->place) - b.y;
    if (count > 1)
        snprintf(label, sizeof label, "%s x%u", name, count);
    else if (row->sms > 1)
        snprintf(label, sizeof label, "%s", name);
    else
        snprintf(label, sizeof label, "%s:%llu", name, (unsigned long long)s->block);
    char end[80];
    describe_end(t, s, end, sizeof end);
    const char *after = run_is_rest(t->run, s->op) ? ", after its children" : "";
    if (count == 1 && row->sms == 1)
        snprintf(tip, sizeof tip, "%s block %llu%s\n%s\nstart %lld ns\n%s", name, (unsigned long long)s->block, after,
                 row->label, (long long)s->start, end);
    else
        snprintf(tip, sizeof tip, "%s, %u of its blocks\n%s\nstart %lld ns\n%s", name, count, row->label,
                 (long long)s->start, end);
    draw_box(c, b, t->colour[o->op], label, name, tip);
}

/* How many spans from s on lie on top of each other, and are of one operation and one time. */
static uint32_t stack_height(const span *s, const span *end)
{
    uint32_t n = 1;
    while (s + n < end && s[n].op == s->op && s[n].start == s->start && s[n].end == s->end &&
           s[n].place == s->place + n * s->share)
        n++;
    return n;
}

void blocks_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    const span *s = row->spans.at, *end = row->spans.count ? s + row->spans.count : s;
    while (s < end) {
        uint32_t n = row_share_height(row, s->share) < THIN ? stack_height(s, end) : 1;
        draw_block(t, row, s, n, c);
        s += n;
    }
}

/* Where in a bar a kernel has no block left and waits for its children; the end of the bar: nowhere. */
static int32_t wait_for_children(const timeline *t, const span *s, box b)
{
    if (!run_op(t->run, s->op)->launches || !t->run->ops[s->op].blocks)
        return b.x + b.w;
    return min_int(timeline_x(t, run_blocks_end_ns(t->run, s->op)), b.x + b.w);
}

void bars_draw(const timeline *t, const timeline_row *row, canvas *c)
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
        char end[80];
        describe_end(t, s, end, sizeof end);
        snprintf(tip, sizeof tip, "%s %s\nstart %lld ns\n%s", gcast_kind_name(op->kind), label, (long long)s->start,
                 end);
        uint32_t rgb = t->colour[t->run->ops[s->op].op];
        int32_t wait = wait_for_children(t, s, b);
        if (wait > b.x)
            draw_box(c, (box){b.x, b.y, wait - b.x, b.h}, rgb, label, name, tip);
        if (wait < b.x + b.w) {
            snprintf(tip, sizeof tip, "%s waits for its children\nend %lld ns", name, (long long)s->end);
            draw_box(c, (box){wait, b.y, b.x + b.w - wait, b.h}, palette_shade(rgb, PALE), "children", "", tip);
        }
    }
}
