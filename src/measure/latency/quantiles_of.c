#include "measure/latency/quantiles_of.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/minmax.h"

static const int64_t one_in[] = {2, 10, 100, 1000, 10000, 100000, 1000000};
#define QUANTILES (sizeof one_in / sizeof one_in[0])
_Static_assert(QUANTILES <= GCAST_MAX_QUANTILES, "a GPU has room for these");

gcast_latency quantiles_of_samples(latency_samples *s)
{
    gcast_latency l = {.samples = (int64_t)s->longest_ns.count};
    int64_t *at = s->longest_ns.at;
    if (!l.samples)
        return l;
    qsort(at, s->longest_ns.count, sizeof *at, compare_i64);
    l.min_ns = min_i64(s->min_ns, at[0]);
    l.max_ns = at[l.samples - 1];
    for (size_t i = 0; i < QUANTILES && one_in[i] <= l.samples; i++)
        l.quantile[l.count++] = (gcast_quantile){one_in[i], at[l.samples - 1 - l.samples / one_in[i]]};
    return l;
}

gcast_latency quantiles_of_conditions(const gcast_latency_condition *conditions, size_t count, bool launches)
{
    gcast_latency all = {0};
    for (size_t i = 0; i < count; i++) {
        const gcast_latency *l = &conditions[i].latency;
        if ((conditions[i].call == GCAST_CALL_LAUNCH) != launches || !l->samples)
            continue;
        all.min_ns = all.samples ? min_i64(all.min_ns, l->min_ns) : l->min_ns;
        all.max_ns = max_i64(all.max_ns, l->max_ns);
        all.samples += l->samples;
        all.count = max_int(all.count, l->count);
        for (size_t q = 0; q < QUANTILES; q++) {
            int64_t ns = (int)q < l->count ? l->quantile[q].ns : l->max_ns;
            all.quantile[q] = (gcast_quantile){one_in[q], max_i64(all.quantile[q].ns, ns)};
        }
    }
    for (size_t q = (size_t)all.count; q < QUANTILES; q++)
        all.quantile[q] = (gcast_quantile){0};
    return all;
}
