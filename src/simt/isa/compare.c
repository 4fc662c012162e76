/* Comparisons and selections: setp, set, selp, slct, testp. The result of a comparison is a mask, which can be combined
 * with another predicate. */
#include <string.h>

#include "ptx/ptx.h"
#include "simt/float/arithmetic.h"
#include "simt/float/soft.h"
#include "simt/isa/decoder.h"
#include "simt/isa/operands.h"
#include "simt/program/op.h"
#include "simt/program/program.h"

enum { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

/* Writes p = holds op c and, where o->count is 2, q = !holds op c. */
static inline void write_predicates(const op *o, const rows *r, uint32_t m, uint32_t holds)
{
    u32 *p = row(r, o->d);
    uint32_t fails = ~holds;
    if (o->variant != COMBINE_NONE) {
        uint32_t c = *(const u32 *)row(r, o->c);
        holds = o->variant == COMBINE_AND ? holds & c : o->variant == COMBINE_OR ? holds | c : holds ^ c;
        fails = o->variant == COMBINE_AND ? fails & c : o->variant == COMBINE_OR ? fails | c : fails ^ c;
    }
    *p = (*p & ~m) | (holds & m);
    if (o->count == 2) {
        u32 *q = row(r, o->e);
        *q = (*q & ~m) | (fails & m);
    }
}

#define COMPARE(name, T, expr)                                                                                         \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        const T *pa = row(r, o->a), *pb = row(r, o->b);                                                                \
        uint32_t holds = 0;                                                                                            \
        for (int i = 0; i < LANES; i++) {                                                                              \
            T a = pa[i], b = pb[i];                                                                                    \
            holds |= (uint32_t)(expr) << i;                                                                            \
        }                                                                                                              \
        write_predicates(o, r, m, holds);                                                                              \
    }

#define COMPARE_TABLE(X)                                                                                               \
    X(eq, a == b)                                                                                                      \
    X(ne, a != b)                                                                                                      \
    X(lt, a < b)                                                                                                       \
    X(le, a <= b)                                                                                                      \
    X(gt, a > b)                                                                                                       \
    X(ge, a >= b)

