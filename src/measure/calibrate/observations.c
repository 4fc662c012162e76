#include "measure/calibrate/observations.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/integers.h"

#define STEP_NS 8

bool reach_add(reach_sums *s, int half, uint32_t sm, int64_t ns)
{
    while (s->half[half].count <= sm)
        if (!vec_push(&s->half[half], (reach_sum){0}))
            return false;
    s->half[half].at[sm].ns += ns;
    s->half[half].at[sm].times++;
    return true;
}

void reach_free(reach_sums *s)
{
    vec_free(&s->half[0]);
    vec_free(&s->half[1]);
}

/* To the nearest nanosecond. */
static int mean(reach_sum s)
{
    return (int)((2 * s.ns + s.times) / (2 * s.times));
}

bool reach_compute(const reach_sums *s, int sms, int *list, int *difference)
{
    int nearest = INT32_MAX;
    *difference = 0;
    for (int sm = 0; sm < sms; sm++) {
        for (int h = 0; h < 2; h++)
            if (s->half[h].count <= (size_t)sm || !s->half[h].at[sm].times)
                return false;
        reach_sum a = s->half[0].at[sm], b = s->half[1].at[sm];
        *difference = max_int(*difference, abs(mean(a) - mean(b)));
        list[sm] = mean((reach_sum){a.ns + b.ns, a.times + b.times});
        nearest = min_int(nearest, list[sm]);
    }
    for (int sm = 0; sm < sms; sm++)
        list[sm] = (list[sm] - nearest + STEP_NS / 2) / STEP_NS * STEP_NS;
    return sms > 0;
}

gcast_status observations_add(observations *o, gcast_reading_id id, int64_t v, gcast_error *err)
{
    return vec_push(&o->readings[id], v) ? GCAST_OK : gcast_error_set_memory(err);
}

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

order_summary orders_summarize(const int *orders, size_t launches, int sms)
{
    order_summary s = {.launches = launches};
    size_t n = (size_t)sms, highest = 0;
    for (size_t i = 0; i < launches; i++) {
        size_t equal = 0, earlier = 0;
        for (size_t k = 0; k < launches; k++) {
            bool same = memcmp(&orders[i * n], &orders[k * n], n * sizeof *orders) == 0;
            equal += same;
            earlier += same && k < i;
        }
        s.distinct += earlier == 0;
        if (equal > highest) {
            highest = equal;
            s.most_frequent = i;
        }
    }
    for (size_t b = 0; b < n && launches; b++) {
        size_t k = 1;
        while (k < launches && orders[k * n + b] == orders[b])
            k++;
        s.same_places += k == launches;
    }
    return s;
}

/* The product fits, as times and lanes are far from the limit. It is computed unsigned, since clang's checks of signed
 * products need a library. */
static __int128 product(__int128 a, __int128 b)
{
    return (__int128)((unsigned __int128)a * (unsigned __int128)b);
}

/* numerator / denominator rounded to the nearest multiple of `unit`; ties go away from 0. */
static int64_t rounded(__int128 numerator, __int128 denominator, int64_t unit)
{
    __int128 scaled = product(denominator, unit), half = scaled / 2;
    return (int64_t)((numerator < 0 ? numerator - half : numerator + half) / scaled) * unit;
}

bool line_fit_points(const int64_t *x, const int64_t *y, size_t count, int64_t unit, line_fit *fit)
{
    __int128 n = (__int128)count, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (size_t i = 0; i < count; i++) {
        sum_x += x[i];
        sum_y += y[i];
        sum_xx += product(x[i], x[i]);
        sum_xy += product(x[i], y[i]);
    }
    __int128 denominator = product(n, sum_xx) - product(sum_x, sum_x); /* not negative */
    if (denominator == 0)
        return false;
    fit->base = rounded(product(sum_y, sum_xx) - product(sum_x, sum_xy), denominator, unit);
    fit->step = rounded(product(n, sum_xy) - product(sum_x, sum_y), denominator, unit);
    return true;
}
