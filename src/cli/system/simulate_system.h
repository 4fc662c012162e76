/* gridcast simulate for AMALTHEA models. */
#ifndef CLI_SYSTEM_SIMULATE_SYSTEM_H
#define CLI_SYSTEM_SIMULATE_SYSTEM_H

#include "cli/args.h"
#include "cli/system/system_options.h"

#define SIMULATE_SYSTEM_OPTIONS                                                                                        \
    SYSTEM_OPTIONS, CONTEXTS_OPTION,                                                                                   \
    {                                                                                                                  \
        "ignore-offsets", 0, NULL, "tasks begin at random times; jitter is random too"                                 \
    }

/* Options of workloads that models have, too. */
extern const option_spec simulate_system_shared[];

gcast_status simulate_system(const args *a);

#endif
