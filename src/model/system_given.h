/* What a user adds to a model (gridcast.amalthea/1, and options of the command): shapes of kernels, costs of memory,
 * places of tasks, chains. */
#ifndef MODEL_SYSTEM_GIVEN_H
#define MODEL_SYSTEM_GIVEN_H

#include "model/system.h"

/* Are the ticks of a kernel the time of the kernel, or of each block? */
typedef enum { SYS_TICKS_OF_KERNEL, SYS_TICKS_OF_BLOCK } sys_ticks;

typedef struct sys_given_kernel {
    const char *runnable;
    bool fills; /* as many blocks as the GPU holds at once, of 256 threads */
    uint32_t grid[3], block[3];
    int registers;        /* of a thread; -1: not said */
    int64_t shared_bytes; /* of a block */
    sys_ticks ticks;
    bool has_priority;
    int priority; /* of its stream, as in CUDA */
} sys_given_kernel;

/* Accesses to memory by one kind of processing unit: time for a line, alone and with contention. */
typedef struct sys_given_access {
    const char *kind; /* name of the definition of processing units */
    sys_range read, write;
} sys_given_access;

typedef struct sys_given_task {
    const char *name;
    const char *core; /* name of a processing unit, or NULL */
    bool has_priority;
    int64_t priority;
    bool has_busy, busy;
    int64_t deadline_ns; /* -1: not said */
    sys_range extra;     /* added to its first step on a core, such as the cost of offloading; 0 */
} sys_given_task;

typedef struct sys_given_chain {
    const char *name;
    const char *const *tasks;
    size_t task_count;
    int64_t reaction_ns, age_ns; /* 0: none */
} sys_given_chain;

typedef struct sys_given {
    const char *file; /* for errors, or "" */
    bool fill;        /* kernels without a shape fill the GPU (--kernels fill) */
    const sys_given_kernel *kernels;
    size_t kernel_count;
    int64_t line_bytes;  /* 0: 64, or what the model's caches say */
    bool lines_plus_one; /* floor(size / line) + 1 lines, as published results have it; else ceil */
    const sys_given_access *accesses;
    size_t access_count;
    const sys_given_task *tasks;
    size_t task_count;
    const sys_given_chain *chains;
    size_t chain_count;
    bool has_sharing;
    sys_sharing sharing;
    int64_t switch_ns;   /* -1: not said */
    int64_t tick_ps;     /* time of a tick where the model has no frequency; 0: not said (--tick) */
    bool rate_monotonic; /* priorities by period, whatever the model says */
    bool searched;       /* a search may put tasks elsewhere: assumptions must hold there, too */
    arena memory;
} sys_given;

/* An empty one; NULL without memory. It is the first thing in its arena. */
sys_given *given_create(void);
void given_free(sys_given *g);

#endif
