/* A benchmark of a configuration: the keys that all have, then those of its plugin, then its iterations. */
#ifndef FILES_EXAMINER_READ_BENCHMARK_H
#define FILES_EXAMINER_READ_BENCHMARK_H

#include "files/examiner/read/state.h"

/* `index` is its place in the list of benchmarks. */
void examiner_benchmark(const exam_config *c, const node *n, size_t index);

#endif
