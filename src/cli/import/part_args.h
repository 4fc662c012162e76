/* Options that choose a part of a profile, and how a workload is made of it. */
#ifndef CLI_IMPORT_PART_ARGS_H
#define CLI_IMPORT_PART_ARGS_H

#include "cli/args.h"
#include "profile/make/prof_make.h"

/* Options that do not need the profile; errors are printed. --range is counted from the trace's zero: part_args_place.
 */
gcast_status part_args(const args *a, prof_make_options *o);
void part_args_place(const prof_trace *t, prof_make_options *o);
/* Frees what part_args made. */
void part_args_free(prof_make_options *o);

#endif
