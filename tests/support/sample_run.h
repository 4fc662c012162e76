/* Runs built by hand, for tests of reports. */
#ifndef TESTS_SAMPLE_RUN_H
#define TESTS_SAMPLE_RUN_H

#include "gridcast/gridcast.h"

typedef struct sample sample;

sample *sample_create(const char *name, int sms);
void sample_free(sample *s);
gcast_workload *sample_workload(sample *s);
gcast_gpu *sample_gpu(sample *s);
gcast_run_op *sample_op(sample *s, int op);
/* The run so far; valid until something is added. */
const gcast_run *sample_run(sample *s);

/* Adds to the run; each returns an index in the run's operations. Streams are made on first use. */
int sample_kernel(sample *s, const char *label, int stream, int threads, uint64_t blocks, int64_t call_ns);
int sample_copy(sample *s, const char *label, int stream, int engine, gcast_direction d, int64_t start, int64_t end);
/* An op of a job of the task that was added last: its first job adds the op, later jobs repeat it. */
int sample_job(sample *s, int op, uint32_t job, int64_t release);
/* Sets where a block ran, and extends the times of its operation. */
void sample_block(sample *s, int op, uint64_t block, int sm, int64_t start, int64_t end);
void sample_times(sample *s, int op, int64_t start, int64_t end);

/* The example of the thesis on two SMs: K1 to K4 complete at 4, 10, 12 and 11 ms. */
sample *sample_thesis(void);
/* 132 SMs, waves of three kernels of many blocks; with `ragged` no two SMs are identical. */
sample *sample_large(uint64_t blocks, bool ragged);
/* A random run, also with what no GPU would do: blocks on any SM at any time. */
sample *sample_random(uint64_t seed);

typedef struct sample_text {
    char *data;  /* ends in a NUL */
    size_t size; /* without the NUL */
} sample_text;
/* gcast_run_report into memory (NUL-terminated); fails the test where that fails. Free data. */
sample_text sample_report(const gcast_run *run, gcast_format format, const gcast_report_options *options);

#endif
