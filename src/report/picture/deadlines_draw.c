#include "report/picture/deadlines_draw.h"

#include <stdio.h>

#include "base/minmax.h"
#include "report/canvas/palette.h"
#include "report/timeline/deadline_rows.h"

#define MIN_DISTANCE PX(7) /* of jobs that are drawn one by one */
#define MISSED 0xc00020u
#define CROSS PX(3) /* half of its side */

static void draw_cross(canvas *c, int32_t x, int32_t y)
{
    for (int side = 0; side < 2; side++) {
        int32_t rise = side ? CROSS : -CROSS;
        canvas_line(c, x - CROSS, y - rise, x + CROSS, y + rise, 0xffffff, PX(3), false);
    }
    for (int side = 0; side < 2; side++) {
        int32_t rise = side ? CROSS : -CROSS;
        canvas_line(c, x - CROSS, y - rise, x + CROSS, y + rise, INK, 150, false);
    }
}

static void draw_lateness(const timeline *t, const timeline_row *row, const deadline *d, const char *tip, canvas *c)
{
    int32_t x = timeline_x(t, d->deadline_ns), w = timeline_x(t, d->end) - x;
    canvas_rect(c, x, row->y + row->height / 4, max_int(w, PX(1)), row->height / 2, MISSED, CANVAS_NONE, tip);
}

static void draw_deadline(const timeline *t, const timeline_row *row, const deadline *d, canvas *c)
{
    int32_t x = timeline_x(t, d->deadline_ns);
    if (d->deadline_ns >= t->shown.start_ns && d->deadline_ns <= t->shown.end_ns)
        canvas_line(c, x, row->y, x, row->y + row->height, INK, PX(1), true);
}

static void draw_job(const timeline *t, const timeline_row *row, const deadline *d, uint32_t rgb, canvas *c)
{
    char name[160], tip[400];
    int64_t end = d->end < 0 ? d->release : min_i64(d->end, d->deadline_ns);
    int32_t x = timeline_x(t, d->release), w = timeline_x(t, d->deadline_ns) - x, used = timeline_x(t, end) - x;
    deadline_name(t->run, d, name, sizeof name);
    int length = snprintf(tip, sizeof tip, "%s\nrelease %lld ns\ndeadline %lld ns", name, (long long)d->release,
                          (long long)d->deadline_ns);
    if (d->end >= 0)
        snprintf(tip + length, sizeof tip - (size_t)length, "\nend %lld ns%s", (long long)d->end,
                 deadline_missed(d) ? "\nmissed" : "");
    if (w > 0)
        canvas_rect(c, x, row->y + PX(2), w, row->height - PX(4), palette_shade(rgb, 3), CANVAS_NONE, tip);
    if (used > 0)
        canvas_rect(c, x, row->y + row->height / 4, used, row->height / 2, rgb, CANVAS_NONE, tip);
    if (timeline_job_missed(t, d))
        draw_lateness(t, row, d, tip, c);
}

/* Are its jobs too close to each other to be drawn one by one? */
static bool is_dense(const timeline *t, const timeline_row *row)
{
    return (int64_t)row->job_count * MIN_DISTANCE > t->plot;
}

void jobs_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    const deadline *jobs = row->job_count ? &t->deadlines.at[row->first_job] : NULL;
    int32_t last_cross = -PX(10), covered = 0; /* x of the last cross; where the bars of lateness end */
    if (!jobs)
        return;
    const gcast_task *task = &t->run->workload->tasks[jobs[0].task];
    uint32_t rgb = palette_stream(task->stream < 0 ? 0 : (size_t)task->stream);
    if (is_dense(t, row)) {
        int32_t x = timeline_x(t, jobs[0].release), end = timeline_x(t, jobs[row->job_count - 1].deadline_ns);
        canvas_rect(c, x, row->y + PX(2), end > x ? end - x : PX(1), row->height - PX(4), palette_shade(rgb, 3),
                    CANVAS_NONE, row->label);
    }
    for (size_t i = 0; i < row->job_count && !is_dense(t, row); i++)
        draw_job(t, row, &jobs[i], rgb, c);
    for (size_t i = 0; i < row->job_count && !is_dense(t, row); i++)
        draw_deadline(t, row, &jobs[i], c);
    for (size_t i = 0; i < row->job_count; i++) {
        int32_t x = timeline_x(t, jobs[i].deadline_ns);
        if (!timeline_job_missed(t, &jobs[i]))
            continue;
        if (is_dense(t, row) && x >= covered) {
            draw_lateness(t, row, &jobs[i], row->label, c);
            covered = x + PX(1);
        }
        if (x - last_cross >= 2 * CROSS) /* crosses do not cover each other */
            draw_cross(c, last_cross = x, row->y + row->height / 2);
    }
}

int32_t jobs_legend_draw(const timeline *t, canvas *c, int32_t x, int32_t base_line)
{
    static const char *const words[] = {"deadline", "missed deadline"};
    int32_t start = x;
    for (int i = 0; i < (t->missed ? 2 : 1) && t->deadlines.count; i++) {
        int32_t middle = base_line - PX(4);
        if (c && i == 0)
            canvas_line(c, x + PX(4), base_line - PX(11), x + PX(4), base_line + PX(2), INK, PX(1), true);
        if (c && i == 1) {
            canvas_rect(c, x, middle - PX(4), PX(10), PX(8), MISSED, CANVAS_NONE, NULL);
            draw_cross(c, x + PX(1), middle);
        }
        if (c)
            canvas_text(c, x + PX(14), base_line, words[i], PX(11), CANVAS_LEFT, INK);
        x += PX(14) + font_width(words[i], PX(11)) + PX(16);
    }
    return x - start;
}
