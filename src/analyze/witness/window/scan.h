/* A look at a whole hyperperiod: which jobs of an op are late there, and when everything has ended. */
#ifndef ANALYZE_WITNESS_WINDOW_SCAN_H
#define ANALYZE_WITNESS_WINDOW_SCAN_H

#include "analyze/witness/late_try.h"

#define SCAN_TOP 12 /* late jobs of an op that are kept */

/* A job of an op that is late in a scan. */
typedef struct scan_job {
    int64_t response_ns; /* 0: there is none */
    uint32_t job;        /* its number */
} scan_job;

typedef struct scan_tops {
    scan_job at[SCAN_TOP]; /* the longest responses, the longest first, each once */
} scan_tops;

typedef struct scan {
    int64_t horizon_ns;     /* jobs released before this were scanned; 0: there are no windows */
    int64_t hyperperiod_ns; /* the end of a hyperperiod after the largest offset, or the horizon */
    int64_t *idle_ns;       /* releases at which all that was released before has ended, where all is shortest */
    size_t idle_count;      /* how many */
    scan_tops *longest;     /* by op: where all is longest */
    scan_tops *shortest;    /* by op: where all is shortest */
} scan;

/* Simulates everything longest and everything shortest over a hyperperiod, or as much of it as is affordable. There are
 * no windows where tasks are sporadic, phases are open, or the options say how far executions go. */
gcast_status scan_run(late_search *s, scan *made, gcast_error *err);
void scan_free(scan *made);

#endif
