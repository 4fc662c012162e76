/* `analyze` of a workload: by one method or several, told as a table, as JSON and in files, with advice and a witness.
 */
#ifndef CLI_ANALYZE_WORKLOAD_ANALYSIS_H
#define CLI_ANALYZE_WORKLOAD_ANALYSIS_H

#include "analyze/added_method.h"
#include "base/text.h"
#include "cli/args.h"

typedef struct workload_analysis {
    const args *a; /* the command line */
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const gcast_method *methods; /* in the order in which they are tried */
    size_t method_count;         /* 0: the library chooses */
    const added_method *added;   /* the method of a component, instead of `methods`; NULL */
    /* Writes what stands before the table; NULL: nothing does. */
    gcast_status (*before_table)(const args *a, const gcast_answer *r, bool color, text *out);
    gcast_analyze_options options; /* of the analyses */
} workload_analysis;

/* Do the options go with the input, a workload or a model? Errors are printed, here and below. */
gcast_status workload_analysis_check_input(const args *a);
/* Reads and checks the options that all methods have, before long work. */
gcast_status workload_analysis_check(workload_analysis *x);
/* Analyzes the workload, and tells the answer. */
gcast_status workload_analysis_run(const workload_analysis *x);

#endif
