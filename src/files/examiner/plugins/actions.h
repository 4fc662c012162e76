/* The plugin stream_action: a list of calls, each after a delay. Calls with "async": false go to the NULL stream and
 * return when they are complete. */
#ifndef FILES_EXAMINER_PLUGINS_ACTIONS_H
#define FILES_EXAMINER_PLUGINS_ACTIONS_H

#include "files/examiner/read/state.h"

void examiner_read_stream_action(exam_bench *b);

#endif
