#include "report/system/gantt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "model/run_op.h"
#include "report/canvas/palette.h"
#include "report/system/gantt_draw.h"
#include "report/system/system_words.h"
#include "report/timeline/draw.h"
#include "report/timeline/timeline.h"

#define SHOWN_JOBS 120 /* about as many are in a picture */

/* Rounded up to two digits and zeros. */
static int64_t two_digits(int64_t ns)
{
    int64_t unit = 1;
    while (ns / unit >= 100)
        unit *= 10;
    return max_i64(round_up(ns, unit), 1);
}

int64_t system_window_ns(const sys_system *s)
{
    int64_t longest = 1;
    double rate = 0; /* jobs per ns */
    for (size_t i = 0; i < s->task_count; i++)
        if (s->tasks[i].arrival != SYS_TRIGGERED && !s->tasks[i].once) {
            longest = max_i64(longest, s->tasks[i].period_ns);
            rate += 1.0 / (double)s->tasks[i].period_ns;
        }
    double room = rate > 0 ? SHOWN_JOBS / rate : 1;
    return room < (double)longest ? two_digits((int64_t)room) : longest;
}

#define HEADING PX(50)     /* title and subtitle */
#define MAX_ROWS 48        /* of cores */
#define MANY_CORES 12      /* rows of more are lower, and idle cores have none */
#define BOXES PX(22)       /* height of boxes, where there are few rows */
#define LOW_BOXES PX(14)   /* where there are many */
#define ROW_GAP PX(5)      /* below a row */
#define SMS_HEIGHT 160     /* pixels that SM rows share */
#define RIGHT PX(40)       /* right of the plot */
#define DEFAULT_WIDTH 1200 /* of the picture, in pixels */
#define MARK_ROOM PX(5)    /* width that a release needs, on average */

/* The time that is shown: what was asked for, or a window from the start. */
static gcast_status choose_view(gantt *g, gcast_report_options *o, gcast_error *err)
{
    int64_t end = max_i64(g->run->end_ns, 1);
    if (o->to_ns < 0)
        o->to_ns = o->from_ns ? end : min_i64(end, system_window_ns(g->run->of));
    if (!o->width)
        o->width = DEFAULT_WIDTH;
    if (o->from_ns >= end)
        return gcast_error_set(err, GCAST_USAGE, NULL, "nothing happens after %lld ns: the execution ends at %lld ns",
                               (long long)o->from_ns, (long long)end);
    return GCAST_OK;
}

/* The GPU's rows: copy engines above SMs, and no others. */
static bool keep_gpu_rows(timeline *t)
{
    timeline_row *rows = calloc(t->rows.count + 1, sizeof *rows);
    size_t kept = 0;
    for (int sms = 0; rows && sms < 2; sms++)
        for (size_t i = 0; i < t->rows.count; i++) {
            timeline_row *row = &t->rows.at[i];
            if (row->kind < ROW_JOBS && row_of_sms(row) == (sms == 1))
                rows[kept++] = *row;
        }
    for (size_t i = 0; rows && i < t->rows.count; i++)
        if (t->rows.at[i].kind >= ROW_JOBS)
            vec_free(&t->rows.at[i].spans);
    if (rows && kept)
        memcpy(t->rows.at, rows, kept * sizeof *rows);
    if (rows)
        t->rows.count = kept;
    free(rows);
    return rows;
}

static gcast_status add_gpu(gantt *g, const gcast_report_options *o, gcast_error *err)
{
    const gcast_run *run = g->run->gpu;
    g->t.shown = (view){.start_ns = o->from_ns, .end_ns = o->to_ns, .width = o->width};
    if (!run || !run->op_count || (o->from_ns && o->from_ns >= run->end_ns))
        return GCAST_OK;
    gcast_status status = timeline_rows(&g->t, run, o, err);
    g->has_gpu = status == GCAST_OK;
    if (status == GCAST_OK && !keep_gpu_rows(&g->t))
        status = gcast_error_set_memory(err);
    g->t.links = false;
    return status;
}

/* Tasks with a stream have its colour, as areas of many kernels do; others have the colours after those of streams. */
static bool choose_colours(gantt *g)
{
    const sys_run *run = g->run;
    size_t count = run->of->task_count, next = run->workload ? run->workload->stream_count : 0;
    g->colour = calloc(count + 1, sizeof *g->colour);
    g->shown = calloc(count + 1, sizeof *g->shown);
    bool *has_stream = calloc(count + 1, sizeof *has_stream);
    bool ok = g->colour && g->shown && has_stream;
    for (size_t i = 0; ok && run->gpu && i < run->gpu->op_count; i++) {
        int task = run->jobs[run->op_job[i]].task, stream = run_op(run->gpu, i)->stream;
        if (stream < 0)
            continue;
        g->colour[task] = palette_stream((size_t)stream);
        has_stream[task] = true;
        if (g->has_gpu)
            g->t.colour[run->gpu->ops[i].op] = g->colour[task];
    }
    for (size_t i = 0; ok && i < count; i++)
        if (!has_stream[i])
            g->colour[i] = palette_stream(next++);
    free(has_stream);
    return ok;
}

/* How long a core is held in the view. */
static int64_t held_ns(const gantt *g, int core)
{
    int64_t sum = 0;
    for (size_t i = 0; i < g->run->slice_count; i++)
        if (g->run->slices[i].core == core)
            sum += view_clip(&g->t.shown, g->run->slices[i].start_ns, g->run->slices[i].end_ns);
    return sum;
}

