/* The words by which users ask for the components in papers/: commands, a method, and options. A build without the
 * components has them, too, and says that it is without (cli/components.h). */
#ifndef CLI_COMPONENT_NAMES_H
#define CLI_COMPONENT_NAMES_H

/* Commands, among those of COMMAND_TABLE. */
#define COMPONENT_COMMANDS(X) X(experiment)

/* `analyze --method thesis`. */

#define COMPONENT_METHOD "thesis"

/* Options that go with the method only. */
#define COMPONENT_METHOD_OPTIONS                                                                                       \
    {"trace", 0, NULL, "method thesis: show its steps and its closed form"},                                           \
    {                                                                                                                  \
        "period", 0, "[LABEL=]TIME", "method thesis: period T of kernels; may repeat"                                  \
    }
/* The same where they are for models, too. */
#define COMPONENT_METHOD_SHARED                                                                                        \
    {"trace", 0, NULL, NULL},                                                                                          \
    {                                                                                                                  \
        "period", 0, NULL, NULL                                                                                        \
    }

#endif
