/* Work is kept: whatever the order of jobs, slots together hold what has started. When states with different orders
 * become one, each slot's latest time is that of the order which is worst for it, and all slots together come to more
 * than any order makes of them. So a state also has bounds of the sum of its slots' times, and of how long the last of
 * them holds on after the last start; from these follow bounds of each. */
#include "analyze/explore/explore.h"

int64_t explore_sum_from(const int64_t *slots, size_t count, int64_t floor)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += later(slots[i], floor);
    return sum;
}

int64_t explore_idle(const int64_t *slots, size_t count, int64_t floor)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += later(0, floor - slots[i]);
    return sum;
}

int64_t explore_work(const explore_fill *f, uint64_t count)
{
    int64_t sum = (int64_t)count * f->handover;
    if (!f->each)
        return sum + (int64_t)count * f->ns;
    for (uint64_t b = 0; b < count; b++)
        sum += f->each[b] + f->more;
    return sum;
}

/* The k-th of n numbers in order, none more than `tail` after the first: at most and at least, from their sum. */
static int64_t kth_at_most(int64_t sum, int64_t tail, size_t k, size_t n)
{
    return (sum + (int64_t)k * tail) / (int64_t)n;
}

static int64_t kth_at_least(int64_t sum, int64_t tail, size_t k, size_t n)
{
    int64_t least = sum - (int64_t)(n - 1 - k) * tail;
    return least <= 0 ? 0 : (least + (int64_t)n - 1) / (int64_t)n;
}

void explore_tighten(const explore *x, explore_state *s)
{
    int64_t *lo = state_lo(x, s), *hi = state_hi(x, s);
    size_t n = x->slot_count[0];
    int64_t *most = &hi[x->at.sum], *least = &lo[x->at.least_sum], *early = &hi[x->at.early_sum], tail = hi[x->at.tail];
    int64_t before = 0;
    *most = earlier(*most, explore_sum_from(hi, n, 0));
    *early = earlier(*early, *most);
    *least = later(*least, explore_sum_from(lo, n, 0));
    for (size_t k = 0; k < n; k++) {
        /* those before it are at least lo, and those after it are at least as late as it */
        int64_t at_most = earlier(kth_at_most(*most, tail, k, n), (*most - before) / (int64_t)(n - k));
        before += lo[k];
        hi[k] = later(lo[k], earlier(hi[k], at_most));
        hi[x->at.early + k] = earlier(hi[x->at.early + k], kth_at_most(*early, tail, k, n));
    }
    for (size_t k = n; k-- > 0;)
        lo[k] = earlier(hi[k], later(lo[k], kth_at_least(*least, tail, k, n)));
}
