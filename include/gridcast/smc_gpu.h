/* SM-centric kernels on a GPU, inside a program that uses the CUDA driver API: a plan is given to a transformed kernel
 * (gcast_smc_transform), the kernel is launched, and it is proven that every job ran; jobs that did not are run by
 * another launch. Handles are those of cuda.h, in the context that is current. docs/smc.md walks through an example.
 *
 *   gcast_smc_open(module, "saxpy", NULL, &kernel, &err);
 *   gcast_smc_set_plan(kernel, plan, &err);
 *   gcast_smc_launch(kernel, &launch, &err);         returns at once, as cuLaunchKernel
 *   gcast_smc_finish(kernel, &outcome, &err);        waits; every job has run exactly once, or it fails
 *   gcast_smc_close(kernel); */
#ifndef GRIDCAST_SMC_GPU_H
#define GRIDCAST_SMC_GPU_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/plan.h"
#include "gridcast/smc.h"

GCAST_BEGIN_DECLS

struct CUmod_st;
struct CUstream_st;

typedef struct gcast_smc_kernel gcast_smc_kernel;

typedef struct gcast_smc_gpu_options {
    size_t size;         /* of the struct, as the caller was compiled */
    const char *library; /* the driver: a path, or a name the loader finds */
} gcast_smc_gpu_options;

static inline gcast_smc_gpu_options gcast_smc_gpu_options_default(void)
{
    gcast_smc_gpu_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.library = "libcuda.so.1";
    return options;
}

/* What cuLaunchKernel takes, but for the grid: that of the jobs is the plan's, that of the workers fills the GPU. */
typedef struct gcast_smc_launch_arguments {
    uint32_t block[3];
    uint32_t shared_bytes;      /* dynamic */
    struct CUstream_st *stream; /* CUstream */
    void **parameters;          /* as of cuLaunchKernel */
    uint32_t fill;              /* workers launched per SM; 0: as many as an SM holds */
} gcast_smc_launch_arguments;

/* What became of a launch. */
typedef struct gcast_smc_outcome {
    gcast_smc_coverage
        *coverage; /* of the launch itself, before any repair; freed with gcast_smc_coverage_free. NULL on failure */
    uint32_t launched;  /* workers */
    uint32_t short_sms; /* SMs that got fewer workers than the plan wants */
    uint32_t repaired;  /* jobs that the launch left out, and that another launch then ran */
    uint32_t repairs;   /* such launches */
} gcast_smc_outcome;

/* `module` (CUmodule) has the transformed kernel. The module must stay loaded until gcast_smc_close. */
GCAST_API gcast_status gcast_smc_open(struct CUmod_st *module, const char *kernel, const gcast_smc_gpu_options *options,
                                      gcast_smc_kernel **out, gcast_error *err);
/* Sends a plan for the GPU of the current context to the GPU; it is copied. No launch of the kernel may be under way.
 */
GCAST_API gcast_status gcast_smc_set_plan(gcast_smc_kernel *kernel, const gcast_plan *plan, gcast_error *err);
/* The arguments and the values that they point to must stay as they are until gcast_smc_finish, which must follow
 * before the next launch. */
GCAST_API gcast_status gcast_smc_launch(gcast_smc_kernel *kernel, const gcast_smc_launch_arguments *arguments,
                                        gcast_error *err);
/* Waits for the launch, and runs jobs that are missing in another one. GCAST_GPU where a job ran twice, ran on another
 * SM than planned, or is still missing then. `outcome` may be NULL. */
GCAST_API gcast_status gcast_smc_finish(gcast_smc_kernel *kernel, gcast_smc_outcome *outcome, gcast_error *err);
GCAST_API void gcast_smc_close(gcast_smc_kernel *kernel);

GCAST_END_DECLS

#endif
