/* gcast_corun_search: finds the split of the SMs and the workers of each kernel of a co-run (gridcast/corun.h). */
#include <math.h>
#include <string.h>

#include "base/api.h"
#include "base/index.h"
#include "base/integers.h"
#include "base/vec.h"
#include "gridcast/gpu.h"
#include "gridcast/plan.h"
#include "papers/corun/corun.h"

#define TIE 0.001    /* values that differ by no more than this part are equal */
#define MAX_ROUNDS 4 /* how often the split is searched again, with the workers that are best on the last one */
#define COARSE_SAMPLES 7
#define MAX_SAMPLES (COARSE_SAMPLES + 8)

/* A configuration and its times. */
typedef struct corun_trial {
    gcast_corun_config config;
    double together_ns[GCAST_CORUN_MAX]; /* by kernel */
    double value;                        /* by the goal: STP, or 1 / ANTT; larger is better */
} corun_trial;

typedef struct corun_search {
    gcast_corun_options o;    /* a checked copy */
    uint32_t units;           /* units of `step` SMs to deal; the last kernel also gets the remainder */
    VEC(corun_trial) trials;  /* in the order of calls of `time`; no configuration twice */
    hash_index seen;          /* index in trials by configuration */
    gcast_corun_config start; /* where the next part of the search starts; at first the even split */
    gcast_error *err;         /* may be NULL */
} corun_search;

/* The value of a score by the goal; larger is better. */
static double value_of(const corun_search *s, const gcast_corun_score *score)
{
    return s->o.goal == GCAST_CORUN_ANTT ? 1 / score->antt : score->stp;
}

static gcast_status run_trial(corun_search *s, corun_trial *t, uint64_t hash)
{
    gcast_status status = s->o.time(s->o.time_data, &t->config, t->together_ns, s->err);
    for (uint32_t k = 0; k < s->o.kernels && status == GCAST_OK; k++)
        if (!(t->together_ns[k] > 0) || !isfinite(t->together_ns[k]))
            status = gcast_error_set(s->err, GCAST_USAGE, NULL,
                                     "the time of kernel %u with %u workers on each of %u SMs is not above 0", k + 1,
                                     t->config.workers[k], t->config.sms[k]);
    if (status != GCAST_OK)
        return status;
    gcast_corun_score score = gcast_corun_score_make(s->o.kernels, s->o.alone_ns, t->together_ns);
    t->value = value_of(s, &score);
    if (!isfinite(score.antt * s->o.kernels * s->o.sms) || !isfinite(score.stp)) /* find_balance sums such products */
        return gcast_error_set(s->err, GCAST_USAGE, NULL,
                               "times of kernels together are too far from their times alone to be compared");
    if (!index_add(&s->seen, hash, (uint32_t)s->trials.count) || !vec_push(&s->trials, *t))
        return gcast_error_set_memory(s->err);
    return GCAST_OK;
}

/* Calls `time` unless the configuration was tried before. *index: its index in s->trials. */
static gcast_status try_config(corun_search *s, const gcast_corun_config *config, size_t *index)
{
    corun_trial t = {0};
    for (uint32_t k = 0; k < s->o.kernels; k++) { /* entries beyond the last kernel stay 0 */
        t.config.sms[k] = config->sms[k];
        t.config.workers[k] = config->workers[k];
    }
    uint64_t hash = index_hash(&t.config, sizeof t.config);
    for (index_probe p = index_start(&s->seen, hash); index_next(&s->seen, &p);)
        if (memcmp(&s->trials.at[p.value].config, &t.config, sizeof t.config) == 0) {
            *index = p.value;
            return GCAST_OK;
        }
    *index = s->trials.count;
    return run_trial(s, &t, hash);
}

/* Sets the SMs of a configuration; unit[k]: units of kernel k. */
static void set_split(const corun_search *s, const uint32_t *unit, gcast_corun_config *config)
{
    uint32_t last = s->o.kernels - 1, dealt = 0;
    for (uint32_t k = 0; k < last; k++) {
        config->sms[k] = unit[k] * s->o.step;
        dealt += config->sms[k];
    }
    config->sms[last] = s->o.sms - dealt;
}

static uint32_t worker_sum(const corun_search *s, const corun_trial *t)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < s->o.kernels; k++)
        sum += t->config.workers[k];
    return sum;
}

