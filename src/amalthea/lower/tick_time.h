/* The time of ticks in exact arithmetic. A tick takes num/den ns; times are kept in units of 1/den ns until they are
 * rounded once: best times down, worst times up. num and den are not reduced, so that the units are small enough for
 * times that are no ticks. */
#ifndef AMALTHEA_LOWER_TICK_TIME_H
#define AMALTHEA_LOWER_TICK_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "model/system.h"

typedef unsigned __int128 fine; /* a time in units of 1/den ns, at most FINE_MAX */

#define FINE_MAX ((fine)1 << 120)

typedef struct tick_rate {
    int64_t num, den;
} tick_rate;

/* A frequency that is no whole number of Hz is rounded: up for best times, down for worst times. */
typedef struct tick_clock {
    bool known;
    tick_rate fast, slow; /* num is 0 where the frequency is not known */
} tick_clock;

/* The time of something on a processor. `min` and `access_min` are in units of the fast rate, the others of the slow.
 */
typedef struct fine_cost {
    bool never; /* it cannot run there: some ticks have no value for the processor */
    fine min, max;
    fine access_min, access_max; /* the part that accesses to memory take */
} fine_cost;

tick_clock tick_clock_unknown(void);
/* False where the frequency is no usable number. */
bool tick_clock_of_frequency(double hz, tick_clock *c);
tick_clock tick_clock_of_ps(int64_t ps);

/* Sums and products that stay at FINE_MAX where they would pass it. */
fine fine_add(fine a, fine b);
fine fine_scale(fine a, int64_t times);
/* The time of cycles of another clock, of `hz`, in units of `rate`, rounded. */
fine fine_cycles_down(int64_t cycles, int64_t hz, tick_rate rate);
fine fine_cycles_up(int64_t cycles, int64_t hz, tick_rate rate);

void fine_cost_add(fine_cost *to, const fine_cost *more);
/* Widens `to` by the range of `other`. */
void fine_cost_either(fine_cost *to, const fine_cost *other);

/* Rounds to nanoseconds; false for more than a day, the longest time of a system. */
bool fine_range(const tick_clock *c, fine min, fine max, sys_range *out);

#endif
