/* Blocks and bars as rectangles. */
#include "report/timeline/boxes.h"

#include <stdio.h>

#include "report/canvas/palette.h"
#include "report/run/sm_share.h"

#define THIN PX(12) /* blocks less high than this are merged with their like */
#define GAP 60      /* white between blocks */
#define LEAST 60    /* of a side, that what takes no time to speak of can still be seen */

bool boxes_fit(const char *label, int32_t size, int32_t w, char fitting[LABEL_SIZE])
{
    int32_t room = w - PX(4);
    return (font_width(label, size) <= room || room > PX(36)) && font_fit(label, size, room, fitting);
}

int32_t boxes_height(const timeline_row *row, uint64_t share)
{
    return (int32_t)(share * (uint64_t)row->height / row->full);
}

typedef struct box {
    int32_t x, y, w, h;
} box;

/* The label, else the name, else the name upwards, else nothing. */
static void write_in(canvas *c, box b, uint32_t rgb, const char *label, const char *name)
{
    char fitting[LABEL_SIZE];
    int32_t size = b.h < PX(9) ? PX(7) : PX(8);
    if (b.h >= PX(13) && font_width(label, PX(10)) <= b.w - PX(4))
        size = PX(10);
    if (font_width(label, size) > b.w - PX(4))
        label = name;
    int32_t drop = size * 36 / 100; /* from the middle to the base line */
    if (b.h >= PX(8) && boxes_fit(label, size, b.w, fitting))
        canvas_text(c, b.x + b.w / 2, b.y + b.h / 2 + drop, fitting, size, CANVAS_CENTRE, rgb);
    else if (b.w >= PX(9) && b.h > b.w && boxes_fit(name, PX(8), b.h, fitting))
        canvas_text_up(c, b.x + b.w / 2 + PX(8) * 36 / 100, b.y + b.h / 2, fitting, PX(8), CANVAS_CENTRE, rgb);
}

/* White gaps keep neighbours apart, unless a box is so small that nothing would be left. */
static void draw(canvas *c, box b, uint32_t rgb, const char *label, const char *name, const char *tooltip)
{
    if (b.w > PX(2))
        b.w -= GAP;
    if (b.h > PX(2))
        b.h -= GAP;
    if (b.w < LEAST)
        b.w = LEAST;
    if (b.h < LEAST)
        b.h = LEAST;
    canvas_rect(c, b.x, b.y, b.w, b.h, rgb, CANVAS_NONE, tooltip);
    write_in(c, b, palette_on(rgb), label, name);
}

static void draw_block(const timeline *t, const timeline_row *row, const span *s, uint32_t count, canvas *c)
{
    char name[LABEL_SIZE], label[LABEL_SIZE + 40], tip[LABEL_SIZE + 400];
    const gcast_run_op *o = &t->run->ops[s->op];
    timeline_name(t->run, s->op, name);
    uint32_t share = s->share * count;
    int32_t x = timeline_x(t, s->start), foot = row->y + row->height;
    box b = {x, foot - boxes_height(row, (uint64_t)s->place + share), timeline_x(t, s->end) - x, 0};
    b.h = foot - boxes_height(row, s->place) - b.y;
    if (count > 1)
        snprintf(label, sizeof label, "%s x%u", name, count);
    else if (row->sms > 1)
        snprintf(label, sizeof label, "%s", name);
    else
        snprintf(label, sizeof label, "%s:%llu", name, (unsigned long long)s->block);
    if (count == 1 && row->sms == 1)
        snprintf(tip, sizeof tip, "%s block %llu\n%s\nstart %lld ns\nend %lld ns", name, (unsigned long long)s->block,
                 row->label, (long long)s->start, (long long)s->end);
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
        uint32_t n = boxes_height(row, s->share) < THIN ? alike(s, end) : 1;
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

void boxes_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    static void (*const draws[])(const timeline *, const timeline_row *, canvas *) = {
        [ROW_BLOCKS] = draw_blocks, [ROW_AREA] = areas_draw, [ROW_USE] = use_draw,  [ROW_SHADES] = shades_draw,
        [ROW_BARS] = draw_bars,     [ROW_BUSY] = busy_draw,  [ROW_JOBS] = jobs_draw};
    draws[row->kind](t, row, c);
}
