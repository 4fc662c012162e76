#include "report/timeline/job_rows.h"

#include <stdio.h>

#include "base/integers.h"
#include "base/units.h"
#include "report/canvas/palette.h"

#define MAX_ROWS 12 /* tasks that missed a deadline go first */

/* Was it missed by the end of the view? */
static bool timeline_job_missed(const timeline *t, const deadline *d)
{
    return deadline_missed(d) && d->deadline_ns < t->shown.end_ns;
}

/* "camera: 2 of 5 late", "camera: 1 of 5 never ends" */
static void label_row(const timeline *t, timeline_row *row)
{
    size_t late_count = 0, hung_count = 0;
    char name[LABEL_SIZE], count_text[64] = "";
    for (size_t i = 0; i < row->job_count; i++) {
        late_count += timeline_job_missed(t, &t->deadlines.at[row->first_job + i]);
        hung_count += deadline_never_ends(&t->deadlines.at[row->first_job + i]);
    }
    if (hung_count)
        snprintf(count_text, sizeof count_text, ": %zu of %zu never end%s", hung_count, row->job_count,
                 hung_count == 1 ? "s" : "");
    else if (late_count)
        snprintf(count_text, sizeof count_text, ": %zu of %zu late", late_count, row->job_count);
    font_fit(t->deadlines.at[row->first_job].name, LABEL_FONT, LABEL_ROOM - font_width(count_text, LABEL_FONT), name);
    snprintf(row->label, sizeof row->label, "%.90s%s", name, count_text);
}

/* Removes the deadlines of jobs that are not shown. */
static void keep_shown(timeline *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->deadlines.count; i++) {
        deadline d = t->deadlines.at[i];
        if (!view_holds(&t->shown, d.release, max_i64(d.end, d.deadline_ns)))
            continue;
        t->missed += timeline_job_missed(t, &d);
        t->deadlines.at[kept++] = d;
    }
    t->deadlines.count = kept;
}

/* Has one of these jobs missed its deadline? */
static bool any_missed(const timeline *t, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        if (timeline_job_missed(t, &t->deadlines.at[i]))
            return true;
    return false;
}