/* The trial with the largest value; of equal ones, with the fewest workers per SM. There must be a trial. */
static const corun_trial *best_trial(const corun_search *s)
{
    const corun_trial *best = &s->trials.at[0];
    for (const corun_trial *t = best + 1; t < s->trials.at + s->trials.count; t++)
        if (t->value > best->value || (t->value == best->value && worker_sum(s, t) < worker_sum(s, best)))
            best = t;
    return best;
}

/* Workers per SM of each kernel, by hill climbs; the first is that of Wu, Chen, Li, Shen and Vetter (ICS 2015). */

static void set_start(corun_search *s)
{
    uint32_t unit[GCAST_CORUN_MAX], kernels = s->o.kernels;
    for (uint32_t k = 0; k < kernels; k++) {
        unit[k] = s->units / kernels + (k < s->units % kernels);
        s->start.workers[k] = s->o.max_workers[k];
    }
    set_split(s, unit, &s->start);
}

static gcast_status climb_kernel(corun_search *s, uint32_t kernel)
{
    size_t index;
    gcast_status status = try_config(s, &s->start, &index);
    double best = status == GCAST_OK ? s->trials.at[index].value : 0;
    while (status == GCAST_OK && s->start.workers[kernel] > 1) {
        gcast_corun_config fewer = s->start;
        fewer.workers[kernel]--;
        status = try_config(s, &fewer, &index);
        if (status != GCAST_OK || s->trials.at[index].value < best * (1 - TIE))
            break;
        s->start = fewer;
        if (s->trials.at[index].value > best)
            best = s->trials.at[index].value;
    }
    return status;
}

/* Sets s->start: on an even split, lowers the workers of each kernel one by one from max_workers while that is not
 * slower. */
static gcast_status climb_workers(corun_search *s)
{
    gcast_status status = GCAST_OK;
    set_start(s);
    for (uint32_t k = 0; k < s->o.kernels && status == GCAST_OK; k++)
        status = climb_kernel(s, k);
    return status;
}

/* May an adjustment change `now` workers to `other`? */
static bool is_candidate(const corun_search *s, uint32_t now, uint32_t other)
{
    if (s->o.exhaustive)
        return other != now;
    return other == now + 1 || other + 1 == now || other == now / 2 || other == now * 2;
}

/* Makes the best change of a kernel's workers if it gains more than a tie. *has_changed: there was one. */
static gcast_status adjust_kernel(corun_search *s, uint32_t kernel, bool *has_changed)
{
    gcast_corun_config config = s->start;
    uint32_t now = s->start.workers[kernel], *workers = &config.workers[kernel];
    size_t index;
    gcast_status status = try_config(s, &s->start, &index);
    double best = status == GCAST_OK ? s->trials.at[index].value * (1 + TIE) : 0;
    for (*workers = 1; *workers <= s->o.max_workers[kernel] && status == GCAST_OK; ++*workers) {
        if (!is_candidate(s, now, *workers))
            continue;
        status = try_config(s, &config, &index);
        if (status == GCAST_OK && s->trials.at[index].value > best) {
            best = s->trials.at[index].value;
            s->start.workers[kernel] = *workers;
        }
    }
    *has_changed = s->start.workers[kernel] != now;
    return status;
}

/* Changes the workers of s->start on its split, kernel after kernel, by the best change while that gains: by one, to
 * half, to twice as many, or, in an exhaustive search, to any number. *has_changed: some workers changed. */
static gcast_status adjust_workers(corun_search *s, bool *has_changed)
{
    gcast_status status = GCAST_OK;
    *has_changed = false;
    for (uint32_t k = 0; k < s->o.kernels && status == GCAST_OK; k++) {
        bool is_better = true;
        while (status == GCAST_OK && is_better) {
            status = adjust_kernel(s, k, &is_better);
            *has_changed = *has_changed || is_better;
        }
    }
    return status;
}

/* The split of the SMs between two kernels. */

/* A split that was tried. */
typedef struct split_sample {
    uint32_t unit; /* units of the first kernel */
    size_t index;  /* of its trial */
} split_sample;

typedef struct split_samples {
    split_sample at[MAX_SAMPLES]; /* ascending by unit, each once */
    uint32_t count;
} split_samples;

static gcast_status try_split(corun_search *s, uint32_t unit, size_t *index)
{
    gcast_corun_config config = s->start;
    set_split(s, &unit, &config);
    return try_config(s, &config, index);
}

