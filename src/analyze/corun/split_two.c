#include "analyze/corun/split_two.h"

#include "analyze/corun/trials.h"
#include "base/minmax.h"

#define COARSE_SAMPLES 7
#define MAX_SAMPLES (COARSE_SAMPLES + 8)

/* A split that was tried. */
typedef struct split_sample {
    uint32_t unit; /* how many times `step` SMs the first kernel has */
    size_t index;  /* where it is in the trials */
} split_sample;

typedef struct split_samples {
    split_sample at[MAX_SAMPLES]; /* ascending by unit, each once */
    uint32_t count;               /* of samples */
} split_samples;

static gcast_status try_split(corun_search *s, uint32_t unit, size_t *index)
{
    gcast_corun_config config = s->start;
    corun_set_split(s, &unit, &config);
    return corun_try(s, &config, index);
}

/* Adds the split to the samples; from 1 to units - 1, else the nearest of these. */
static gcast_status add_sample(corun_search *s, split_samples *samples, uint32_t unit)
{
    uint32_t at = 0;
    size_t index;
    unit = max_u32(1, min_u32(unit, s->units - 1));
    while (at < samples->count && samples->at[at].unit < unit)
        at++;
    if ((at < samples->count && samples->at[at].unit == unit) || samples->count == MAX_SAMPLES)
        return GCAST_OK;
    gcast_status status = try_split(s, unit, &index);
    if (status != GCAST_OK)
        return status;
    for (uint32_t i = samples->count++; i > at; i--)
        samples->at[i] = samples->at[i - 1];
    samples->at[at] = (split_sample){unit, index};
    return GCAST_OK;
}

/* Where both kernels are slowed down alike, if their times fall in proportion to their SMs. */
static uint32_t find_balance(const corun_search *s, const corun_trial *t)
{
    double demand[2];
    for (int k = 0; k < 2; k++)
        demand[k] = t->together_ns[k] / s->o.alone_ns[k] * t->config.sms[k]; /* in this order it is finite */
    return (uint32_t)(s->units * (demand[0] / (demand[0] + demand[1])) + 0.5);
}

/* The value of a split between two samples. A kernel's time is taken as linear in 1 / SMs. */
static double interpolate(const corun_search *s, const split_sample *low, const split_sample *high, uint32_t unit)
{
    const corun_trial *a = &s->trials.at[low->index], *b = &s->trials.at[high->index];
    gcast_corun_config config;
    double ns[2];
    corun_set_split(s, &unit, &config);
    for (int k = 0; k < 2; k++) {
        double from = 1.0 / a->config.sms[k], part = (1.0 / config.sms[k] - from) / (1.0 / b->config.sms[k] - from);
        ns[k] = a->together_ns[k] + (b->together_ns[k] - a->together_ns[k]) * part;
    }
    gcast_corun_score score = gcast_corun_score_make(2, s->o.alone_ns, ns);
    return corun_value(s, &score);
}

/* The best split by what the samples say. */
static uint32_t find_best_split(const corun_search *s, const split_samples *samples)
{
    uint32_t best = samples->at[0].unit;
    double best_value = s->trials.at[samples->at[0].index].value;
    for (uint32_t i = 1; i < samples->count; i++) {
        const split_sample *low = &samples->at[i - 1], *high = &samples->at[i];
        for (uint32_t unit = low->unit + 1; unit <= high->unit; unit++) {
            double value = unit == high->unit ? s->trials.at[high->index].value : interpolate(s, low, high, unit);
            if (value > best_value) {
                best = unit;
                best_value = value;
            }
        }
    }
    return best;
}

/* Tries this split, and those halfway to the samples next to it. */
static gcast_status refine(corun_search *s, split_samples *samples, uint32_t unit)
{
    uint32_t i = 0;
    gcast_status status = add_sample(s, samples, unit);
    if (status != GCAST_OK)
        return status;
    while (samples->at[i].unit < unit)
        i++;
    uint32_t below = i ? samples->at[i - 1].unit : unit;
    uint32_t above = i + 1 < samples->count ? samples->at[i + 1].unit : unit;
    status = add_sample(s, samples, unit - (unit - below) / 2);
    return status == GCAST_OK ? add_sample(s, samples, unit + (above - unit) / 2) : status;
}

gcast_status corun_sample_splits(corun_search *s)
{
    split_samples samples = {.count = 0};
    size_t index;
    gcast_status status = corun_try(s, &s->start, &index);
    if (status == GCAST_OK)
        status = add_sample(s, &samples, s->start.sms[0] / s->o.step);
    if (status == GCAST_OK)
        status = add_sample(s, &samples, find_balance(s, &s->trials.at[index]));
    for (uint32_t i = 0; i < COARSE_SAMPLES && status == GCAST_OK; i++)
        status = add_sample(s, &samples, 1 + (uint32_t)((uint64_t)i * (s->units - 2) / (COARSE_SAMPLES - 1)));
    if (status == GCAST_OK)
        status = add_sample(s, &samples, find_best_split(s, &samples));
    if (status == GCAST_OK)
        status = refine(s, &samples, find_best_split(s, &samples));
    return status == GCAST_OK ? add_sample(s, &samples, find_best_split(s, &samples)) : status;
}

/* Tries every number of workers on a split, the first kernel's and then, with the best of these, the second's. */
static gcast_status try_all_workers(corun_search *s, uint32_t unit)
{
    gcast_corun_config config = s->start;
    size_t index;
    corun_set_split(s, &unit, &config);
    for (int k = 0; k < 2; k++) {
        uint32_t best = config.workers[k];
        double best_value = 0;
        for (config.workers[k] = 1; config.workers[k] <= s->o.max_workers[k]; config.workers[k]++) {
            gcast_status status = corun_try(s, &config, &index);
            if (status != GCAST_OK)
                return status;
            if (s->trials.at[index].value > best_value) {
                best_value = s->trials.at[index].value;
                best = config.workers[k];
            }
        }
        config.workers[k] = best;
    }
    return GCAST_OK;
}

gcast_status corun_try_all_splits(corun_search *s)
{
    gcast_status status = GCAST_OK;
    size_t index;
    for (uint32_t unit = 1; unit < s->units && status == GCAST_OK; unit++)
        status = s->o.every_worker ? try_all_workers(s, unit) : try_split(s, unit, &index);
    return status;
}
