/* Runs a launch, on this computer or with --device on its GPU: options, the placement of blocks, and the run. */
#ifndef CLI_EXEC_EXECUTE_H
#define CLI_EXEC_EXECUTE_H

#include "base/text.h"
#include "cli/args.h"
#include "cli/exec/exec_cost.h"
#include "cli/exec/exec_launch.h"
#include "model/exec.h"
#include "model/launch_file.h"

#define MAX_RECORDED_MASKS 1000000 /* of --masks: one per instruction of the warp */

/* One `gridcast exec`: its options and its results. */
typedef struct execution {
    const args *a;                      /* the command line */
    gcast_launch_file *launch_file;     /* of --launch; NULL: the command line has it all */
    const char *file;                   /* the PTX file's name, for messages */
    char *source;                       /* its text */
    size_t source_size;                 /* in bytes */
    gcast_ptx *ptx;                     /* the program */
    exec_launch launch;                 /* the kernel, its grid and its arguments */
    gcast_simt_options options;         /* for running it here */
    gcast_gpu_exec_options gpu_options; /* for --device */
    gcast_gpu *gpu;                     /* of --gpu; NULL: not given */
    uint32_t *block_sm, *block_order;   /* the placement, for `options`; NULL: none */
    gcast_simt_report *report;          /* NULL with --device */
    gcast_block_times *times;           /* of --times, else NULL */
    exec_cost cost;                     /* the time by --cost */
    text printed;        /* what the kernel printed, kept for JSON; `failed` is set if some of it was lost */
    bool stdout_is_used; /* --json or -o writes a report to standard output, so nothing else is printed there */
} execution;

/* Sets options, gpu_options, gpu and cost. The program and the launch have been read. Errors are printed, here and
 * below. */
gcast_status exec_options_read(execution *x);
/* --placement, --sms and --gpu: which SM each block runs on, and the order in which blocks start. Sets options.sms and
 * the placement. The other options have been read. */
gcast_status exec_placement_read(execution *x);
void exec_placement_free(execution *x);
/* Runs it. Sets report or times, cost and printed. */
gcast_status execute(execution *x);
/* Prints an error of the library about the program or the launch, with the file and the option that is to blame. */
gcast_status execution_say_error(const execution *x, gcast_error *err);

#endif
