/* cvt between any two types. Conversions to integers always saturate, as PTX
 * says; from integers to integers only with .sat, else they cut bits off. */
#include "simt/float/finish.h"

static const struct {
    int bits;
    bool is_signed, is_float;
} types[FLOAT_TYPES] = {
    [FLOAT_u8] = {8, false, false},   [FLOAT_u16] = {16, false, false}, [FLOAT_u32] = {32, false, false},
    [FLOAT_u64] = {64, false, false}, [FLOAT_s8] = {8, true, false},    [FLOAT_s16] = {16, true, false},
    [FLOAT_s32] = {32, true, false},  [FLOAT_s64] = {64, true, false},  [FLOAT_f16] = {16, true, true},
    [FLOAT_bf16] = {16, true, true},  [FLOAT_tf32] = {32, true, true},  [FLOAT_f32] = {32, true, true},
    [FLOAT_f64] = {64, true, true},
};

static uint64_t low_bits(int bits)
{
    return ~UINT64_C(0) >> (64 - bits);
}

static soft unpack_integer(float_type from, uint64_t a)
{
    const int bits = types[from].bits;
    a &= low_bits(bits);
    bool sign = types[from].is_signed && a >> (bits - 1);
    uint64_t magnitude = (sign ? 0 - a : a) & low_bits(bits);
    return (soft){magnitude ? FLOAT_NORMAL : FLOAT_ZERO, sign, 0, magnitude};
}

/* What has no fraction, into the range of an integer type. */
static uint64_t saturated(float_type to, soft x)
{
    const int bits = types[to].bits;
    const uint64_t highest = low_bits(bits) >> types[to].is_signed, lowest = types[to].is_signed ? highest + 1 : 0;
    const uint64_t limit = x.sign ? lowest : highest; /* as a magnitude */
    if (x.class == FLOAT_ZERO)
        return 0;
    uint64_t magnitude = limit;
    if (x.class == FLOAT_NORMAL && x.exponent < 64) {
        soft_bits value = x.significand << x.exponent; /* of at most 64 + 63 bits */
        magnitude = value > limit ? limit : (uint64_t)value;
    }
    return (x.sign ? 0 - magnitude : magnitude) & low_bits(bits);
}

/* PTX: zero if neither type has 64 bits, else the highest bit alone. */
static uint64_t nan_as_integer(float_type to, float_type from)
{
    if (from != FLOAT_f64 && types[to].bits < 64)
        return 0;
    return UINT64_C(1) << (types[to].bits - 1);
}

static uint64_t to_integer(float_type to, float_type from, uint64_t a, float_mode m)
{
    if (!types[from].is_float) {
        if (m.sat)
            return saturated(to, unpack_integer(from, a));
        soft x = unpack_integer(from, a);
        uint64_t value = (uint64_t)x.significand;
        return (x.sign ? 0 - value : value) & low_bits(types[to].bits);
    }
    soft x = soft_unpack(from, a, m.ftz && from == FLOAT_f32);
    return x.class == FLOAT_NAN ? nan_as_integer(to, from) : saturated(to, soft_integral(x, m.round));
}

/* The hardware's, as recorded: f64 passes payloads on and quiets them, bf16 is an f32 cut short, tf32 by rna too;
 * without a rounding, the same type is a move. Else NaN is the canonical one. */
static uint64_t nan_as_float(float_type to, float_type from, uint64_t a, float_mode m)
{
    if (to == from && to >= FLOAT_f32 && !m.integral && !m.ftz)
        return a;
    if (m.ftz && from == FLOAT_f32)
        a = soft_nan(from);
    if (to == FLOAT_f32 && from == FLOAT_bf16 && !m.ftz)
        return a << 16;
    if (to == FLOAT_tf32 && m.round == FLOAT_RNA)
        return a & ~UINT64_C(0x1fff);
    if (to != FLOAT_f64 && from != FLOAT_f64)
        return soft_nan(to);
    const int shift = soft_format_of(to).fraction - soft_format_of(from).fraction;
    const uint64_t payload = a & ((UINT64_C(1) << soft_format_of(from).fraction) - 1);
    const uint64_t quiet = UINT64_C(1) << (soft_format_of(to).fraction - 1);
    return (a & soft_sign_bit(from) ? soft_sign_bit(to) : 0) | soft_infinity(to) | quiet |
           (shift < 0 ? payload >> -shift : payload << shift);
}

uint64_t float_convert(float_type to, float_type from, uint64_t a, float_mode m)
{
    if (!types[to].is_float)
        return to_integer(to, from, a, m);
    const bool ftz = m.ftz && from == FLOAT_f32 && to != FLOAT_f16; /* to f16 the hardware ignores it */
    soft x = types[from].is_float ? soft_unpack(from, a, ftz) : unpack_integer(from, a);
    if (x.class == FLOAT_NAN)
        return float_finish(to, nan_as_float(to, from, a, m), m);
    if (m.integral)
        x = soft_integral(x, m.round);
    return float_finish(to, soft_pack(to, x, m.round, m.ftz && to == FLOAT_f32), m);
}
