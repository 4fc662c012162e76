/* Tasks with deadlines, a row each: from every job's release to its deadline, with the
 * time it took in it, and what it was late beyond it, crossed out. Jobs too close to
 * each other are left to their misses. */
#include <stdio.h>
#include <stdlib.h>

#include "report/canvas/palette.h"
#include "report/timeline/boxes.h"

#define MOST_ROWS 12
#define CLOSE PX(7) /* jobs nearer to each other than this are not drawn one by one */
#define MISSED 0xc00020u
#define CROSS PX(3)

/* Was it missed by the end of what is shown? */
static bool missed(const timeline *t, const deadline *d)
{
    return deadline_missed(d) && d->due < t->shown.to;
}

static void label_row(const timeline *t, timeline_row *row)
{
    size_t late = 0;
    char name[LABEL_SIZE], about[64] = "";
    for (size_t i = 0; i < row->jobs; i++)
        late += missed(t, &t->deadlines.at[row->first_job + i]);
    if (late)
        snprintf(about, sizeof about, ": %zu of %zu late", late, row->jobs);
    font_fit(t->run->workload->tasks[t->deadlines.at[row->first_job].task].name, LABEL_FONT,
             LABEL_ROOM - font_width(about, LABEL_FONT), name);
    snprintf(row->label, sizeof row->label, "%.90s%s", name, about);
}

/* Deadlines of jobs that show, and no others. */
static void keep_shown(timeline *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->deadlines.count; i++) {
        deadline d = t->deadlines.at[i];
        if (!view_holds(&t->shown, d.release, d.end > d.due ? d.end : d.due))
            continue;
        t->missed += missed(t, &d);
        t->deadlines.at[kept++] = d;
    }
    t->deadlines.count = kept;
}

/* Has it a miss? Rows of those are shown first where there are too many. */
static bool has_missed(const timeline *t, size_t first, size_t jobs)
{
    for (size_t i = first; i < first + jobs; i++)
        if (missed(t, &t->deadlines.at[i]))
            return true;
    return false;
}

