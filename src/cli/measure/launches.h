/* Launch files on the GPU: read, compiled as they are and made SM-centric, timed, and predicted from how long their
 * jobs took. */
#ifndef CLI_MEASURE_LAUNCHES_H
#define CLI_MEASURE_LAUNCHES_H

#include "cli/args.h"
#include "cli/exec/exec_launch.h"
#include "measure/smc/smc_session.h"
#include "model/launch_file.h"

#define LAUNCHES_MAX_ROUNDS 101

typedef struct measured_launch {
    gcast_launch_file *file; /* as read */
    char *source;            /* its PTX */
    size_t source_size;      /* in bytes */
    gcast_ptx *ptx;          /* the PTX, parsed */
    exec_launch launch;      /* the kernel and its arguments */
    gcast_smc_facts facts;   /* registers and capacity, as compiled */
    gcast_plan *plan;        /* of --plan; NULL: none was given */
    const char *plan_path;   /* its file */
} measured_launch;

typedef struct launches {
    const args *a;                             /* the command line */
    gcast_smc_session *session;                /* the kernels on the GPU */
    const gcast_gpu *gpu;                      /* the GPU */
    measured_launch at[GCAST_SMC_SESSION_MAX]; /* the launches, in the order of the command line */
    uint32_t count;                            /* how many they are */
} launches;

/* How a plan deals jobs. */
typedef struct plan_form {
    const char *name;      /* for tables */
    gcast_mapping mapping; /* how workers find jobs */
    bool steal;            /* idle workers help other SMs */
    bool in_turn;          /* jobs are dealt one by one */
} plan_form;

/* Reads a launch file. Errors are printed, here and below; launches_close must follow in any case. */
gcast_status launches_read(launches *l, const char *path);
/* Reads every --launch, with its --plan. */
gcast_status launches_read_all(launches *l);
/* Opens the GPU, and sends the launches there. `library` NULL: the driver's usual name. */
gcast_status launches_open(launches *l, const char *library);
void launches_close(launches *l);

/* Makes a plan for launch i on `count` SMs; `sms` NULL: on all SMs. */
gcast_status launches_plan(const launches *l, uint32_t i, const plan_form *form, uint32_t workers, const uint32_t *sms,
                           uint32_t count, gcast_plan **out);
/* The same, but its error is not printed. */
gcast_status launches_make_plan(const launches *l, uint32_t i, const plan_form *form, uint32_t workers,
                                const uint32_t *sms, uint32_t count, gcast_plan **out, gcast_error *err);
/* The mean time of `in_a_row` launches; plan NULL: of the original. *missing is how many jobs did not run, if it is not
 * NULL. */
gcast_status launches_time_row(const launches *l, uint32_t i, const gcast_plan *plan, uint32_t in_a_row, double *ns,
                               uint32_t *missing);
/* How many launches in a row take some milliseconds. */
gcast_status launches_in_a_row(const launches *l, uint32_t i, const gcast_plan *plan, uint32_t *count);
/* The time of a launch: the median of `rounds` means of some launches in a row, at most LAUNCHES_MAX_ROUNDS. */
gcast_status launches_time(const launches *l, uint32_t i, const gcast_plan *plan, int rounds, double *ns);
/* Sorts `count` numbers, and returns their median. */
double launches_median(double *number, size_t count);

/* How long the job of a record took: at least 1 ns. */
int64_t record_job_ns(const gcast_smc_record *record);
/* Simulates launch i with the plan, where each job takes as long as in `records`, which has an entry per job. *ns is
 * from the start of the first worker to the end of the last. Records have no gaps between jobs, so their durations
 * include the overhead of a job. */
gcast_status predict_from_records(const launches *l, uint32_t i, const gcast_plan *plan,
                                  const gcast_smc_record *records, double *ns);

#endif
