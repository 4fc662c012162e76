#include "model/plan/affinity/components.h"

#include <stdlib.h>

/* Breadth first from its lowest job, so that the last job is far from it. */
static component explore(item_index *x, uint32_t lowest, bool *is_seen, uint32_t *queue)
{
    uint32_t end = 1;
    queue[0] = lowest;
    is_seen[lowest] = true;
    for (uint32_t i = 0; i < end; i++) {
        uint32_t count = item_index_find(x, queue[i]);
        for (uint32_t k = 0; k < count; k++)
            if (!is_seen[x->found[k].job]) {
                is_seen[x->found[k].job] = true;
                queue[end++] = x->found[k].job;
            }
    }
    return (component){.size = end, .lowest = lowest, .seed = queue[end - 1]};
}

static int compare_size(const void *a, const void *b)
{
    const component *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->lowest < y->lowest ? -1 : 1;
}

bool components_find(components *c, item_index *x, uint32_t *queue)
{
    uint32_t jobs = x->data->jobs;
    bool *is_seen = calloc(jobs, sizeof *is_seen);
    *c = (components){.at = malloc(jobs * sizeof *c->at)};
    c->untaken = malloc(((size_t)jobs + 1) * sizeof *c->untaken);
    bool ok = is_seen && c->at && c->untaken;
    for (uint32_t j = 0; j < jobs && ok; j++)
        if (!is_seen[j])
            c->at[c->count++] = explore(x, j, is_seen, queue);
    for (uint32_t i = 0; i <= c->count && ok; i++)
        c->untaken[i] = i;
    if (ok)
        qsort(c->at, c->count, sizeof *c->at, compare_size);
    free(is_seen);
    return ok;
}

void components_free(components *c)
{
    free(c->at);
    free(c->untaken);
}

/* The first one from i on that is not taken. Shortens the way for the next time. */
static uint32_t next_untaken(components *c, uint32_t i)
{
    while (c->untaken[i] != i) {
        c->untaken[i] = c->untaken[c->untaken[i]];
        i = c->untaken[i];
    }
    return i;
}

uint32_t components_take(components *c, uint32_t capacity)
{
    uint32_t lo = 0, hi = c->count; /* those below lo are too large, those from hi on are not */
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (c->at[middle].size > capacity)
            lo = middle + 1;
        else
            hi = middle;
    }
    uint32_t i = next_untaken(c, lo);
    if (i == c->count)
        i = next_untaken(c, 0);
    c->untaken[i] = i + 1;
    return c->at[i].seed;
}
