#include "analyze/spawn/thresholds.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/minmax.h"

#define COUNTED (1u << 16) /* launchers with fewer items are counted in a table, all others are listed */

/* Launchers by their number of items. */
typedef struct tally {
    uint64_t *count;     /* by items below COUNTED: launchers */
    VEC(uint64_t) large; /* items << 32 | launchers: of all others, where several launchers may have an entry each */
} tally;

static bool add(tally *t, uint32_t items, uint64_t launchers)
{
    if (items < COUNTED) {
        t->count[items] += launchers;
        return true;
    }
    for (; launchers > UINT32_MAX; launchers -= UINT32_MAX)
        if (!vec_push(&t->large, (uint64_t)items << 32 | UINT32_MAX))
            return false;
    return vec_push(&t->large, (uint64_t)items << 32 | launchers);
}

static bool add_level(tally *t, const gcast_launches *l)
{
    uint32_t min = max_u32(l->min_items, 1);
    if (!l->items)
        return l->items_each < min || !l->launchers || add(t, l->items_each, l->launchers);
    uint64_t count = min_u64(l->item_count, l->launchers);
    for (uint64_t i = 0; i < count; i++)
        if (l->items[i] >= min && !add(t, l->items[i], 1))
            return false;
    return true;
}

/* From the largest number of items down, so that sums are of all launchers with as many or more. */
static bool list(const tally *t, threshold_list *out)
{
    threshold next = {0};
    for (size_t i = t->large.count; i-- > 0;) {
        next.items = (uint32_t)(t->large.at[i] >> 32);
        uint64_t launchers = (uint32_t)t->large.at[i];
        next.launchers += launchers;
        next.offloaded += launchers * next.items;
        if ((i == 0 || t->large.at[i - 1] >> 32 != next.items) && !vec_push(&out->list, next))
            return false;
    }
    for (uint32_t items = COUNTED; items-- > 1;) {
        if (!t->count[items])
            continue;
        next.items = items;
        next.launchers += t->count[items];
        next.offloaded += t->count[items] * items;
        if (!vec_push(&out->list, next))
            return false;
    }
    for (size_t i = 0, k = out->list.count; i + 1 < k; i++) {
        threshold lower = out->list.at[--k];
        out->list.at[k] = out->list.at[i];
        out->list.at[i] = lower;
    }
    return true;
}

bool thresholds_find(const gcast_workload *w, threshold_list *t)
{
    tally counts = {.count = calloc(COUNTED, sizeof *counts.count)};
    bool is_done = counts.count != NULL;
    memset(t, 0, sizeof *t);
    for (size_t i = 0; is_done && i < w->op_count; i++) {
        const gcast_launches *l = w->ops[i].launches;
        t->kernels += l != NULL;
        for (; is_done && l; l = l->child->launches)
            is_done = add_level(&counts, l);
    }
    if (counts.large.count)
        qsort(counts.large.at, counts.large.count, sizeof *counts.large.at, compare_u64);
    is_done = is_done && list(&counts, t);
    free(counts.count);
    vec_free(&counts.large);
    return is_done;
}

void thresholds_free(threshold_list *t)
{
    vec_free(&t->list);
}
