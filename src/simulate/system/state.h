/* The state of an execution of a system. Times are nanoseconds. Of a task, one job at a time is under way: the one
 * after those that have ended. Later ones that were released wait for it. */
#ifndef SIMULATE_SYSTEM_STATE_H
#define SIMULATE_SYSTEM_STATE_H

#include "base/heap.h"
#include "simulate/system/ready_queue.h"
#include "simulate/system/system_simulate.h"

/* No time is later, so that the sum of two never overflows. */
#define SYSTEM_MAX_NS (INT64_MAX / 4)

typedef enum {
    PHASE_NONE,      /* it has no job under way, or is on the GPU */
    PHASE_READY,     /* it waits for its core */
    PHASE_RUNNING,   /* it has its core, and runs code */
    PHASE_SPINNING,  /* it has its core, and waits for another task */
    PHASE_SUSPENDED, /* it waits for another task without its core */
} task_phase;

typedef struct task_state {
    uint32_t first_job; /* where its jobs are in jobs[] */
    uint32_t job_limit; /* how many jobs it has before the horizon, at most */
    uint32_t released;  /* how many of them were released */
    uint32_t ended;     /* how many of them have ended; the one under way has this number */
    uint32_t step;      /* of the job under way: the step that it is at */
    task_phase phase;   /* of the job under way */
    int64_t left_ns;    /* of its RUN step: how long it still takes; -1: not drawn yet */
    int64_t nominal_ns; /* of a root: the release of its next job, without jitter */
    int64_t offset_ns;  /* of a root: that of its first job */
    uint32_t gpu_task;  /* on the GPU: which one, in order */
    uint32_t moved;     /* at the end: by how much its jobs have moved to the front of jobs[] */
} task_state;

typedef struct core_state {
    int running;       /* the task that has it; SYS_NONE */
    int64_t since_ns;  /* when it got it, or began the step that it is at */
    int64_t end_ns;    /* when the RUN step under way ends; INT64_MAX: none is */
    int64_t open_ns;   /* when the running task was between two steps: a cooperative one can be preempted then */
    bool is_dirty;     /* what it runs is to be decided again now */
    ready_queue ready; /* tasks that wait for it */
} core_state;

enum { SYSTEM_EVENT_RELEASE, SYSTEM_EVENT_STEP, SYSTEM_EVENT_GPU }; /* id: a task, a core, nothing */

typedef struct system_sim {
    const sys_system *s;
    const sys_place *places;
    const sys_simulate_options *options;
    gcast_error *err;
    gcast_status status; /* the first failure */
    int64_t now;
    int64_t horizon_ns;
    sys_job *jobs; /* by task, then number */
    size_t job_count;
    task_state *tasks;
    core_state *cores;
    size_t dirty_count;       /* cores that are dirty */
    heap events;              /* SYSTEM_EVENT_*; a step that was preempted leaves one that means nothing */
    VEC(uint32_t) step_ends;  /* cores whose steps end now */
    VEC(uint32_t) releases;   /* roots that are released now */
    VEC(uint32_t) resumed;    /* tasks that spun and whose wait is over */
    VEC(sys_slice) slices;    /* where asked for */
    struct gpu_calls *calls;  /* the GPU as the engine simulates it; NULL */
    struct gpu_slices *turns; /* the GPU by slices of time; NULL */
} system_sim;

static inline void system_fail_memory(system_sim *x)
{
    if (x->status == GCAST_OK)
        x->status = gcast_error_set_memory(x->err);
}

static inline void system_push(system_sim *x, int64_t time, uint32_t kind, uint32_t id)
{
    if (!heap_push(&x->events, (heap_item){time, kind, id}))
        system_fail_memory(x);
}

/* The sum of now and a delay; where it is too late, the execution fails. */
static inline int64_t system_after(system_sim *x, int64_t delay_ns)
{
    if (x->now <= SYSTEM_MAX_NS - delay_ns)
        return x->now + delay_ns;
    if (x->status == GCAST_OK)
        x->status = gcast_error_set(x->err, GCAST_INPUT, NULL, "a time of the system does not fit in 2^61 ns");
    return SYSTEM_MAX_NS;
}

/* The job of a task that is under way. */
static inline sys_job *system_job(system_sim *x, int task)
{
    return &x->jobs[x->tasks[task].first_job + x->tasks[task].ended];
}

#endif
