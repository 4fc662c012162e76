#include "report/formats/run_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/units.h"
#include "gridcast/names.h"
#include "model/run_op.h"
#include "model/workload/workload.h"
#include "report/grid.h"
#include "report/run/hung_run.h"

int64_t stats_makespan(const gcast_run *run, int64_t *first_start)
{
    int64_t first = INT64_MAX, last = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        if (!run_op_ran(run, i))
            continue;
        first = min_i64(first, run->ops[i].start_ns);
        last = max_i64(last, run->ops[i].end_ns);
    }
    if (first_start)
        *first_start = last > first ? first : -1;
    return last > first ? last - first : 0;
}

/* Time that all blocks of an operation took together; false where it is not known. */
static bool block_time(const gcast_run *run, size_t i, unsigned __int128 *time)
{
    const gcast_run_op *o = &run->ops[i];
    const gcast_op *op = run_op(run, i);
    *time = 0;
    if (op->kind != GCAST_KIND_KERNEL || !run_op_ran(run, i))
        return true;
    bool known =
        strcmp(run->source, "simulated") == 0 && (op->block_ns || (op->min_ns >= 0 && op->min_ns == op->max_ns));
    if (!o->blocks && !known)
        return false;
    if (!o->blocks && !op->block_ns)
        *time = (unsigned __int128)o->block_count * (uint64_t)op->min_ns;
    else
        for (uint64_t b = 0; b < o->block_count; b++)
            *time += (uint64_t)(o->blocks ? o->blocks[b].end_ns - o->blocks[b].start_ns : op->block_ns[b]);
    return true;
}

/* As thread_occupancy, for runs with launches: their ops do not say how long blocks take, and most blocks belong to
 * children. */
static int warp_occupancy(const gcast_run *run)
{
    double capacity = (double)stats_makespan(run, NULL) * run->gpu->sms * run->gpu->limits.warps_per_sm;
    double held = capacity > 0 ? run->launches->warp_ns / capacity : 0; /* the last hand-over is after the makespan */
    return held > 0 ? (int)((held < 1 ? held : 1) * 1000 + 0.5) : -1;
}

/* Threads * time that blocks held, in thousandths of what all SMs have in the makespan; -1 where no kernel ran or the
 * times of its blocks are not known. In runs with launches, warps * time, with those of children. */
static int thread_occupancy(const gcast_run *run)
{
    if (run->launches)
        return warp_occupancy(run);
    unsigned __int128 held = 0, time, capacity = (unsigned __int128)stats_makespan(run, NULL);
    capacity *= (unsigned)run->gpu->sms * (uint64_t)(unsigned)run->gpu->limits.threads_per_sm;
    if (capacity == 0)
        return -1;
    for (size_t i = 0; i < run->op_count; i++) {
        if (!block_time(run, i, &time))
            return -1;
        held += time * (unsigned)run_op(run, i)->shape.threads;
    }
    return held ? (int)((held * 1000 + capacity / 2) / capacity) : -1;
}

/* The number of SMs that had a block of this operation; -1 where blocks are not recorded. */
static int sms_used(const gcast_run *run, size_t op)
{
    const gcast_run_op *o = &run->ops[op];
    bool sm_used[GCAST_MAX_SMS] = {false};
    int count = 0;
    if (!o->blocks)
        return -1;
    for (uint64_t b = 0; b < o->block_count; b++)
        if (o->blocks[b].start_ns >= 0 && o->blocks[b].sm < GCAST_MAX_SMS && !sm_used[o->blocks[b].sm]) {
            sm_used[o->blocks[b].sm] = true;
            count++;
        }
    return count;
}

typedef struct job_end {
    int task;     /* index in the workload */
    uint32_t job; /* of the task */
    int64_t end;  /* of the last operation; -1: not complete */
} job_end;