gcast_status timeline_add_jobs(timeline *t, const gcast_report_options *options, gcast_error *err)
{
    size_t tasks = 0, with_misses = 0, shown = 0, shown_misses = 0, n;
    if (!deadlines_find(t->run, &t->deadlines) ||
        !deadlines_add(t->run, options->jobs, options->job_count, &t->deadlines))
        return gcast_error_set_memory(err);
    keep_shown(t);
    const deadline_list *all = &t->deadlines;
    for (size_t i = 0; i < all->count; i += n, tasks++) {
        for (n = 1; i + n < all->count && all->at[i + n].task == all->at[i].task;)
            n++;
        with_misses += any_missed(t, i, n);
    }
    size_t met_rows = with_misses < MAX_ROWS ? MAX_ROWS - with_misses : 0; /* for tasks that missed none */
    for (size_t i = 0; i < all->count; i += n) {
        timeline_row row = {.kind = ROW_JOBS, .first_job = i};
        for (n = 1; i + n < all->count && all->at[i + n].task == all->at[i].task;)
            n++;
        bool is_late = any_missed(t, i, n);
        if (is_late ? shown_misses == MAX_ROWS : shown - shown_misses == met_rows)
            continue;
        row.job_count = n;
        label_row(t, &row);
        snprintf(row.id, sizeof row.id, "task-%d", all->at[i].task);
        if (!vec_push(&t->rows, row))
            return gcast_error_set_memory(err);
        shown++;
        shown_misses += is_late;
    }
    if (shown < tasks) {
        timeline_row row = {.kind = ROW_JOBS, .id = "more-tasks"};
        snprintf(row.label, sizeof row.label, "+%zu tasks", tasks - shown);
        if (!vec_push(&t->rows, row))
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

#define MIN_DISTANCE PX(7) /* of jobs that are drawn one by one */
#define MISSED 0xc00020u
#define CROSS PX(3) /* half of its side */
#define HATCH_STEP PX(6)
#define LATE_FONT PX(9)

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
    int32_t y = row->y + row->height / 4, h = row->height / 2;
    canvas_rect(c, x, y, max_int(w, PX(1)), h, MISSED, CANVAS_NONE, tip);
    for (int32_t hatch = x + HATCH_STEP; hatch + h <= x + w; hatch += HATCH_STEP)
        canvas_line(c, hatch, y + h, hatch + h, y, 0xffffff, 60, false);
}

/* Writes "12ms late" right of the bar of lateness, or in it, where there is space left of `right`, the next release. */
static void label_lateness(const timeline *t, const timeline_row *row, const deadline *d, int32_t right, canvas *c)
{
    char time[40], label[48];
    int32_t x = timeline_x(t, d->deadline_ns), end = timeline_x(t, d->end), y = row->y + row->height / 2;
    units_format_time(d->end - d->deadline_ns, time, sizeof time);
    snprintf(label, sizeof label, "%s late", time);
    int32_t width = font_width(label, LATE_FONT);
    if (end + PX(4) + width <= right) {
        canvas_text(c, end + PX(4), y + PX(3), label, LATE_FONT, CANVAS_LEFT, MISSED);
    } else if (end <= right && end - x >= width + 4 * CROSS) {
        int32_t middle = (x + end + CROSS) / 2;
        canvas_rect(c, middle - width / 2 - PX(2), row->y + PX(2), width + PX(4), row->height - PX(4), MISSED,
                    CANVAS_NONE, NULL);
        canvas_text(c, middle, y + PX(3), label, LATE_FONT, CANVAS_CENTRE, 0xffffff);
    }
}

static void draw_release(const timeline *t, const timeline_row *row, const deadline *d, uint32_t rgb, canvas *c)
{
    int32_t x = timeline_x(t, d->release);
    if (d->release >= t->shown.start_ns && d->release <= t->shown.end_ns)
        canvas_line(c, x, row->y + row->height, x, row->y, palette_dark(rgb), PX(1), true);
}

static void draw_deadline(const timeline *t, const timeline_row *row, const deadline *d, canvas *c)
{
    int32_t x = timeline_x(t, d->deadline_ns);
    if (d->deadline_ns >= t->shown.start_ns && d->deadline_ns <= t->shown.end_ns)
        canvas_line(c, x, row->y, x, row->y + row->height, INK, PX(1), true);
}

/* What is shown of a job where the pointer is on it. */
static void describe(const deadline *d, char *tip, size_t size)
{
    char name[160];
    deadline_name(d, name, sizeof name);
    int length = snprintf(tip, size, "%s\nrelease %lld ns\ndeadline %lld ns", name, (long long)d->release,
                          (long long)d->deadline_ns);
    if (d->end >= 0)
        snprintf(tip + length, size - (size_t)length, "\nend %lld ns%s", (long long)d->end,
                 deadline_missed(d) ? "\nmissed" : "");
    else
        snprintf(tip + length, size - (size_t)length, "\ndid not end%s",
                 deadline_never_ends(d) ? ": the run hangs" : "");
}

static void draw_job(const timeline *t, const timeline_row *row, const deadline *d, uint32_t rgb, canvas *c)
{
    char tip[400];
    int64_t end = d->end < 0 ? d->release : min_i64(d->end, d->deadline_ns);
    int32_t x = timeline_x(t, d->release), w = timeline_x(t, d->deadline_ns) - x, used = timeline_x(t, end) - x;
    describe(d, tip, sizeof tip);
    if (w > 0)
        canvas_rect(c, x, row->y + PX(2), w, row->height - PX(4), palette_shade(rgb, 3), CANVAS_NONE, tip);
    if (used > 0)
        canvas_rect(c, x, row->y + row->height / 4, used, row->height / 2, rgb, CANVAS_NONE, tip);
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
    int32_t last_end = 0;                      /* of the late jobs so far */
    if (!jobs)
        return;
    uint32_t rgb = palette_stream(jobs[0].stream < 0 ? 0 : (size_t)jobs[0].stream);
    if (is_dense(t, row)) {
        int32_t x = timeline_x(t, jobs[0].release), end = timeline_x(t, jobs[row->job_count - 1].deadline_ns);
        canvas_rect(c, x, row->y + PX(2), end > x ? end - x : PX(1), row->height - PX(4), palette_shade(rgb, 3),
                    CANVAS_NONE, row->label);
    }
    for (size_t i = 0; i < row->job_count && !is_dense(t, row); i++)
        draw_job(t, row, &jobs[i], rgb, c);
    for (size_t i = 0; i < row->job_count && !is_dense(t, row); i++) { /* above jobs that follow before it ends */
        char tip[400];
        if (!timeline_job_missed(t, &jobs[i]))
            continue;
        describe(&jobs[i], tip, sizeof tip);
        draw_lateness(t, row, &jobs[i], tip, c);
    }
    for (size_t i = 0; i < row->job_count && !is_dense(t, row); i++)
        draw_release(t, row, &jobs[i], rgb, c);
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
        if (!is_dense(t, row) && jobs[i].end <= t->shown.end_ns && x >= last_end)
            label_lateness(t, row, &jobs[i],
                           i + 1 < row->job_count ? timeline_x(t, jobs[i + 1].release) : t->width - PX(2), c);
        last_end = max_int(last_end, timeline_x(t, jobs[i].end));
    }
}

int32_t jobs_legend_draw(const timeline *t, canvas *c, int32_t x, int32_t base_line)
{
    enum { RELEASE, DEADLINE, LATE, AFTER, ENTRIES };
    static const char *const words[] = {"release", "deadline", "missed deadline", "after"};
    const bool has[] = {t->deadlines.count, t->deadlines.count, t->missed, t->links};
    int32_t start = x;
    for (int i = 0; i < ENTRIES; i++) {
        int32_t middle = base_line - PX(4), top = base_line - PX(11), bottom = base_line + PX(2);
        if (!has[i])
            continue;
        if (c && i == RELEASE)
            canvas_line(c, x + PX(4), bottom, x + PX(4), top, INK, PX(1), true);
        if (c && i == DEADLINE)
            canvas_line(c, x + PX(4), top, x + PX(4), bottom, INK, PX(1), true);
        if (c && i == LATE) {
            canvas_rect(c, x, middle - PX(4), PX(10), PX(8), MISSED, CANVAS_NONE, NULL);
            draw_cross(c, x + PX(1), middle);
        }
        if (c && i == AFTER)
            canvas_line(c, x - PX(4), middle, x + PX(10), middle, INK, PX(1), true);
        if (c)
            canvas_text(c, x + PX(14), base_line, words[i], PX(11), CANVAS_LEFT, INK);
        x += PX(14) + font_width(words[i], PX(11)) + PX(16);
    }
    return x - start;
}
