#include "report/tables/run_tables.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/text/units.h"
#include "model/run_op.h"
#include "report/run/stats.h"
#include "report/tables/time_format.h"

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
    uint64_t blocks;   /* of them */
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
    grid_cell(g, KIND, op->kind == GCAST_KIND_COPY ? gcast_direction_name(op->direction) : gcast_kind_name(op->kind));
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
    int sms = stats_sms(run, i);
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
    int utilisation = stats_utilisation(run);
    units_format_time(stats_makespan(run, &first_start), makespan, sizeof makespan);
    units_format_time(first_start, first, sizeof first);
    int used = first_start < 0 ? snprintf(out, size, "makespan %s", makespan)
                               : snprintf(out, size, "makespan %s from the first start at %s", makespan, first);
    if (utilisation >= 0)
        snprintf(out + used, size - (size_t)used, ", average %s occupancy %d.%d %%", run->launches ? "warp" : "thread",
                 utilisation / 10, utilisation % 10);
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
