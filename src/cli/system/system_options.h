/* Options of AMALTHEA models: which there are, and which options go with models and which with workloads. */
#ifndef CLI_SYSTEM_SYSTEM_OPTIONS_H
#define CLI_SYSTEM_SYSTEM_OPTIONS_H

#include "cli/args.h"

/* For a command's table of system_options: what the model leaves open, and what is to be changed in it. */
#define SYSTEM_OPTIONS                                                                                                 \
    {"kernels", 0, "FILE|fill", "what the model lacks; fill: kernels fill the GPU"},                                   \
        {"core", 0, "TASK=CORE", "put TASK on CORE, or on gpu; may repeat"},                                           \
        {"wait", 0, "WAIT", "of all tasks for others: busy or suspend"},                                               \
        {"rate-monotonic", 0, NULL, "priorities by period, not those of the model"},                                   \
    {                                                                                                                  \
        "tick", 0, "TIME", "of a tick, where no frequency is known: 500ps"                                             \
    }
#define CONTEXTS_OPTION                                                                                                \
    {                                                                                                                  \
        "contexts", 0, "CONTEXTS", "on the GPU: streams (of one), or slices of time"                                   \
    }

/* Does the first operand name a model: a path that ends in .amxmi, or a folder? */
bool system_wanted(const args *a);
/* Errors where an option is given that goes with workloads only, or with models only; and where there is more than one
 * workload. */
gcast_status system_options_check(const args *a);

#endif
