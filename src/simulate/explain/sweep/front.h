/* Which kernel is in front of another one: a kernel of a higher level (A2), or one that entered the queue of its level
 * before it (X1). */
#ifndef SIMULATE_EXPLAIN_SWEEP_FRONT_H
#define SIMULATE_EXPLAIN_SWEEP_FRONT_H

#include "simulate/explain/index/kernel_windows.h"

typedef struct front_kernel {
    int level;      /* of its EE queue */
    uint64_t entry; /* its number in the order of entries */
    size_t run_op;  /* its operation of the run */
} front_kernel;

typedef struct explain_front {
    VEC(front_kernel) kernels; /* that are in front at some time, by level, then by entry */
    size_t *next;              /* by level: the first of its kernels that is not fully dispatched */
    size_t *end;               /* by level: the index after its last kernel */
    int level_count;           /* levels from the highest to that of the kernel that is explained */
} explain_front;

/* Of the kernel run_op, among the kernels of a window. False without memory. */
bool explain_front_init(explain_front *f, const gcast_run *run, size_t run_op, const kernel_windows *w,
                        const kernel_numbers *window);
/* The kernel in front at this time, and its level; SIZE_MAX: none. Times never decrease from call to call. */
size_t explain_front_at(explain_front *f, const gcast_run *run, int64_t time, int *level);
void explain_front_free(explain_front *f);

#endif
