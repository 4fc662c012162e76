/* Items of launchers, from a generator or a file. A generator makes the same items on every machine, as its arithmetic
 * has only integers; docs/formats.md has the formulas. */
#ifndef FILES_WORKLOAD_LAUNCH_ITEMS_H
#define FILES_WORKLOAD_LAUNCH_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "gridcast/error.h"

#define POWER_LAW_MAX_VALUES 1048576
#define POWER_LAW_MAX_PERCENT 1000

/* Number `index` of the splitmix64 sequence that begins with `seed` (Steele, Lea and Flood 2014). */
uint64_t generator_draw(uint64_t seed, uint64_t index);
/* Does a launcher with this draw have items at all? */
bool generator_holds(uint32_t percent, uint64_t draw);
/* A value from min to max, uniformly distributed. */
uint32_t generator_uniform(uint32_t min, uint32_t max, uint64_t draw);

/* A distribution of values from min to max: the probability of value k is proportional to k to the power of
 * -exponent_percent / 100. */
typedef struct power_law {
    uint32_t min;              /* the smallest value, at least 1 */
    uint32_t max;              /* the largest; less than POWER_LAW_MAX_VALUES above min */
    uint32_t exponent_percent; /* from 1 to POWER_LAW_MAX_PERCENT */
    uint64_t *weight_sum;      /* by value - min: sum of the weights of all values up to this one; NULL: not made yet */
} power_law;

/* Makes the distribution, unless *p is the same already. False without memory. */
bool power_law_make(power_law *p, uint32_t min, uint32_t max, uint32_t exponent_percent);
void power_law_free(power_law *p);
uint32_t power_law_draw(const power_law *p, uint64_t draw);

typedef VEC(uint32_t) item_list;

/* Reads a text with the items of launchers: whole numbers, separated by white space or commas; # starts a comment up to
 * the end of the line. Adds at most `max` numbers to the list. Errors have line and column. */
gcast_status items_text_read(const char *text, size_t size, uint64_t max, item_list *items, gcast_error *err);

#endif
