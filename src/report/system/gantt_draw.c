#include "report/system/gantt_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/canvas/picture_frame.h"
#include "report/system/gantt.h"
#include "report/timeline/draw.h"

/* gantt_boxes_draw draws the jobs on a core as boxes. */

#define MIN_WIDTH 60  /* of a box, so that a very short one can still be seen */
#define GAP 50        /* white between boxes */
#define HATCH PX(5)   /* from one line of a hatch to the next */
#define PALE 3        /* the shade of a box that waits */
#define LABEL_SIZES 3 /* fonts that are tried for a label */

/* Draws a line that rises from x to the right by 45 degrees, as far as it is within [left, right]. */
static void hatch_line(canvas *c, int32_t x, int32_t y, int32_t h, int32_t left, int32_t right, uint32_t rgb)
{
    int32_t from = max_int(x, left), to = min_int(x + h, right);
    if (from < to)
        canvas_line(c, from, y + h - (from - x), to, y + h - (to - x), rgb, 70, false);
}

/* A pale, hatched box: the job waits. */
static void wait_box(canvas *c, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t rgb, const char *tooltip)
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

static void label_slice(canvas *c, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t fill, const char *name)
{
    static const int32_t sizes[LABEL_SIZES] = {PX(10), PX(9), PX(8)};
    char fitting[LABEL_SIZE];
    for (int i = 0; i < LABEL_SIZES; i++)
        if (font_width(name, sizes[i]) <= w - PX(4)) {
            canvas_text(c, x + w / 2, y + h / 2 + font_drop(sizes[i]), name, sizes[i], CANVAS_CENTRE, palette_on(fill));
            return;
        }
    if (font_fit_box(name, PX(8), w, fitting))
        canvas_text(c, x + w / 2, y + h / 2 + font_drop(PX(8)), fitting, PX(8), CANVAS_CENTRE, palette_on(fill));
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
    canvas_text(c, x + w / 2, y + h / 2 + font_drop(PX(9)), words, PX(9), CANVAS_CENTRE, palette_on(pale));
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
    label_slice(c, x, y, drawn, h, g->colour[task], g->run->of->tasks[task].name);
}

