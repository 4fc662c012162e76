/* The longest waits of an explanation, where it has more than a page lists. */
#ifndef REPORT_WEB_LONGEST_WAITS_H
#define REPORT_WEB_LONGEST_WAITS_H

#include "gridcast/explain.h"

typedef struct longest_waits {
    int64_t least_ns; /* longer ones are all kept */
    size_t equal;     /* of those that are as long, so many are kept: the first ones */
} longest_waits;

/* At most `most` waits; false without memory. */
bool longest_waits_choose(longest_waits *l, const gcast_explanation *e, size_t most);

/* Is this wait kept? To be asked of all waits in their order. */
bool longest_waits_keep(longest_waits *l, const gcast_wait *wait);

#endif
