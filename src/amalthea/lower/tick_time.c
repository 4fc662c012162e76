#include "amalthea/lower/tick_time.h"

#include <float.h>
#include <math.h>

#include "base/units.h"

#define NS_PER_S INT64_C(1000000000)
#define MAX_HZ 1e15

tick_clock tick_clock_unknown(void)
{
    return (tick_clock){.fast = {0, NS_PER_S}, .slow = {0, NS_PER_S}};
}

bool tick_clock_of_frequency(double hz, tick_clock *c)
{
    if (!(hz >= 1) || hz > MAX_HZ)
        return false;
    /* 1.1 GHz, read as 1.1 and multiplied, may be off by the last digit of a double. */
    double nearest = floor(hz + 0.5);
    bool whole = fabs(hz - nearest) <= hz * 4 * DBL_EPSILON;
    c->known = true;
    c->fast = (tick_rate){NS_PER_S, (int64_t)(whole ? nearest : ceil(hz))};
    c->slow = (tick_rate){NS_PER_S, (int64_t)(whole ? nearest : floor(hz))};
    return true;
}

tick_clock tick_clock_of_ps(int64_t ps)
{
    bool small = ps < INT64_MAX / 1000000;
    tick_rate r = {small ? ps * 1000000 : ps, small ? NS_PER_S : 1000};
    return (tick_clock){.known = true, .fast = r, .slow = r};
}

fine fine_add(fine a, fine b)
{
    return a > FINE_MAX - b ? FINE_MAX : a + b;
}

fine fine_scale(fine a, int64_t times)
{
    if (times <= 0)
        return 0;
    return a > FINE_MAX / (fine)times ? FINE_MAX : a * (fine)times;
}

/* count * 10^9 / hz * den might overflow: whole ns are scaled first, then the remainder. */
static fine cycles(int64_t count, int64_t hz, tick_rate rate, bool up)
{
    fine ns = (fine)count * NS_PER_S, a_second = (fine)hz;
    fine part = ns % a_second * (fine)rate.den + (up ? a_second - 1 : 0);
    return fine_add(fine_scale(ns / a_second, rate.den), part / a_second);
}

fine fine_cycles_down(int64_t count, int64_t hz, tick_rate rate)
{
    return cycles(count, hz, rate, false);
}

fine fine_cycles_up(int64_t count, int64_t hz, tick_rate rate)
{
    return cycles(count, hz, rate, true);
}

void fine_cost_add(fine_cost *to, const fine_cost *more)
{
    to->never |= more->never;
    to->min = fine_add(to->min, more->min);
    to->max = fine_add(to->max, more->max);
    to->access_min = fine_add(to->access_min, more->access_min);
    to->access_max = fine_add(to->access_max, more->access_max);
}

void fine_cost_either(fine_cost *to, const fine_cost *other)
{
    to->never |= other->never;
    to->min = to->min < other->min ? to->min : other->min;
    to->max = to->max > other->max ? to->max : other->max;
    to->access_min = to->access_min < other->access_min ? to->access_min : other->access_min;
    to->access_max = to->access_max > other->access_max ? to->access_max : other->access_max;
}

bool fine_range(const tick_clock *c, fine min, fine max, sys_range *out)
{
    fine slow = (fine)c->slow.den, most = (max + slow - 1) / slow, least = min / (fine)c->fast.den;
    if (most > DAY_NS || least > DAY_NS)
        return false;
    out->min_ns = (int64_t)least;
    out->max_ns = (int64_t)most;
    return true;
}
