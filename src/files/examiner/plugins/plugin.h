/* The plugin that the file name of a benchmark stands for: one of the examiner's own, or one that its users wrote. Of
 * the latter only the name and the counts are known, so each is one kernel in the benchmark's stream, whose duration
 * must be given; those that are named as the examiner names benchmarks of the CPU launch nothing. */
#ifndef FILES_EXAMINER_PLUGINS_PLUGIN_H
#define FILES_EXAMINER_PLUGINS_PLUGIN_H

#include "files/examiner/read/state.h"

/* Also sets b->plugin. NULL after an error. */
const exam_plugin *examiner_plugin(exam_bench *b);

#endif
