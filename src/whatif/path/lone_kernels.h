/* Kernels that had the execution engine for themselves, from their entry to their end. */
#ifndef WHATIF_PATH_LONE_KERNELS_H
#define WHATIF_PATH_LONE_KERNELS_H

#include "gridcast/run.h"

typedef struct lone_kernels {
    bool *is_lone; /* by operation of the run */
} lone_kernels;

/* False without memory. */
bool lone_kernels_init(lone_kernels *l, const gcast_run *run);
void lone_kernels_free(lone_kernels *l);
bool lone_kernels_has(const lone_kernels *l, size_t run_op);

#endif
