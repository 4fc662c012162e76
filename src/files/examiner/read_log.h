/* Reads logs of the CUDA scheduling examiner, which WriteOutputHeader, WriteCPUTimesToOutput and WriteTimesToOutput of
 * its task_host.c write. Each benchmark of a configuration writes one log.
 *
 * An execution of a configuration has one log per benchmark. Predictions are compared with runs: a run is a whole
 * execution, or a single iteration of it. */
#ifndef FILES_EXAMINER_READ_LOG_H
#define FILES_EXAMINER_READ_LOG_H

#include "base/arena.h"
#include "base/vec.h"
#include "files/document.h"
#include "model/scenario.h"

/* A launch of a kernel. Launch times are on the host's clock, times of blocks on the GPU's. */
typedef struct log_kernel {
    const char *name;          /* "" if the log has none */
    size_t entry;              /* index in `times` */
    size_t iteration;          /* index of its iteration */
    uint32_t block_count;      /* blocks of its grid */
    uint32_t thread_count;     /* threads per block */
    int64_t shared_memory;     /* bytes per block */
    int64_t call_ns;           /* before the launch */
    int64_t return_ns;         /* after the launch returned */
    int64_t sync_ns;           /* after a wait for the stream; -1: there was none */
    const gcast_block *blocks; /* by block index */
    int64_t start_ns, end_ns;  /* first start and last end of a block */
} log_kernel;

/* One pass of the benchmark's loop. All times are on the host's clock. */
typedef struct log_iteration {
    int64_t copy_in_ns[2];             /* start and end of the benchmark's copy_in, which may copy or only prepare */
    int64_t execute_ns[2];             /* start and end of its execute */
    int64_t copy_out_ns[2];            /* start and end of its copy_out */
    int64_t cpu_ns[2];                 /* start and end of all three */
    size_t first_kernel, kernel_count; /* its launches in the log's kernels */
} log_iteration;

typedef struct exam_log {
    arena memory;                  /* holds names and blocks */
    const char *file;              /* its path */
    const char *base_name;         /* last part of its path: the same for all logs of a benchmark */
    const char *scenario;          /* name of the configuration */
    const char *benchmark;         /* the plugin's name for itself */
    const char *label;             /* label of the benchmark; "" if it has none */
    int sms;                       /* SMs of the GPU */
    int64_t pid;                   /* its process */
    bool is_thread;                /* benchmarks are threads of one process */
    size_t execution;              /* index of its execution, from 0 */
    VEC(log_kernel) kernels;       /* in the order of the log */
    VEC(log_iteration) iterations; /* in the order of the log */
} exam_log;

typedef struct log_set {
    VEC(exam_log) logs;     /* in the order in which they were given */
    VEC(size_t) order;      /* indices in `logs`, by execution and benchmark */
    size_t benchmark_count; /* logs of an execution */
    size_t execution_count;
    bool iterations_are_runs; /* each iteration is a run by itself */
} log_set;

/* The kernels of a benchmark in a run. */
typedef struct log_slice {
    const exam_log *log;       /* their log */
    const log_kernel *kernels; /* in the order of the log */
    size_t kernel_count;
    size_t first_iteration;
    size_t iteration_count;
} log_slice;

static inline size_t log_run_count(const log_set *set)
{
    size_t iterations = set->iterations_are_runs ? set->logs.at[0].iterations.count : 1;
    return set->execution_count * iterations;
}

/* The kernels of a benchmark in a run. Runs are ordered by execution, then by iteration. */
static inline log_slice log_run_slice(const log_set *set, size_t run, size_t benchmark)
{
    size_t per_execution = set->iterations_are_runs ? set->logs.at[0].iterations.count : 1;
    const exam_log *log = &set->logs.at[set->order.at[run / per_execution * set->benchmark_count + benchmark]];
    if (!set->iterations_are_runs)
        return (log_slice){.log = log,
                           .kernels = log->kernels.at,
                           .kernel_count = log->kernels.count,
                           .iteration_count = log->iterations.count};
    const log_iteration *iteration = &log->iterations.at[run % per_execution];
    return (log_slice){.log = log,
                       .kernels = log->kernels.at + iteration->first_kernel,
                       .kernel_count = iteration->kernel_count,
                       .first_iteration = run % per_execution,
                       .iteration_count = 1};
}

/* Reads the log in a document. *log is zeroed before; the caller frees it, also on failure. */
gcast_status log_read(document *d, exam_log *log);
void log_free(exam_log *log);
/* Sets an error at a key of a kernel, or of the log if `kernel` is NULL. If `key` is NULL, it is at the kernel or log
 * itself. */
gcast_status log_fail(const exam_log *log, const log_kernel *kernel, const char *key, gcast_error *err,
                      const char *format, ...) GCAST_PRINTF(5, 6);

#endif
