#include "analyze/corun/trials.h"

#include <math.h>
#include <string.h>

double corun_value(const corun_search *s, const gcast_corun_score *score)
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
    t->value = corun_value(s, &score);
    if (!isfinite(score.antt * s->o.kernels * s->o.sms) || !isfinite(score.stp)) /* as searches sum up demands */
        return gcast_error_set(s->err, GCAST_USAGE, NULL,
                               "times of kernels together are too far from their times alone to be compared");
    if (!index_add(&s->seen, hash, (uint32_t)s->trials.count) || !vec_push(&s->trials, *t))
        return gcast_error_set_memory(s->err);
    return GCAST_OK;
}

gcast_status corun_try(corun_search *s, const gcast_corun_config *config, size_t *index)
{
    corun_trial t = {0};
    for (uint32_t k = 0; k < s->o.kernels; k++) { /* what is of no kernel stays 0 */
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

void corun_set_split(const corun_search *s, const uint32_t *unit, gcast_corun_config *config)
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

const corun_trial *corun_best(const corun_search *s)
{
    const corun_trial *best = &s->trials.at[0];
    for (const corun_trial *t = best + 1; t < s->trials.at + s->trials.count; t++)
        if (t->value > best->value || (t->value == best->value && worker_sum(s, t) < worker_sum(s, best)))
            best = t;
    return best;
}
