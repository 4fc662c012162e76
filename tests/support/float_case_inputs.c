/* Inputs of a case from a number; needs no test library, so that a GPU host can build it. */
#include <string.h>

#include "simt/float/soft.h"
#include "support/float_case.h"

/* Steele's splitmix64. */
static uint64_t next(uint64_t *state)
{
    uint64_t x = ++*state * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static int64_t between(uint64_t *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(next(r) % (uint64_t)(hi - lo + 1));
}

static bool is_float(float_type t)
{
    return t >= FLOAT_f16;
}

static int bits_of(float_type t)
{
    soft_format f = soft_format_of(t);
    static const int integer[] = {8, 16, 32, 64};
    return is_float(t) ? 1 + f.exponent + f.fraction + f.unused : integer[t & 3];
}

static uint64_t all_ones(float_type t)
{
    return ~UINT64_C(0) >> (64 - bits_of(t));
}

/* Those that matter most are first; for three operands only 13 of them are combined. */
enum { SPECIALS = 30, FEW_SPECIALS = 13 };

static uint64_t special_float(float_type t, unsigned i)
{
    const uint64_t sign = soft_sign_bit(t), one = soft_one(t), infinity = soft_infinity(t);
    const uint64_t smallest_normal = UINT64_C(1) << soft_format_of(t).fraction, quiet = smallest_normal >> 1;
    const uint64_t table[SPECIALS] = {
        0,
        sign,
        one,
        smallest_normal,
        infinity,
        infinity | quiet | 5,
        infinity | 3,
        sign | one,
        one - 1,
        sign | smallest_normal,
        1,
        sign | infinity,
        smallest_normal - 1,
        sign | infinity | quiet | 9,
        sign | 1,
        sign | (smallest_normal - 1),
        one + 1,
        sign | (one - 1),
        infinity - 1,
        sign | (infinity - 1),
        one + smallest_normal,
        one + quiet,
        one - smallest_normal,
        one - smallest_normal + quiet,
        sign | (one + quiet),
        sign | (one - smallest_normal),
        infinity | (smallest_normal - 1),
        sign | infinity | 1,
        smallest_normal + 1,
        one + 2 * smallest_normal,
    };
    return table[i];
}

static uint64_t special_integer(float_type t, unsigned i)
{
    const uint64_t ones = all_ones(t), half = (ones >> 1) + 1;
    const uint64_t table[] = {0,       1, 2, 3, ones, ones - 1, half, half - 1, half + 1, ones >> 2, (ones >> 2) + 1,
                              ones / 3};
    return table[i % 12] & ones;
}

static uint64_t special(float_type t, unsigned i)
{
    return is_float(t) ? special_float(t, i) : special_integer(t, i);
}

/* A fraction whose low bits are, half of the time, all zeros or all ones: what lies on a tie or next to one. */
static uint64_t rough_bits(uint64_t *r, int bits)
{
    uint64_t x = next(r), low = (UINT64_C(1) << between(r, 0, bits)) - 1;
    switch (between(r, 0, 5)) {
    case 0:
        return x & ~low;
    case 1:
        return x | low;
    case 2:
        return (x & ~low) | ((low >> 1) + 1);
    default:
        return x;
    }
}

/* A float with an unbiased exponent, as near to it as the type has. */
static uint64_t float_near(uint64_t *r, float_type t, int64_t exponent)
{
    const soft_format f = soft_format_of(t);
    const int64_t bias = (INT64_C(1) << (f.exponent - 1)) - 1;
    int64_t field = exponent + bias;
    field = field < 0 ? 0 : field > 2 * bias ? 2 * bias : field;
    uint64_t fraction = rough_bits(r, f.fraction) & ((UINT64_C(1) << f.fraction) - 1);
    return (next(r) & 1 ? soft_sign_bit(t) : 0) | ((uint64_t)field << f.fraction) | fraction;
}

static int64_t exponent_of(float_type t, uint64_t a)
{
    const soft_format f = soft_format_of(t);
    const int64_t mask = (INT64_C(1) << f.exponent) - 1;
    return (int64_t)(a >> f.fraction & (uint64_t)mask) - mask / 2;
}

/* Exponents where the operation has its limits, given the operands before. */
static int64_t limit_exponent(uint64_t *r, const float_case *c, const uint64_t *in, int operand)
{
    const float_type t = c->from;
    const int64_t bias = (INT64_C(1) << (soft_format_of(t).exponent - 1)) - 1, near = between(r, -3, 3);
    if (!strcmp(c->opcode, "cvt")) {
        if (!is_float(c->to))
            return between(r, -2, bits_of(c->to) + 1);
        const int64_t limit = (INT64_C(1) << (soft_format_of(c->to).exponent - 1)) - 1;
        const int64_t limits[] = {-limit, limit, -limit - soft_format_of(c->to).fraction, 5};
        return limits[between(r, 0, 3)] + near;
    }
    if (operand == 0)
        return c->approx ? between(r, -6, 8) : between(r, -bias, bias);
    const int64_t first = exponent_of(t, in[0]);
    if (operand == 2)
        return first + exponent_of(t, in[1]) + between(r, -2, 2) * 13 + near;
    const int64_t of_product[] = {-bias - first, bias - first, first, between(r, -bias, bias), near};
    const int64_t of_quotient[] = {first + bias, first - bias, first, between(r, -bias, bias), near};
    return (strcmp(c->opcode, "div") ? of_product : of_quotient)[between(r, 0, 4)] + near;
}

static uint64_t random_operand(uint64_t *r, const float_case *c, const uint64_t *in, int operand)
{
    const float_type t = c->from;
    const int64_t way = between(r, 0, 7);
    if (way == 0)
        return special(t, (unsigned)between(r, 0, SPECIALS - 1));
    if (!is_float(t)) { /* of every length */
        const uint64_t x = rough_bits(r, bits_of(t) - 1) & all_ones(t);
        return x >> (way > 3 ? between(r, 0, bits_of(t) - 1) : 0);
    }
    if (way < 3)
        return next(r) & all_ones(t);
    if (way == 3 && operand > 0) {
        const uint64_t near = in[operand - 1] ^ (next(r) & 3);
        return next(r) & 1 ? near ^ soft_sign_bit(t) : near;
    }
    return float_near(r, t, limit_exponent(r, c, in, operand));
}

static void one_element(const float_case *c, uint64_t index, uint64_t in[3])
{
    const unsigned base = c->operands == 3 ? FEW_SPECIALS : SPECIALS;
    uint64_t grid = 1, rest = index;
    in[0] = in[1] = in[2] = 0;
    for (int i = 0; i < c->operands; i++)
        grid *= base;
    uint64_t r = index << 8; /* fewer than 256 numbers are drawn for each */
    for (int i = 0; i < c->operands; i++, rest /= base)
        in[i] = index < grid ? special(c->from, (unsigned)(rest % base)) : random_operand(&r, c, in, i);
}

void float_case_inputs(const float_case *c, uint64_t index, uint64_t in[3])
{
    one_element(c, index, in);
    if (!c->packed || !strcmp(c->opcode, "cvt"))
        return;
    uint64_t other[3];
    one_element(c, index ^ 1031, other);
    for (int i = 0; i < 3; i++)
        in[i] |= other[i] << 16;
}
