/* cvt. Of the op, bytes and variant are the sizes of destination and source
 * type, space and address_bytes those of their registers, and count is 2 where
 * two floats are packed into one register; for integers count says whether the
 * sign is extended. */
#include "simt/float/convert.h"
#include "ptx/type.h"
#include "simt/decode/emit.h"
#include "simt/decode/modifiers.h"
#include "simt/decode/operands.h"
#include "simt/decode/state.h"
#include "simt/float/float.h"
#include "simt/isa/isa_instructions.h"
#include "simt/program/value_types.h"

/* The low bytes of x, extended by their sign or by zeros. */
static uint64_t extend(uint64_t x, int bytes, bool is_signed)
{
    int shift = 64 - 8 * bytes;
    return is_signed ? (uint64_t)((int64_t)(x << shift) >> shift) : x << shift >> shift;
}

/* Fields of op.imm, by their first bit. */
enum {
    DTYPE = 0, /* float_type */
    STYPE = 4, /* float_type */
    ROUND = 8, /* float_round */
    FTZ = 12,  /* from here on single flags */
    SAT = 13,
    INTEGRAL = 14,
    RELU = 15,
    DTYPE_SIGNED = 16,
};

static void convert_floats(const op *o, const rows *r, uint32_t m)
{
    float_type dtype = (float_type)(o->imm >> DTYPE & 15), stype = (float_type)(o->imm >> STYPE & 15);
    float_mode mode = {
        .round = (float_round)(o->imm >> ROUND & 15),
        .ftz = o->imm >> FTZ & 1,
        .sat = o->imm >> SAT & 1,
        .integral = o->imm >> INTEGRAL & 1,
        .relu = o->imm >> RELU & 1,
    };
    uint64_t mask = o->variant == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * o->variant) - 1;
    EACH_SET(i, m)
    {
        uint64_t x = float_convert(dtype, stype, lane_read(r, o->a, i, o->address_bytes == 8) & mask, mode);
        if (o->imm >> DTYPE_SIGNED & 1)
            x = extend(x, o->bytes, true);
        if (o->count == 2) {
            uint64_t low = float_convert(dtype, stype, lane_read(r, o->b, i, o->address_bytes == 8) & mask, mode);
            x = x << 16 | low;
        }
        lane_write_bytes(r, o->d, i, o->space, x);
    }
}

/* Integers without .sat: cut to the narrower of both types, and extended as that type demands. */
#define INTEGERS(name, D, A)                                                                                           \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        D *d = row(r, o->d);                                                                                           \
        const A *pa = row(r, o->a);                                                                                    \
        int shift = (int)o->imm;                                                                                       \
        uint64_t keep = o->space == 2 ? 0xffff : UINT64_MAX;                                                           \
        if (o->count)                                                                                                  \
            EACH_LANE                                                                                                  \
            {                                                                                                          \
                D x = (D)((uint64_t)((int64_t)((uint64_t)pa[i] << shift) >> shift) & keep);                            \
                d[i] = (m >> i) & 1 ? x : d[i];                                                                        \
            }                                                                                                          \
        else                                                                                                           \
            EACH_LANE                                                                                                  \
            {                                                                                                          \
                D x = (D)((uint64_t)pa[i] << shift >> shift);                                                          \
                d[i] = (m >> i) & 1 ? x : d[i];                                                                        \
            }                                                                                                          \
    }
INTEGERS(integers_32_32, u32, u32)
INTEGERS(integers_32_64, u32, u64)
INTEGERS(integers_64_32, u64, u32)
INTEGERS(integers_64_64, u64, u64)

