/* The search in windows: climbs with only the jobs around a late one, from an idle time on. A scan of a hyperperiod
 * finds late jobs and idle times. */
#ifndef ANALYZE_WITNESS_WINDOW_SEARCH_H
#define ANALYZE_WITNESS_WINDOW_SEARCH_H

#include "analyze/witness/late_climb.h"

#define SCAN_TOP 12 /* late jobs that are kept for an op */

/* A late job of an op in a scan. */
typedef struct scan_job {
    int64_t response_ns; /* 0: there is none */
    uint32_t job;        /* number in its task */
} scan_job;

typedef struct scan_tops {
    scan_job at[SCAN_TOP]; /* in descending order of responses, which differ */
} scan_tops;

typedef struct scan {
    int64_t horizon_ns;     /* jobs released before this were scanned; 0: there are no windows */
    int64_t hyperperiod_ns; /* end of a hyperperiod after the largest offset, or of the part that is affordable */
    int64_t *idle_ns;       /* releases at which everything released before has ended, with durations shortest */
    size_t idle_count;      /* of `idle_ns` */
    scan_tops *longest;     /* by op: late jobs with durations longest */
    scan_tops *shortest;    /* by op: late jobs with durations shortest */
} scan;

typedef struct window_search {
    late_search *s;      /* gives the budget and takes the results */
    scan scan;           /* the scan of a hyperperiod */
    uint8_t *failures;   /* by op: claims in a row that did not hold */
    uint64_t confirming; /* operations used by confirmations */
} window_search;

/* Scans a hyperperiod. */
gcast_status window_search_begin(window_search *windows, late_search *s, gcast_error *err);
void window_search_free(window_search *windows);
/* Are there windows for the op? */
bool window_search_applies(const window_search *windows, size_t op);
/* Chooses a job of the op and a window for it, and climbs there. */
gcast_status window_search_climb(window_search *windows, size_t op, gcast_error *err);
/* Confirms the claim for an op, if there is one: simulates it from time 0 on, and then keeps or drops it. */
gcast_status window_search_confirm(window_search *windows, size_t op, gcast_error *err);

#endif
