#include "report/run/stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "model/run_op.h"

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

/* Where kernels launch kernels, blocks take times that their ops do not tell, and most are children's. */
static int warp_occupancy(const gcast_run *run)
{
    double capacity = (double)stats_makespan(run, NULL) * run->gpu->sms * run->gpu->limits.warps_per_sm;
    double held = capacity > 0 ? run->launches->warp_ns / capacity : 0; /* the last hand-over is after the makespan */
    return held > 0 ? (int)((held < 1 ? held : 1) * 1000 + 0.5) : -1;
}

int stats_utilisation(const gcast_run *run)
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

int stats_sms(const gcast_run *run, size_t op)
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

static int order(const void *a, const void *b)
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
        qsort(jobs, count, sizeof *jobs, order);
    for (size_t i = 0; i < count;) {
        job_end last = jobs[i];
        for (; i < count && order(&jobs[i], &last) == 0; i++)
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
