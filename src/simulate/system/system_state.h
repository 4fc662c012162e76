/* The state of an execution of a system. Times are nanoseconds. A task has one current job, the first that has not
 * ended; later jobs that were released wait for it. */
#ifndef SIMULATE_SYSTEM_SYSTEM_STATE_H
#define SIMULATE_SYSTEM_SYSTEM_STATE_H

#include "base/heap.h"
#include "base/vec.h"
#include "simulate/system/system_simulate.h"

/* Tasks that wait for one core, as a binary heap: interrupts first, then by priority; of equal ones the task whose job
 * was released first, then the lower index. */
typedef struct ready_item {
    int64_t priority;   /* a higher number first */
    int64_t release_ns; /* of its job */
    uint32_t task;
    bool isr; /* ISRs precede tasks */
} ready_item;

typedef struct ready_queue {
    VEC(ready_item) items;
} ready_queue;

/* Is the priority of a higher than that of b? */
static inline bool ready_is_higher(const ready_item *a, const ready_item *b)
{
    return a->isr != b->isr ? a->isr : a->priority > b->priority;
}

/* False without memory. */
bool ready_add(ready_queue *q, ready_item item);
/* The first item, or NULL. */
const ready_item *ready_first(const ready_queue *q);
/* Takes the first item out; there is one. */
ready_item ready_take(ready_queue *q);

/* The latest time, so that the sum of two never overflows. */
#define SYSTEM_MAX_NS (INT64_MAX / 4)

typedef enum {
    PHASE_NONE,      /* it has no current job, or is on the GPU */
    PHASE_READY,     /* it waits for its core */
    PHASE_RUNNING,   /* it has its core, and runs code */
    PHASE_SPINNING,  /* it has its core, and waits for another task */
    PHASE_SUSPENDED, /* it waits for another task without its core */
} task_phase;

typedef struct task_state {
    uint32_t first_job; /* its first job in jobs[] */
    uint32_t job_limit; /* how many jobs it has before the horizon, at most */
    uint32_t released;  /* how many jobs were released */
    uint32_t ended;     /* how many jobs have ended: the number of the current job */
    uint32_t step;      /* of the current job */
    task_phase phase;   /* of the current job */
    int64_t left_ns;    /* what is left of its RUN step; -1: not drawn yet */
    int64_t nominal_ns; /* of a root: the release of its next job, without jitter */
    int64_t offset_ns;  /* of a root: the release of its first job, without jitter */
    uint32_t gpu_task;  /* on the GPU: its index among the tasks there */
    uint32_t moved;     /* at the end: by how much its jobs have moved to the front of jobs[] */
} task_state;

typedef struct core_state {
    int running;       /* the task that has the core; SYS_NONE */
    int64_t since_ns;  /* when that task got the core, or began its current step */
    int64_t end_ns;    /* when the current RUN step ends; INT64_MAX: there is none */
    int64_t open_ns;   /* when the task was last between two steps, where a cooperative one can be preempted */
    bool is_dirty;     /* the core has to decide again now what it runs */
    ready_queue ready; /* tasks that wait for the core */
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
    heap events;              /* SYSTEM_EVENT_*; a step that was preempted leaves an event that is ignored */
    VEC(uint32_t) step_ends;  /* cores whose steps end now */
    VEC(uint32_t) releases;   /* roots that are released now */
    VEC(uint32_t) resumed;    /* spinning tasks whose wait is over */
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

/* The current job of a task. */
static inline sys_job *system_job(system_sim *x, int task)
{
    return &x->jobs[x->tasks[task].first_job + x->tasks[task].ended];
}

#define SYSTEM_MAX_JOBS 10000000

/* Makes the tables of an execution: jobs up to the horizon, in `memory`, and the first releases. An error where the
 * horizon is too far, or there is none. */
gcast_status system_setup(system_sim *x, arena *memory);
void system_setup_free(system_sim *x);

#endif
