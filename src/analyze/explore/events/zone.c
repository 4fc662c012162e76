/* Zones: sets of times that bounds of differences describe (Dill, CAV 1989). With integer bounds and times every bound
 * of a closed zone is reached, so nothing is lost. */
#include <string.h>

#include "analyze/explore/events/events.h"

void zone_copy(event_zone *to, const event_zone *from)
{
    to->n = from->n;
    memcpy(to->d, from->d, (size_t)from->n * from->n * sizeof *from->d);
}

int64_t zone_most(const event_zone *z, event_time a, event_time b)
{
    return z->d[a.var * z->n + b.var] + a.off - b.off;
}

bool zone_limit(event_zone *z, event_time a, event_time b, int64_t most)
{
    uint32_t n = z->n;
    int64_t bound = most - a.off + b.off;
    if (bound >= z->d[a.var * n + b.var])
        return true;
    if (z->d[b.var * n + a.var] + bound < 0)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        int64_t to = z->d[i * n + a.var] + bound;
        for (uint32_t j = 0; j < n; j++)
            z->d[i * n + j] = earlier(z->d[i * n + j], to + z->d[b.var * n + j]);
    }
    return true;
}

/* One variable more, of which nothing is known. */
static uint32_t widen(event_zone *z)
{
    uint32_t n = z->n;
    if (n == EVENT_VARIABLES)
        return EVENT_NEVER;
    for (uint32_t i = n; i-- > 0;)
        memmove(&z->d[i * (n + 1)], &z->d[i * n], n * sizeof *z->d);
    z->d[n * (n + 1) + n] = 0;
    z->n++;
    return n;
}

uint32_t zone_add(event_zone *z, event_time t, int64_t least, int64_t most)
{
    uint32_t v = widen(z), n = z->n;
    for (uint32_t i = 0; i < v && v != EVENT_NEVER; i++) {
        z->d[v * n + i] = z->d[t.var * n + i] + t.off + most;
        z->d[i * n + v] = z->d[i * n + t.var] - t.off - least;
    }
    return v;
}

uint32_t zone_latest(event_zone *z, const event_time *times, size_t count)
{
    uint32_t v = widen(z), n = z->n;
    for (uint32_t i = 0; i < v && v != EVENT_NEVER; i++) {
        event_time other = {i, 0};
        int64_t most = zone_most(z, times[0], other), least = zone_most(z, other, times[0]);
        for (size_t k = 1; k < count; k++) {
            most = later(most, zone_most(z, times[k], other));
            least = earlier(least, zone_most(z, other, times[k]));
        }
        z->d[v * n + i] = most;
        z->d[i * n + v] = least;
    }
    return v;
}