/* Tries a split, limited to 1 .. units - 1, and adds it to the samples. */
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

/* The split that slows down both kernels alike, if times are inversely proportional to SMs. */
static uint32_t find_balance(const corun_search *s, const corun_trial *t)
{
    double demand[2];
    for (int k = 0; k < 2; k++)
        demand[k] =
            t->together_ns[k] / s->o.alone_ns[k] * t->config.sms[k]; /* this order of operations keeps it finite */
    return (uint32_t)(s->units * (demand[0] / (demand[0] + demand[1])) + 0.5);
}

/* The value of a split between two samples, with times linear in 1 / SMs. */
static double interpolate(const corun_search *s, const split_sample *low, const split_sample *high, uint32_t unit)
{
    const corun_trial *a = &s->trials.at[low->index], *b = &s->trials.at[high->index];
    gcast_corun_config config;
    double ns[2];
    set_split(s, &unit, &config);
    for (int k = 0; k < 2; k++) {
        double from = 1.0 / a->config.sms[k], part = (1.0 / config.sms[k] - from) / (1.0 / b->config.sms[k] - from);
        ns[k] = a->together_ns[k] + (b->together_ns[k] - a->together_ns[k]) * part;
    }
    gcast_corun_score score = gcast_corun_score_make(2, s->o.alone_ns, ns);
    return value_of(s, &score);
}

/* The best split, measured or interpolated between samples. */
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

/* Tries this split, and those halfway to its neighbours among the samples. */
static gcast_status refine_split(corun_search *s, split_samples *samples, uint32_t unit)
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

/* With the workers of s->start: tries a few splits, then the best one by interpolation, then refines around that. */
static gcast_status sample_splits(corun_search *s)
{
    split_samples samples = {.count = 0};
    size_t index;
    gcast_status status = try_config(s, &s->start, &index);
    if (status == GCAST_OK)
        status = add_sample(s, &samples, s->start.sms[0] / s->o.step);
    if (status == GCAST_OK)
        status = add_sample(s, &samples, find_balance(s, &s->trials.at[index]));
    for (uint32_t i = 0; i < COARSE_SAMPLES && status == GCAST_OK; i++)
        status = add_sample(s, &samples, 1 + (uint32_t)((uint64_t)i * (s->units - 2) / (COARSE_SAMPLES - 1)));
    if (status == GCAST_OK)
        status = add_sample(s, &samples, find_best_split(s, &samples));
    if (status == GCAST_OK)
        status = refine_split(s, &samples, find_best_split(s, &samples));
    return status == GCAST_OK ? add_sample(s, &samples, find_best_split(s, &samples)) : status;
}

