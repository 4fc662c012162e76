/* Moves: copies, vectors that are packed into a register and unpacked, addresses that change between spaces, and
 * conversions (cvt). */
#include "ptx/instruction.h"
#include "ptx/ptx.h"
#include "simt/float/arithmetic.h"
#include "simt/float/float.h"
#include "simt/isa/decoder.h"
#include "simt/isa/operands.h"
#include "simt/program/op.h"
#include "simt/program/program.h"

/* o->list: the rows of o->count elements of o->bytes each, the lowest first; o->d: the register that holds them. */
static void pack(const op *o, const rows *r, uint32_t m)
{
    EACH_SET(i, m)
    {
        uint64_t x = 0;
        for (uint32_t k = 0; k < o->count; k++)
            x |= (uint64_t)((const u32 *)row(r, o->list[k]))[i] << (8 * o->bytes * k);
        lane_write(r, o->d, i, o->bytes * o->count == 8, x);
    }
}

static void unpack(const op *o, const rows *r, uint32_t m)
{
    uint64_t mask = ((uint64_t)1 << 8 * o->bytes) - 1;
    EACH_SET(i, m)
    {
        uint64_t x = lane_read(r, o->a, i, o->bytes * o->count == 8);
        for (uint32_t k = 0; k < o->count; k++)
            ((u32 *)row(r, o->list[k]))[i] = (uint32_t)(x >> (8 * o->bytes * k) & mask);
    }
}

/* mov.b64 c, {a, b} packs; mov.b64 {a, b}, c unpacks. */
static bool decode_vector(decoder *d, op *o, ptx_type t)
{
    const ptx_operand *target = &d->in->operand[0], *value = &d->in->operand[1];
    bool packs = value->kind == PTX_OP_VECTOR;
    const ptx_operand *vector = packs ? value : target, *packed = packs ? target : value;
    uint32_t bytes = (uint32_t)ptx_type_bytes(t);
    if (vector->items < 2 || vector->items > 4 || bytes > 8 || bytes % vector->items)
        return decode_fail(d, "mov.%s with a vector of %u is not supported", ptx_type_name(t), vector->items);
    o->count = (uint8_t)vector->items;
    o->bytes = (uint8_t)(bytes / vector->items);
    slot *elements = arena_alloc_array(&d->program->memory, vector->items, sizeof *elements);
    if (!elements)
        return decode_fail_memory(d);
    char part = o->bytes <= 2 ? 'h' : 'w', all = bytes == 8 ? 'x' : bytes == 4 ? 'w' : 'h';
    for (uint32_t k = 0; k < vector->items; k++)
        if (!(packs ? source(d, &vector->item[k], part, &elements[k])
                    : destination(d, &vector->item[k], part, &elements[k])))
            return false;
    o->list = elements;
    o->run.lanes = packs ? pack : unpack;
    return (packs ? destination(d, packed, all, &o->d) : source(d, packed, all, &o->a)) && emit(d, o);
}

bool decode_mov(decoder *d, op *o)
{
    ptx_type t = take_type(d);
    if (t == PTX_NO_TYPE || ptx_type_bytes(t) > 8)
        return decode_fail(d, "mov with such a type is not supported");
    if (!all_taken(d) || !has_operands(d, 2, 2))
        return false;
    const ptx_operand *x = d->in->operand;
    if (x[0].kind == PTX_OP_VECTOR || x[1].kind == PTX_OP_VECTOR)
        return decode_vector(d, o, t);
    char shape = shape_of(t);
    size_t before = d->ops.count;
    if (!destination(d, &x[0], shape, &o->d) || !typed_source(d, &x[1], t, &o->a))
        return false;
    if (d->ops.count > before && (x[1].kind == PTX_OP_SPECIAL || x[1].kind == PTX_OP_VAR)) {
        op *last = &d->ops.at[d->ops.count - 1]; /* the hidden op may write to the destination itself */
        if (last->hidden && last->d == o->a) {
            last->d = o->d;
            last->hidden = false;
            return true;
        }
    }
    o->run.lanes = shape == 'p' ? lanes_copy_predicate : shape == 'x' ? lanes_copy_64 : lanes_copy_32;
    return emit(d, o);
}

