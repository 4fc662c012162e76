#include "report/system/gantt/gantt_legend.h"

#include <stdio.h>

#include "report/canvas/palette.h"
#include "report/system/gantt/gantt_boxes.h"
#include "report/system/gantt/gantt_marks.h"

#define SIZE PX(11)
#define LINE PX(18)
#define SQUARE PX(10)
#define MAX_LINES 4

/* How far the legend is written. */
typedef struct pen {
    canvas *c;       /* NULL: nothing is drawn */
    int32_t x, y;    /* where the next entry goes; y of the first line */
    int32_t right;   /* where lines end */
    int lines;       /* begun so far */
    size_t left_out; /* entries that did not fit */
} pen;

static int32_t base_line(const pen *p)
{
    return p->y + p->lines * LINE - PX(6);
}

/* Makes room for an entry of this width; false: there is none. */
static bool fit(pen *p, int32_t width)
{
    bool last = p->lines == MAX_LINES; /* which ends with "+N more" */
    if (p->left_out || (last && p->x + width > p->right - PX(70))) {
        p->left_out++;
        return false;
    }
    if (p->x + width > p->right) {
        p->lines++;
        p->x = PX(12);
    }
    return true;
}

static void add_mark(pen *p, const char *words, void (*draw)(canvas *, int32_t, int32_t))
{
    int32_t width = PX(14) + font_width(words, SIZE) + PX(16);
    if (!fit(p, width))
        return;
    if (p->c) {
        draw(p->c, p->x, base_line(p));
        canvas_text(p->c, p->x + PX(14), base_line(p), words, SIZE, CANVAS_LEFT, INK);
    }
    p->x += width;
}

static void draw_release(canvas *c, int32_t x, int32_t base)
{
    release_mark(c, x + PX(4), base + PX(1), INK);
}

static void draw_deadline(canvas *c, int32_t x, int32_t base)
{
    deadline_mark(c, x + PX(4), base + PX(1), INK);
}

static void draw_missed(canvas *c, int32_t x, int32_t base)
{
    miss_mark(c, x + PX(4), base - PX(4));
}

static void draw_wait(canvas *c, int32_t x, int32_t base)
{
    wait_box(c, x, base - PX(9), PX(11), SQUARE, 0x777777, NULL);
}

static void add_tasks(const gantt *g, pen *p)
{
    for (size_t i = 0; i < g->run->of->task_count; i++) {
        char label[LABEL_SIZE];
        if (!g->shown[i])
            continue;
        label_cut(g->run->of->tasks[i].name, 40, label);
        int32_t width = SQUARE + PX(5) + font_width(label, SIZE) + PX(16);
        if (!fit(p, width))
            continue;
        if (p->c) {
            canvas_rect(p->c, p->x, base_line(p) - PX(9), SQUARE, SQUARE, g->colour[i], CANVAS_NONE, NULL);
            canvas_text(p->c, p->x + SQUARE + PX(5), base_line(p), label, SIZE, CANVAS_LEFT, INK);
        }
        p->x += width;
    }
}

int32_t gantt_legend_draw(const gantt *g, canvas *c, int32_t y)
{
    pen p = {.c = c, .x = PX(12), .y = y, .right = g->t.width - PX(12), .lines = 1};
    add_mark(&p, "release", draw_release);
    add_mark(&p, "deadline", draw_deadline);
    if (g->missed)
        add_mark(&p, "missed deadline", draw_missed);
    if (g->waits)
        add_mark(&p, "waits, and holds the core", draw_wait);
    add_tasks(g, &p);
    if (c && p.left_out) {
        char more[40];
        snprintf(more, sizeof more, "+%zu more", p.left_out);
        canvas_text(c, p.x, base_line(&p), more, SIZE, CANVAS_LEFT, FAINT);
    }
    return p.lines * LINE + PX(6);
}
