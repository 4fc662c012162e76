/* One `gridcast exec`: what was asked for, and what came of it. */
#ifndef CLI_EXEC_STATE_H
#define CLI_EXEC_STATE_H

#include "base/text/text.h"
#include "cli/args.h"
#include "cli/exec/arguments/launch.h"
#include "cli/exec/cost.h"

#define MAX_RECORDED_MASKS 1000000 /* of --masks: one per instruction of the warp */

typedef struct execution {
    const args *a;                      /* the command line */
    gcast_launch_file *launch_file;     /* of --launch; NULL: the command line has it all */
    const char *file;                   /* the PTX file's name, for messages */
    char *source;                       /* its text */
    size_t source_size;                 /* size of the text */
    gcast_ptx *ptx;                     /* the program */
    exec_launch launch;                 /* the kernel, its grid and its arguments */
    gcast_simt_options options;         /* for running it here */
    gcast_gpu_exec_options gpu_options; /* for --device */
    gcast_gpu *gpu;                     /* of --gpu; NULL: not given */
    uint32_t *block_sm, *block_order;   /* the placement, as in options; NULL: none */
    gcast_simt_report *report;          /* NULL with --device */
    gcast_block_times *times;           /* of --times, else NULL */
    exec_cost cost;                     /* the estimate of its time */
    text printed;        /* what the kernel printed, kept for JSON; has failed where some of it was lost */
    bool stdout_is_used; /* a report goes to standard output, by --json or -o, so nothing else is printed there */
} execution;

#endif
