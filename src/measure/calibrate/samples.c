#include "measure/calibrate/samples.h"

#include <stdlib.h>

#include "base/compare.h"

int64_t samples_median(samples *s)
{
    if (!s->count)
        return 0;
    qsort(s->at, s->count, sizeof *s->at, compare_i64);
    return s->at[(s->count - 1) / 2];
}

int64_t samples_bytes_ns(int64_t bytes, int64_t bytes_per_s)
{
    return (int64_t)((__int128)bytes * 1000000000 / bytes_per_s);
}

bool samples_fit(const copy_point *points, size_t count, copy_fit *fit)
{
    samples speeds = {0}, remainders = {0};
    bool ok = true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count && ok; k++) {
            int64_t bytes = points[k].bytes - points[i].bytes, ns = points[k].ns - points[i].ns;
            __int128 speed = bytes > 0 && ns > 0 ? (__int128)bytes * 1000000000 / ns : 0;
            if (speed > 0 && speed <= INT64_MAX)
                ok = vec_push(&speeds, (int64_t)speed);
        }
    ok = ok && speeds.count > 0;
    if (ok)
        fit->bytes_per_s = samples_median(&speeds);
    for (size_t i = 0; i < count && ok; i++)
        ok = vec_push(&remainders, points[i].ns - samples_bytes_ns(points[i].bytes, fit->bytes_per_s));
    if (ok)
        fit->overhead_ns = samples_median(&remainders);
    vec_free(&speeds);
    vec_free(&remainders);
    return ok;
}
