/* The plugin multikernel: a list of kernels for one stream, each with copies around it. A delay first waits for the
 * stream, then sleeps. */
#ifndef FILES_EXAMINER_PLUGINS_MULTIKERNEL_H
#define FILES_EXAMINER_PLUGINS_MULTIKERNEL_H

#include "files/examiner/read/state.h"

void examiner_read_multikernel(exam_bench *b);

#endif
