/* simulate --queues: the queues at a time or several, in the place of the run. */
#ifndef CLI_QUEUES_QUEUE_VIEW_H
#define CLI_QUEUES_QUEUE_VIEW_H

#include "cli/args.h"
#include "gridcast/run.h"

#define QUEUES_OPTION                                                                                                  \
    {                                                                                                                  \
        "queues", 0, "TIME", "only the queues at TIME; may repeat"                                                     \
    }

/* Checks the options that go with --queues, before anything is simulated. Errors are printed. */
gcast_status queues_check(const args *a);
/* Writes every -o and prints the queues. The run has all its blocks. */
gcast_status queues_write(const args *a, const gcast_run *run);

#endif
