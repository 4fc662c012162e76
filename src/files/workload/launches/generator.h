/* Items of launchers that a generator makes: the same on every machine, as all arithmetic is of whole numbers.
 * docs/formats.md has the formulas. */
#ifndef FILES_WORKLOAD_LAUNCHES_GENERATOR_H
#define FILES_WORKLOAD_LAUNCHES_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POWER_LAW_MAX_VALUES 1048576
#define POWER_LAW_MAX_PERCENT 1000

/* Number `index` of the sequence that splitmix64 makes of `seed` (Steele, Lea and Flood 2014). */
uint64_t generator_draw(uint64_t seed, uint64_t index);
/* Does a launcher with this draw hold items at all? */
bool generator_holds(uint32_t percent, uint64_t draw);
/* From min to max, each equally often. */
uint32_t generator_uniform(uint32_t min, uint32_t max, uint64_t draw);

/* Values from min to max, where value k is drawn in proportion to k to the power of -exponent_percent / 100. */
typedef struct power_law {
    uint32_t min;              /* the smallest value, at least 1 */
    uint32_t max;              /* the largest; less than POWER_LAW_MAX_VALUES above min */
    uint32_t exponent_percent; /* from 1 to POWER_LAW_MAX_PERCENT */
    uint64_t *weight_sum;      /* by value - min: of the weights of all values up to this one; NULL: none is made */
} power_law;

/* Makes it, unless it is that already. False without memory. */
bool power_law_make(power_law *p, uint32_t min, uint32_t max, uint32_t exponent_percent);
void power_law_free(power_law *p);
uint32_t power_law_draw(const power_law *p, uint64_t draw);

#endif
