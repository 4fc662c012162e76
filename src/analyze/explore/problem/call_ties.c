/* The order of calls that are made at one time (docs/model.md, "What there is"): ops that run once first, then jobs by
 * release, late or not, and of one release by task. Of two calls of one time, the one that is made longer after its
 * job's release has the earlier release. So this order is the same however late jobs are. */
#include <stdlib.h>

#include "analyze/explore/problem/jobs.h"

/* What decides which of two calls of one time is made first. */
typedef struct tie_key {
    int64_t after_release_ns; /* how long after the release of its job it is made */
    int task;                 /* in the order of the workload; GCAST_ONCE comes first */
    uint32_t task_job;        /* number of the job within its task */
    uint32_t op;              /* in the order of the workload */
    uint32_t job;             /* whose call it is */
} tie_key;

static int by_tie(const void *a, const void *b)
{
    const tie_key *x = a, *y = b;
    bool x_once = x->task == GCAST_ONCE, y_once = y->task == GCAST_ONCE;
    if (x_once != y_once)
        return x_once ? -1 : 1;
    if (!x_once && x->after_release_ns != y->after_release_ns)
        return x->after_release_ns > y->after_release_ns ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->task_job != y->task_job)
        return x->task_job < y->task_job ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

bool explore_order_calls(explore_problem *p)
{
    tie_key *keys = arena_alloc_array(&p->memory, (size_t)p->job_count + 1, sizeof *keys);
    if (!keys)
        return explore_no_memory(p);
    for (uint32_t i = 0; i < p->job_count; i++) {
        const explore_job *j = &p->jobs[i];
        const gcast_op *op = &p->w->ops[j->op];
        keys[i] = (tie_key){op->release_ns, op->task, j->task_job, j->op, i};
    }
    qsort(keys, p->job_count, sizeof *keys, by_tie);
    for (uint32_t i = 0; i < p->job_count; i++)
        p->jobs[keys[i].job].call_index = i;
    return true;
}
