/* A kernel that is being transformed, with the results of its checks; why it is refused; its barriers. */
#ifndef SMC_TRANSFORMED_KERNEL_H
#define SMC_TRANSFORMED_KERNEL_H

#include "gridcast/error.h"
#include "ptx/graph.h"
#include "ptx/ptx.h"
#include "ptx/reachable.h"

/* How the threads of a worker meet between two jobs. */
typedef enum {
    MEET_PLAINLY, /* no thread ends its job while another one still has a barrier to pass */
    MEET_AS_PROXY /* a thread that ended takes part in the barriers of the others, which must not wait for it */
} smc_meeting;

typedef struct smc_kernel {
    const ptx_module *module;
    const ptx_function *fn;     /* the kernel */
    const ptx_reached *reached; /* functions that it can call; the kernel is the first */
    ptx_graph graph;            /* the kernel's control flow */
    bool independent; /* the user says that jobs do not wait for each other: loops that may wait are accepted */
    bool whole_warps; /* the user says that threads of a warp end together */
    bool records;     /* each job notes when it ran */
    smc_meeting meeting;
    uint32_t sites;    /* with MEET_AS_PROXY: number of the kernel's barriers that were printed so far */
    uint32_t barrier;  /* number of the barrier between two jobs */
    bool copies_async; /* it uses cp.async, whose copies must be complete before the next job */
} smc_kernel;

/* Sets the error that the kernel cannot be transformed, with the place in the text. Returns GCAST_INPUT. */
gcast_status smc_refuse(const smc_kernel *k, ptx_place at, gcast_error *err, const char *format, ...)
    GCAST_PRINTF(4, 5);

/* A barrier instruction of a block: bar or barrier. */
typedef struct smc_barrier {
    bool has_number; /* its number is a constant, not in a register */
    uint32_t number;
    bool is_counted; /* for a given number of threads; else for all that have not exited */
    bool has_result; /* bar.red */
} smc_barrier;

/* False: the instruction is no barrier of the block. */
bool smc_barrier_of(const ptx_instruction *in, smc_barrier *out);

#endif
