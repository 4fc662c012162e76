/* gridcast.corpus/1: a workload and its runs as one line, added to a file. */
#ifndef CLI_MEASURE_CORPUS_H
#define CLI_MEASURE_CORPUS_H

#include "cli/command.h"

/* May what is measured of this workload be added to --corpus FILE? For before it is measured. */
gcast_status corpus_check(const args *a, const char *path, const gcast_workload *w);
/* The workload is written with the GPU that it ran on, which is the preset of that title where
 * there is one, and its connections. The file gets the whole line or nothing. */
gcast_status corpus_append(const char *path, const char *family, gcast_workload *w, gcast_run *const *runs,
                           size_t count);

#endif
