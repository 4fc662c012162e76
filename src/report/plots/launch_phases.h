/* How many child kernels may run at a time. */
#ifndef REPORT_PLOTS_LAUNCH_PHASES_H
#define REPORT_PLOTS_LAUNCH_PHASES_H

#include "analyze/spawn/spawn_compare.h"

typedef struct kernel_limit {
    int kernels;      /* at a time; 0: any number */
    const char *name; /* what limits them */
} kernel_limit;

kernel_limit launch_kernel_limit(const gcast_run *run);

#endif
