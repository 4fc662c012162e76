#include "report/system/gantt/gantt_boxes.h"

#include <stdio.h>

#include "report/canvas/palette.h"

#define MIN_WIDTH 60  /* of a box, so that a very short one can still be seen */
#define GAP 50        /* white between boxes */
#define HATCH PX(5)   /* from one line of a hatch to the next */
#define PALE 3        /* the shade of a box that waits */
#define LABEL_SIZES 3 /* fonts that are tried for a label */

/* The part of a line that rises to the right by its height, from x, within [left, right]. */
static void hatch_line(canvas *c, int32_t x, int32_t y, int32_t h, int32_t left, int32_t right, uint32_t rgb)
{
    int32_t from = max_int(x, left), to = min_int(x + h, right);
    if (from < to)
        canvas_line(c, from, y + h - (from - x), to, y + h - (to - x), rgb, 70, false);
}

void wait_box(canvas *c, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t rgb, const char *tooltip)
{
    canvas_rect(c, x, y, w, h, palette_shade(rgb, PALE), CANVAS_NONE, tooltip);
    for (int32_t at = x - h + HATCH; w > PX(4) && at < x + w; at += HATCH)
        hatch_line(c, at, y, h, x, x + w, rgb);
}

static void describe(const gantt *g, const sys_slice *s, char *tip, size_t size)
{
    char name[LABEL_SIZE], step[LABEL_SIZE];
    const sys_job *job = &g->run->jobs[s->job];
    const sys_task *task = &g->run->of->tasks[job->task];
    label_cut(task->name, 40, name);
    label_cut(s->step < task->step_count ? task->steps[s->step].name : "", 40, step);
    snprintf(tip, size, "%s, job %u\n%s%s\nstart %lld ns\nend %lld ns", name, job->number, s->waits ? "waits for " : "",
             step, (long long)s->start_ns, (long long)s->end_ns);
}

static void label_box(canvas *c, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t fill, const char *name)
{
    static const int32_t sizes[LABEL_SIZES] = {PX(10), PX(9), PX(8)};
    char fitting[LABEL_SIZE];
    for (int i = 0; i < LABEL_SIZES; i++)
        if (font_width(name, sizes[i]) <= w - PX(4)) {
            canvas_text(c, x + w / 2, y + h / 2 + sizes[i] * 36 / 100, name, sizes[i], CANVAS_CENTRE, palette_on(fill));
            return;
        }
    if (font_fit_box(name, PX(8), w, fitting))
        canvas_text(c, x + w / 2, y + h / 2 + PX(8) * 36 / 100, fitting, PX(8), CANVAS_CENTRE, palette_on(fill));
}

/* "waits for SFM" on the hatch, where it fits. */
static void label_wait(const gantt *g, const sys_slice *s, int32_t x, int32_t y, int32_t w, int32_t h, canvas *c)
{
    int task = g->run->jobs[s->job].task;
    char name[LABEL_SIZE], words[LABEL_SIZE + 16];
    const sys_task *t = &g->run->of->tasks[task];
    snprintf(words, sizeof words, "waits for %s",
             label_cut(s->step < t->step_count ? t->steps[s->step].name : "", 30, name));
    int32_t width = font_width(words, PX(9)) + PX(6);
    uint32_t pale = palette_shade(g->colour[task], PALE);
    if (width + PX(8) > w)
        return;
    canvas_rect(c, x + (w - width) / 2, y + h / 2 - PX(7), width, PX(14), pale, CANVAS_NONE, NULL);
    canvas_text(c, x + w / 2, y + h / 2 + PX(9) * 36 / 100, words, PX(9), CANVAS_CENTRE, palette_on(pale));
}

/* Do two slices belong to one box: the same job that goes on at once, in another step? */
static bool goes_on(const sys_slice *a, const sys_slice *b)
{
    return a->job == b->job && a->waits == b->waits && a->end_ns == b->start_ns;
}

static void draw_slice(const gantt *g, const gantt_row *row, const sys_slice *s, canvas *c)
{
    char tip[2 * LABEL_SIZE + 160];
    int task = g->run->jobs[s->job].task;
    int32_t lane = row->lane ? LANE : 0, y = row->y + lane, h = row->height - lane;
    int32_t x = timeline_x(&g->t, s->start_ns), w = timeline_x(&g->t, s->end_ns) - x;
    int32_t drawn = max_int(w > PX(2) ? w - GAP : w, MIN_WIDTH);
    describe(g, s, tip, sizeof tip);
    if (s->waits) {
        wait_box(c, x, y, drawn, h, g->colour[task], tip);
        label_wait(g, s, x, y, drawn, h, c);
        return;
    }
    canvas_rect(c, x, y, drawn, h, g->colour[task], CANVAS_NONE, tip);
    label_box(c, x, y, drawn, h, g->colour[task], g->run->of->tasks[task].name);
}

void gantt_boxes_draw(const gantt *g, const gantt_row *row, canvas *c)
{
    const sys_slice *slices = g->run->slices;
    int32_t covered = 0; /* up to here something is drawn: what is too narrow to be seen beside it is left out */
    for (size_t i = 0; i < g->run->slice_count; i++) {
        sys_slice s = slices[i];
        if (s.core != row->core || !view_holds(&g->t.shown, s.start_ns, s.end_ns))
            continue;
        for (size_t k = i + 1; k < g->run->slice_count && slices[k].start_ns <= s.end_ns; k++)
            if (slices[k].core == row->core && goes_on(&s, &slices[k]))
                s.end_ns = slices[i = k].end_ns;
        int32_t end = timeline_x(&g->t, s.end_ns);
        if (end <= covered)
            continue;
        draw_slice(g, row, &s, c);
        covered = max_int(end, timeline_x(&g->t, s.start_ns) + MIN_WIDTH);
    }
}
