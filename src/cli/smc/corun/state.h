/* One `gridcast smc --corun`: the launches, how their times are found, and what was found. */
#ifndef CLI_SMC_CORUN_STATE_H
#define CLI_SMC_CORUN_STATE_H

#include "cli/smc/state.h"

/* One of the kernels. */
typedef struct corun_kernel {
    gcast_launch_file *launch; /* its launch file */
    const char *file;          /* name of the launch file */
    char *module;              /* the PTX with the kernel made SM-centric, without a plan */
    size_t module_size;        /* size of the text */
    gcast_ptx *ptx;            /* the same, parsed */
    uint32_t number;           /* of the kernel in it */
} corun_kernel;

typedef struct corun_request corun_request;

/* Says how long configurations take. */
typedef struct corun_evaluator {
    const char *name; /* of its times: "predicted" */
    const char *note; /* what is to be known about them: a line under the table */
    bool is_cheap;    /* thousands of configurations can be tried */
    /* Sets alone_ns, time and time_data of c->options; all else is there. Errors are printed. */
    gcast_status (*start)(corun_request *c);
    void (*stop)(corun_request *c); /* after the search, also where start failed; NULL: there is nothing to end */
} corun_evaluator;

struct corun_request {
    smc_request *smc;                     /* the command line and the GPU */
    corun_kernel kernel[GCAST_CORUN_MAX]; /* in the order of the operands */
    const corun_evaluator *evaluator;     /* where times are from */
    void *evaluator_data;                 /* what it keeps from start to stop */
    gcast_corun_launches launches;        /* of the kernels */
    gcast_corun_options options;          /* of the search */
    gcast_corun found;                    /* what it found */
};

#endif
