/* Logs of the CUDA scheduling examiner, as they are read: each benchmark of a configuration writes one file.
 *
 * An execution of a configuration is one log per benchmark. What is compared with predictions is a run: all of an
 * execution, or a single iteration of it. */
#ifndef FILES_EXAMINER_LOG_STATE_H
#define FILES_EXAMINER_LOG_STATE_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/corpus.h"

/* A launch of a kernel. Launch times are on the host's clock, those of blocks on the GPU's. */
typedef struct log_kernel {
    const char *name;          /* "" where the log has none */
    size_t entry;              /* where it is in `times` */
    size_t iteration;          /* that it is of */
    uint32_t block_count;      /* blocks of its grid */
    uint32_t thread_count;     /* threads per block */
    int64_t shared_memory;     /* bytes per block */
    int64_t call_ns;           /* before the launch */
    int64_t return_ns;         /* after the launch returned */
    int64_t sync_ns;           /* after the stream was waited for; -1: it was not */
    const gcast_block *blocks; /* by block index */
    int64_t start_ns, end_ns;  /* first start and last end of a block */
} log_kernel;

/* One pass of the benchmark's loop. All times are on the host's clock. */
typedef struct log_iteration {
    int64_t copy_in_ns[2];             /* start and end of the benchmark's copy_in, which may copy or only prepare */
    int64_t execute_ns[2];             /* of its execute */
    int64_t copy_out_ns[2];            /* of its copy_out */
    int64_t cpu_ns[2];                 /* of all three */
    size_t first_kernel, kernel_count; /* its launches, in the log's kernels */
} log_iteration;

typedef struct exam_log {
    arena memory;                  /* holds names and blocks */
    const char *file;              /* its path */
    const char *base_name;         /* of its path: logs of one benchmark have the same */
    const char *scenario;          /* the name of the configuration */
    const char *benchmark;         /* the name that the plugin gives itself */
    const char *label;             /* of the benchmark; "" where it has none */
    int sms;                       /* of the GPU */
    int64_t pid;                   /* of its process */
    bool is_thread;                /* benchmarks are threads of one process */
    size_t execution;              /* that it is of, from 0 */
    VEC(log_kernel) kernels;       /* in the order of the log */
    VEC(log_iteration) iterations; /* in the order of the log */
} exam_log;

typedef struct log_set {
    VEC(exam_log) logs;       /* as they were given */
    VEC(size_t) order;        /* logs by execution, and in each by benchmark: indices in `logs` */
    size_t benchmark_count;   /* logs of an execution */
    size_t execution_count;   /* executions */
    bool iterations_are_runs; /* each iteration is a run by itself */
} log_set;

/* The kernels of a benchmark in a run. */
typedef struct log_slice {
    const exam_log *log;       /* that they are in */
    const log_kernel *kernels; /* in the order of the log */
    size_t kernel_count;       /* of them */
    size_t first_iteration;    /* that they are of */
    size_t iteration_count;    /* that they are of */
} log_slice;

static inline size_t log_run_count(const log_set *set)
{
    size_t iterations = set->iterations_are_runs ? set->logs.at[0].iterations.count : 1;
    return set->execution_count * iterations;
}

/* What a benchmark did in a run; runs are ordered by execution, then by iteration. */
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

#endif
