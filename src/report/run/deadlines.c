#include "report/run/deadlines.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "model/run_op.h"
#include "report/run/hung_run.h"

static int by_task_and_job(const void *a, const void *b)
{
    const deadline *x = a, *y = b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

bool deadlines_find(const gcast_run *run, deadline_list *out)
{
    const gcast_workload *w = run->workload;
    size_t kept = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        const gcast_op *op = run_op(run, i);
        if (op->task < 0 || !w->tasks[op->task].deadline_ns)
            continue;
        int64_t release = o->release_ns - op->release_ns;
        const gcast_task *task = &w->tasks[op->task];
        deadline d = {.task = op->task,
                      .name = task->name,
                      .stream = task->stream,
                      .job = o->job,
                      .release = release,
                      .deadline_ns = release + task->deadline_ns,
                      .end = o->skipped || never_ends(run, i) ? -1 : o->end_ns,
                      .hangs = run->hang != NULL};
        if (!vec_push(out, d))
            return false;
    }
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, by_task_and_job);
    for (size_t i = 0; i < out->count; kept++) {
        deadline d = out->at[i];
        for (; i < out->count && by_task_and_job(&out->at[i], &d) == 0; i++) {
            const deadline *other_op = &out->at[i];
            d.end = d.end < 0 || other_op->end < 0 ? -1 : max_i64(d.end, other_op->end);
        }
        out->at[kept] = d;
    }
    out->count = kept;
    return true;
}

bool deadlines_add(const gcast_run *run, const gcast_report_job *jobs, size_t count, deadline_list *out)
{
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = vec_push(out, ((deadline){.task = (int)run->workload->task_count + jobs[i].row,
                                       .name = jobs[i].task,
                                       .stream = jobs[i].stream,
                                       .job = jobs[i].job,
                                       .release = jobs[i].release_ns,
                                       .deadline_ns = jobs[i].deadline_ns,
                                       .end = jobs[i].end_ns}));
    if (ok && count)
        qsort(out->at, out->count, sizeof *out->at, by_task_and_job);
    return ok;
}

void deadline_name(const deadline *d, char *out, size_t size)
{
    snprintf(out, size, "%.100s#%u", d->name, d->job);
}
