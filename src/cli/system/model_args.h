/* AMALTHEA models on the command line: their options, the model read, and the model as a workload. */
#ifndef CLI_SYSTEM_MODEL_ARGS_H
#define CLI_SYSTEM_MODEL_ARGS_H

#include "cli/args.h"
#include "system/system_handle.h"

/* Options for a command's system_options: what the model leaves open, and changes to it. */
#define SYSTEM_OPTIONS                                                                                                 \
    {"kernels", 0, "FILE|fill", "what the model lacks; fill: kernels fill the GPU"},                                   \
        {"core", 0, "TASK=CORE", "put TASK on CORE, or on gpu; may repeat"},                                           \
        {"wait", 0, "WAIT", "how tasks wait for others: busy or suspend"},                                             \
        {"rate-monotonic", 0, NULL, "priorities by period, not those of the model"},                                   \
    {                                                                                                                  \
        "tick", 0, "TIME", "time of a tick if no frequency is known: 500ps"                                            \
    }
#define CONTEXTS_OPTION                                                                                                \
    {                                                                                                                  \
        "contexts", 0, "CONTEXTS", "GPU tasks: streams of one context, or slices"                                      \
    }

/* Does the first operand name a model: a path that ends in .amxmi, or a folder? */
bool system_wanted(const args *a);
/* Do all options go with a model, or with a workload if there is no model? More than one workload is an error, too.
 * Errors are printed, here and below. */
gcast_status system_options_check(const args *a);

/* Reads the model with what the options say about it. */
gcast_status system_from_args(const args *a, gcast_system **system);
/* The same, but no system is made of the model. */
gcast_status model_from_args(const args *a, gcast_system **model);

/* Options of `convert` for workloads that are options for models, too. */
extern const option_spec convert_system_shared[];

/* The part of the model on the GPU as a workload, and its GPU. An analysis of the whole system says how long after the
 * tasks that start them its tasks are released. Notes are printed. */
gcast_status model_workload_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu);

#endif
