/* SM-centric kernels: a compiled kernel, as PTX, becomes one whose jobs run on the SMs that a plan names. Its
 * parameters stay as they are; plan and counters are variables of the module (docs/smc.md). */
#ifndef GRIDCAST_SMC_H
#define GRIDCAST_SMC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/plan.h"
#include "gridcast/ptx.h"

GCAST_BEGIN_DECLS

typedef struct gcast_smc_options {
    size_t size;        /* of the struct, as the caller was compiled */
    const char *kernel; /* the kernel to transform; NULL: all of the module */
    bool independent;   /* jobs never wait for each other: loops that may do so are accepted */
    bool whole_warps;   /* threads of a warp always end together, so that none is waited for where it synchronizes */
    const gcast_plan *plan; /* is written into the module; NULL: the program writes one before it launches */
    uint32_t max_registers; /* per thread: is written as .maxnreg, so that an SM holds as many workers as blocks before;
                             * 0: what the kernel says, else the compiler decides */
    bool records;           /* each job also notes when it ran, and which worker ran it (gcast_smc_record) */
    bool others_stay;       /* kernels of the module that cannot be transformed stay as they are, if one can be */
} gcast_smc_options;

static inline gcast_smc_options gcast_smc_options_default(void)
{
    gcast_smc_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

/* An entry of K_smc_records, by job. A job lasts from where all threads of the worker have begun it to where the next
 * one is known to them. */
typedef struct gcast_smc_record {
    uint64_t begin_ns, end_ns; /* %globaltimer */
    uint32_t sm;
    uint32_t ticket; /* the worker was the one of this number on its SM, from 0 */
} gcast_smc_record;

/* Can the kernel, or all of the module, be transformed soundly? GCAST_INPUT with the line and the reason where not. The
 * plan is not looked at. */
GCAST_API gcast_status gcast_smc_check(const gcast_ptx *p, const gcast_smc_options *options, gcast_error *err);

#define GCAST_SMC_MAX_JOBS (1 << 24) /* of a plan that is written into a module, as text */

/* `source` as for gcast_ptx_parse; *out is PTX text for the caller to free. GCAST_INPUT with the line and the reason
 * where a kernel cannot be transformed soundly, and where gcast_plan_check refuses the plan.
 *
 * The text alone does not make sure that all jobs run: a launch that brings an SM fewer workers than planned leaves
 * jobs undone, unless any SM may do them (GCAST_MAPPING_PERSISTENT, stealing). Then K_smc_lost, a word of the module
 * that is 0 at first, is more than it was before the launch, and K_smc_marks tells which jobs ran
 * (gcast_smc_coverage_make). A program looks at one of them after each launch; gcast_smc_finish (gridcast/smc_gpu.h)
 * does, and runs what is missing. */
GCAST_API gcast_status gcast_smc_transform(const char *source, size_t size, const char *name,
                                           const gcast_smc_options *options, char **out, size_t *out_size,
                                           gcast_error *err);

#define GCAST_SMC_MAX_LAUNCHES 4095
#define GCAST_SMC_UNKNOWN UINT32_MAX

/* Which jobs ran, by the marks that the workers leave in K_smc_marks. */
typedef struct gcast_smc_coverage {
    uint32_t jobs;
    uint32_t missing, *missing_job;   /* jobs that ran less often than launched, ascending */
    uint32_t repeated, *repeated_job; /* jobs that ran more often than launched, ascending */
    /* Jobs that ran on another SM than planned, ascending. Only where the mapping binds jobs to SMs: not with
     * GCAST_MAPPING_PERSISTENT nor where workers steal. A job that is missing or repeated is not among them. Of several
     * launches the sum of the SMs is compared, so that some may not be seen. */
    uint32_t displaced, *displaced_job;
    uint32_t *planned_sm; /* by job: the SM in whose queue it is; GCAST_SMC_UNKNOWN with GCAST_MAPPING_PERSISTENT */
    uint32_t *sm;         /* by job: the SM it ran on; GCAST_SMC_UNKNOWN: with several launches, and of a job that did
                           * not run exactly once */
    uint32_t sms;         /* those of the plan, and as many more as the marks name */
    uint32_t *jobs_of_sm; /* by SM: jobs of which this is known */
} gcast_smc_coverage;

/* `marks` has a word per job, summed over 1 to GCAST_SMC_MAX_LAUNCHES launches. GCAST_INPUT where gcast_plan_check
 * refuses the plan, or marks are such that no worker leaves. */
GCAST_API gcast_status gcast_smc_coverage_make(const gcast_plan *plan, const uint32_t *marks, uint32_t launches,
                                               gcast_smc_coverage **out, gcast_error *err);
GCAST_API void gcast_smc_coverage_free(gcast_smc_coverage *coverage);

GCAST_END_DECLS

#endif
