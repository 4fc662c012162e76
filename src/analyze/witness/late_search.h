#ifndef ANALYZE_WITNESS_LATE_SEARCH_H
#define ANALYZE_WITNESS_LATE_SEARCH_H

#include "analyze/witness/late_try.h"

/* Searches until the budget is spent. An execution that cannot be simulated is left out. */
gcast_status late_search_run(late_search *s, gcast_error *err);

#endif
