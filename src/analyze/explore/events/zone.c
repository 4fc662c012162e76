/* Zones as matrices of difference bounds. Some integer times reach each bound of a closed zone, so nothing is lost. */
#include "analyze/explore/events/zone.h"

#include <string.h>

#include "base/integers.h"

void zone_copy(zone *to, const zone *from)
{
    to->var_count = from->var_count;
    memcpy(to->bound, from->bound, (size_t)from->var_count * from->var_count * sizeof *from->bound);
}

bool zone_restrict(zone *z, zone_time a, zone_time b, int64_t max)
{
    uint32_t n = z->var_count;
    int64_t bound = max - a.offset + b.offset;
    if (bound >= z->bound[a.var * n + b.var])
        return true;
    if (z->bound[b.var * n + a.var] + bound < 0)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        int64_t through_a = z->bound[i * n + a.var] + bound;
        for (uint32_t j = 0; j < n; j++)
            z->bound[i * n + j] = min_i64(z->bound[i * n + j], through_a + z->bound[b.var * n + j]);
    }
    return true;
}

/* Adds a variable without bounds. */
static uint32_t add_variable(zone *z)
{
    uint32_t n = z->var_count;
    if (n == ZONE_MAX_VARIABLES)
        return ZONE_NO_VARIABLE;
    for (uint32_t i = n; i-- > 0;)
        memmove(&z->bound[i * (n + 1)], &z->bound[i * n], n * sizeof *z->bound);
    z->bound[n * (n + 1) + n] = 0;
    z->var_count++;
    return n;
}

uint32_t zone_add(zone *z, zone_time t, int64_t min, int64_t max)
{
    uint32_t v = add_variable(z), n = z->var_count;
    for (uint32_t i = 0; i < v && v != ZONE_NO_VARIABLE; i++) {
        z->bound[v * n + i] = z->bound[t.var * n + i] + t.offset + max;
        z->bound[i * n + v] = z->bound[i * n + t.var] - t.offset - min;
    }
    return v;
}

uint32_t zone_add_latest(zone *z, const zone_time *times, size_t count)
{
    uint32_t v = add_variable(z), n = z->var_count;
    for (uint32_t i = 0; i < v && v != ZONE_NO_VARIABLE; i++) {
        zone_time other = {i, 0};
        int64_t after_other = zone_max_after(z, times[0], other), other_after = zone_max_after(z, other, times[0]);
        for (size_t k = 1; k < count; k++) {
            after_other = max_i64(after_other, zone_max_after(z, times[k], other));
            other_after = min_i64(other_after, zone_max_after(z, other, times[k]));
        }
        z->bound[v * n + i] = after_other;
        z->bound[i * n + v] = other_after;
    }
    return v;
}
