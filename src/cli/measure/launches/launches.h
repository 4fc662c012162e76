/* Launch files on the GPU: read, compiled as they are and transformed, and ready to be measured. */
#ifndef CLI_MEASURE_LAUNCHES_LAUNCHES_H
#define CLI_MEASURE_LAUNCHES_LAUNCHES_H

#include "cli/args.h"
#include "cli/exec/arguments/launch.h"
#include "gridcast/launch_file.h"
#include "gridcast/smc_measure.h"

#define LAUNCHES_MAX_ROUNDS 101

typedef struct measured_launch {
    gcast_launch_file *file; /* as read */
    char *source;            /* its PTX */
    size_t source_size;      /* of the text */
    gcast_ptx *ptx;          /* the same, parsed */
    exec_launch launch;      /* the kernel and its arguments */
    gcast_smc_facts facts;   /* what the compiler made of it */
    gcast_plan *plan;        /* of --plan; NULL: none was given */
    const char *plan_path;   /* its file */
} measured_launch;

typedef struct launches {
    const args *a;                       /* the command line */
    gcast_smc_session *session;          /* on the GPU */
    const gcast_gpu *gpu;                /* it */
    measured_launch at[GCAST_CORUN_MAX]; /* the launches, in the order of the command line */
    uint32_t count;                      /* of these */
} launches;

/* Reads a launch file. Errors are printed, here and in the next two; launches_close must follow in any case. */
gcast_status launches_read(launches *l, const char *path);
/* Reads every --launch, with its --plan. */
gcast_status launches_read_all(launches *l);
/* Opens the GPU and sends the launches that were read there. `library` NULL: the driver's usual name. */
gcast_status launches_open(launches *l, const char *library);
void launches_close(launches *l);

/* How a plan deals jobs. */
typedef struct plan_form {
    const char *name;      /* for tables */
    gcast_mapping mapping; /* how workers find jobs */
    bool steal;            /* idle workers help other SMs */
    bool in_turn;          /* jobs are dealt one by one */
} plan_form;

/* A plan for launch i: `sms` NULL: all SMs, else `count` of them. Errors are printed. */
gcast_status launches_plan(const launches *l, uint32_t i, const plan_form *form, uint32_t workers, const uint32_t *sms,
                           uint32_t count, gcast_plan **out);
/* The mean time of launches in a row; `missing` (may be NULL): jobs that did not run each time. Errors are printed. */
gcast_status launches_time_row(const launches *l, uint32_t i, const gcast_plan *plan, uint32_t in_a_row, double *ns,
                               uint32_t *missing);
/* How many launches of it in a row take some milliseconds. Errors are printed. */
gcast_status launches_in_a_row(const launches *l, uint32_t i, const gcast_plan *plan, uint32_t *count);
/* The time of a launch: the median of `rounds` means of some launches in a row, at most LAUNCHES_MAX_ROUNDS. plan NULL:
 * of the original. Errors are printed. */
gcast_status launches_time(const launches *l, uint32_t i, const gcast_plan *plan, int rounds, double *ns);
/* The median of `count` numbers, which are sorted. */
double launches_median(double *number, size_t count);

#endif