static int by_task_and_job(const void *a, const void *b)
{
    const job_end *x = a, *y = b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

static void add_job(stats_task *s, const gcast_task *task, const job_end *j)
{
    s->jobs++;
    if (j->end < 0)
        return;
    int64_t response = j->end - (task->offset_ns + (int64_t)j->job * task->period_ns);
    if (!s->complete || response > s->worst)
        s->worst = response;
    if (!s->complete || response < s->best)
        s->best = response;
    s->complete++;
    s->late_count += task->deadline_ns > 0 && response > task->deadline_ns;
    /* a running mean does not overflow, and is exact enough to print */
    s->mean = s->complete == 1 ? response : s->mean + (response - s->mean) / (int64_t)s->complete;
}

stats_task *stats_tasks(const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    stats_task *stats = calloc(w->task_count + 1, sizeof *stats);
    job_end *jobs = malloc((run->op_count + 1) * sizeof *jobs);
    size_t count = 0;
    for (size_t k = 0; stats && k < w->task_count; k++)
        stats[k] = (stats_task){.worst = -1, .mean = -1, .best = -1};
    for (size_t i = 0; stats && jobs && i < run->op_count; i++)
        if (run_op(run, i)->task >= 0)
            jobs[count++] =
                (job_end){run_op(run, i)->task, run->ops[i].job, run->ops[i].skipped ? -1 : run->ops[i].end_ns};
    if (count)
        qsort(jobs, count, sizeof *jobs, by_task_and_job);
    for (size_t i = 0; i < count;) {
        job_end last = jobs[i];
        for (; i < count && by_task_and_job(&jobs[i], &last) == 0; i++)
            last.end = last.end < 0 || jobs[i].end < 0 ? -1 : max_i64(last.end, jobs[i].end);
        add_job(&stats[last.task], &w->tasks[last.task], &last);
    }
    if (!jobs) {
        free(stats);
        stats = NULL;
    }
    free(jobs);
    return stats;
}

#define MAX_JOB_OPS 40 /* operations of jobs that are shown */
#define DECIMALS 3

static bool is_shown(const gcast_run *run, size_t i, bool all_jobs)
{
    const gcast_op *op = run_op(run, i);
    if (op->task >= 0 && !all_jobs)
        return false;
    return gcast_kind_on_gpu(op->kind) || run->ops[i].skipped;
}

enum { OP, KIND, STREAM, CALL, START, END, RESPONSE, BLOCKS, SMS, CHILDREN, CHILD_BLOCKS };

/* What an operation of the host launched, and what its children launched. */
typedef struct launched {
    uint64_t children; /* how many */
    uint64_t blocks;   /* of these children */
} launched;

/* By operation of the host; free() it. NULL without memory. */
static launched *count_launched(const gcast_run *run)
{
    launched *sums = calloc(run->op_count + 1, sizeof *sums);
    uint32_t *root = malloc((run->child_count + 1) * sizeof *root); /* by child: the operation of the host */
    for (size_t c = 0; sums && root && c < run->child_count; c++) {
        const gcast_child *child = &run->children[c]; /* its parent is before it */
        root[c] = child->parent < run->op_count ? child->parent : root[child->parent - run->op_count];
        sums[root[c]].children += !child->is_rest;
        sums[root[c]].blocks += child->is_rest ? 0 : run->ops[run->op_count + c].block_count;
    }
    if (!root) {
        free(sums);
        sums = NULL;
    }
    free(root);
    return sums;
}

static void op_row(grid *g, const gcast_run *run, size_t i, time_format f)
{
    const gcast_run_op *o = &run->ops[i];
    const gcast_op *op = run_op(run, i);
    grid_add(g, o->skipped ? GRID_DIM : GRID_PLAIN);
    if (op->task >= 0) {
        char name[128];
        snprintf(name, sizeof name, "%.100s#%u", op->label, o->job);
        grid_label(g, OP, name);
    } else {
        grid_label(g, OP, op->label);
    }
    grid_cell(g, KIND,
              op->kind == GCAST_KIND_COPY ? gcast_name(GCAST_NAMES_DIRECTION, op->direction)
                                          : gcast_name(GCAST_NAMES_KIND, op->kind));
    if (op->stream >= 0)
        grid_print(g, STREAM, "%d", run->workload->streams[op->stream].id);
    if (o->skipped) {
        grid_cell(g, START, "skipped");
        return;
    }
    time_format_cell(g, CALL, o->call_ns, o->call_ns >= 0, f);
    time_format_cell(g, START, o->start_ns, o->start_ns >= 0, f);
    time_format_cell(g, END, o->end_ns, o->end_ns >= 0, f);
    time_format_cell(g, RESPONSE, gcast_response_ns(o), gcast_response_ns(o) >= 0, f);
    if (op->kind == GCAST_KIND_KERNEL)
        grid_print(g, BLOCKS, "%llu", (unsigned long long)o->block_count);
    int sms = sms_used(run, i);
    if (sms >= 0)
        grid_print(g, SMS, "%d", sms);
}

void run_table_ops(run_table *t, const gcast_run *run, bool *all_jobs)
{
    time_format f = time_format_for(run->end_ns, DECIMALS);
    size_t job_ops = 0;
    for (size_t i = 0; i < run->op_count; i++)
        job_ops += run_op(run, i)->task >= 0;
    *all_jobs = job_ops <= MAX_JOB_OPS;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        if (!is_shown(run, i, *all_jobs) || o->skipped)
            continue;
        time_format_include(&f, o->call_ns);
        time_format_include(&f, o->start_ns);
        time_format_include(&f, o->end_ns);
    }
    static const char *const times[] = {"call", "start", "end", "response"};
    *t = (run_table){.columns = {[OP] = {"op", false},
                                 [KIND] = {"kind", false},
                                 [STREAM] = {"stream", true},
                                 [BLOCKS] = {"blocks", true},
                                 [SMS] = {"SMs", true},
                                 [CHILDREN] = {"children", true},
                                 [CHILD_BLOCKS] = {"child blocks", true}}};
    for (int k = 0; k < 4; k++)
        t->columns[CALL + k] = (grid_column){time_format_title(t->titles[k], sizeof t->titles[k], times[k], f), true};
    if (!run->blocks_recorded)
        t->columns[SMS].title = NULL;
    if (!run->launches || !run->blocks_recorded)
        t->columns[CHILDREN].title = NULL;
    grid_open(&t->g, t->columns);
    launched *sums = t->columns[CHILDREN].title ? count_launched(run) : NULL;
    t->g.failed = t->columns[CHILDREN].title && !sums;
    for (size_t i = 0; i < run->op_count; i++) {
        if (!is_shown(run, i, *all_jobs))
            continue;
        op_row(&t->g, run, i, f);
        if (sums && run_op(run, i)->launches && !run->ops[i].skipped) {
            grid_print(&t->g, CHILDREN, "%llu", (unsigned long long)sums[i].children);
            grid_print(&t->g, CHILD_BLOCKS, "%llu", (unsigned long long)sums[i].blocks);
        }
    }
    free(sums);
}

