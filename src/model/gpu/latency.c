/* Latencies of calls, as they were measured: what they promise, and whether their figures fit together. */
#include "model/gpu/latency.h"

#include <stdio.h>

#include "base/minmax.h"

int64_t gcast_latency_longest_ns(const gcast_latency *l, int64_t one_in)
{
    if (!l)
        return 0;
    if (!l->samples)
        return -1;
    for (int i = 0; one_in > 0 && i < l->count; i++)
        if (l->quantile[i].one_in >= one_in)
            return l->quantile[i].ns;
    return l->max_ns;
}

void latency_include(gcast_latency *l, int64_t usual_ns)
{
    if (!l->samples)
        return;
    l->min_ns = min_i64(l->min_ns, usual_ns);
    l->max_ns = max_i64(l->max_ns, usual_ns);
}

/* An entry of the list; the last one has index `count`. */
static gcast_status entry_error(const char *path, int i, const char *key, gcast_error *err, const char *message)
{
    char entry[96];
    snprintf(entry, sizeof entry, "%s/%d/%s", path, i, key);
    return gcast_error_set(err, GCAST_INPUT, entry, "%s", message);
}

static gcast_status check_quantile(const gcast_latency *l, int i, const char *path, gcast_error *err)
{
    const gcast_quantile *q = &l->quantile[i];
    if (q->one_in < 2 || q->one_in > LATENCY_MAX_ONE_IN)
        return entry_error(path, i, "one_in", err, "must be from 2 to 1000000000");
    if (q->one_in > l->samples)
        return entry_error(path, i, "one_in", err, "must not be more than there are samples");
    if (i && q->one_in <= q[-1].one_in)
        return entry_error(path, i, "one_in", err, "must be larger than that of the entry before");
    if (q->ns < (i ? q[-1].ns : l->min_ns))
        return entry_error(path, i, "ns", err, i ? "must not be below that of the entry before" : "is below min_ns");
    return GCAST_OK;
}

gcast_status latency_check(const gcast_latency *l, const char *path, gcast_error *err)
{
    if (!l->samples)
        return GCAST_OK;
    if (l->count < 0 || l->count > GCAST_MAX_QUANTILES)
        return gcast_error_set(err, GCAST_INPUT, path, "must have at most %d quantiles", GCAST_MAX_QUANTILES);
    if (l->samples < 1 || l->samples > LATENCY_MAX_SAMPLES)
        return entry_error(path, l->count, "samples", err, "must be from 1 to 1000000000000");
    if (l->min_ns < 0 || l->min_ns > LATENCY_MAX_NS)
        return entry_error(path, l->count, "min_ns", err, "must be from 0 to 86400000000000");
    for (int i = 0; i < l->count; i++) {
        gcast_status status = check_quantile(l, i, path, err);
        if (status != GCAST_OK)
            return status;
    }
    if (l->max_ns > LATENCY_MAX_NS)
        return entry_error(path, l->count, "max_ns", err, "must be from 0 to 86400000000000");
    if (l->max_ns < (l->count ? l->quantile[l->count - 1].ns : l->min_ns))
        return entry_error(path, l->count, "max_ns", err, "must not be below any other time of the list");
    return GCAST_OK;
}
