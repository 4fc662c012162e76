#include "report/picture/legend.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/run_op.h"
#include "report/canvas/palette.h"
#include "report/picture/deadlines_draw.h"
#include "report/run/stream_name.h"

#define SIZE PX(11)
#define LINE PX(18)
#define SQUARE PX(10)
#define MAX_LINES 3
#define NARROW PX(600) /* pictures up to this width may have twice as many lines */

/* Is this stream in the legend? In an overview, only streams that have a colour of their own are. */
static bool has_entry(const timeline *t, size_t stream)
{
    if (!t->overview)
        return t->used[stream];
    for (int k = 0; k < t->keys.count; k++)
        if (k != t->keys.others_key && run_op(t->run, t->keys.op_of[k])->stream == (int)stream)
            return true;
    return false;
}

/* How far the legend is written. */
typedef struct pen {
    canvas *c;       /* NULL: nothing is drawn, only its place is found */
    int32_t x, y;    /* where the next entry goes; y of the first line */
    int32_t right;   /* where lines end */
    int lines;       /* begun so far */
    int max_lines;   /* that there may be */
    size_t left_out; /* entries that did not fit */
} pen;

/* Makes room for something of this width, on a new line if need be; false: there is none. */
static bool fit_width(pen *p, int32_t width)
{
    if (p->left_out)
        return false;
    if (p->x + width > p->right - (p->lines == p->max_lines ? PX(70) : 0)) { /* the last line ends with "+N more" */
        if (p->lines == p->max_lines)
            return false;
        p->lines++;
        p->x = PX(12);
    }
    return true;
}

static int32_t base_line(const pen *p)
{
    return p->y + p->lines * LINE - PX(6);
}

static void add_entry(pen *p, const char *label, uint32_t rgb)
{
    int32_t width = SQUARE + PX(5) + font_width(label, SIZE) + PX(16);
    if (!fit_width(p, width)) {
        p->left_out++;
        return;
    }
    if (p->c) {
        canvas_rect(p->c, p->x, base_line(p) - PX(9), SQUARE, SQUARE, rgb, CANVAS_NONE, NULL);
        canvas_text(p->c, p->x + SQUARE + PX(5), base_line(p), label, SIZE, CANVAS_LEFT, INK);
    }
    p->x += width;
}

/* All entries; `brief`: streams that have names are shown without their numbers. */
static void add_entries(const timeline *t, pen *p, bool brief)
{
    const gcast_workload *w = t->run->workload;
    int32_t marks = jobs_legend_draw(t, NULL, 0, 0);
    if (marks && fit_width(p, marks))
        p->x += jobs_legend_draw(t, p->c, p->x, base_line(p));
    for (size_t s = 0; s < w->stream_count; s++) {
        char name[LABEL_SIZE + 100], label[LABEL_SIZE];
        if (!has_entry(t, s))
            continue;
        if (p->left_out) {
            p->left_out++;
            continue;
        }
        (brief ? stream_short : stream_describe)(w, s, name, sizeof name);
        if (font_fit(name, SIZE, p->right - PX(120), label))
            add_entry(p, label, palette_stream(s));
    }
    for (size_t k = 0; k < w->child_count && !t->overview && t->shown.blocks; k++) {
        char name[LABEL_SIZE], cut[LABEL_SIZE];
        if (!t->launched[k])
            continue;
        snprintf(name, sizeof name, "%s: %" PRIu64 " %s", label_cut(w->ops[w->op_count + k].label, 30, cut),
                 t->launched[k], t->launched[k] == 1 ? "child" : "children");
        add_entry(p, name, t->colour[w->op_count + k]);
    }
    if (t->overview && t->keys.others_key >= 0)
        add_entry(p, t->keys.only_others ? "all streams" : "other streams",
                  t->keys.only_others ? ALL_COLOUR : OTHERS_COLOUR);
}

int32_t legend_draw(const timeline *t, canvas *c, int32_t y)
{
    pen start = {.x = PX(12), .y = y, .right = t->width - PX(12), .lines = 1}, p;
    start.max_lines = t->width < NARROW ? 2 * MAX_LINES : MAX_LINES;
    p = start;
    add_entries(t, &p, false);
    bool brief = p.left_out > 0;
    p = start;
    p.c = c;
    add_entries(t, &p, brief);
    if (c && p.left_out) {
        char count_text[40];
        snprintf(count_text, sizeof count_text, "+%zu more", p.left_out);
        canvas_text(c, p.x, base_line(&p), count_text, SIZE, CANVAS_LEFT, FAINT);
    }
    return p.lines * LINE + PX(4);
}
