/* Shared by the files that read configurations of the CUDA scheduling examiner
 * (github.com/yalue/cuda_scheduling_examiner_mirror).
 *
 * Each benchmark is a host thread. Its plugin turns one iteration into a list of ops, which read_config.c repeats. */
#ifndef FILES_EXAMINER_BENCHMARK_H
#define FILES_EXAMINER_BENCHMARK_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"
#include "files/document.h"
#include "files/unique_names.h"
#include "gridcast/read.h"

typedef struct exam_plugin exam_plugin;

/* The names of the logs that benchmarks write. */
typedef struct exam_host_logs {
    arena memory;            /* holds the names */
    VEC(const char *) names; /* by host thread of the workload, as in the configuration */
} exam_host_logs;

typedef struct examiner {
    document doc;                                /* the file, and the first error */
    gcast_workload *w;                           /* the workload so far */
    const exam_plugin *plugins;                  /* known plugins; the last has a NULL name */
    int priority_levels;                         /* of the GPU */
    int sms_per_tpc;                             /* of the GPU */
    int64_t max_iterations;                      /* the caller's limit for each benchmark; 0: as the file says */
    unique_names labels;                         /* labels of ops */
    unique_names hosts;                          /* names of host threads */
    int next_stream, next_process, next_barrier; /* next unused numbers */
    hash_index notes;                            /* finds notes of w by text */
    exam_host_logs *host_logs;                   /* logs of the host threads of w; NULL: not needed */
} examiner;

/* A configuration: of the file, or of a nested task_host. */
typedef struct exam_config {
    examiner *x;
    bool use_processes;        /* each benchmark is a process */
    bool sync_every_iteration; /* iterations of all benchmarks begin with a barrier */
    int64_t max_iterations;    /* default of the benchmarks; 0: no limit */
    int64_t max_ns;            /* benchmarks begin no iteration after this time; 0: no limit */
    int64_t start_ns;          /* when it starts */
    int process;               /* process in which it runs */
    int barrier;               /* number of its first barrier */
    int depth;                 /* nesting of task_hosts */
} exam_config;

typedef struct exam_bench {
    examiner *x;
    const exam_config *config;
    const node *at;             /* its object */
    node info;                  /* its additional_info */
    const char *label;          /* its own, or made from its plugin and place */
    const char *plugin;         /* the name of the .so, without path and ending */
    const char *log_name;       /* name of its log; NULL: not given, made from plugin and place */
    size_t place;               /* index among the benchmarks of its configuration */
    uint32_t block[3], grid[3]; /* 0 if the file says 0 */
    int64_t data_size;          /* as in the file */
    int64_t release_ns;         /* when its first iteration begins */
    int64_t max_iterations;     /* 0: no limit */
    int64_t max_ns;             /* it begins no iteration after this time; 0: no limit */
    gcast_stream traits;        /* its own stream; the id is set on first use */
    int stream;                 /* index of its own stream; -1: not used yet */
    int process;                /* process in which it runs */
    int mask;                   /* mask of its stream */
    VEC(gcast_op) ops;          /* one iteration */
    arena memory;               /* holds the labels of ops */
    int end_stream;             /* stream for which an iteration waits at its end; -1: none */
} exam_bench;

struct exam_plugin {
    const char *name;            /* the name of the .so, without the ending; NULL ends a list */
    bool threads, blocks;        /* it needs thread_count, block_count; else they may be 0 */
    void (*read)(exam_bench *b); /* adds the ops of an iteration */
};

/* Notes on parts of a configuration that are not simulated as they stand; each is added once. */
#define EXAMINER_NOTE_TABLE(X)                                                                                         \
    X(WARMUP, "do_warmup: the four unrecorded iterations are left out")                                                \
    X(CPU, "CPU walks do not use the GPU and are left out")                                                            \
    X(MPS, "mps_thread_percentage is left out")                                                                        \
    X(MASK, "sm_mask of a multikernel, stream_action or default-stream benchmark has no effect, as in the examiner")   \
    X(RACE, "timer_spin_default_stream with a stream_priority does not wait for its kernel, as in the examiner")       \
    X(MATRIX, "matrix_multiply with one-dimensional blocks has blocks of 32 x 1 threads, as in the examiner")

typedef enum {
#define X(id, text) EXAMINER_NOTE_##id,
    EXAMINER_NOTE_TABLE(X)
#undef X
        EXAMINER_NOTES
} examiner_note_id;

/* Adds a note to the workload, unless it has this note already. */
void examiner_note(examiner *x, const char *note);
void examiner_note_once(examiner *x, examiner_note_id note);

/* Reads sm_mask: the index of the mask; GCAST_ALL_SMS if the key is missing or 0. */
int examiner_mask(examiner *x, const node *object);
/* Reads shared_memory_size, in bytes; it must be one of the examiner's sizes. */
int64_t examiner_shared_memory(const node *object, bool required);
/* Reads the time that a block spins: a whole number of nanoseconds. */
int64_t examiner_spin_ns(const node *n);
/* The size of `d`, the value of thread_count or block_count; an error at `n` if it has more than one dimension. */
uint32_t examiner_one_dimension(const node *n, const char *key, const uint32_t d[3]);

/* The index of the benchmark's own stream, which is made on first use. */
int bench_stream(exam_bench *b);
/* The index of the NULL stream. */
int bench_null_stream(exam_bench *b, const node *n);
/* Appends an op to the iteration. Its label is `name` followed by `suffix`. */
void bench_add(exam_bench *b, gcast_op op, const char *name, const char *suffix);
void bench_add_kernel(exam_bench *b, const char *name, const uint32_t grid[3], const uint32_t block[3], int64_t ns,
                      int64_t shared_memory, int stream, int mask);
void bench_add_copy(exam_bench *b, const char *name, const char *suffix, gcast_direction direction, int64_t bytes);
/* Appends a wait for a stream, unless nothing was called since the last wait. */
void bench_add_sync(exam_bench *b, int stream);

#endif
