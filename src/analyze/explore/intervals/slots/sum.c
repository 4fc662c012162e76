/* Whatever the order of jobs, all slots together hold the blocks that have started. So the sum of the slots' times
 * says more than the latest time of each slot, which may be that of another order for every slot. */
#include "analyze/explore/intervals/slots/sum.h"

#include "base/minmax.h"

int64_t slots_sum(const int64_t *slots, size_t count, int64_t start)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += max_i64(slots[i], start);
    return sum;
}

int64_t slots_idle_sum(const int64_t *slots, size_t count, int64_t start)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += max_i64(0, start - slots[i]);
    return sum;
}

int64_t slots_work(const slot_fill *f, uint64_t block_count)
{
    int64_t sum = (int64_t)block_count * f->handover_ns;
    if (!f->each_ns)
        return sum + (int64_t)block_count * f->block_ns;
    for (uint64_t b = 0; b < block_count; b++)
        sum += f->each_ns[b] + f->extra_ns;
    return sum;
}
