/* What is done with a launch besides running it on the SIMT machine: running it
 * on this machine's GPU, and writing down what came out. */
#ifndef MODEL_EXEC_H
#define MODEL_EXEC_H

#include <stddef.h>
#include <string.h>

#include "gridcast/launch.h"
#include "gridcast/report.h"
#include "gridcast/simt.h"

typedef struct gcast_gpu_exec_options {
    size_t size;         /* of the struct, as the caller was compiled */
    const char *library; /* the driver: a path, or a name the loader finds */
    int64_t limit_ns;    /* what the kernel may take; 0: a minute */
    /* Called while the GPU works; a fraction below 0 is unknown. May be NULL; returning false gives the kernel up. */
    bool (*progress)(void *data, double fraction);
    void *progress_data;
} gcast_gpu_exec_options;

static inline gcast_gpu_exec_options gcast_gpu_exec_options_default(void)
{
    gcast_gpu_exec_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.library = "libcuda.so.1";
    options.limit_ns = INT64_C(60000000000);
    return options;
}

/* Compile the PTX with the driver and run the launch, whose kernel must be named. Buffers are changed in place, unless
 * it fails. What the kernel prints goes to standard output, by the driver. GCAST_GPU where there is no usable GPU, or
 * the driver reports an error; a kernel that passes the limit keeps the GPU until the process ends. */
gcast_status gcast_gpu_exec(const char *ptx, gcast_launch *launch, const gcast_gpu_exec_options *options,
                            gcast_error *err);

/* When a block ran, by the GPU's clocks: from its first warp's first instruction to its last warp's last. */
typedef struct gcast_block_time {
    uint32_t sm;
    uint64_t start_ns, end_ns; /* %globaltimer, from the first block's start on; its steps are coarse */
    uint64_t cycles;           /* of the SM */
} gcast_block_time;

/* The blocks of one run, in cycles. */
typedef struct gcast_block_spread {
    uint64_t min, median, max;
} gcast_block_spread;

typedef struct gcast_block_times {
    uint64_t blocks;
    uint32_t runs;                 /* the first finds caches cold, the others find the buffers in L2 */
    uint32_t shown;                /* the run that `block` is of: the median run of those after the first */
    uint32_t registers;            /* per thread, as compiled with the clocks */
    const gcast_block_time *block; /* by block index */
    const gcast_block_spread *run; /* by run */
} gcast_block_times;

/* As gcast_gpu_exec, but `runs` times from the same buffers, and with every block's time. */
gcast_status gcast_gpu_exec_timed(const gcast_ptx *p, gcast_launch *launch, uint32_t runs,
                                  const gcast_gpu_exec_options *options, gcast_block_times **out, gcast_error *err);
void gcast_block_times_free(gcast_block_times *t);

typedef struct gcast_exec {
    const char *source, *kernel;
    const gcast_launch *launch;
    const gcast_simt_report *report; /* NULL: it ran on a GPU */
    const gcast_simt_options *options;
    const char *printed;                   /* by the kernel; NULL: not kept */
    const gcast_block_times *times;        /* NULL: not asked for */
    const struct gcast_cost_summary *cost; /* NULL: not asked for */
    uint32_t registers; /* per thread, as the user gave them; 0: not given, so the estimate is used */
} gcast_exec;

/* TABLE: totals, and with the options' profile all counts and the lines, worst first; with masks their runs.
 * CSV: the lines. JSON: gridcast.exec/1. SVG, PNG and PDF: the masks over time. */
gcast_status gcast_exec_report(const gcast_exec *e, gcast_format format, gcast_write_fn write, void *data,
                               gcast_error *err);

#endif
