#include "experiment/split.h"

#include <stdlib.h>

#define MAX_TRIES 1000000

static int ascending(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

void split_uniform(set_random *r, int64_t sum, int n, int64_t *parts)
{
    for (int i = 0; i < n - 1; i++)
        parts[i] = random_between(r, 0, sum);
    qsort(parts, (size_t)n - 1, sizeof *parts, ascending);
    int64_t previous = 0;
    for (int i = 0; i < n - 1; i++) {
        int64_t cut = parts[i];
        parts[i] = cut - previous;
        previous = cut;
    }
    parts[n - 1] = sum - previous;
}

static bool is_within(const int64_t *parts, int n, int64_t lo, int64_t hi)
{
    for (int i = 0; i < n; i++)
        if (parts[i] < lo || parts[i] > hi)
            return false;
    return true;
}

/* Up from the lower bounds: most draws are within bounds where `sum` is near the sum of these. */
static void from_below(set_random *r, int64_t sum, int64_t lo, int n, int64_t *parts)
{
    split_uniform(r, sum - n * lo, n, parts);
    for (int i = 0; i < n; i++)
        parts[i] += lo;
}

/* Down from the upper bounds. */
static void from_above(set_random *r, int64_t sum, int64_t hi, int n, int64_t *parts)
{
    split_uniform(r, n * hi - sum, n, parts);
    for (int i = 0; i < n; i++)
        parts[i] = hi - parts[i];
}

/* All parts but one anywhere between the bounds: many draws are within bounds where `sum` is near the middle. */
static void from_within(set_random *r, int64_t sum, int64_t lo, int64_t hi, int n, int64_t *parts)
{
    parts[n - 1] = sum;
    for (int i = 0; i < n - 1; i++) {
        parts[i] = random_between(r, lo, hi);
        parts[n - 1] -= parts[i];
    }
}

/* Each of the three draws uniformly from a set that contains all splits within bounds, so that these are drawn
 * uniformly, whichever finds them. One of the three finds them soon. */
bool split_bounded(set_random *r, int64_t sum, int64_t lo, int64_t hi, int n, int64_t *parts)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        if (i % 3 == 0)
            from_below(r, sum, lo, n, parts);
        else if (i % 3 == 1)
            from_above(r, sum, hi, n, parts);
        else
            from_within(r, sum, lo, hi, n, parts);
        if (is_within(parts, n, lo, hi))
            return true;
    }
    return false;
}
