#include "report/timeline/deadline_rows.h"

#include <stdio.h>

#include "base/minmax.h"

#define MAX_ROWS 12 /* tasks that missed a deadline go first */

bool timeline_job_missed(const timeline *t, const deadline *d)
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
