/* Systems that a pool of slots can hold, or, where they are mixed, cannot: tasks of kernels and copies whose durations
 * and releases are ranges, and workloads of them in which every duration is settled. */
#ifndef PROPERTY_POOL_SYSTEMS_H
#define PROPERTY_POOL_SYSTEMS_H

#include <stdio.h>

#include "support/support.h"

enum { SYSTEM_TASKS = 8, SYSTEM_OPS = 3, SYSTEM_BLOCKS = 40, SYSTEM_STREAMS = 4 };

typedef struct system_op {
    bool copy;
    bool listed; /* its blocks differ, and take what they take */
    gcast_direction direction;
    int64_t release, min, max;
    int blocks;
    gcast_block_shape shape;
} system_op;

typedef struct system_task {
    int stream;
    int64_t offset, period, jitter;
    int op_count;
    system_op ops[SYSTEM_OPS];
} system_task;

typedef struct system_spec {
    int task_count, stream_count;
    int priority[SYSTEM_STREAMS];
    int id[SYSTEM_STREAMS];
    bool blocking[SYSTEM_STREAMS];
    system_task tasks[SYSTEM_TASKS];
    bool any_order;
    int64_t horizon; /* 0: none */
    gcast_gpu *gpu;
} system_spec;

typedef struct system_kind {
    bool once;     /* each task has one job */
    bool periodic; /* periods have a short common multiple, and no horizon is given */
    bool mixed;    /* kernels of many shapes, the NULL stream, few connections and channels */
    bool shapes;   /* mixed, but that only of shapes and where blocks go */
    bool plain;    /* a stream a task, and no priorities */
    int copies;    /* how many of a hundred ops are copies */
    int listed;    /* how many of a hundred kernels list their blocks */
    bool one_way;  /* copies all use one engine */
    uint64_t max_states;
    int max_tasks, max_ops, max_blocks, max_range, max_jitter, max_noise;
} system_kind;

system_spec system_random(support_random *r, const system_kind *kind);
void system_free(system_spec *s);
/* By how much a block may take longer than the least, or than is listed: noise counts. */
int system_range(const system_spec *s, const system_op *op);

/* For each block of each op (a copy has one) how much longer it takes than the least, or than is listed. */
typedef int system_extra[SYSTEM_TASKS][SYSTEM_OPS][SYSTEM_BLOCKS];

/* With the tasks in this order (NULL: as they are), and with these durations (NULL: ranges). */
gcast_workload *system_workload(const system_spec *s, const int *order, const system_extra *extra);
void system_print(FILE *out, const system_spec *s);

#endif
