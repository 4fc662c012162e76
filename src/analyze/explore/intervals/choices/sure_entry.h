/* By when jobs that are left have entered in every execution, also those that are no choice yet. */
#ifndef ANALYZE_EXPLORE_INTERVALS_CHOICES_SURE_ENTRY_H
#define ANALYZE_EXPLORE_INTERVALS_CHOICES_SURE_ENTRY_H

#include "analyze/explore/intervals/state.h"

/* By when some kernel of a higher level than `level` has entered in every execution, or `limit` if that is not known to
 * be earlier. */
int64_t interval_higher_enters_by(const interval_search *q, interval_state *s, uint32_t level, int64_t limit);

#endif