/* Adds imm, the base of a window or its negative, to addresses: from a space to generic addresses, or back. */
static void add_base(const op *o, const rows *r, uint32_t m)
{
    u64 *d = row(r, o->d);
    const u64 *a = row(r, o->a);
    EACH_SET(i, m) d[i] = a[i] + (uint64_t)o->imm;
}

static uint64_t window_of(ptx_space s)
{
    return s == PTX_SPACE_shared  ? SHARED_WINDOW
           : s == PTX_SPACE_local ? LOCAL_WINDOW
           : s == PTX_SPACE_param ? PARAM_WINDOW
                                  : 0;
}

/* The space that cvta or isspacep names; PTX_SPACE_NONE: none, or one that they do not support. The parameters of a
 * function that is not a kernel are in its frame of local memory. */
static ptx_space take_address_space(decoder *d)
{
    if (ptx_has(d->in, "param::func"))
        return PTX_SPACE_NONE;
    ptx_space s = take_space(d);
    return s == PTX_SPACE_param && !d->fn->is_entry ? PTX_SPACE_local : s;
}

bool decode_cvta(decoder *d, op *o)
{
    bool to_space = take(d, "to");
    ptx_space space = take_address_space(d);
    ptx_type t = take_type(d);
    if (space == PTX_SPACE_NONE || (t != PTX_u64 && t != PTX_b64 && t != PTX_s64))
        return decode_fail(d, "cvta of such a space or size is not supported");
    const ptx_operand *x = d->in->operand;
    uint64_t window = window_of(space);
    o->imm = (int64_t)(to_space ? 0 - window : window);
    o->run.lanes = window ? add_base : lanes_copy_64;
    return all_taken(d) && has_operands(d, 2, 2) && destination(d, &x[0], 'x', &o->d) && source(d, &x[1], 'x', &o->a) &&
           emit(d, o);
}

static bool in_space(ptx_space s, uint64_t a)
{
    uint64_t window = window_of(s);
    if (window)
        return a >= window && a - window < WINDOW_BYTES;
    return a >= MEMORY_BASE;
}

static void run_isspacep(const op *o, const rows *r, uint32_t m)
{
    u32 *p = row(r, o->d);
    uint32_t holds = 0;
    const u64 *a = row(r, o->a);
    EACH_SET(i, m) holds |= (uint32_t)in_space((ptx_space)o->space, a[i]) << i;
    *p = (*p & ~m) | holds;
}

bool decode_isspacep(decoder *d, op *o)
{
    ptx_space space = take_address_space(d);
    if (space == PTX_SPACE_NONE || space == PTX_SPACE_const)
        return decode_fail(d, "isspacep of such a space is not supported");
    o->space = (uint8_t)space;
    o->run.lanes = run_isspacep;
    return all_taken(d) && has_operands(d, 2, 2) && destination(d, &d->in->operand[0], 'p', &o->d) &&
           source(d, &d->in->operand[1], 'x', &o->a) && emit(d, o);
}

/* The op of cvt uses these fields: bytes and variant are the sizes of the destination and source type, space and
 * address_bytes the sizes of their registers. count is 2 where two floats are packed into one register; for integers it
 * says whether the sign is extended. */

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
    FTZ = 12,  /* this and the following are single bits */
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

/* Integers without .sat are cut to the narrower of both types, and extended by its sign or by zeros. */
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

/* Takes a rounding mode: .rn and others, or .rni and others, which round to integers. */
static void take_round(decoder *d, op *o)
{
    static const char *const rounds[] = {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"};
    static const uint8_t mode[] = {FLOAT_RN, FLOAT_RZ, FLOAT_RM, FLOAT_RP, FLOAT_RNA,
                                   FLOAT_RN, FLOAT_RZ, FLOAT_RM, FLOAT_RP};
    int round = take_any_of(d, rounds, 9);
    o->imm |= round < 0 ? 0 : (int64_t)mode[round] << ROUND;
    if (round >= 5)
        o->imm |= (int64_t)1 << INTEGRAL;
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
