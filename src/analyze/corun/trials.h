/* Configurations that are tried: each of them once. */
#ifndef ANALYZE_CORUN_TRIALS_H
#define ANALYZE_CORUN_TRIALS_H

#include "analyze/corun/state.h"

/* What a score is worth by the goal; more is better. */
double corun_value(const corun_search *s, const gcast_corun_score *score);

/* Calls `time` unless the configuration was tried before. *index: where it is in s->trials. */
gcast_status corun_try(corun_search *s, const gcast_corun_config *config, size_t *index);

/* Sets the SMs of a configuration; unit[k]: how many times `step` SMs kernel k has. */
void corun_set_split(const corun_search *s, const uint32_t *unit, gcast_corun_config *config);

/* The trial of the highest value; of equal ones that with the fewest workers per SM. There must be one. */
const corun_trial *corun_best(const corun_search *s);

#endif