enum { TASK, TASK_STREAM, JOBS, DEADLINE, WORST, MEAN, BEST, LATE, INCOMPLETE };

void run_table_tasks(run_table *t, const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    stats_task *stats = stats_tasks(run);
    int64_t longest = 0;
    for (size_t k = 0; stats && k < w->task_count; k++) {
        longest = max_i64(longest, max_i64(stats[k].worst, w->tasks[k].deadline_ns));
    }
    time_format f = time_format_for(longest, DECIMALS);
    for (size_t k = 0; stats && k < w->task_count; k++) {
        time_format_include(&f, w->tasks[k].deadline_ns);
        time_format_include(&f, stats[k].worst);
        time_format_include(&f, stats[k].best);
    }
    static const char *const times[] = {"deadline", "worst", "mean", "best"};
    *t = (run_table){.columns = {[TASK] = {"task", false},
                                 [TASK_STREAM] = {"stream", true},
                                 [JOBS] = {"jobs", true},
                                 [LATE] = {"late", true},
                                 [INCOMPLETE] = {"incomplete", true}}};
    for (int k = 0; k < 4; k++)
        t->columns[DEADLINE + k] =
            (grid_column){time_format_title(t->titles[k], sizeof t->titles[k], times[k], f), true};
    grid_open(&t->g, t->columns);
    t->g.failed = !stats;
    for (size_t k = 0; stats && k < w->task_count; k++) {
        const stats_task *s = &stats[k];
        grid_add(&t->g, s->late_count || s->complete < s->jobs ? GRID_ALARM : GRID_PLAIN);
        grid_label(&t->g, TASK, w->tasks[k].name);
        if (w->tasks[k].stream >= 0)
            grid_print(&t->g, TASK_STREAM, "%d", w->streams[w->tasks[k].stream].id);
        grid_print(&t->g, JOBS, "%zu", s->jobs);
        time_format_cell(&t->g, DEADLINE, w->tasks[k].deadline_ns, w->tasks[k].deadline_ns > 0, f);
        time_format_cell(&t->g, WORST, s->worst, s->complete > 0, f);
        time_format_cell(&t->g, MEAN, s->mean, s->complete > 0, f);
        time_format_cell(&t->g, BEST, s->best, s->complete > 0, f);
        grid_print(&t->g, LATE, "%zu", s->late_count);
        grid_print(&t->g, INCOMPLETE, "%zu", s->jobs - s->complete);
    }
    free(stats);
}

