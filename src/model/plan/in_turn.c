#include "model/plan/in_turn.h"

#include <stdlib.h>
#include <string.h>

/* The next job of a part: it comes when (2 i + 1) / (2 count) of all jobs are dealt. */
typedef struct place {
    double at;     /* that fraction */
    uint32_t part; /* of equal fractions the lower part comes first */
} place;

static int compare_places(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

/* Parts differ by at most one job, and it is the same as dealing cards. */
static bool is_even(uint32_t jobs, const uint32_t *count, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (count[k] != jobs / n && count[k] != jobs / n + 1)
            return false;
    return true;
}

/* Those parts that get one more get it in the last round. */
static void deal_cards(uint32_t jobs, const uint32_t *count, uint32_t n, uint32_t *part)
{
    uint32_t whole = jobs / n * n;
    for (uint32_t j = 0; j < whole; j++)
        part[j] = j % n;
    for (uint32_t k = 0; k < n; k++)
        if (count[k] > jobs / n)
            part[whole++] = k;
}

bool in_turn_deal(uint32_t jobs, const uint32_t *count, uint32_t n, uint32_t *part)
{
    if (is_even(jobs, count, n)) {
        deal_cards(jobs, count, n, part);
        return true;
    }
    place *all = malloc((size_t)jobs * sizeof *all);
    size_t next = 0;
    if (!all)
        return false;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < count[k]; i++)
            all[next++] = (place){(i + 0.5) / count[k], k};
    qsort(all, next, sizeof *all, compare_places);
    for (size_t j = 0; j < next; j++)
        part[j] = all[j].part;
    free(all);
    return true;
}

void in_turn_cut(uint32_t *job, uint32_t jobs, uint32_t workers, uint32_t *scratch)
{
    uint32_t next = 0;
    for (uint32_t k = 0; k < workers && k < jobs; k++)
        for (uint32_t i = k; i < jobs; i += workers)
            scratch[next++] = job[i];
    memcpy(job, scratch, (size_t)jobs * sizeof *job);
}
