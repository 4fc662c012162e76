/* What to do about response times: options of analyze, and their tables. */
#ifndef CLI_ANALYZE_ADVICE_H
#define CLI_ANALYZE_ADVICE_H

#include "base/text/text.h"
#include "cli/command.h"

#define ADVICE_OPTIONS                                                                                                 \
    {"sensitivity", 0, NULL, "how much kernels may grow, and tasks come more often"},                                  \
        {"order", 0, "GOAL", "best order of calls: makespan, response, total or late"},                                \
        {"priorities", 0, NULL, "priorities of streams that meet all deadlines"},                                      \
    {                                                                                                                  \
        "what-if", 0, "CHANGE", "the same with sms=1,2,4..8 or gpu=NAME; may repeat"                                   \
    }

/* Is there any of them? */
bool advice_wanted(const args *a);
/* Do the options make sense? For before long work. */
gcast_status advice_check(const args *a, const gcast_gpu *gpu);
/* All that the options ask for, on standard output, by `method`; `alone`: the analysis had no other.
 * `gpu` is cut to its partition already. */
gcast_status advice_from_args(const args *a, const gcast_workload *w, const gcast_gpu *gpu, gcast_method method,
                              bool alone, const gcast_analyze_options *options);

/* advice_print.c: tables, each after an empty line. False without memory. */
bool advice_print_sensitivity(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s);
void advice_print_orders(text *t, const gcast_workload *w, const gcast_orders *o);
bool advice_print_levels(text *t, bool color, const gcast_workload *w, const gcast_levels *l);

#endif
