/* Sums of the times at which slots come free, and of what blocks add to them (docs/explore.md, lemma 6). */
#ifndef ANALYZE_EXPLORE_INTERVALS_SLOTS_SUM_H
#define ANALYZE_EXPLORE_INTERVALS_SLOTS_SUM_H

#include "analyze/explore/intervals/slots/slot_fill.h"

/* The sum of the slots' times, where no slot is used before `start`. */
int64_t slots_sum(const int64_t *slots, size_t count, int64_t start);
/* How long all slots together are idle before `start`. */
int64_t slots_idle_sum(const int64_t *slots, size_t count, int64_t start);
/* How long the first `block_count` blocks hold slots, all together. */
int64_t slots_work(const slot_fill *f, uint64_t block_count);

#endif
