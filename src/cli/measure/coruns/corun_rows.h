/* What was seen of launches that ran at the same time, as a table and as JSON. */
#ifndef CLI_MEASURE_CORUNS_CORUN_ROWS_H
#define CLI_MEASURE_CORUNS_CORUN_ROWS_H

#include "base/text/text.h"
#include "cli/measure/launches/launches.h"

#define MAX_CORUN_ROWS 8

/* A way to run them together. */
typedef struct corun_row {
    const char *manner;                   /* for the table */
    bool has_split, has_workers;          /* what of config applies */
    gcast_corun_config config;            /* who has which SMs */
    uint32_t tried;                       /* configurations that were measured to find it; 0: no search */
    double ns[GCAST_CORUN_MAX];           /* by kernel: time of a launch */
    double predicted_ns[GCAST_CORUN_MAX]; /* as predicted; 0: it was not */
    uint64_t missing;                     /* jobs that did not run */
    gcast_corun_score score;              /* against the originals alone */
} corun_row;

typedef struct corun_rows {
    const launches *l;                /* of these */
    double alone_ns[GCAST_CORUN_MAX]; /* by kernel: of the original, alone */
    corun_row row[MAX_CORUN_ROWS];    /* in the order of the table */
    size_t count;                     /* of these */
    uint64_t missing;                 /* jobs that did not run in SM-centric co-runs, of all that were tried */
} corun_rows;

void corun_rows_table(const corun_rows *r, text *out);
/* gridcast.corun-measure/1 */
void corun_rows_json(const corun_rows *r, text *out);

#endif
