/* gridcast.corpus/1: a workload and its runs as one line, added to a file. */
#ifndef CLI_CORPUS_H
#define CLI_CORPUS_H

#include "cli/command.h"

/* The workload is written with the GPU that it ran on: the preset of that title,
 * where there is one. */
gcast_status corpus_append(const char *path, const char *family, gcast_workload *w, gcast_run *const *runs,
                           size_t count);

#endif
