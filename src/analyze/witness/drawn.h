/* Random numbers of the search. */
#ifndef ANALYZE_WITNESS_DRAWN_H
#define ANALYZE_WITNESS_DRAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/splitmix.h"

typedef struct draw {
    uint64_t state; /* of splitmix64 */
} draw;

static inline uint64_t draw_next(draw *d)
{
    return splitmix_next(&d->state);
}

/* From 0 to max, evenly. */
static inline int64_t draw_to(draw *d, int64_t max)
{
    return (int64_t)((unsigned __int128)draw_next(d) * ((uint64_t)max + 1) >> 64);
}

/* An index below count, which is at least 1. */
static inline size_t draw_index(draw *d, size_t count)
{
    return (size_t)draw_to(d, (int64_t)count - 1);
}

static inline bool draw_percent(draw *d, int percent)
{
    return draw_to(d, 99) < percent;
}

/* From 0 to max, mostly one of the two. */
static inline int64_t draw_extreme(draw *d, int64_t max)
{
    return draw_percent(d, 35) ? 0 : draw_percent(d, 55) ? max : draw_to(d, max);
}

#endif
