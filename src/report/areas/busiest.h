/* The kernels that hold the largest shares of the thread time: what to look at where there are too many to see each. */
#ifndef REPORT_AREAS_BUSIEST_H
#define REPORT_AREAS_BUSIEST_H

#include "report/run/sm_index.h"

#define BUSIEST 10 /* the maximum that is listed */

typedef struct busy_kernel {
    uint32_t op;     /* of the workload: stands for all of its jobs, and all iterations of its label */
    uint32_t ppm;    /* its share of the threads * time of all blocks in the view, in parts per million */
    uint64_t runs;   /* operations of it that are shown */
    uint64_t blocks; /* of these operations */
} busy_kernel;

typedef struct busiest {
    busy_kernel at[BUSIEST]; /* the largest share first */
    int count;               /* of these */
    size_t kernels;          /* with different names that are shown */
} busiest;

/* Of the SMs and the time in view. False without memory. */
bool busiest_find(busiest *b, const sm_index *index);

#endif
