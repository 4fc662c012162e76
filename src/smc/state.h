/* A kernel that is being transformed, and what is known about it. */
#ifndef SMC_STATE_H
#define SMC_STATE_H

#include "gridcast/error.h"
#include "ptx/graph/graph.h"
#include "ptx/graph/reachable.h"

/* How the threads of a worker meet between two jobs. */
typedef enum {
    MEET_PLAINLY, /* no thread ends its job while another still has a barrier before it */
    MEET_AS_PROXY /* a thread that ended takes part in the barriers of the others, as an exited one would not hold them
                     up */
} smc_meeting;

typedef struct smc_kernel {
    const ptx_module *module;   /* the program */
    const ptx_function *fn;     /* the kernel */
    const ptx_reached *reached; /* functions that it can call; the kernel is the first */
    ptx_graph graph;            /* of the kernel */
    bool independent;           /* jobs are said not to wait for each other: loops that look so are accepted */
    bool whole_warps;           /* threads of a warp are said to end together */
    bool records;               /* each job notes when it ran */
    smc_meeting meeting;        /* see above */
    uint32_t sites;             /* of MEET_AS_PROXY: barriers of the kernel that were written so far */
    uint32_t barrier;           /* the number of the barrier between two jobs */
    bool copies_async;          /* it uses cp.async, whose copies must be complete before the next job */
} smc_kernel;

#endif
