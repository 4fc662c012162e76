/* Counts launchers by their items, and tries thresholds. */
#include "analyze/spawn/threshold_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/integers.h"

#define COUNTED (1u << 16) /* launchers with fewer items are counted in a table, the others are listed */
#define UNTRIED (-1)

/* Launchers by their number of items. */
typedef struct tally {
    uint64_t *count;     /* launchers by items, below COUNTED */
    VEC(uint64_t) large; /* items << 32 | launchers; a number of items may have several entries */
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

/* Sums up from the largest number of items down, then reverses the list. */
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

/* Ends by index of a threshold; the last one is the end without launches. */
typedef struct trials {
    threshold_search *s;
    int64_t *end_ns; /* or UNTRIED */
    size_t count;    /* thresholds + 1 */
} trials;

static gcast_status try_one(trials *t, size_t i)
{
    threshold_search *s = t->s;
    if (t->end_ns[i] != UNTRIED)
        return GCAST_OK;
    gcast_status status = s->run(s->data, s->thresholds->list.at[i].items, &t->end_ns[i], s->err);
    s->tried++;
    if (status == GCAST_OK && (t->end_ns[i] < s->end_ns || (t->end_ns[i] == s->end_ns && i > s->best))) {
        s->end_ns = t->end_ns[i];
        s->best = i;
    }
    return status;
}

static gcast_status try_all(trials *t)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i + 1 < t->count && status == GCAST_OK; i++)
        status = try_one(t, i);
    return status;
}

/* The lowest threshold with at most `limit` offloaded items, or launchers. */
static size_t find_part(const trials *t, bool by_items, double limit)
{
    const threshold *list = t->s->thresholds->list.at;
    size_t low = 0, high = t->count - 2;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((double)(by_items ? list[middle].offloaded : list[middle].launchers) <= limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static gcast_status try_parts(trials *t)
{
    const threshold *all = &t->s->thresholds->list.at[0];
    gcast_status status = try_one(t, 0);
    if (status == GCAST_OK)
        status = try_one(t, t->count - 2);
    for (int i = 1; i < THRESHOLD_BY_ITEMS && status == GCAST_OK; i++)
        status = try_one(t, find_part(t, true, (double)all->offloaded * i / THRESHOLD_BY_ITEMS));
    double launchers = (double)all->launchers;
    for (int i = 0; i < THRESHOLD_BY_HALVES && launchers >= 2 && status == GCAST_OK; i++) {
        launchers /= 2;
        status = try_one(t, find_part(t, false, launchers));
    }
    return status;
}

/* Finds the tried thresholds with the earliest ends; returns how many. */
static size_t find_best(const trials *t, size_t best[THRESHOLD_BEST])
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (t->end_ns[i] == UNTRIED)
            continue;
        size_t k = min_size(count, THRESHOLD_BEST);
        if (k == THRESHOLD_BEST && t->end_ns[i] >= t->end_ns[best[k - 1]])
            continue;
        for (k = min_size(k, THRESHOLD_BEST - 1); k > 0 && t->end_ns[i] < t->end_ns[best[k - 1]]; k--)
            best[k] = best[k - 1];
        best[k] = i;
        count++;
    }
    return min_size(count, THRESHOLD_BEST);
}

/* Tries the threshold half way from i to the next tried one, up (step 1) or down (step -1). */
static gcast_status try_beside(trials *t, size_t i, int step)
{
    size_t k = i;
    do {
        if (step < 0 ? k == 0 : k + 1 == t->count)
            return GCAST_OK;
        k = step < 0 ? k - 1 : k + 1;
    } while (t->end_ns[k] == UNTRIED);
    size_t middle = i < k ? i + (k - i) / 2 : k + (i - k + 1) / 2;
    return try_one(t, middle);
}

static gcast_status refine(trials *t)
{
    gcast_status status = GCAST_OK;
    uint32_t limit = t->s->tried + THRESHOLD_REFINED, before;
    do {
        size_t best[THRESHOLD_BEST], count = find_best(t, best);
        before = t->s->tried;
        for (size_t i = 0; i < count && status == GCAST_OK; i++)
            for (int step = -1; step <= 1 && status == GCAST_OK && t->s->tried < limit; step += 2)
                status = try_beside(t, best[i], step);
    } while (status == GCAST_OK && t->s->tried < limit && t->s->tried > before);
    return status;
}

size_t threshold_search_calls(const threshold_list *thresholds, bool exhaustive)
{
    size_t count = thresholds->list.count;
    return exhaustive || count <= THRESHOLD_FEW
               ? count
               : min_size(count, THRESHOLD_BY_ITEMS + THRESHOLD_BY_HALVES + THRESHOLD_REFINED + 1);
}

gcast_status threshold_search_run(threshold_search *s)
{
    size_t count = s->thresholds->list.count;
    trials t = {.s = s, .end_ns = malloc((count + 1) * sizeof *t.end_ns), .count = count + 1};
    gcast_status status;
    s->best = count;
    s->end_ns = s->none_ns;
    s->tried = 0;
    if (!t.end_ns)
        return gcast_error_set_memory(s->err);
    for (size_t i = 0; i < count; i++)
        t.end_ns[i] = UNTRIED;
    t.end_ns[count] = s->none_ns;
    if (s->exhaustive || count <= THRESHOLD_FEW) {
        status = try_all(&t);
    } else {
        status = try_parts(&t);
        if (status == GCAST_OK)
            status = refine(&t);
    }
    free(t.end_ns);
    return status;
}
