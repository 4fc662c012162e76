/* --sm-range and --time-range. */
#ifndef CLI_RUN_RANGES_H
#define CLI_RUN_RANGES_H

#include "cli/args.h"

/* Sets first_sm, last_sm, from_ns and to_ns where the options are given. Errors are printed. */
gcast_status ranges_from_args(const args *a, gcast_report_options *o);

#endif