static bool add_row(gantt *g, int core, int64_t held)
{
    gantt_row row = {.core = core, .lane = core != SYS_GPU};
    int64_t time = g->t.shown.end_ns - g->t.shown.start_ns;
    char name[LABEL_SIZE];
    label_cut(system_place_name(g->run->of, core), 20, name);
    snprintf(row.label, sizeof row.label, "%.120s  %d %%", name, (int)((__int128)held * 100 / time));
    return vec_push(&g->rows, row);
}

static bool add_cores(gantt *g)
{
    const sys_system *s = g->run->of;
    bool many = s->core_count > MANY_CORES, ok = true;
    for (int core = 0; ok && core < (int)s->core_count; core++) {
        int64_t held = held_ns(g, core);
        if (!held && many)
            continue;
        if (g->rows.count == MAX_ROWS)
            g->hidden_cores++;
        else
            ok = add_row(g, core, held);
    }
    int64_t sliced = held_ns(g, SYS_GPU);
    return ok && (!sliced || add_row(g, SYS_GPU, sliced));
}

/* Finds what is in the picture, for the legend. */
static void find_shown(gantt *g)
{
    const sys_run *run = g->run;
    for (size_t i = 0; i < run->slice_count; i++)
        if (view_holds(&g->t.shown, run->slices[i].start_ns, run->slices[i].end_ns)) {
            g->shown[run->jobs[run->slices[i].job].task] = true;
            g->waits |= run->slices[i].waits;
        }
    for (size_t i = 0; g->has_gpu && i < run->gpu->op_count; i++)
        if (run_op_ran(run->gpu, i) && view_holds(&g->t.shown, run->gpu->ops[i].start_ns, run->gpu->ops[i].end_ns))
            g->shown[run->jobs[run->op_job[i]].task] = true;
    for (size_t i = 0; i < run->job_count; i++) {
        int64_t at = job_due_ns(run, &run->jobs[i]);
        g->missed += job_missed(run, &run->jobs[i]) && at >= g->t.shown.start_ns && at <= g->t.shown.end_ns;
    }
}

static bool find_rows(gantt *g)
{
    const sys_system *s = g->run->of;
    g->row_of = calloc(s->task_count + 1, sizeof *g->row_of);
    for (size_t i = 0; g->row_of && i < s->task_count; i++) {
        int core = g->run->places[i].core;
        if (core == SYS_GPU)
            core = g->run->places[s->tasks[i].root].core;
        g->row_of[i] = -1;
        for (size_t r = 0; r < g->rows.count; r++)
            if (g->rows.at[r].core == core)
                g->row_of[i] = (int)r;
    }
    return g->row_of;
}

/* Finds the rows that have not enough room for the arrows of all releases. */
static void find_dense(gantt *g)
{
    for (size_t r = 0; r < g->rows.count; r++) {
        int64_t releases = 0;
        for (size_t i = 0; i < g->run->job_count; i++)
            releases += g->run->places[g->run->jobs[i].task].core == g->rows.at[r].core &&
                        view_holds(&g->t.shown, g->run->jobs[i].release_ns, g->run->jobs[i].release_ns);
        g->rows.at[r].dense = releases * MARK_ROOM > g->t.plot;
    }
}

static void place_plot(gantt *g)
{
    timeline *t = &g->t;
    int32_t widest = PX(20);
    for (size_t i = 0; i < g->rows.count; i++)
        widest = max_int(widest, font_width(g->rows.at[i].label, LABEL_FONT));
    for (size_t i = 0; i < t->rows.count; i++)
        widest = max_int(widest, font_width(t->rows.at[i].label, LABEL_FONT));
    t->width = PX(max_int(GCAST_MIN_WIDTH, min_int(t->shown.width, GCAST_MAX_WIDTH)));
    t->left = (min_int(widest, LABEL_ROOM) + PX(17) - 1) / PX(1) * PX(1);
    t->plot = t->width - t->left - RIGHT;
}

static gcast_status place_rows(gantt *g, gcast_error *err)
{
    timeline *t = &g->t;
    int32_t boxes = g->rows.count > MANY_CORES ? LOW_BOXES : BOXES;
    int32_t top = HEADING + gantt_legend_draw(g, NULL, 0), y = top;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < g->rows.count; i++) {
        g->rows.at[i].y = y;
        g->rows.at[i].height = boxes + (g->rows.at[i].lane ? LANE : 0);
        y += g->rows.at[i].height + ROW_GAP;
    }
    t->bottom = y;
    t->sms_height = SMS_HEIGHT;
    if (g->has_gpu)
        status = timeline_place(t, y + PX(4), err);
    else
        t->axis = ticks_for(t->shown.start_ns, t->shown.end_ns, t->plot, LABEL_FONT);
    t->top = top;
    t->height = t->bottom + PX(42);
    return status;
}

gcast_status gantt_make(gantt *g, const sys_run *run, const sys_report_options *options, gcast_error *err)
{
    gcast_report_options o = options->report;
    *g = (gantt){.run = run};
    gcast_status status = choose_view(g, &o, err);
    if (status == GCAST_OK)
        status = add_gpu(g, &o, err);
    if (status == GCAST_OK && (!choose_colours(g) || !add_cores(g) || !find_rows(g)))
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK) {
        find_shown(g);
        place_plot(g);
        find_dense(g);
        status = place_rows(g, err);
    }
    if (status != GCAST_OK)
        gantt_free(g);
    return status;
}

void gantt_free(gantt *g)
{
    if (g->has_gpu)
        timeline_free(&g->t);
    vec_free(&g->rows);
    free(g->colour);
    free(g->shown);
    free(g->row_of);
}
