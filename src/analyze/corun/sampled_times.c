#include "analyze/corun/sampled_times.h"

/* The times next to a number of SMs, of one number of workers. NULL: there is none. */
typedef struct nearest_times {
    const gcast_launch_time *below;  /* most SMs that are not more */
    const gcast_launch_time *second; /* the next one below */
    const gcast_launch_time *above;  /* fewest SMs that are more */
    const gcast_launch_time *third;  /* the next one above */
} nearest_times;

static nearest_times find_nearest(const gcast_launch_file *launch, uint32_t workers, uint32_t sms)
{
    nearest_times n = {0};
    for (size_t i = 0; i < launch->time_count; i++) {
        const gcast_launch_time *t = &launch->times[i];
        if (t->workers != workers)
            continue;
        if (t->sms <= sms && (!n.below || t->sms > n.below->sms)) {
            n.second = n.below;
            n.below = t;
        } else if (t->sms <= sms && (!n.second || t->sms > n.second->sms)) {
            n.second = t;
        } else if (t->sms > sms && (!n.above || t->sms < n.above->sms)) {
            n.third = n.above;
            n.above = t;
        } else if (t->sms > sms && (!n.third || t->sms < n.third->sms)) {
            n.third = t;
        }
    }
    return n;
}

static double on_line(const gcast_launch_time *a, const gcast_launch_time *b, uint32_t sms)
{
    double from = 1.0 / a->sms, part = (1.0 / sms - from) / (1.0 / b->sms - from);
    return (double)a->ns + ((double)b->ns - (double)a->ns) * part;
}

/* Beyond all times: `end` is the nearest one and `inner` the one next to it, NULL where there is none. */
static double beyond(const gcast_launch_time *end, const gcast_launch_time *inner, uint32_t sms)
{
    double same = (double)end->ns, proportional = same * end->sms / sms;
    double line = inner ? on_line(inner, end, sms) : proportional;
    double min = proportional < same ? proportional : same, max = proportional < same ? same : proportional;
    return line < min ? min : line > max ? max : line;
}

static double time_with_workers(const gcast_launch_file *launch, uint32_t workers, uint32_t sms)
{
    nearest_times n = find_nearest(launch, workers, sms);
    if (n.below && n.below->sms == sms)
        return (double)n.below->ns;
    if (n.below && n.above)
        return on_line(n.below, n.above, sms);
    return n.below ? beyond(n.below, n.second, sms) : beyond(n.above, n.third, sms);
}

double sampled_time_ns(const gcast_launch_file *launch, uint32_t workers, uint32_t sms)
{
    uint32_t fewer = 0, more = 0; /* the nearest numbers of workers that were measured; 0: none */
    for (size_t i = 0; i < launch->time_count; i++) {
        uint32_t measured = launch->times[i].workers;
        if (measured <= workers && measured > fewer)
            fewer = measured;
        if (measured > workers && (!more || measured < more))
            more = measured;
    }
    if (!fewer)
        return time_with_workers(launch, more, sms) * more / workers;
    double ns = time_with_workers(launch, fewer, sms);
    if (fewer == workers || !more)
        return ns;
    return ns + (time_with_workers(launch, more, sms) - ns) * (workers - fewer) / (more - fewer);
}
