/* Blocks on equal slots, each of which holds one block. */
#ifndef ANALYZE_EXPLORE_INTERVALS_SLOTS_EQUAL_FILL_H
#define ANALYZE_EXPLORE_INTERVALS_SLOTS_EQUAL_FILL_H

#include "analyze/explore/intervals/slots/slot_fill.h"

/* `slots` has the time at which each slot comes free, sorted before and after. */
void equal_fill(int64_t *slots, size_t count, slot_fill *f);

#endif
