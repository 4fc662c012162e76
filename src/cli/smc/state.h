/* One `gridcast smc`: what was asked for, and what was read for it. */
#ifndef CLI_SMC_STATE_H
#define CLI_SMC_STATE_H

#include "cli/args.h"

typedef struct smc_request {
    const args *a;      /* the command line */
    const char *file;   /* the PTX file's name, for messages; NULL: none is given */
    char *source;       /* its text */
    size_t source_size; /* size of the text */
    gcast_ptx *ptx;     /* the program as it is in the file */
    const char *kernel; /* of --kernel, as in the program; NULL: all of them */
    gcast_gpu *gpu;     /* of --gpu; NULL: not given */
    gcast_plan *plan;   /* of --plan, or made; NULL: none */
} smc_request;

#endif
