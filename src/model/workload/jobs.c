#include "model/workload/jobs.h"

#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"

#define MAX_OPERATIONS 100000000

typedef struct job {
    int64_t release; /* of the job */
    uint32_t task;   /* index in the workload */
    uint32_t number; /* of the job in its task */
} job;

static int by_release(const void *a, const void *b)
{
    const job *x = a, *y = b;
    if (x->release != y->release)
        return x->release < y->release ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

gcast_status jobs_horizon(const gcast_workload *w, int64_t *horizon, gcast_error *err)
{
    int64_t offset = 0; /* the largest */
    if (!w->task_count) {
        *horizon = 0;
        return GCAST_OK;
    }
    if (*horizon > 0)
        return GCAST_OK;
    for (size_t i = 0; i < w->task_count; i++)
        offset = max_i64(offset, w->tasks[i].offset_ns);
    if (!gcast_workload_hyperperiod(w, horizon) || *horizon > INT64_MAX / 4)
        return hint_add(err, GCAST_HINT_HORIZON,
                        gcast_error_set(err, GCAST_INPUT, "/tasks",
                                        "the least common multiple of the periods is 2^61 ns or more; give a horizon"));
    if (*horizon > INT64_MAX / 4 - offset)
        return hint_add(err, GCAST_HINT_HORIZON,
                        gcast_error_set(err, GCAST_INPUT, "/tasks",
                                        "the hyperperiod after the largest offset ends at 2^61 ns or later; give a "
                                        "horizon"));
    *horizon += offset;
    return GCAST_OK;
}

static uint64_t job_count(const gcast_task *t, int64_t horizon)
{
    return horizon <= t->offset_ns ? 0 : (uint64_t)((horizon - t->offset_ns - 1) / t->period_ns) + 1;
}

static gcast_run_op new_operation(const gcast_workload *w, uint32_t op, uint32_t number, int64_t release)
{
    return (gcast_run_op){.op = op,
                          .job = number,
                          .engine = -1,
                          .connection = -1,
                          .channel = -1,
                          .release_ns = release + w->ops[op].release_ns,
                          .call_ns = -1,
                          .return_ns = -1,
                          .arrive_ns = -1,
                          .head_ns = -1,
                          .enter_ns = -1,
                          .start_ns = -1,
                          .dispatched_ns = -1,
                          .end_ns = -1,
                          .block_count = w->ops[op].kind == GCAST_KIND_KERNEL ? w->ops[op].blocks : 0};
}

gcast_status jobs_expand(const gcast_workload *w, int64_t horizon, gcast_run_op **ops, size_t *count, gcast_error *err)
{
    uint64_t total = w->once_count, jobs = 0;
    for (size_t i = 0; i < w->task_count; i++) {
        uint64_t n = job_count(&w->tasks[i], horizon);
        if (n > MAX_OPERATIONS || total + n * w->tasks[i].op_count > MAX_OPERATIONS)
            return hint_add(err, GCAST_HINT_HORIZON,
                            gcast_error_set(err, GCAST_INPUT, "/tasks",
                                            "more than %d operations before the horizon; give a shorter one",
                                            MAX_OPERATIONS));
        jobs += n;
        total += n * w->tasks[i].op_count;
    }
    gcast_run_op *at = malloc((total ? total : 1) * sizeof *at);
    job *list = malloc((jobs ? jobs : 1) * sizeof *list);
    if (!at || !list) {
        free(at);
        free(list);
        return gcast_error_set_memory(err);
    }
    size_t n = 0, k = 0;
    for (size_t i = 0; i < w->once_count; i++)
        at[n++] = new_operation(w, (uint32_t)i, 0, 0);
    for (size_t i = 0; i < w->task_count; i++)
        for (uint64_t j = 0; j < job_count(&w->tasks[i], horizon); j++)
            list[k++] = (job){w->tasks[i].offset_ns + (int64_t)j * w->tasks[i].period_ns, (uint32_t)i, (uint32_t)j};
    qsort(list, k, sizeof *list, by_release);
    for (size_t j = 0; j < k; j++) {
        const gcast_task *t = &w->tasks[list[j].task];
        for (size_t i = 0; i < t->op_count; i++)
            at[n++] = new_operation(w, (uint32_t)(t->first_op + i), list[j].number, list[j].release);
    }
    free(list);
    *ops = at;
    *count = n;
    return GCAST_OK;
}
