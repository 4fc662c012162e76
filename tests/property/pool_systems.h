/* Random systems for method explore: tasks of kernels and copies whose durations and releases are ranges, and workloads
 * in which every duration is fixed. The blocks of a system form a pool of slots, unless its kind is mixed. */
#ifndef PROPERTY_POOL_SYSTEMS_H
#define PROPERTY_POOL_SYSTEMS_H

#include <stdio.h>

#include "support/support.h"

enum { SYSTEM_TASKS = 8, SYSTEM_OPS = 3, SYSTEM_BLOCKS = 40, SYSTEM_STREAMS = 4 };

typedef struct system_op {
    bool copy;                 /* else a kernel */
    bool listed;               /* it lists a duration for each block */
    gcast_direction direction; /* of a copy */
    int64_t release, min, max; /* release after that of the job, and the range of the duration */
    int blocks;                /* of a kernel */
    gcast_block_shape shape;   /* of a kernel */
    bool spins;                /* every thread of the kernel spins, so that blocks beside it may starve */
    bool drivers;              /* the driver chooses the size of the kernel's shared memory */
    int stream;                /* its stream */
    unsigned after;            /* set of earlier ops of its task that it is after */
} system_op;

typedef struct system_task {
    int stream;                     /* of those of its ops that are not in others */
    int64_t offset, period, jitter; /* of its releases */
    bool sporadic;                  /* releases are at least a period apart */
    int op_count;                   /* of ops */
    system_op ops[SYSTEM_OPS];      /* in the order of their calls */
} system_task;

typedef struct system_spec {
    int task_count, stream_count;    /* of the lists below */
    int priority[SYSTEM_STREAMS];    /* by stream, as CUDA has it */
    int id[SYSTEM_STREAMS];          /* by stream; 0 is the NULL stream */
    bool blocking[SYSTEM_STREAMS];   /* by stream */
    system_task tasks[SYSTEM_TASKS]; /* in the order of their calls at one time */
    bool any_order;                  /* calls at one time are made in any order */
    int64_t horizon;                 /* 0: none */
    gcast_gpu *gpu;                  /* where it runs */
} system_spec;

typedef struct system_kind {
    bool once;            /* each task has one job */
    bool periodic;        /* periods have a short common multiple, and no horizon is given */
    bool mixed;           /* kernels of many shapes, the NULL stream, few connections and channels */
    bool shapes;          /* shapes, placement and connections are mixed; blocks starve, and carveouts differ */
    bool plain;           /* one stream per task, and no priorities */
    bool few_connections; /* one or two connections, without the NULL stream and a limit of grids */
    int copies;           /* percentage of ops that are copies */
    int listed;           /* percentage of kernels that list their blocks */
    int sporadic;         /* percentage of tasks that are sporadic */
    int after;            /* percentage of ops that are after an earlier one of their task; half are in other streams */
    bool one_way;         /* all copies use one engine */
    uint64_t max_states;  /* of the search */
    int max_tasks, max_ops, max_blocks, max_range, max_jitter, max_noise; /* sizes of random systems */
} system_kind;

system_spec system_random(support_random *r, const system_kind *kind);
void pool_system_free(system_spec *s);
/* By how much a block may exceed its minimum or listed duration, with noise. */
int system_range(const system_spec *s, const system_op *op);

/* By task, op and block (a copy has one): by how much it exceeds its minimum or listed duration. */
typedef int system_extra[SYSTEM_TASKS][SYSTEM_OPS][SYSTEM_BLOCKS];

/* The workload with the tasks in this order (NULL: as they are) and with these durations (NULL: ranges). */
gcast_workload *system_workload(const system_spec *s, const int *order, const system_extra *extra);
void system_print(FILE *out, const system_spec *s);

#endif
