#include "report/system/gantt/gantt_marks.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text/units.h"
#include "report/canvas/palette.h"

#define LENGTH PX(10) /* of an arrow */
#define MISSED 0xc00020u
#define CROSS PX(3)   /* half of its side */
#define LATE_LINE 250 /* width of the line from a deadline to a late end */
#define LATE_FONT PX(9)

void release_mark(canvas *c, int32_t x, int32_t y, uint32_t rgb)
{
    canvas_line(c, x, y, x, y - LENGTH, palette_dark(rgb), PX(1), true);
}

void deadline_mark(canvas *c, int32_t x, int32_t y, uint32_t rgb)
{
    canvas_line(c, x, y - LENGTH, x, y, palette_dark(rgb), PX(1), true);
}

void miss_mark(canvas *c, int32_t x, int32_t y)
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

/* NULL: its core is not shown. */
static const gantt_row *row_of(const gantt *g, const sys_job *job)
{
    int row = g->row_of[job->task];
    return row < 0 ? NULL : &g->rows.at[row];
}

/* Four digits are enough to read. */
static int64_t about(int64_t ns)
{
    int64_t unit = 1;
    while (ns / unit >= 10000)
        unit *= 10;
    return (ns + unit / 2) / unit * unit;
}

/* From the deadline to the end, and by how much it is late where there is room. */
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

void gantt_marks_draw(const gantt *g, const gantt_row *row, canvas *c)
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
