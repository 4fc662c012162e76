/* --corpus: adds a workload and its runs as a line of gridcast.corpus/1 to a file. */
#ifndef CLI_MEASURE_CORPUS_H
#define CLI_MEASURE_CORPUS_H

#include "cli/command.h"

/* May runs of this workload be added to --corpus FILE? Asked before they are measured. */
gcast_status corpus_check(const args *a, const char *path, const gcast_workload *w);
/* Adds a line with the workload, the GPU that it ran on (a preset if there is one with its title), its connections and
 * its runs. The file gets the complete line or nothing. */
gcast_status corpus_append(const char *path, const char *family, gcast_workload *w, gcast_run *const *runs,
                           size_t count);

#endif
