/* What the options of `gridcast smc` describe: the plan, and how kernels are made SM-centric. */
#ifndef CLI_SMC_PLAN_ARGS_H
#define CLI_SMC_PLAN_ARGS_H

#include "cli/args.h"

/* One `gridcast smc`: its options, and what was read for it. */
typedef struct smc_request {
    const args *a;      /* the command line */
    const char *file;   /* the PTX file's name, for messages; NULL: none is given */
    char *source;       /* its text */
    size_t source_size; /* size of the text */
    gcast_ptx *ptx;     /* the program as it is in the file */
    const char *kernel; /* of --kernel, as the program names it; NULL: all kernels */
    gcast_gpu *gpu;     /* of --gpu; NULL: not given */
    gcast_plan *plan;   /* of --plan, or made; NULL: none */
} smc_request;

/* Sets r->plan, and r->gpu if --gpu is given. Without options about a plan both stay NULL. Contradictions are
 * GCAST_USAGE. Errors are printed, here and below. */
gcast_status smc_plan_read(smc_request *r);

/* The mapping of a plan; contradictions are GCAST_USAGE. */
gcast_status smc_mapping_read(const args *a, gcast_plan_options *o);

/* Loads the GPU of --gpu, and gives its number of SMs, or that of --sms. `user` is what needs it, for messages. */
gcast_status smc_sms_read(smc_request *r, const char *user, uint32_t *sms);

/* The first given option about making a plan; NULL: none. */
const char *smc_plan_option(const args *a);

/* --independent and --whole-warps, for this kernel. */
gcast_smc_options smc_options_read(const args *a, const char *kernel);

#endif
