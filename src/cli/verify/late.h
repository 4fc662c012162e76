/* Recorded operations that end after their bound: response times from the host's call, against those that analyze
 * --method bound gives. The analysis knows the workload, its calls and the GPU's file, and nothing else of the run. */
#ifndef CLI_VERIFY_LATE_H
#define CLI_VERIFY_LATE_H

#include "base/vec.h"
#include "gridcast/corpus.h"
#include "gridcast/gpu.h"

/* Operations of one kind. */
typedef struct late_tally {
    size_t operations;    /* that have a bound */
    size_t late;          /* after the bound with the longest latencies of the GPU's file */
    size_t late_quantile; /* after the bound with latencies that one call in so many exceeds */
} late_tally;

typedef struct late_family {
    char *name;         /* of the family */
    size_t runs;        /* of its scenarios */
    size_t open;        /* of these: runs for which there is no bound */
    late_tally kernels; /* of all runs */
    late_tally copies;  /* copies and memsets of all runs */
} late_family;

/* An operation that was late with the longest latencies. */
typedef struct late_operation {
    char *name;          /* scenario and operation */
    int64_t response_ns; /* from the host's call to its end, the longest that the clocks allow */
    int64_t bound_ns;    /* what it should not exceed */
} late_operation;

typedef struct late_counts {
    const gcast_gpu *gpu;      /* what is analyzed for; NULL: the GPU of the workloads */
    int64_t quantile;          /* one call in so many may take longer */
    VEC(late_family) families; /* in the order in which they came */
    late_family all;           /* over all families, without a name */
    VEC(late_operation) late;  /* the latest first, once sorted */
    VEC(int64_t) percents;     /* of each operation: its bound in percent of the response; ascending, once sorted */
    bool launch_assumed;       /* how launch latencies vary is not in the GPU's file */
    bool copy_assumed;         /* nor is it for copies, of which there are some */
} late_counts;

/* Analyzes every run of a scenario. */
gcast_status late_add(late_counts *c, const gcast_scenario *s, gcast_error *err);
void late_sort(late_counts *c);
void late_free(late_counts *c);

#endif
