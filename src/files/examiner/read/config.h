/* A configuration: that of a file, or that of a nested task_host. Keys and defaults are those of the examiner's
 * parse_config.c. */
#ifndef FILES_EXAMINER_READ_CONFIG_H
#define FILES_EXAMINER_READ_CONFIG_H

#include "files/examiner/read/state.h"

/* `outer` has what a configuration takes over: the file, start, process and depth. */
void examiner_config(const exam_config *outer, const node *n);

#endif
