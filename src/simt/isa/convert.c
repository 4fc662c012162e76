/* cvt: between integers here, with floats by float.h. */
#include "simt/decode/decode.h"

static uint64_t read_lane(const rows *r, slot s, uint32_t lane, bool wide)
{
    return wide ? ((const u64 *)row(r, s))[lane] : ((const u32 *)row(r, s))[lane];
}

static void write_lane(const rows *r, slot s, uint32_t lane, int width, uint64_t x)
{
    if (width == 8)
        ((u64 *)row(r, s))[lane] = x;
    else
        ((u32 *)row(r, s))[lane] = width == 2 ? (uint16_t)x : (uint32_t)x;
}

/* The value of the low `bytes` with its sign. */
static uint64_t extend(uint64_t x, int bytes, bool is_signed)
{
    int shift = 64 - 8 * bytes;
    return is_signed ? (uint64_t)((int64_t)(x << shift) >> shift) : x << shift >> shift;
}

/* What an op of conversion keeps in `imm`. */
enum {
    TO = 0,    /* float_type */
    FROM = 4,  /* float_type */
    ROUND = 8, /* float_round */
    FTZ = 12,  /* flags from here on */
    SAT = 13,
    INTEGRAL = 14,
    RELU = 15,
    TO_SIGNED = 16,
};

static void convert_floats(const op *o, const rows *r, uint32_t m)
{
    float_type to = (float_type)(o->imm >> TO & 15), from = (float_type)(o->imm >> FROM & 15);
    float_mode mode = {
        .round = (float_round)(o->imm >> ROUND & 15),
        .ftz = o->imm >> FTZ & 1,
        .sat = o->imm >> SAT & 1,
        .integral = o->imm >> INTEGRAL & 1,
        .relu = o->imm >> RELU & 1,
    };
    uint64_t mask = o->what == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * o->what) - 1;
    EACH_SET(i, m)
    {
        uint64_t x = float_convert(to, from, read_lane(r, o->a, i, o->address == 8) & mask, mode);
        if (o->imm >> TO_SIGNED & 1)
            x = extend(x, o->bytes, true);
        if (o->count == 2) {
            uint64_t low = float_convert(to, from, read_lane(r, o->b, i, o->address == 8) & mask, mode);
            x = x << 16 | low;
        }
        write_lane(r, o->d, i, o->space, x);
    }
}

/* Integers without .sat: cut to the narrower of both, with the sign of the source if that is it. */
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

/* Between integers that differ in size or sign: into the range of the destination. */
static bool decode_integers(decoder *d, op *o, ptx_type to, ptx_type from, bool sat, int to_width, int from_width)
{
    int to_bytes = ptx_type_bytes(to), from_bytes = ptx_type_bytes(from);
    if (sat) {
        o->run.lanes = convert_floats;
        return emit(d, o);
    }
    int bytes = to_bytes < from_bytes ? to_bytes : from_bytes;
    ptx_type narrow = to_bytes <= from_bytes ? to : from;
    o->imm = 64 - 8 * bytes;
    o->count = ptx_type_kind(narrow) == 's';
    if (o->count && to_bytes > from_bytes && ptx_type_kind(to) != 's' && to_bytes < to_width) {
        return decode_fail(d, "cvt.%s.%s to a wider register is not supported", ptx_type_name(to), ptx_type_name(from));
    }
    o->run.lanes = to_width == 8 ? (from_width == 8 ? integers_64_64 : integers_64_32)
                                 : (from_width == 8 ? integers_32_64 : integers_32_32);
    return emit(d, o);
}

/* .rn and such of floats, .rni and such to integers. */
static bool take_round(decoder *d, op *o)
{
    static const char *const rounds[] = {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"};
    static const uint8_t mode[] = {FLOAT_RN, FLOAT_RZ, FLOAT_RM, FLOAT_RP, FLOAT_RNA,
                                   FLOAT_RN, FLOAT_RZ, FLOAT_RM, FLOAT_RP};
    int round = take_of(d, rounds, 9);
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
    ptx_type to, from;
    bool tf32 = take(d, "tf32");
    to = tf32 ? PTX_b32 : take_type(d);
    from = take_type(d);
    bool packed = to == PTX_f16x2 || to == PTX_bf16x2;
    float_type float_to = tf32 ? FLOAT_tf32 : float_type_of(to), float_from = float_type_of(from);
    if (float_to == FLOAT_TYPES || float_from == FLOAT_TYPES || from == PTX_f16x2 || from == PTX_bf16x2 ||
        (packed && from != PTX_f32) || (tf32 && from != PTX_f32))
        return decode_fail(d, "cvt with such types is not supported");
    uint32_t count = packed ? 3 : 2;
    int to_width, from_width;
    const ptx_operand *x = d->in->operand;
    if (!all_taken(d) || !operands(d, count, count) ||
        !any_width(d, &x[0], true, (uint32_t)ptx_type_bytes(to), &o->d, &to_width))
        return false;
    bool is_literal = x[1].kind != PTX_OP_REG;
    from_width = ptx_type_bytes(from) == 8 ? 8 : 4;
    if (is_literal ? !typed_source(d, &x[1], from, &o->a)
                   : !any_width(d, &x[1], false, (uint32_t)ptx_type_bytes(from), &o->a, &from_width))
        return false;
    o->b = o->a;
    if (packed && !typed_source(d, &x[2], from, &o->b))
        return false;
    o->imm |= (int64_t)float_to << TO | (int64_t)float_from << FROM;
    o->imm |= ptx_type_kind(to) == 's' ? (int64_t)1 << TO_SIGNED : 0;
    o->bytes = (uint8_t)ptx_type_bytes(to);
    o->what = (uint8_t)ptx_type_bytes(from);
    o->address = (uint8_t)(from_width == 8 ? 8 : 4);
    o->space = (uint8_t)to_width;
    if (ptx_type_kind(to) != 'f' && ptx_type_kind(from) != 'f' && !tf32)
        return decode_integers(d, o, to, from, sat, to_width, from_width);
    o->count = packed ? 2 : 1;
    o->run.lanes = convert_floats;
    return emit(d, o);
}
