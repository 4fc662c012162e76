/* --what-if: the analysis repeated on other GPUs and on fewer SMs. */
#ifndef CLI_ANALYZE_WHAT_IF_H
#define CLI_ANALYZE_WHAT_IF_H

#include "base/text/text.h"
#include "cli/args.h"

/* Checks every --what-if before long work. Errors are printed. */
gcast_status what_if_check(const args *a, const gcast_gpu *gpu);
/* Prints a table with one row per GPU and number of SMs; nothing where --what-if is not given.
 * *is_conditional becomes true where deadlines are met in a row if what is assumed of its GPU holds. */
gcast_status what_if_from_args(const args *a, const gcast_workload *w, const gcast_gpu *gpu, const gcast_judge *judge,
                               text *t, bool *is_conditional);

#endif
