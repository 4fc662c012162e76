/* The reader of the CUDA scheduling examiner's configurations, shared by its
 * files (github.com/yalue/cuda_scheduling_examiner_mirror).
 *
 * Each benchmark is a host thread. What it does in one iteration becomes a list
 * of ops, which examiner_unroll repeats. */
#ifndef FILES_EXAMINER_EXAMINER_H
#define FILES_EXAMINER_EXAMINER_H

#include "base/arena.h"
#include "base/vec.h"
#include "files/json/object.h"
#include "files/unique_names.h"
#include "gridcast/read.h"

/* More than this many ops is an error rather than a long wait. */
#define EXAMINER_MAX_OPS 100000
#define EXAMINER_MAX_DEPTH 8

/* What a configuration asks for that is not simulated as it stands; said once. */
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

typedef struct examiner {
    document doc;
    gcast_workload *w;
    int priority_levels, sms_per_tpc;
    int64_t iteration_cap; /* 0: none */
    unique_names labels, hosts;
    int next_stream, next_process, next_barrier;
    hash_index notes; /* of w, by their text */
} examiner;

/* A configuration: the file's, or that of a nested task_host. */
typedef struct exam_config {
    examiner *x;
    bool use_processes, sync_every_iteration;
    int64_t max_iterations, max_ns; /* 0: no limit */
    int64_t start_ns;
    int process, barrier, depth;
} exam_config;

typedef struct exam_bench {
    examiner *x;
    const exam_config *config;
    const node *at;             /* the benchmark's object */
    node info;                  /* its additional_info */
    const char *label, *plugin; /* the .so without path and ending */
    uint32_t block[3], grid[3]; /* 0 where the file says 0 */
    int64_t data_size, release_ns, max_iterations, max_ns;
    gcast_stream traits; /* of its own stream; the id is given on first use */
    int stream;          /* index, or -1: not used yet */
    int process;
    int mask;          /* of its stream */
    VEC(gcast_op) ops; /* one iteration */
    arena memory;      /* of their labels */
    int end_stream;    /* what an iteration waits for at its end; -1: nothing */
} exam_bench;

typedef struct exam_plugin {
    const char *name;     /* of the .so, without the ending */
    bool threads, blocks; /* needs thread_count, block_count; else 0 is fine */
    void (*read)(exam_bench *b);
} exam_plugin;

extern const exam_plugin examiner_plugins[]; /* the examiner's own; ends with a NULL name */
/* That of b's file name, and b->plugin; NULL after an error. */
const exam_plugin *examiner_plugin(exam_bench *b);

/* A copy of text in which every "comment" key is a different "x-" key of the
 * same length, since files have several in one object. NULL without memory. */
char *examiner_rename_comments(const char *text, size_t size);

/* Add a note to the workload, unless it has it. */
void examiner_note(examiner *x, const char *note);
void examiner_note_once(examiner *x, examiner_note_id note);
void examiner_config(const exam_config *c, const node *n);
void examiner_benchmark(const exam_config *c, const node *n, size_t index);
void examiner_unroll(exam_bench *b);

/* sm_mask: the mask's index; GCAST_ALL_SMS where the key is missing or 0. */
int examiner_mask(examiner *x, const node *object);
/* shared_memory_size: its bytes, where it is one of the sizes the examiner has. */
int64_t examiner_shared_memory(const node *object, bool required);
/* An integer number of nanoseconds that a block spins. */
int64_t examiner_spin_ns(const node *n);

/* The benchmark's own stream, and the NULL stream. */
int bench_stream(exam_bench *b);
int bench_null_stream(exam_bench *b, const node *n);
/* thread_count and block_count as one dimension; an error at n where they are not. */
uint32_t bench_one_dimension(const node *n, const char *key, const uint32_t d[3]);
/* Append to the iteration: op with a label of "name" or "name suffix". */
void bench_add(exam_bench *b, gcast_op op, const char *name, const char *suffix);
void bench_add_kernel(exam_bench *b, const char *name, const uint32_t grid[3], const uint32_t block[3], int64_t ns,
                      int64_t shared_memory, int stream, int mask);
void bench_add_copy(exam_bench *b, const char *name, const char *suffix, gcast_direction direction, int64_t bytes);
/* Wait for a stream if anything was issued since the last wait. */
void bench_add_sync(exam_bench *b, int stream);

void examiner_read_multikernel(exam_bench *b);
void examiner_read_stream_action(exam_bench *b);

#endif
