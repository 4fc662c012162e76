#include "report/waits/wait_chains.h"

#include <stdlib.h>

#include "base/minmax.h"

static int by_group_and_place(const void *a, const void *b)
{
    const chain_item *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

bool chains_finish(chains *c, size_t groups, int64_t gap_ns)
{
    size_t n = c->items.count;
    c->gap_ns = gap_ns;
    c->first = calloc(groups + 1, sizeof *c->first);
    c->until_ns = malloc((n + 1) * sizeof *c->until_ns);
    c->gaps_ns = malloc((n + 1) * sizeof *c->gaps_ns);
    c->counts = malloc((n + 1) * sizeof *c->counts);
    if (!c->first || !c->until_ns || !c->gaps_ns || !c->counts)
        return false;
    if (n)
        qsort(c->items.at, n, sizeof *c->items.at, by_group_and_place);
    for (size_t i = 0; i < n; i++) {
        const chain_item *x = &c->items.at[i];
        bool is_first = !i || x->group != x[-1].group;
        int64_t before = is_first ? INT64_MIN : c->until_ns[i - 1], until = x->time_ns + gap_ns;
        c->until_ns[i] = max_i64(before, until);
        c->gaps_ns[i] = (is_first ? 0 : c->gaps_ns[i - 1]) + max_i64(0, until - max_i64(x->time_ns, before));
        c->counts[i] = (is_first ? 0 : c->counts[i - 1]) + (until > before);
        c->first[x->group + 1] = i + 1;
    }
    for (size_t g = 0; g < groups; g++) /* groups without items */
        c->first[g + 1] = max_size(c->first[g + 1], c->first[g]);
    return true;
}

void chains_free(chains *c)
{
    vec_free(&c->items);
    free(c->first);
    free(c->until_ns);
    free(c->gaps_ns);
    free(c->counts);
    *c = (chains){0};
}

/* The first item from lo to hi, exclusive, that holds others up after a time. */
static size_t first_after(const chains *c, size_t lo, size_t hi, int64_t time)
{
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (c->until_ns[mid] > time)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

chain_front chains_front(const chains *c, size_t group, uint64_t place, int64_t from_ns, int64_t end_ns)
{
    size_t lo = c->first[group], hi = c->first[group + 1];
    while (lo < hi) { /* hi: the first that is not in front */
        size_t mid = lo + (hi - lo) / 2;
        if (c->items.at[mid].place >= place)
            hi = mid;
        else
            lo = mid + 1;
    }
    size_t first = first_after(c, c->first[group], hi, from_ns);
    if (first >= hi || from_ns >= end_ns)
        return (chain_front){1, 0};
    return (chain_front){first, min_size(first_after(c, first, hi, end_ns - 1), hi - 1)};
}

/* The gap of an item in the time from from_ns to end_ns. */
static int64_t gap_between(const chains *c, size_t i, int64_t from_ns, int64_t end_ns)
{
    int64_t time = c->items.at[i].time_ns;
    return max_i64(0, min_i64(time + c->gap_ns, end_ns) - max_i64(time, from_ns));
}

int64_t chains_gaps(const chains *c, chain_front f, int64_t from_ns, int64_t end_ns)
{
    if (f.first == f.last)
        return gap_between(c, f.first, from_ns, end_ns);
    return gap_between(c, f.first, from_ns, end_ns) + c->gaps_ns[f.last - 1] - c->gaps_ns[f.first] +
           gap_between(c, f.last, c->until_ns[f.last - 1], end_ns);
}

uint32_t chains_count(const chains *c, chain_front f)
{
    return c->counts[f.last] - c->counts[f.first] + 1;
}
