#include "analyze/spawn/threshold_search.h"

#include <stdlib.h>

#include "base/minmax.h"

#define UNTRIED (-1)

/* Ends by index of a threshold; the last is of none. */
typedef struct trials {
    threshold_search *s; /* the search */
    int64_t *end_ns;     /* or UNTRIED */
    size_t count;        /* of thresholds, and none */
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

/* The lowest threshold with which no more is offloaded, or no more launchers launch, than this. */
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

/* Finds those of the tried ones with the earliest ends; returns how many. */
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

/* Tries what is half way from i to the next one that was tried, up (step 1) or down (step -1). */
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
