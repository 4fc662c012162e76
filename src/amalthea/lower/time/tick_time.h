/* The time of ticks in exact arithmetic. A tick takes num/den ns; times are kept in parts of a nanosecond, 1/den of
 * one, until they are rounded once: best times down, worst times up. num and den are not reduced, so that parts are
 * small enough for times that are no ticks. */
#ifndef AMALTHEA_LOWER_TIME_TICK_TIME_H
#define AMALTHEA_LOWER_TIME_TICK_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "model/system/system.h"

typedef unsigned __int128 fine; /* a time in parts of a nanosecond; not negative, at most FINE_MAX */

#define FINE_MAX ((fine)1 << 120)

typedef struct tick_rate {
    int64_t num, den;
} tick_rate;

/* A frequency that is no whole number of Hz is rounded: up for best times, down for worst times. */
typedef struct tick_clock {
    bool known;
    tick_rate fast, slow; /* num is 0 where nothing is known */
} tick_clock;

/* What something takes on a processor. `min` and `access_min` are in parts of the fast rate, the others of the slow. */
typedef struct fine_cost {
    bool never; /* it cannot run there: for some ticks nothing is said */
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
/* cycles of a clock of its own (hz a second), in parts of `rate`. */
fine fine_cycles_down(int64_t cycles, int64_t hz, tick_rate rate);
fine fine_cycles_up(int64_t cycles, int64_t hz, tick_rate rate);

void fine_cost_add(fine_cost *to, const fine_cost *more);
/* `to` becomes the range of both. */
void fine_cost_either(fine_cost *to, const fine_cost *other);

/* Whole nanoseconds; false where it is longer than a system may have. */
bool fine_range(const tick_clock *c, fine min, fine max, sys_range *out);

#endif
