/* The plugins of benchmarks: the examiner's own, and those that its users wrote. Of the latter only the name and the
 * counts are known, so each is one kernel in the benchmark's stream, whose duration must be given; if the name begins
 * with cpu_, as those of the examiner's CPU benchmarks, it launches nothing. */
#ifndef FILES_EXAMINER_PLUGINS_H
#define FILES_EXAMINER_PLUGINS_H

#include "files/examiner/benchmark.h"

/* Finds the plugin by the benchmark's file name, and sets b->plugin. NULL after an error. */
const exam_plugin *examiner_plugin(exam_bench *b);

/* The examiner's own plugins, as their .cu files define them. The copies that fetch block times are left out, as they
 * are part of the measurement. The last has a NULL name. */
extern const exam_plugin examiner_plugins[];

#endif