/* Conversions between integers. */
static bool decode_integers(decoder *d, op *o, ptx_type dtype, ptx_type stype, bool sat, int d_width, int a_width)
{
    int dtype_bytes = ptx_type_bytes(dtype), stype_bytes = ptx_type_bytes(stype);
    if (sat) {
        o->run.lanes = convert_floats;
        return emit(d, o);
    }
    int bytes = dtype_bytes < stype_bytes ? dtype_bytes : stype_bytes;
    ptx_type narrow = dtype_bytes <= stype_bytes ? dtype : stype;
    o->imm = 64 - 8 * bytes;
    o->count = ptx_type_kind(narrow) == 's';
    if (o->count && dtype_bytes > stype_bytes && ptx_type_kind(dtype) != 's' && dtype_bytes < d_width) {
        return decode_fail(d, "cvt.%s.%s to a wider register is not supported", ptx_type_name(dtype),
                           ptx_type_name(stype));
    }
    o->run.lanes = d_width == 8 ? (a_width == 8 ? integers_64_64 : integers_64_32)
                                : (a_width == 8 ? integers_32_64 : integers_32_32);
    return emit(d, o);
}

/* Takes .rn and such, or .rni and such, which round to integers. */
static bool take_round(decoder *d, op *o)
{
    static const char *const rounds[] = {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"};
    static const uint8_t mode[] = {FLOAT_RN, FLOAT_RZ, FLOAT_RM, FLOAT_RP, FLOAT_RNA,
                                   FLOAT_RN, FLOAT_RZ, FLOAT_RM, FLOAT_RP};
    int round = take_any_of(d, rounds, 9);
    o->imm |= round < 0 ? 0 : (int64_t)mode[round] << ROUND;
    if (round >= 5)
        o->imm |= (int64_t)1 << INTEGRAL;
    return round >= 0;
}

bool decode_cvt(decoder *d, op *o)
{
    take_round(d, o);
    o->imm |= take(d, "ftz") ? (int64_t)1 << FTZ : 0;
    bool sat = take(d, "sat");
    o->imm |= sat ? (int64_t)1 << SAT : 0;
    o->imm |= take(d, "relu") ? (int64_t)1 << RELU : 0;
    ptx_type dtype, stype;
    bool tf32 = take(d, "tf32");
    dtype = tf32 ? PTX_b32 : take_type(d);
    stype = take_type(d);
    bool packed = dtype == PTX_f16x2 || dtype == PTX_bf16x2;
    float_type float_dtype = tf32 ? FLOAT_tf32 : float_type_of(dtype), float_stype = float_type_of(stype);
    if (float_dtype == FLOAT_TYPES || float_stype == FLOAT_TYPES || stype == PTX_f16x2 || stype == PTX_bf16x2 ||
        (packed && stype != PTX_f32) || (tf32 && stype != PTX_f32))
        return decode_fail(d, "cvt with such types is not supported");
    uint32_t count = packed ? 3 : 2;
    int d_width, a_width;
    const ptx_operand *x = d->in->operand;
    if (!all_taken(d) || !has_operands(d, count, count) ||
        !any_width(d, &x[0], true, (uint32_t)ptx_type_bytes(dtype), &o->d, &d_width))
        return false;
    bool is_literal = x[1].kind != PTX_OP_REG;
    a_width = ptx_type_bytes(stype) == 8 ? 8 : 4;
    if (is_literal ? !typed_source(d, &x[1], stype, &o->a)
                   : !any_width(d, &x[1], false, (uint32_t)ptx_type_bytes(stype), &o->a, &a_width))
        return false;
    o->b = o->a;
    if (packed && !typed_source(d, &x[2], stype, &o->b))
        return false;
    o->imm |= (int64_t)float_dtype << DTYPE | (int64_t)float_stype << STYPE;
    o->imm |= ptx_type_kind(dtype) == 's' ? (int64_t)1 << DTYPE_SIGNED : 0;
    o->bytes = (uint8_t)ptx_type_bytes(dtype);
    o->variant = (uint8_t)ptx_type_bytes(stype);
    o->address_bytes = (uint8_t)(a_width == 8 ? 8 : 4);
    o->space = (uint8_t)d_width;
    if (ptx_type_kind(dtype) != 'f' && ptx_type_kind(stype) != 'f' && !tf32)
        return decode_integers(d, o, dtype, stype, sat, d_width, a_width);
    o->count = packed ? 2 : 1;
    o->run.lanes = convert_floats;
    return emit(d, o);
}
