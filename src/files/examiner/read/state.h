/* What the files that read configurations of the CUDA scheduling examiner share
 * (github.com/yalue/cuda_scheduling_examiner_mirror).
 *
 * Each benchmark is a host thread. What it does in one iteration becomes a list of ops, which unroll.c repeats. */
#ifndef FILES_EXAMINER_READ_STATE_H
#define FILES_EXAMINER_READ_STATE_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"
#include "files/json/object.h"
#include "files/unique_names.h"
#include "gridcast/read.h"

typedef struct exam_plugin exam_plugin;

/* The files that benchmarks write their logs to. */
typedef struct exam_host_logs {
    arena memory;            /* holds the names */
    VEC(const char *) names; /* by host thread of the workload, as in the configuration */
} exam_host_logs;

typedef struct examiner {
    document doc;                                /* the file, and the first error */
    gcast_workload *w;                           /* what is read so far */
    const exam_plugin *plugins;                  /* those that benchmarks may name; the last has a NULL name */
    int priority_levels;                         /* of the GPU */
    int sms_per_tpc;                             /* of the GPU */
    int64_t max_iterations;                      /* of each benchmark, set by the caller; 0: as the file says */
    unique_names labels;                         /* of ops */
    unique_names hosts;                          /* of host threads */
    int next_stream, next_process, next_barrier; /* numbers that are not used yet */
    hash_index notes;                            /* of w, by their text */
    exam_host_logs *host_logs;                   /* of the host threads of w; NULL: not asked for */
} examiner;

/* A configuration: that of the file, or that of a nested task_host. */
typedef struct exam_config {
    examiner *x;               /* the file */
    bool use_processes;        /* each benchmark is a process */
    bool sync_every_iteration; /* iterations of all benchmarks begin with a barrier */
    int64_t max_iterations;    /* of benchmarks that set none; 0: no limit */
    int64_t max_ns;            /* as long as benchmarks begin iterations; 0: no limit */
    int64_t start_ns;          /* when it starts */
    int process;               /* that it runs in */
    int barrier;               /* number of its first barrier */
    int depth;                 /* of nested task_hosts */
} exam_config;

typedef struct exam_bench {
    examiner *x;                /* the file */
    const exam_config *config;  /* that it is in */
    const node *at;             /* its object */
    node info;                  /* its additional_info */
    const char *label;          /* its own, or of its plugin and place */
    const char *plugin;         /* the name of the .so, without path and ending */
    const char *log_name;       /* of its log; NULL: not given, so that it follows from the plugin and the place */
    size_t place;               /* among the benchmarks of its configuration */
    uint32_t block[3], grid[3]; /* 0 where the file says 0 */
    int64_t data_size;          /* as in the file */
    int64_t release_ns;         /* when its first iteration begins */
    int64_t max_iterations;     /* 0: no limit */
    int64_t max_ns;             /* as long as it begins iterations; 0: no limit */
    gcast_stream traits;        /* of its own stream; the id is set on first use */
    int stream;                 /* index of its own stream; -1: not used yet */
    int process;                /* that it runs in */
    int mask;                   /* of its stream */
    VEC(gcast_op) ops;          /* one iteration */
    arena memory;               /* holds their labels */
    int end_stream;             /* that an iteration waits for at its end; -1: none */
} exam_bench;

struct exam_plugin {
    const char *name;            /* of the .so, without the ending; NULL ends a list */
    bool threads, blocks;        /* needs thread_count, block_count; else 0 is fine */
    void (*read)(exam_bench *b); /* adds the ops of an iteration */
};

#endif
