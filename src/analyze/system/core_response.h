/* Response times of tasks on cores, and of parts of their jobs. */
#ifndef ANALYZE_SYSTEM_CORE_RESPONSE_H
#define ANALYZE_SYSTEM_CORE_RESPONSE_H

#include "analyze/system/system_work.h"

/* Sorts the tasks of each core by priority, cuts them into pieces and bursts, and finds least times of all tasks. */
void cores_prepare(system_work *x);
/* Computes the response times of a task on a core from the current times of others, and marks tasks that depend on
 * times that changed. */
void core_respond(system_work *x, int task);
/* Marks the task that waits for this one, whose end has changed. */
void task_changed(system_work *x, int task);
/* For limits, after the fixed point: the latest start of a step that runs code, from the nominal release of the root
 * and from the task's own release. */
void core_latest_start(system_work *x, int task, uint32_t step, int64_t *latest, int64_t *own);

/* Part of a job that begins while the task has its core. */
typedef struct core_span {
    int task;
    uint32_t first, end; /* its steps: first to end - 1 */
    bool starts;         /* it begins with the start of step `first`, not with the end of the step before */
    bool to_start;       /* it lasts until step `end` executes, else until the last of its steps ends */
    sys_range ready;     /* when it can begin, from the nominal release of the root */
} core_span;

/* The longest time of a span; SYS_UNBOUNDED: this method gives no bound. */
int64_t core_span_most(system_work *x, const core_span *span);

#endif
