#include "analyze/corun/split_many.h"

#include "analyze/corun/trials.h"

/* Tries every move of `units` from one kernel to another, and makes the best one. *is_better: one was made. */
static gcast_status move(corun_search *s, uint32_t *unit, uint32_t units, double *value, bool *is_better)
{
    uint32_t giver = 0, taker = 0;
    *is_better = false;
    for (uint32_t i = 0; i < s->o.kernels; i++)
        for (uint32_t k = 0; k < s->o.kernels; k++) {
            gcast_corun_config config = s->start;
            size_t index;
            if (i == k || unit[i] <= units)
                continue;
            unit[i] -= units;
            unit[k] += units;
            corun_set_split(s, unit, &config);
            unit[i] += units;
            unit[k] -= units;
            gcast_status status = corun_try(s, &config, &index);
            if (status != GCAST_OK)
                return status;
            if (s->trials.at[index].value > *value) {
                *value = s->trials.at[index].value;
                *is_better = true;
                giver = i;
                taker = k;
            }
        }
    if (*is_better) {
        unit[giver] -= units;
        unit[taker] += units;
    }
    return GCAST_OK;
}

gcast_status corun_move_sms(corun_search *s)
{
    uint32_t unit[GCAST_CORUN_MAX], units = 1;
    size_t index;
    bool is_better;
    gcast_status status = corun_try(s, &s->start, &index);
    if (status != GCAST_OK)
        return status;
    double value = s->trials.at[index].value;
    for (uint32_t k = 0; k < s->o.kernels; k++)
        unit[k] = s->start.sms[k] / s->o.step;
    while (units * 4 * s->o.kernels <= s->units)
        units *= 2;
    for (; units > 0 && status == GCAST_OK; units /= 2)
        do
            status = move(s, unit, units, &value, &is_better);
        while (status == GCAST_OK && is_better);
    return status;
}
