/* Response times of tasks on cores. */
#ifndef ANALYZE_SYSTEM_CORES_CORE_RESPONSE_H
#define ANALYZE_SYSTEM_CORES_CORE_RESPONSE_H

#include "analyze/system/state.h"

/* Cuts tasks on cores into pieces and bursts, and finds least times. */
void cores_prepare(system_work *x);
/* Response times of a task on a core, from what is known of others; marks what depends on what has changed. */
void core_respond(system_work *x, int task);
/* The end of a task or of its steps has changed: what depends on it is to be looked at again. */
void task_changed(system_work *x, int task);
/* For limits, when all is known. The latest start of a step that runs code, from the nominal release of the root and
 * from the task's own release. */
void core_latest_start(system_work *x, int task, uint32_t step, int64_t *latest, int64_t *own);

/* Part of a job, from a time at which the task has its core. */
typedef struct core_span {
    int task;
    uint32_t first, end; /* steps that are not done yet at that time: from first, before end */
    bool starts;         /* the time is the start of the first of them, and not the end of the step before it */
    bool to_start;       /* until step `end` executes; else until the last of them has ended */
    sys_range ready;     /* when that time can be, from the nominal release of the root */
} core_span;

/* The longest that it takes; SYS_UNBOUNDED: not known this way. */
int64_t core_span_most(system_work *x, const core_span *span);

#endif
