/* analyze --sensitivity, --order, --priorities and --what-if: how to meet the deadlines. */
#ifndef CLI_ANALYZE_ADVICE_H
#define CLI_ANALYZE_ADVICE_H

#include "cli/args.h"

#define ADVICE_OPTIONS                                                                                                 \
    {"sensitivity", 0, NULL, "show how much longer kernels may take"},                                                 \
        {"order", 0, "GOAL", "best order by makespan, response, total or late"},                                       \
        {"priorities", 0, NULL, "find stream priorities that meet all deadlines"},                                     \
    {                                                                                                                  \
        "what-if", 0, "CHANGE", "analyze with sms=1,2,4..8 or gpu=NAME; may repeat"                                    \
    }

/* Is any of ADVICE_OPTIONS given? */
bool advice_wanted(const args *a);
/* Checks the options before long work. Errors are printed. */
gcast_status advice_check(const args *a, const gcast_gpu *gpu);
/* Prints what the options ask for, by the method of the analysis `by`; is_only_method: the answer used no other. The
 * answer's GPU has only the SMs of its partition. Errors are printed. */
gcast_status advice_from_args(const args *a, const gcast_answer *answer, const gcast_analysis *by, bool is_only_method,
                              const gcast_analyze_options *options);

#endif
