#include "files/workload/launches/generator.h"

#include <stdlib.h>

typedef unsigned __int128 wide;

#define FRACTION_BITS 32 /* of logarithms */
#define ONE ((uint64_t)1 << 63)
#define MAX_WEIGHT_BITS 43 /* the weight of the smallest value is 2^43: 2^20 of them are less than 2^64 */

uint64_t generator_draw(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* A number from 0 to count - 1. */
static uint64_t scale(uint64_t draw, uint64_t count)
{
    return (uint64_t)((wide)draw * count >> 64);
}

bool generator_holds(uint32_t percent, uint64_t draw)
{
    return scale(draw, 100) < percent;
}

uint32_t generator_uniform(uint32_t min, uint32_t max, uint64_t draw)
{
    return min + (uint32_t)scale(draw, (uint64_t)max - min + 1);
}

/* The logarithm of k to base 2, with FRACTION_BITS binary places, rounded down: a bit of it for each squaring. */
static uint64_t log2_of(uint32_t k)
{
    unsigned whole = 31 - (unsigned)__builtin_clz(k);
    uint64_t log = whole, mantissa = (uint64_t)k << (63 - whole);
    for (int i = 0; i < FRACTION_BITS; i++) {
        wide square = (wide)mantissa * mantissa >> 63;
        unsigned bit = square >> 64 != 0;
        mantissa = (uint64_t)(square >> bit);
        log = log << 1 | bit;
    }
    return log;
}

/* The square root, rounded down. */
static uint64_t root_of(wide x)
{
    uint64_t root = 0;
    for (uint64_t bit = ONE; bit; bit >>= 1)
        if ((wide)(root | bit) * (root | bit) <= x)
            root |= bit;
    return root;
}

/* power[i]: 2 to the power of -2^-(i + 1), in units of 2^-63. */
static void make_powers(uint64_t power[FRACTION_BITS])
{
    power[0] = root_of((wide)ONE * (ONE >> 1));
    for (int i = 1; i < FRACTION_BITS; i++)
        power[i] = root_of((wide)ONE * power[i - 1]);
}

/* 2 to the power of MAX_WEIGHT_BITS - x, rounded down; x has FRACTION_BITS binary places. */
static uint64_t weight_of(uint64_t x, const uint64_t power[FRACTION_BITS])
{
    uint64_t whole = x >> FRACTION_BITS, weight = ONE;
    if (whole > MAX_WEIGHT_BITS)
        return 0;
    for (int i = 0; i < FRACTION_BITS; i++)
        if (x >> (FRACTION_BITS - 1 - i) & 1)
            weight = (uint64_t)((wide)weight * power[i] >> 63);
    return weight >> (63 - MAX_WEIGHT_BITS + whole);
}

bool power_law_make(power_law *p, uint32_t min, uint32_t max, uint32_t exponent_percent)
{
    if (p->weight_sum && p->min == min && p->max == max && p->exponent_percent == exponent_percent)
        return true;
    size_t count = (size_t)(max - min) + 1;
    power_law_free(p);
    *p = (power_law){.min = min, .max = max, .exponent_percent = exponent_percent};
    if (!(p->weight_sum = malloc(count * sizeof *p->weight_sum)))
        return false;
    uint64_t power[FRACTION_BITS], sum = 0, log_min = log2_of(min);
    make_powers(power);
    for (size_t i = 0; i < count; i++) {
        uint64_t log = log2_of((uint32_t)(min + i)) - log_min;
        sum += weight_of(log * exponent_percent / 100, power);
        p->weight_sum[i] = sum;
    }
    return true;
}

void power_law_free(power_law *p)
{
    free(p->weight_sum);
    p->weight_sum = NULL;
}

uint32_t power_law_draw(const power_law *p, uint64_t draw)
{
    uint32_t low = 0, high = p->max - p->min;
    uint64_t wanted = scale(draw, p->weight_sum[high]);
    while (low < high) { /* the first value whose sum is larger */
        uint32_t middle = low + (high - low) / 2;
        if (p->weight_sum[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return p->min + low;
}
