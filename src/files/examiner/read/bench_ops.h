/* The streams of a benchmark, and the ops of its iteration. */
#ifndef FILES_EXAMINER_READ_BENCH_OPS_H
#define FILES_EXAMINER_READ_BENCH_OPS_H

#include "files/examiner/read/state.h"

/* The index of the benchmark's own stream, which is made on first use, and of the NULL stream. */
int bench_stream(exam_bench *b);
int bench_null_stream(exam_bench *b, const node *n);
/* Appends an op to the iteration, with the label "name" and "suffix". */
void bench_add(exam_bench *b, gcast_op op, const char *name, const char *suffix);
void bench_add_kernel(exam_bench *b, const char *name, const uint32_t grid[3], const uint32_t block[3], int64_t ns,
                      int64_t shared_memory, int stream, int mask);
void bench_add_copy(exam_bench *b, const char *name, const char *suffix, gcast_direction direction, int64_t bytes);
/* Waits for a stream, if anything was called since the last wait. */
void bench_add_sync(exam_bench *b, int stream);

#endif
