/* cvt between any two types. Conversions from floats to integers always
 * saturate, as PTX says; conversions between integers saturate only with .sat,
 * and else cut bits off. */
#include "simt/float/convert.h"

#include "simt/float/finish.h"
#include "simt/float/soft.h"

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

static soft unpack_integer(float_type stype, uint64_t a)
{
    const int bits = types[stype].bits;
    a &= low_bits(bits);
    bool sign = types[stype].is_signed && a >> (bits - 1);
    uint64_t magnitude = (sign ? 0 - a : a) & low_bits(bits);
    return (soft){magnitude ? FLOAT_NORMAL : FLOAT_ZERO, sign, 0, magnitude};
}

/* An integral value in the range of an integer type. */
static uint64_t saturated(float_type dtype, soft x)
{
    const int bits = types[dtype].bits;
    const uint64_t highest = low_bits(bits) >> types[dtype].is_signed,
                   lowest = types[dtype].is_signed ? highest + 1 : 0;
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

/* A NaN as an integer: zero if neither type has 64 bits, else only the highest bit, as PTX says. */
static uint64_t nan_as_integer(float_type dtype, float_type stype)
{
    if (stype != FLOAT_f64 && types[dtype].bits < 64)
        return 0;
    return UINT64_C(1) << (types[dtype].bits - 1);
}

static uint64_t to_integer(float_type dtype, float_type stype, uint64_t a, float_mode m)
{
    if (!types[stype].is_float) {
        if (m.sat)
            return saturated(dtype, unpack_integer(stype, a));
        soft x = unpack_integer(stype, a);
        uint64_t value = (uint64_t)x.significand;
        return (x.sign ? 0 - value : value) & low_bits(types[dtype].bits);
    }
    soft x = soft_unpack(stype, a, m.ftz && stype == FLOAT_f32);
    return x.class == FLOAT_NAN ? nan_as_integer(dtype, stype) : saturated(dtype, soft_integral(x, m.round));
}

/* A NaN as a float, as recorded on hardware: f64 keeps the payload and quiets it; bf16 is the upper half of an f32;
 * tf32 with .rna keeps the payload, too; a conversion to the same type without rounding is a move. In all other cases
 * it is the canonical NaN. */
static uint64_t nan_as_float(float_type dtype, float_type stype, uint64_t a, float_mode m)
{
    if (dtype == stype && dtype >= FLOAT_f32 && !m.integral && !m.ftz)
        return a;
    if (m.ftz && stype == FLOAT_f32)
        a = soft_nan(stype);
    if (dtype == FLOAT_f32 && stype == FLOAT_bf16 && !m.ftz)
        return a << 16;
    if (dtype == FLOAT_tf32 && m.round == FLOAT_RNA)
        return a & ~UINT64_C(0x1fff);
    if (dtype != FLOAT_f64 && stype != FLOAT_f64)
        return soft_nan(dtype);
    const int shift = soft_format_of(dtype).fraction - soft_format_of(stype).fraction;
    const uint64_t payload = a & ((UINT64_C(1) << soft_format_of(stype).fraction) - 1);
    const uint64_t quiet = UINT64_C(1) << (soft_format_of(dtype).fraction - 1);
    return (a & soft_sign_bit(stype) ? soft_sign_bit(dtype) : 0) | soft_infinity(dtype) | quiet |
           (shift < 0 ? payload >> -shift : payload << shift);
}

uint64_t float_convert(float_type dtype, float_type stype, uint64_t a, float_mode m)
{
    if (!types[dtype].is_float)
        return to_integer(dtype, stype, a, m);
    const bool ftz =
        m.ftz && stype == FLOAT_f32 && dtype != FLOAT_f16; /* the hardware ignores .ftz in conversions to f16 */
    soft x = types[stype].is_float ? soft_unpack(stype, a, ftz) : unpack_integer(stype, a);
    if (x.class == FLOAT_NAN)
        return float_finish(dtype, nan_as_float(dtype, stype, a, m), m);
    if (m.integral)
        x = soft_integral(x, m.round);
    return float_finish(dtype, soft_pack(dtype, x, m.round, m.ftz && dtype == FLOAT_f32), m);
}
