/* Finds the jobs that may start next in a state. */
#ifndef ANALYZE_EXPLORE_INTERVALS_INTERVAL_CHOICES_H
#define ANALYZE_EXPLORE_INTERVALS_INTERVAL_CHOICES_H

#include "analyze/explore/intervals/interval_state.h"

/* Sets q->choices for a state. False without memory, with a status. */
bool interval_find_choices(interval_search *q, interval_state *s);

#endif