void run_summary(const gcast_run *run, char *out, size_t size)
{
    char makespan[40], first[40];
    int64_t first_start;
    int occupancy = thread_occupancy(run);
    units_format_time(stats_makespan(run, &first_start), makespan, sizeof makespan);
    units_format_time(first_start, first, sizeof first);
    int used = first_start < 0 ? snprintf(out, size, "makespan %s", makespan)
                               : snprintf(out, size, "makespan %s from the first start at %s", makespan, first);
    if (occupancy >= 0)
        snprintf(out + used, size - (size_t)used, ", average %s occupancy %d.%d %%", run->launches ? "warp" : "thread",
                 occupancy / 10, occupancy % 10);
}

static void say_launched(const gcast_launch_stats *s, char *out, size_t size)
{
    int used =
        snprintf(out, size, "%llu %s with %llu block%s did %llu of %llu items", (unsigned long long)s->children,
                 s->children == 1 ? "child" : "children", (unsigned long long)s->child_blocks,
                 s->child_blocks == 1 ? "" : "s", (unsigned long long)s->offloaded, (unsigned long long)s->items);
    snprintf(out + used, size - (size_t)used, "; %llu launcher%s kept %s items, %llu refused",
             (unsigned long long)s->kept, s->kept == 1 ? "" : "s", s->kept == 1 ? "its" : "their",
             (unsigned long long)s->refused);
}

/* With three decimals of its unit. */
static void format_mean(double ns, char *out, size_t size)
{
    int64_t step = ns >= 1e9 ? 1000000 : ns >= 1e6 ? 1000 : 1;
    units_format_time((int64_t)(ns / (double)step + 0.5) * step, out, size);
}

static void say_mean_waits(const gcast_launch_stats *s, char *out, size_t size)
{
    const struct {
        const char *name;
        double sum_ns;
    } waits[] = {{"overhead", s->overhead_ns},
                 {"stream", s->stream_wait_ns},
                 {"pool", s->pool_wait_ns},
                 {"queue", s->queue_wait_ns},
                 {"room", s->room_wait_ns}};
    int used = snprintf(out, size, "mean waits of a child:");
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        char mean[40];
        format_mean(waits[i].sum_ns / (double)s->children, mean, sizeof mean);
        used += snprintf(out + used, size - (size_t)used, "%s %s %s", i ? "," : "", waits[i].name, mean);
    }
}

size_t run_launch_lines(const gcast_run *run, char lines[RUN_LAUNCH_LINES][RUN_LAUNCH_LINE])
{
    const gcast_launch_stats *s = run->launches;
    if (!s || !s->items)
        return 0;
    say_launched(s, lines[0], RUN_LAUNCH_LINE);
    if (!s->children)
        return 1;
    say_mean_waits(s, lines[1], RUN_LAUNCH_LINE);
    snprintf(lines[2], RUN_LAUNCH_LINE,
             "at most %llu %s at a time, %llu in the pool; %.1f %% of the warp time is theirs",
             (unsigned long long)s->max_live, s->max_live == 1 ? "child" : "children", (unsigned long long)s->max_pool,
             s->warp_ns > 0 ? s->child_warp_ns * 100 / s->warp_ns : 0.0);
    return 3;
}

gcast_status table_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    run_table t;
    bool all_jobs, ok = true;
    run_table_ops(&t, run, &all_jobs);
    if (t.g.rows.count || !run->workload->task_count) {
        ok = grid_text(&t.g, options->color, out);
        text_char(out, '\n');
    }
    grid_close(&t.g);
    if (run->workload->task_count) {
        run_table_tasks(&t, run);
        ok = grid_text(&t.g, options->color, out) && ok;
        grid_close(&t.g);
        text_str(out, all_jobs ? "\n" : "\nresponse times of jobs; the operations of each job are in .csv and .json\n");
    }
    char summary[160], launches[RUN_LAUNCH_LINES][RUN_LAUNCH_LINE];
    size_t launch_lines = run_launch_lines(run, launches);
    for (size_t i = 0; i < launch_lines; i++) {
        text_str(out, launches[i]);
        text_char(out, '\n');
    }
    run_summary(run, summary, sizeof summary);
    text_str(out, summary);
    text_char(out, '\n');
    if (run->hang)
        hang_lines(run, out);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}
