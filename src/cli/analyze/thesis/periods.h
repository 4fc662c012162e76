/* --period: T of kernels that the workload gives none, for method thesis. */
#ifndef CLI_ANALYZE_THESIS_PERIODS_H
#define CLI_ANALYZE_THESIS_PERIODS_H

#include "cli/args.h"
#include "gridcast/workload.h"

#define PERIOD_OPTION                                                                                                  \
    {                                                                                                                  \
        "period", 0, "[LABEL=]TIME", "method thesis: T of kernels; may repeat"                                         \
    }

/* *periods has a number for each op of the workload, as gcast_analyze_options has it: those that are known, and those
 * of
 * --period; NULL where there are none. `known` may be NULL. Free it
 * with free(). Errors are printed. */
gcast_status periods_from_args(const args *a, const gcast_workload *w, const int64_t *known, int64_t **periods);

#endif
