/* When states with different orders of jobs become one, the latest time of each slot is that of the order which is
 * worst for this slot. All slots together are then later than in any order. So a state also has bounds of the sum of
 * its slots' times, and of how long the last slot is held after the last start; from these follow bounds of each slot.
 */
#include "analyze/explore/intervals/tighten.h"

#include "analyze/explore/intervals/slots/sum.h"
#include "base/minmax.h"

/* Of `count` sorted numbers with this sum, the last of which is at most `spread` after the first: the largest and the
 * smallest value that the number at `place` can have. */
static int64_t max_at(int64_t sum, int64_t spread, size_t place, size_t count)
{
    return (sum + (int64_t)place * spread) / (int64_t)count;
}

static int64_t min_at(int64_t sum, int64_t spread, size_t place, size_t count)
{
    int64_t rest = sum - (int64_t)(count - 1 - place) * spread;
    return rest <= 0 ? 0 : div_up(rest, (int64_t)count);
}

void interval_tighten(const interval_search *q, interval_state *s)
{
    const interval_layout *at = &q->layout;
    int64_t *lo = interval_lo(q, s), *hi = interval_hi(q, s), *reference = hi + at->reference_slots;
    size_t n = q->problem->slot_count[0];
    int64_t *max_sum = &hi[at->max_slot_sum], *min_sum = &lo[at->min_slot_sum];
    int64_t *max_reference_sum = &hi[at->max_reference_sum], spread = hi[at->max_slot_spread], sum_before = 0;
    *max_sum = min_i64(*max_sum, slots_sum(hi, n, 0));
    *max_reference_sum = min_i64(*max_reference_sum, *max_sum);
    *min_sum = max_i64(*min_sum, slots_sum(lo, n, 0));
    for (size_t i = 0; i < n; i++) {
        /* the slots before this one are not before lo, and those behind it are not before this one */
        int64_t max = min_i64(max_at(*max_sum, spread, i, n), (*max_sum - sum_before) / (int64_t)(n - i));
        sum_before += lo[i];
        hi[i] = max_i64(lo[i], min_i64(hi[i], max));
        reference[i] = min_i64(reference[i], max_at(*max_reference_sum, spread, i, n));
    }
    for (size_t i = n; i-- > 0;)
        lo[i] = min_i64(hi[i], max_i64(lo[i], min_at(*min_sum, spread, i, n)));
}
