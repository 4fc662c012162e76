#include "experiment/split.h"

#include <stdlib.h>

#define MOST_TRIES 1000000

static int ascending(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

void split_evenly(set_random *r, int64_t all, int n, int64_t *parts)
{
    for (int i = 0; i < n - 1; i++)
        parts[i] = random_between(r, 0, all);
    qsort(parts, (size_t)n - 1, sizeof *parts, ascending);
    int64_t before = 0;
    for (int i = 0; i < n - 1; i++) {
        int64_t cut = parts[i];
        parts[i] = cut - before;
        before = cut;
    }
    parts[n - 1] = all - before;
}

static bool within(const int64_t *parts, int n, int64_t lo, int64_t hi)
{
    for (int i = 0; i < n; i++)
        if (parts[i] < lo || parts[i] > hi)
            return false;
    return true;
}

/* Up from the lower bounds: mostly within where `all` is near their sum. */
static void from_below(set_random *r, int64_t all, int64_t lo, int n, int64_t *parts)
{
    split_evenly(r, all - n * lo, n, parts);
    for (int i = 0; i < n; i++)
        parts[i] += lo;
}

/* Down from the upper bounds. */
static void from_above(set_random *r, int64_t all, int64_t hi, int n, int64_t *parts)
{
    split_evenly(r, n * hi - all, n, parts);
    for (int i = 0; i < n; i++)
        parts[i] = hi - parts[i];
}

/* All but one anywhere between the bounds: often within where `all` is in the middle. */
static void from_within(set_random *r, int64_t all, int64_t lo, int64_t hi, int n, int64_t *parts)
{
    parts[n - 1] = all;
    for (int i = 0; i < n - 1; i++) {
        parts[i] = random_between(r, lo, hi);
        parts[n - 1] -= parts[i];
    }
}

/* Each of the three draws evenly from something that has the wanted splits in it, so
 * what is within bounds is drawn evenly whichever gives it. One of them is quick. */
bool split_bounded(set_random *r, int64_t all, int64_t lo, int64_t hi, int n, int64_t *parts)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        if (i % 3 == 0)
            from_below(r, all, lo, n, parts);
        else if (i % 3 == 1)
            from_above(r, all, hi, n, parts);
        else
            from_within(r, all, lo, hi, n, parts);
        if (within(parts, n, lo, hi))
            return true;
    }
    return false;
}
