/* Which jobs may be the next to start in a state. */
#ifndef ANALYZE_EXPLORE_INTERVALS_CHOICES_NEXT_START_H
#define ANALYZE_EXPLORE_INTERVALS_CHOICES_NEXT_START_H

#include "analyze/explore/intervals/state.h"

/* Sets q->choices for a state. False without memory, with a status. */
bool interval_find_choices(interval_search *q, interval_state *s);

#endif
