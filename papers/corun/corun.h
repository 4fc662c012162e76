/* Co-runs: several SM-centric kernels at the same time, each on SMs of its own. How many SMs, and how many workers on
 * each of them, is searched, by prediction or by measurement: whoever calls says how long a configuration takes. */
#ifndef PAPERS_CORUN_CORUN_H
#define PAPERS_CORUN_CORUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/error.h"
#include "model/launch_file.h"

#define GCAST_CORUN_MAX 8

/* By kernel: how many SMs it has, and how many workers on each of them. */
typedef struct gcast_corun_config {
    uint32_t sms[GCAST_CORUN_MAX];
    uint32_t workers[GCAST_CORUN_MAX];
} gcast_corun_config;

/* Eyerman and Eeckhout, System-level performance metrics for multiprogram workloads, IEEE Micro 2008. */
typedef struct gcast_corun_score {
    double stp;  /* system throughput: sum of alone / together; the number of kernels at best. More is better */
    double antt; /* average normalized turnaround time: mean of together / alone; 1 at best. Less is better */
} gcast_corun_score;

/* alone and together: by kernel, the time of a launch, each above 0. */
gcast_corun_score gcast_corun_score_make(uint32_t kernels, const double *alone, const double *together);

typedef enum { GCAST_CORUN_STP, GCAST_CORUN_ANTT } gcast_corun_goal;

typedef struct gcast_corun_options {
    size_t size;                           /* of the struct, as the caller was compiled */
    uint32_t kernels;                      /* 2 to GCAST_CORUN_MAX */
    uint32_t sms;                          /* of the GPU; each kernel has at least `step` of them */
    uint32_t step;                         /* SMs are dealt in steps of so many; at least 1 */
    uint32_t max_workers[GCAST_CORUN_MAX]; /* by kernel: how many workers an SM holds */
    double alone_ns[GCAST_CORUN_MAX];      /* by kernel: the time of its original launch, alone on all SMs */
    gcast_corun_goal goal;
    bool exhaustive;   /* try every split in steps, instead of sampling and interpolating; for 2 kernels */
    bool every_worker; /* with exhaustive: and on each split every number of workers, kernel after kernel */
    /* Writes by kernel the time of a launch while the others run, too. */
    gcast_status (*time)(void *data, const gcast_corun_config *config, double *together_ns, gcast_error *err);
    void *time_data;
} gcast_corun_options;

static inline gcast_corun_options gcast_corun_options_default(void)
{
    gcast_corun_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.step = 1;
    return options;
}

typedef struct gcast_corun {
    gcast_corun_config config;           /* the best that was found */
    gcast_corun_score score;             /* of it, as `time` said */
    double together_ns[GCAST_CORUN_MAX]; /* of it */
    uint32_t tried;                      /* calls of `time` */
} gcast_corun;

/* Workers: from max_workers down while that is no slower, on an even split; then the split; then both again while
 * other workers are better on the split that was found. All SMs are dealt; those beyond the last whole step go to the
 * last kernel. Two kernels: some splits are tried, the times between them interpolated, and the best of these tried,
 * too. More: a hill climb that moves SMs from kernel to kernel. What `time` returns besides GCAST_OK ends the search.
 */
gcast_status gcast_corun_search(const gcast_corun_options *options, gcast_corun *out, gcast_error *err);

/* kernel_of gets by SM the kernel that has it; `kernels`: nobody. Pairs of SMs (those of a TPC) are dealt in turn, so
 * that each kernel has its part of every region of the GPU, and of the bandwidth there. */
void gcast_corun_deal_sms(const gcast_corun_config *config, uint32_t kernels, uint32_t sms, uint32_t *kernel_of);

/* How long a launch takes alone, with `workers` on each of `sms` SMs, by what its file knows: interpolated between
 * `times`; without them, the worker with most jobs takes as long as these take by `job_ns`. GCAST_INPUT: the file has
 * neither. */
gcast_status gcast_corun_time_alone(const gcast_launch_file *launch, uint32_t workers, uint32_t sms, double *ns,
                                    gcast_error *err);

/* The launches of a co-run, by kernel. */
typedef struct gcast_corun_launches {
    uint32_t kernels;
    const gcast_launch_file *launch[GCAST_CORUN_MAX];
} gcast_corun_launches;

/* For `time` of gcast_corun_options; `launches`: a gcast_corun_launches. Each kernel takes as long as alone on its SMs:
 * that others use memory and L2 at the same time is not in it. */
gcast_status gcast_corun_predict(void *launches, const gcast_corun_config *config, double *together_ns,
                                 gcast_error *err);

#endif
