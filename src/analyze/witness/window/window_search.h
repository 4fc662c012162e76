/* Climbs in windows: the jobs around a late one, after a time at which everything had ended. */
#ifndef ANALYZE_WITNESS_WINDOW_WINDOW_SEARCH_H
#define ANALYZE_WITNESS_WINDOW_WINDOW_SEARCH_H

#include "analyze/witness/late_try.h"
#include "analyze/witness/window/scan.h"

typedef struct window_search {
    late_search *s;      /* whose budget and results are used */
    scan scan;           /* of a hyperperiod */
    uint8_t *failures;   /* by op: claims in a row that were not confirmed */
    uint64_t confirming; /* operations that confirmations took */
} window_search;

/* Scans a hyperperiod, for windows. */
gcast_status window_search_begin(window_search *x, late_search *s, gcast_error *err);
void window_search_free(window_search *x);
/* Are there windows for the op? */
bool window_search_applies(const window_search *x, size_t op);
/* Chooses a job of the op and a window for it, and climbs there. */
gcast_status window_search_climb(window_search *x, size_t op, gcast_error *err);
/* Simulates what is claimed of an op and was not yet, from time 0 on, so that it is seen or dropped. */
gcast_status window_search_confirm(window_search *x, size_t op, gcast_error *err);

#endif