static void gantt_boxes_draw(const gantt *g, const gantt_row *row, canvas *c)
{
    const sys_slice *slices = g->run->slices;
    int32_t covered = 0; /* up to this x something is drawn: slices that end before it are left out */
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

/* gantt_marks_draw marks releases, deadlines and misses above the boxes of a core. */

#define LENGTH PX(10) /* of an arrow */
#define MISSED 0xc00020u
#define CROSS PX(3)   /* half of its side */
#define LATE_LINE 250 /* width of the line from a deadline to a late end */
#define LATE_FONT PX(9)

/* Single marks; `y` is the bottom of the arrows, and the middle of the cross. */
static void release_mark(canvas *c, int32_t x, int32_t y, uint32_t rgb)
{
    canvas_line(c, x, y, x, y - LENGTH, palette_dark(rgb), PX(1), true);
}

static void deadline_mark(canvas *c, int32_t x, int32_t y, uint32_t rgb)
{
    canvas_line(c, x, y - LENGTH, x, y, palette_dark(rgb), PX(1), true);
}

static void miss_mark(canvas *c, int32_t x, int32_t y)
{
    for (int side = -1; side <= 1; side += 2)
        canvas_line(c, x - CROSS, y - side * CROSS, x + CROSS, y + side * CROSS, 0xffffff, PX(4), false);
    for (int side = -1; side <= 1; side += 2)
        canvas_line(c, x - CROSS, y - side * CROSS, x + CROSS, y + side * CROSS, MISSED, PX(2), false);
}

static bool is_shown(const gantt *g, int64_t ns)
{
    return ns >= g->t.shown.start_ns && ns <= g->t.shown.end_ns;
}

/* The row with the marks of a job; NULL: it is not shown. */
static const gantt_row *row_of(const gantt *g, const sys_job *job)
{
    int row = g->row_of[job->task];
    return row < 0 ? NULL : &g->rows.at[row];
}

/* Rounded to four digits. */
static int64_t about(int64_t ns)
{
    int64_t unit = 1;
    while (ns / unit >= 10000)
        unit *= 10;
    return (ns + unit / 2) / unit * unit;
}

/* Draws a line from the deadline to the end, and says by how much the job is late where there is room. */
static void draw_lateness(const gantt *g, const gantt_row *row, const sys_job *job, int32_t *free_from, canvas *c)
{
    int64_t due = job_due_ns(g->run, job), end = job->end_ns < 0 ? g->run->end_ns : job->end_ns;
    int32_t x = timeline_x(&g->t, due), to = timeline_x(&g->t, end), y = row->y + LANE - PX(1);
    char time[40], words[64];
    canvas_line(c, x, y, max_int(to, x + PX(2)), y, MISSED, LATE_LINE, false);
    units_format_time(about(end - due), time, sizeof time);
    snprintf(words, sizeof words, job->end_ns < 0 ? "%s late, and not done" : "%s late", time);
    int32_t width = font_width(words, LATE_FONT);
    if (!row->dense && x + PX(6) >= *free_from && to - x >= width + PX(8) && is_shown(g, due)) {
        canvas_text(c, x + PX(6), row->y + PX(7), words, LATE_FONT, CANVAS_LEFT, MISSED);
        *free_from = x + PX(8) + width;
    }
}

static void gantt_marks_draw(const gantt *g, const gantt_row *row, canvas *c)
{
    int32_t y = row->y + LANE, free_from = 0, last_cross = -PX(10);
    for (size_t i = 0; i < g->run->job_count && !row->dense; i++) {
        const sys_job *job = &g->run->jobs[i];
        int64_t due = job_due_ns(g->run, job);
        if (row_of(g, job) != row)
            continue;
        if (is_shown(g, job->release_ns) && g->run->places[job->task].core == row->core)
            release_mark(c, timeline_x(&g->t, job->release_ns), y, g->colour[job->task]);
        if (due >= 0 && is_shown(g, due))
            deadline_mark(c, timeline_x(&g->t, due), y, g->colour[job->task]);
    }
    for (size_t i = 0; i < g->run->job_count; i++) {
        const sys_job *job = &g->run->jobs[i];
        if (!job_missed(g->run, job) || row_of(g, job) != row)
            continue;
        int64_t due = job_due_ns(g->run, job), end = job->end_ns < 0 ? g->run->end_ns : job->end_ns;
        if (!view_holds(&g->t.shown, due, end))
            continue;
        draw_lateness(g, row, job, &free_from, c);
        int32_t x = timeline_x(&g->t, due);
        if (is_shown(g, due) && abs(x - last_cross) >= 2 * CROSS)
            miss_mark(c, last_cross = x, row->y + LANE / 2);
    }
}

/* gantt_legend_draw writes the legend. */

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

static void draw_heading(const gantt *g, canvas *c)
{
    const sys_system *s = g->run->of;
    char gpu[LABEL_SIZE], from[40], to[40], words[LABEL_SIZE + 200];
    units_format_time(g->t.shown.start_ns, from, sizeof from);
    units_format_time(g->t.shown.end_ns, to, sizeof to);
    int used = snprintf(words, sizeof words, "%zu task%s on %zu core%s", s->task_count, s->task_count == 1 ? "" : "s",
                        s->core_count, s->core_count == 1 ? "" : "s");
    if (s->gpu)
        used += snprintf(words + used, sizeof words - (size_t)used, " and %s", label_cut(s->gpu->title, 40, gpu));
    snprintf(words + used, sizeof words - (size_t)used, ", simulated, %s to %s", from, to);
    frame_rows_heading(c, *s->name ? s->name : "system", words);
    canvas_open(c, NULL, "legend");
    gantt_legend_draw(g, c, PX(48));
    canvas_close(c);
}

static void draw_row(const gantt *g, const gantt_row *row, canvas *c)
{
    char label[LABEL_SIZE], id[32];
    int32_t lane = row->lane ? LANE : 0, middle = row->y + lane + (row->height - lane) / 2;
    snprintf(id, sizeof id, row->core == SYS_GPU ? "gpu" : "core-%d", row->core);
    canvas_open(c, id, "row");
    if (font_fit(row->label, LABEL_FONT, g->t.left - PX(14), label))
        canvas_text(c, g->t.left - PX(8), middle + PX(4), label, LABEL_FONT, CANVAS_RIGHT, INK);
    gantt_boxes_draw(g, row, c);
    if (row->lane)
        gantt_marks_draw(g, row, c);
    canvas_close(c);
}

static void draw_ground(const gantt *g, canvas *c)
{
    for (size_t i = 0; i < g->rows.count; i++) {
        const gantt_row *row = &g->rows.at[i];
        int32_t lane = row->lane ? LANE : 0;
        canvas_rect(c, g->t.left, row->y + lane, g->t.plot, row->height - lane, ROW_GROUND, CANVAS_NONE, NULL);
    }
    for (size_t i = 0; i < g->t.rows.count; i++)
        canvas_rect(c, g->t.left, g->t.rows.at[i].y, g->t.plot, g->t.rows.at[i].height, ROW_GROUND, CANVAS_NONE, NULL);
}

/* Says what is not shown. */
static void draw_caption(const gantt *g, canvas *c)
{
    char words[200] = "";
    size_t used = 0;
    bool dense = false;
    for (size_t i = 0; i < g->rows.count; i++)
        dense = dense || (g->rows.at[i].lane && g->rows.at[i].dense);
    if (dense)
        used +=
            (size_t)snprintf(words, sizeof words, "releases and deadlines are not marked where there are many jobs");
    if (g->hidden_cores)
        snprintf(words + used, sizeof words - used, "%s%zu more cores are not shown", used ? "; " : "",
                 g->hidden_cores);
    canvas_text(c, g->t.left + g->t.plot, g->t.height - PX(6), words, PX(9), CANVAS_RIGHT, FAINT);
}

gcast_status system_draw(const sys_run *run, const sys_report_options *options, canvas **out, gcast_error *err)
{
    gantt g;
    char title[LABEL_SIZE];
    *out = NULL;
    gcast_status status = gantt_make(&g, run, options, err);
    if (status != GCAST_OK)
        return status;
    canvas *c = canvas_create(g.t.width, g.t.height, label_cut(run->of->name, LABEL_CHARS, title));
    if (!c) {
        gantt_free(&g);
        return gcast_error_set_memory(err);
    }
    draw_heading(&g, c);
    draw_ground(&g, c);
    timeline_grid_draw(&g.t, c);
    for (size_t i = 0; i < g.rows.count; i++)
        draw_row(&g, &g.rows.at[i], c);
    for (size_t i = 0; i < g.t.rows.count; i++)
        timeline_row_draw(&g.t, &g.t.rows.at[i], c);
    timeline_axis_draw(&g.t, c);
    draw_caption(&g, c);
    gantt_free(&g);
    *out = c;
    return GCAST_OK;
}
