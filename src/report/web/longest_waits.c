#include "report/web/longest_waits.h"

#include <stdlib.h>

static int64_t length_of(const gcast_wait *wait)
{
    return wait->to_ns - wait->from_ns;
}

static int longest_first(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x > y ? -1 : x < y;
}

bool longest_waits_choose(longest_waits *l, const gcast_explanation *e, size_t most)
{
    *l = (longest_waits){.least_ns = -1};
    if (e->wait_count <= most)
        return true;
    int64_t *lengths = malloc(e->wait_count * sizeof *lengths);
    if (!lengths)
        return false;
    for (size_t i = 0; i < e->wait_count; i++)
        lengths[i] = length_of(&e->waits[i]);
    qsort(lengths, e->wait_count, sizeof *lengths, longest_first);
    l->least_ns = lengths[most - 1];
    for (l->equal = 0; l->equal < most && lengths[most - 1 - l->equal] == l->least_ns;)
        l->equal++;
    free(lengths);
    return true;
}

bool longest_waits_keep(longest_waits *l, const gcast_wait *wait)
{
    if (length_of(wait) != l->least_ns)
        return length_of(wait) > l->least_ns;
    if (!l->equal)
        return false;
    l->equal--;
    return true;
}