#define X(name, expr)                                                                                                  \
    COMPARE(name##_u32, u32, expr)                                                                                     \
    COMPARE(name##_s32, s32, expr)                                                                                     \
    COMPARE(name##_u64, u64, expr)                                                                                     \
    COMPARE(name##_s64, s64, expr)                                                                                     \
    COMPARE(name##_f32, f32, expr)                                                                                     \
    COMPARE(name##_f64, f64, expr)
COMPARE_TABLE(X)
#undef X

#define X(name, expr) COMPARE(name##_s16, u32, name##_16(a, b))
#define HALF(name, expr)                                                                                               \
    static inline int name##_16(uint32_t x, uint32_t y)                                                                \
    {                                                                                                                  \
        int16_t a = (int16_t)x, b = (int16_t)y;                                                                        \
        return expr;                                                                                                   \
    }
COMPARE_TABLE(HALF)
COMPARE_TABLE(X)
#undef X

static const struct comparison {
    const char *name;
    lane_function *u32, *s32, *u64, *s64, *s16, *f32, *f64; /* by type; NULL: not possible */
} comparisons[] = {
#define X(name, expr) {#name, name##_u32, name##_s32, name##_u64, name##_s64, name##_s16, name##_f32, name##_f64},
    COMPARE_TABLE(X)
#undef X
        {"lo", lt_u32, NULL, lt_u64, NULL, NULL, NULL, NULL},
    {"ls", le_u32, NULL, le_u64, NULL, NULL, NULL, NULL},
    {"hi", gt_u32, NULL, gt_u64, NULL, NULL, NULL, NULL},
    {"hs", ge_u32, NULL, ge_u64, NULL, NULL, NULL, NULL},
};

/* Compares floats by float_compare. o->imm: mask of relations, and bit 8 for .ftz; o->bytes: the float_type. */
static void compare_floats(const op *o, const rows *r, uint32_t m)
{
    uint32_t holds = 0;
    float_type t = (float_type)o->bytes;
    bool ftz = o->imm & 256;
    EACH_SET(i, m)
    {
        uint64_t a, b;
        if (t == FLOAT_f64) {
            a = ((const u64 *)row(r, o->a))[i];
            b = ((const u64 *)row(r, o->b))[i];
        } else {
            a = ((const u32 *)row(r, o->a))[i];
            b = ((const u32 *)row(r, o->b))[i];
        }
        holds |= (uint32_t)((float_compare(t, a, b, ftz) & o->imm & 255) != 0) << i;
    }
    write_predicates(o, r, m, holds);
}

/* Chooses the function of a comparison. */
static bool choose_comparison(decoder *d, op *o, const char *name, ptx_type t, bool ftz)
{
    char kind = ptx_type_kind(t);
    int bytes = ptx_type_bytes(t);
    const struct comparison *x = NULL;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (strcmp(comparisons[i].name, name) == 0)
            x = &comparisons[i];
    if (kind == 'f') {
        if (x && !ftz && (t == PTX_f32 || t == PTX_f64)) {
            o->run.lanes = t == PTX_f32 ? x->f32 : x->f64;
        } else {
            o->run.lanes = compare_floats;
            o->imm = float_comparison(name) | (ftz ? 256 : 0);
            o->bytes = (uint8_t)float_type_of(t);
            if (!(o->imm & 255) || t == PTX_f16x2 || t == PTX_bf16x2)
                o->run.lanes = NULL;
        }
    } else if (x && bytes >= 2 && bytes <= 8) {
        bool is_signed = kind == 's';
        o->run.lanes = bytes == 8   ? (is_signed ? x->s64 : x->u64)
                       : bytes == 4 ? (is_signed ? x->s32 : x->u32)
                                    : (is_signed ? x->s16 : x->u32);
    }
    return o->run.lanes || decode_fail(d, "%.40s.%.20s.%s is not supported", d->in->opcode, name, ptx_type_name(t));
}

/* Decodes the modifiers of setp.CMP{.BOOL}{.ftz}.TYPE, and its operands. */
static bool decode_comparison(decoder *d, op *o, ptx_type *t)
{
    static const char *const combine[] = {"and", "or", "xor"};
    if (!d->in->mods)
        return decode_fail(d, "%.40s without a comparison", d->in->opcode);
    d->taken |= 1;
    o->variant = (uint8_t)(take_any_of(d, combine, 3) + 1);
    bool ftz = take(d, "ftz");
    *t = take_type(d);
    if (!choose_comparison(d, o, d->in->mod[0], *t, ftz))
        return false;
    uint32_t count = o->variant ? 4 : 3;
    if (!has_operands(d, count, count))
        return false;
    const ptx_operand *x = d->in->operand;
    if (!typed_source(d, &x[1], *t, &o->a) || !typed_source(d, &x[2], *t, &o->b))
        return false;
    return !o->variant || source(d, &x[3], 'p', &o->c);
}

bool decode_setp(decoder *d, op *o)
{
    ptx_type t;
    const ptx_operand *result = &d->in->operand[0];
    if (!decode_comparison(d, o, &t) || !all_taken(d))
        return false;
    o->count = 1;
    if (result->kind == PTX_OP_PAIR && result->items == 2) {
        o->count = 2;
        if (!destination(d, &result->item[1], 'p', &o->e))
            return false;
        result = &result->item[0];
    }
    return destination(d, result, 'p', &o->d) && emit(d, o);
}

/* set writes all ones or 1.0: it is a comparison into a scratch predicate, and a selection. */
bool decode_set(decoder *d, op *o)
{
    ptx_type stype, dtype = PTX_NO_TYPE;
    op select = *o;
    for (uint32_t i = 1; i < d->in->mods && dtype == PTX_NO_TYPE; i++)
        if ((dtype = ptx_type_of(d->in->mod[i])) != PTX_NO_TYPE)
            d->taken |= (uint64_t)1 << i;
    if (dtype != PTX_u32 && dtype != PTX_s32 && dtype != PTX_f32)
        return decode_fail(d, "set with such a type is not supported");
    if (!decode_comparison(d, o, &stype) || !all_taken(d) || !scratch(d, 'p', &o->d))
        return false;
    o->hidden = true;
    o->count = 1;
    select.c = o->d;
    select.run.lanes = lanes_select_32;
    return emit(d, o) && destination(d, &d->in->operand[0], 'w', &select.d) &&
           constant_row(d, dtype == PTX_f32 ? 0x3f800000 : UINT32_MAX, false, &select.a) &&
           constant_row(d, 0, false, &select.b) && emit(d, &select);
}

bool decode_selp(decoder *d, op *o)
{
    ptx_type t = take_type(d);
    if (t == PTX_NO_TYPE || t == PTX_pred || ptx_type_bytes(t) < 2 || ptx_type_bytes(t) > 8)
        return decode_fail(d, "selp with such a type is not supported");
    const ptx_operand *x = d->in->operand;
    char shape = shape_of(t);
    o->run.lanes = shape == 'x' ? lanes_select_64 : lanes_select_32;
    return all_taken(d) && has_operands(d, 4, 4) && destination(d, &x[0], shape, &o->d) &&
           typed_source(d, &x[1], t, &o->a) && typed_source(d, &x[2], t, &o->b) && source(d, &x[3], 'p', &o->c) &&
           emit(d, o);
}

/* Selects a where c >= 0, else b. */
bool decode_slct(decoder *d, op *o)
{
    bool ftz = take(d, "ftz");
    ptx_type t = take_type(d), by = take_type(d);
    if (t == PTX_NO_TYPE || ptx_type_bytes(t) < 2 || ptx_type_bytes(t) > 8 || (by != PTX_s32 && by != PTX_f32))
        return decode_fail(d, "slct with such types is not supported");
    const ptx_operand *x = d->in->operand;
    op compare = *o;
    if (!all_taken(d) || !has_operands(d, 4, 4) || !choose_comparison(d, &compare, "ge", by, ftz))
        return false;
    compare.hidden = true;
    compare.count = 1;
    compare.variant = COMBINE_NONE;
    char shape = shape_of(t);
    o->run.lanes = shape == 'x' ? lanes_select_64 : lanes_select_32;
    if (!typed_source(d, &x[3], by, &compare.a) || !constant_row(d, 0, false, &compare.b) ||
        !scratch(d, 'p', &compare.d) || !emit(d, &compare))
        return false;
    o->c = compare.d;
    return destination(d, &x[0], shape, &o->d) && typed_source(d, &x[1], t, &o->a) &&
           typed_source(d, &x[2], t, &o->b) && emit(d, o);
}

/* testp. o->imm: mask of the float_class values for which it holds. */
static void test_floats(const op *o, const rows *r, uint32_t m)
{
    uint32_t holds = 0;
    EACH_SET(i, m)
    {
        float_type t = (float_type)o->bytes;
        uint64_t a = lane_read(r, o->a, i, t == FLOAT_f64);
        holds |= (uint32_t)((float_class_of(t, a) & o->imm) != 0) << i;
    }
    write_predicates(o, r, m, holds);
}

bool decode_testp(decoder *d, op *o)
{
    if (!d->in->mods || !(o->imm = float_test(d->in->mod[0])))
        return decode_fail(d, "testp.%.40s is not supported", d->in->mods ? d->in->mod[0] : "");
    d->taken |= 1;
    ptx_type t = take_type(d);
    if (t != PTX_f32 && t != PTX_f64)
        return decode_fail(d, "testp with such a type is not supported");
    o->bytes = (uint8_t)float_type_of(t);
    o->count = 1;
    o->run.lanes = test_floats;
    return all_taken(d) && has_operands(d, 2, 2) && destination(d, &d->in->operand[0], 'p', &o->d) &&
           typed_source(d, &d->in->operand[1], t, &o->a) && emit(d, o);
}
