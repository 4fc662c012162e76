#include "simulate/check/launches/loop_time.h"

#include "model/workload/launching.h"

/* Do all launchers of a level and below have as many items? */
static bool is_uniform(const gcast_launches *l)
{
    return !l || (!l->items && is_uniform(l->child->launches));
}

/* What each launcher of such a level takes. */
static wide_ns uniform_ns(const gcast_launches *l)
{
    return l ? l->items_each * (l->item_ns + uniform_ns(l->child->launches)) : 0;
}

wide_ns loop_time_ns(const gcast_launches *l, uint64_t launcher)
{
    const gcast_launches *below = l->child->launches;
    uint32_t items = launches_items(l, launcher);
    wide_ns sum = (wide_ns)items * l->item_ns;
    if (is_uniform(below))
        return sum + items * uniform_ns(below);
    for (uint32_t n = 0; n < items; n++)
        sum += loop_time_ns(below, launches_first_item(l, launcher) + n);
    return sum;
}
