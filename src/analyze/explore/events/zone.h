/* Symbolic times: a variable plus an offset each. A zone bounds the differences of variables (Dill, CAV 1989). */
#ifndef ANALYZE_EXPLORE_EVENTS_ZONE_H
#define ANALYZE_EXPLORE_EVENTS_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZONE_MAX_VARIABLES 48
#define ZONE_NO_VARIABLE UINT32_MAX

/* A time, `offset` after a variable. */
typedef struct zone_time {
    uint32_t var;   /* ZONE_NO_VARIABLE: never */
    int64_t offset; /* in ns */
} zone_time;

#define ZONE_NEVER ((zone_time){ZONE_NO_VARIABLE, 0})
#define ZONE_TIME_0 ((zone_time){0, 0}) /* variable 0 is time 0 */

/* Bounds of differences. A zone is always closed: the bounds imply no tighter one. Times are integers, so some times
 * reach each bound. */
typedef struct zone {
    uint32_t var_count;                                     /* number of variables */
    int64_t bound[ZONE_MAX_VARIABLES * ZONE_MAX_VARIABLES]; /* [i * var_count + j]: i minus j is at most this */
} zone;

static inline bool zone_is_never(zone_time t)
{
    return t.var == ZONE_NO_VARIABLE;
}

/* The time `ns` after t. */
static inline zone_time zone_after(zone_time t, int64_t ns)
{
    return (zone_time){t.var, t.offset + ns};
}

/* Largest value of a - b. */
static inline int64_t zone_max_after(const zone *z, zone_time a, zone_time b)
{
    return z->bound[a.var * z->var_count + b.var] + a.offset - b.offset;
}

/* Restricts the zone to a - b <= max. False: that is empty, and the zone is unchanged. */
bool zone_restrict(zone *z, zone_time a, zone_time b, int64_t max);
/* Adds a variable from `min` to `max` after t; ZONE_NO_VARIABLE: there are too many. */
uint32_t zone_add(zone *z, zone_time t, int64_t min, int64_t max);
/* Adds a variable that is the latest of these times; ZONE_NO_VARIABLE: there are too many. */
uint32_t zone_add_latest(zone *z, const zone_time *times, size_t count);
void zone_copy(zone *to, const zone *from);

#endif
