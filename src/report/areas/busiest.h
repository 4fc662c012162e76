/* The kernels that hold most: where there are too many to be seen, what is worth looking at. */
#ifndef REPORT_AREAS_BUSIEST_H
#define REPORT_AREAS_BUSIEST_H

#include "report/run/sm_index.h"

#define BUSIEST 10

typedef struct busy_kernel {
    uint32_t op;      /* of the workload: all of its jobs, and all iterations of its label */
    uint32_t million; /* parts of a million of all that blocks hold in the view: threads * time */
    uint64_t runs;    /* how often it shows */
    uint64_t blocks;  /* of these */
} busy_kernel;

typedef struct busiest {
    busy_kernel at[BUSIEST];
    int count;
    size_t kernels; /* that show, by name */
} busiest;

/* Of the SMs and the time in view. False without memory. */
bool busiest_find(busiest *b, const sm_index *index);

#endif
