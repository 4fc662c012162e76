#include "measure/calibrate/reach.h"

#include <stdlib.h>

#include "base/minmax.h"

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
