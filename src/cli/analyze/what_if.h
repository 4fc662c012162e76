/* The same analysis on other GPUs, and on fewer SMs. */
#ifndef CLI_ANALYZE_WHAT_IF_H
#define CLI_ANALYZE_WHAT_IF_H

#include "base/text/text.h"
#include "cli/command.h"

/* Can all be done? For before long work. */
gcast_status what_if_check(const args *a, const gcast_gpu *gpu);
/* A table with a line for each --what-if; nothing where there is none. */
gcast_status what_if_from_args(const args *a, const gcast_workload *w, const gcast_gpu *gpu, const gcast_judge *judge,
                               text *t);

#endif