gcast_status timeline_add_jobs(timeline *t, gcast_error *err)
{
    size_t tasks = 0, with_misses = 0, shown = 0, shown_misses = 0, n;
    if (!deadlines_find(t->run, &t->deadlines))
        return gcast_error_set_memory(err);
    keep_shown(t);
    const deadline_list *all = &t->deadlines;
    for (size_t i = 0; i < all->count; i += n, tasks++) {
        for (n = 1; i + n < all->count && all->at[i + n].task == all->at[i].task;)
            n++;
        with_misses += has_missed(t, i, n);
    }
    size_t rest = with_misses < MOST_ROWS ? MOST_ROWS - with_misses : 0; /* rows for those without */
    for (size_t i = 0; i < all->count; i += n) {
        timeline_row row = {.kind = ROW_JOBS, .first_job = i};
        for (n = 1; i + n < all->count && all->at[i + n].task == all->at[i].task;)
            n++;
        bool late = has_missed(t, i, n);
        if (late ? shown_misses == MOST_ROWS : shown - shown_misses == rest)
            continue;
        row.jobs = n;
        label_row(t, &row);
        snprintf(row.id, sizeof row.id, "task-%d", all->at[i].task);
        if (!vec_push(&t->rows, row))
            return gcast_error_set_memory(err);
        shown++;
        shown_misses += late;
    }
    if (shown < tasks) {
        timeline_row row = {.kind = ROW_JOBS, .id = "more-tasks"};
        snprintf(row.label, sizeof row.label, "+%zu tasks", tasks - shown);
        if (!vec_push(&t->rows, row))
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

static void cross(canvas *c, int32_t x, int32_t y)
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

static void late_bar(const timeline *t, const timeline_row *row, const deadline *d, const char *tip, canvas *c)
{
    int32_t x = timeline_x(t, d->due), w = timeline_x(t, d->end) - x;
    canvas_rect(c, x, row->y + row->height / 4, w < PX(1) ? PX(1) : w, row->height / 2, MISSED, CANVAS_NONE, tip);
}

static void tick(const timeline *t, const timeline_row *row, const deadline *d, canvas *c)
{
    int32_t x = timeline_x(t, d->due);
    if (d->due >= t->shown.from && d->due <= t->shown.to)
        canvas_line(c, x, row->y, x, row->y + row->height, INK, PX(1), true);
}

static void job(const timeline *t, const timeline_row *row, const deadline *d, uint32_t rgb, canvas *c)
{
    char name[160], tip[400];
    int64_t end = d->end < 0 ? d->release : d->end < d->due ? d->end : d->due;
    int32_t x = timeline_x(t, d->release), w = timeline_x(t, d->due) - x, used = timeline_x(t, end) - x;
    deadline_name(t->run, d, name, sizeof name);
    int length = snprintf(tip, sizeof tip, "%s\nrelease %lld ns\ndeadline %lld ns", name, (long long)d->release,
                          (long long)d->due);
    if (d->end >= 0)
        snprintf(tip + length, sizeof tip - (size_t)length, "\nend %lld ns%s", (long long)d->end,
                 deadline_missed(d) ? "\nmissed" : "");
    if (w > 0)
        canvas_rect(c, x, row->y + PX(2), w, row->height - PX(4), palette_shade(rgb, 3), CANVAS_NONE, tip);
    if (used > 0)
        canvas_rect(c, x, row->y + row->height / 4, used, row->height / 2, rgb, CANVAS_NONE, tip);
    if (missed(t, d))
        late_bar(t, row, d, tip, c);
}

/* Are they too close to each other to be drawn one by one? */
static bool dense(const timeline *t, const timeline_row *row)
{
    return (int64_t)row->jobs * CLOSE > t->plot;
}

void jobs_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    const deadline *jobs = row->jobs ? &t->deadlines.at[row->first_job] : NULL;
    int32_t last = -PX(10), covered = 0; /* where the last cross is; up to where bars of misses are */
    if (!jobs)
        return;
    const gcast_task *task = &t->run->workload->tasks[jobs[0].task];
    uint32_t rgb = palette_stream(task->stream < 0 ? 0 : (size_t)task->stream);
    if (dense(t, row)) {
        int32_t x = timeline_x(t, jobs[0].release), end = timeline_x(t, jobs[row->jobs - 1].due);
        canvas_rect(c, x, row->y + PX(2), end > x ? end - x : PX(1), row->height - PX(4), palette_shade(rgb, 3),
                    CANVAS_NONE, row->label);
    }
    for (size_t i = 0; i < row->jobs && !dense(t, row); i++)
        job(t, row, &jobs[i], rgb, c);
    for (size_t i = 0; i < row->jobs && !dense(t, row); i++)
        tick(t, row, &jobs[i], c);
    for (size_t i = 0; i < row->jobs; i++) {
        int32_t x = timeline_x(t, jobs[i].due);
        if (!missed(t, &jobs[i]))
            continue;
        if (dense(t, row) && x >= covered) {
            late_bar(t, row, &jobs[i], row->label, c);
            covered = x + PX(1);
        }
        if (x - last >= 2 * CROSS) /* one cross for those that would cover each other */
            cross(c, last = x, row->y + row->height / 2);
    }
}

int32_t jobs_legend_draw(const timeline *t, canvas *c, int32_t x, int32_t base)
{
    static const char *const words[] = {"deadline", "missed deadline"};
    int32_t start = x;
    for (int i = 0; i < (t->missed ? 2 : 1) && t->deadlines.count; i++) {
        int32_t middle = base - PX(4);
        if (c && i == 0)
            canvas_line(c, x + PX(4), base - PX(11), x + PX(4), base + PX(2), INK, PX(1), true);
        if (c && i == 1) {
            canvas_rect(c, x, middle - PX(4), PX(10), PX(8), MISSED, CANVAS_NONE, NULL);
            cross(c, x + PX(1), middle);
        }
        if (c)
            canvas_text(c, x + PX(14), base, words[i], PX(11), CANVAS_LEFT, INK);
        x += PX(14) + font_width(words[i], PX(11)) + PX(16);
    }
    return x - start;
}
