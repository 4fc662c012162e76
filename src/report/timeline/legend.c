/* Which colour is which stream, and how deadlines are marked. */
#include <stdio.h>

#include "report/canvas/palette.h"
#include "report/run/stream_name.h"
#include "report/timeline/timeline.h"

#define SIZE PX(11)
#define LINE PX(18)
#define SQUARE PX(10)
#define MOST_LINES 3
#define NARROW PX(600) /* pictures have twice as many lines */

/* In an overview, only streams that have a colour of their own. */
static bool has_key(const timeline *t, size_t stream)
{
    if (!t->overview)
        return t->used[stream];
    for (int k = 0; k < t->keys.count; k++)
        if (k != t->keys.others && run_op(t->run, t->keys.op_of[k])->stream == (int)stream)
            return true;
    return false;
}

typedef struct pen {
    canvas *to; /* NULL: only where things would be */
    int32_t x, y, right;
    int lines, most;
    size_t left_out;
} pen;

/* Room for something of this width; false: there is none. */
static bool room(pen *p, int32_t width)
{
    if (p->left_out)
        return false;
    if (p->x + width > p->right - (p->lines == p->most ? PX(70) : 0)) { /* "+N more" */
        if (p->lines == p->most)
            return false;
        p->lines++;
        p->x = PX(12);
    }
    return true;
}

static int32_t base(const pen *p)
{
    return p->y + p->lines * LINE - PX(6);
}

static void entry(pen *p, const char *label, uint32_t rgb)
{
    int32_t width = SQUARE + PX(5) + font_width(label, SIZE) + PX(16);
    if (!room(p, width)) {
        p->left_out++;
        return;
    }
    if (p->to) {
        canvas_rect(p->to, p->x, base(p) - PX(9), SQUARE, SQUARE, rgb, CANVAS_NONE, NULL);
        canvas_text(p->to, p->x + SQUARE + PX(5), base(p), label, SIZE, CANVAS_LEFT, INK);
    }
    p->x += width;
}

/* All entries; `brief`: streams without their numbers, where they have names. */
static void write_all(const timeline *t, pen *p, bool brief)
{
    const gcast_workload *w = t->run->workload;
    int32_t marks = jobs_legend_draw(t, NULL, 0, 0);
    if (marks && room(p, marks))
        p->x += jobs_legend_draw(t, p->to, p->x, base(p));
    for (size_t s = 0; s < w->stream_count; s++) {
        char whole[LABEL_SIZE + 100], label[LABEL_SIZE];
        if (!has_key(t, s))
            continue;
        if (p->left_out) {
            p->left_out++;
            continue;
        }
        (brief ? stream_short : stream_describe)(w, s, whole, sizeof whole);
        if (font_fit(whole, SIZE, p->right - PX(120), label))
            entry(p, label, palette_stream(s));
    }
    if (t->overview && t->keys.others >= 0)
        entry(p, t->keys.all ? "all streams" : "other streams", t->keys.all ? ALL_COLOUR : OTHERS_COLOUR);
}

int32_t legend_draw(const timeline *t, canvas *c, int32_t y)
{
    pen start = {.x = PX(12), .y = y, .right = t->width - PX(12), .lines = 1}, p;
    start.most = t->width < NARROW ? 2 * MOST_LINES : MOST_LINES;
    p = start;
    write_all(t, &p, false);
    bool brief = p.left_out > 0;
    p = start;
    p.to = c;
    write_all(t, &p, brief);
    if (c && p.left_out) {
        char more[40];
        snprintf(more, sizeof more, "+%zu more", p.left_out);
        canvas_text(c, p.x, base(&p), more, SIZE, CANVAS_LEFT, FAINT);
    }
    return p.lines * LINE + PX(4);
}