/* On a split, tries all workers of the first kernel, and with the best of these all of the second. */
static gcast_status try_all_workers(corun_search *s, uint32_t unit)
{
    gcast_corun_config config = s->start;
    size_t index;
    set_split(s, &unit, &config);
    for (int k = 0; k < 2; k++) {
        uint32_t best = config.workers[k];
        double best_value = 0;
        for (config.workers[k] = 1; config.workers[k] <= s->o.max_workers[k]; config.workers[k]++) {
            gcast_status status = try_config(s, &config, &index);
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

/* Tries every split with the workers of s->start or, with the option every_worker, with every number of workers. */
static gcast_status try_all_splits(corun_search *s)
{
    gcast_status status = GCAST_OK;
    size_t index;
    for (uint32_t unit = 1; unit < s->units && status == GCAST_OK; unit++)
        status = s->o.every_worker ? try_all_workers(s, unit) : try_split(s, unit, &index);
    return status;
}

/* The split of the SMs among three or more kernels. */

/* Tries every move of `units` from one kernel to another, and makes the best one. *is_better: one was made. */
static gcast_status move_sms(corun_search *s, uint32_t *unit, uint32_t units, double *value, bool *is_better)
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
            set_split(s, unit, &config);
            unit[i] += units;
            unit[k] -= units;
            gcast_status status = try_config(s, &config, &index);
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

/* A hill climb from s->start: the best move of SMs from one kernel to another is made while it gains, first with many
 * SMs at a time, then with fewer. */
static gcast_status climb_splits(corun_search *s)
{
    uint32_t unit[GCAST_CORUN_MAX], units = 1;
    size_t index;
    bool is_better;
    gcast_status status = try_config(s, &s->start, &index);
    if (status != GCAST_OK)
        return status;
    double value = s->trials.at[index].value;
    for (uint32_t k = 0; k < s->o.kernels; k++)
        unit[k] = s->start.sms[k] / s->o.step;
    while (units * 4 * s->o.kernels <= s->units)
        units *= 2;
    for (; units > 0 && status == GCAST_OK; units /= 2)
        do
            status = move_sms(s, unit, units, &value, &is_better);
        while (status == GCAST_OK && is_better);
    return status;
}

static gcast_status check_kernels(const gcast_corun_options *o, gcast_error *err)
{
    for (uint32_t k = 0; k < o->kernels; k++) {
        if (o->max_workers[k] == 0)
            return gcast_error_set(err, GCAST_USAGE, NULL, "kernel %u has no workers", k + 1);
        if (!(o->alone_ns[k] > 0) || !isfinite(o->alone_ns[k]))
            return gcast_error_set(err, GCAST_USAGE, NULL, "the time of kernel %u alone is not above 0", k + 1);
    }
    return GCAST_OK;
}

static gcast_status check_options(const gcast_corun_options *o, gcast_error *err)
{
    if (!o->time)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no function for the time of a configuration");
    if (o->kernels < 2 || o->kernels > GCAST_CORUN_MAX)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a co-run has from 2 to %d kernels, not %u", GCAST_CORUN_MAX,
                               o->kernels);
    if (o->step == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "SMs cannot be dealt in steps of 0");
    if (o->sms > GCAST_MAX_SMS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a GPU has at most %d SMs, not %u", GCAST_MAX_SMS, o->sms);
    if (o->sms / o->step < o->kernels)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%u SMs are too few for %u kernels with at least %u each",
                               o->sms, o->kernels, o->step);
    if ((unsigned)o->goal > GCAST_CORUN_ANTT)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no goal number %d", (int)o->goal);
    for (uint32_t i = 0; i < o->kernels; i++)
        if (o->max_workers[i] > GCAST_PLAN_MAX_WORKERS)
            return gcast_error_set(err, GCAST_USAGE, NULL, "an SM holds at most %d workers, not %u",
                                   GCAST_PLAN_MAX_WORKERS, o->max_workers[i]);
    if (o->exhaustive && o->kernels > 2)
        return gcast_error_set(err, GCAST_USAGE, NULL, "all splits can be tried for 2 kernels, not for %u", o->kernels);
    if (o->every_worker && !o->exhaustive)
        return gcast_error_set(err, GCAST_USAGE, NULL, "every number of workers is tried only with every split");
    return check_kernels(o, err);
}

static gcast_status find_split(corun_search *s)
{
    if (s->o.kernels > 2)
        return climb_splits(s);
    return s->o.exhaustive ? try_all_splits(s) : sample_splits(s);
}

static gcast_status run_search(corun_search *s)
{
    bool has_changed = true;
    gcast_status status = climb_workers(s);
    for (int i = 0; i < MAX_ROUNDS && has_changed && status == GCAST_OK; i++) {
        status = find_split(s);
        if (status == GCAST_OK) {
            s->start = best_trial(s)->config;
            status = adjust_workers(s, &has_changed);
        }
    }
    return status;
}

gcast_status gcast_corun_search(const gcast_corun_options *options, gcast_corun *out, gcast_error *err)
{
    if (!out)
        return argument_missing(err);
    corun_search s = {.o = gcast_corun_options_default(), .err = err};
    memset(out, 0, sizeof *out);
    gcast_status status = options_copy(&s.o, sizeof s.o, options, "gcast_corun_options", err);
    if (status == GCAST_OK)
        status = check_options(&s.o, err);
    if (status != GCAST_OK)
        return status;
    s.units = s.o.sms / s.o.step;
    status = run_search(&s);
    if (status == GCAST_OK) {
        const corun_trial *best = best_trial(&s);
        out->config = best->config;
        memcpy(out->together_ns, best->together_ns, sizeof out->together_ns);
        out->score = gcast_corun_score_make(s.o.kernels, s.o.alone_ns, best->together_ns);
        out->tried = (uint32_t)s.trials.count;
    }
    vec_free(&s.trials);
    index_free(&s.seen);
    return status;
}
