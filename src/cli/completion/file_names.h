/* Names that the files on the command line have: labels, kernels, tasks, recorded scenarios. A file that cannot be read
 * has none; nobody would read an error. */
#ifndef CLI_COMPLETION_FILE_NAMES_H
#define CLI_COMPLETION_FILE_NAMES_H

#include "cli/completion/completion_line.h"

/* The labels of the workload that the line names, each with `end` behind it; with `tasks` the names of its tasks, too.
 */
void offer_labels(const completion_line *l, const char *end, bool tasks);
/* The kernels of a PTX file. */
void offer_kernels(const completion_line *l);
/* The scenarios of corpora, or their families. */
void offer_recorded(const completion_line *l, bool families);
/* Of AMALTHEA models: tasks, each with `end` behind it; processing units; chains. */
void offer_model_tasks(const completion_line *l, const char *end);
void offer_model_cores(const completion_line *l);
void offer_model_chains(const completion_line *l);

#endif
