/* Bounds of the EE's slots that follow from their sum (docs/explore.md, lemma 6). */
#ifndef ANALYZE_EXPLORE_INTERVALS_TIGHTEN_H
#define ANALYZE_EXPLORE_INTERVALS_TIGHTEN_H

#include "analyze/explore/intervals/state.h"

/* Narrows the interval of each of the EE's slots; not for shares. */
void interval_tighten(const interval_search *q, interval_state *s);

#endif
