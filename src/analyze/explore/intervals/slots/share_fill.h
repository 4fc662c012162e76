/* Blocks of many shapes, each of which takes several slots. */
#ifndef ANALYZE_EXPLORE_INTERVALS_SLOTS_SHARE_FILL_H
#define ANALYZE_EXPLORE_INTERVALS_SLOTS_SHARE_FILL_H

#include "analyze/explore/intervals/slots/slot_fill.h"

/* `slots` has the time at which each slot comes free, sorted before and after. */
void share_fill(int64_t *slots, size_t count, slot_fill *f);

#endif
