/* Logic, shifts, bit fields, counting and permuting of bits, and lop3, as the PTX ISA defines them. */
#include "simt/isa/decoder.h"
#include "simt/isa/lane_forms.h"
#include "simt/isa/operands.h"
#include "simt/program/op.h"

static inline uint32_t bfind(uint64_t x)
{
    return x ? 63u - (uint32_t)__builtin_clzll(x) : UINT32_MAX;
}

/* The highest bit that differs from the sign. */
static inline uint32_t bfind_s(int64_t x)
{
    return bfind((uint64_t)(x < 0 ? ~x : x));
}

static inline uint64_t reverse(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}

static inline uint64_t low_bits(uint32_t n)
{
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

/* bfe: `size` is 32 or 64. Bits above the top are zeros, or copies of the sign. */
static inline uint64_t extract(uint64_t a, uint32_t at, uint32_t len, uint32_t size, int is_signed)
{
    at &= 0xff;
    len &= 0xff;
    uint64_t field = at >= size ? 0 : (a >> at) & low_bits(len);
    if (!is_signed || len == 0)
        return field;
    uint32_t top = at + len - 1 < size - 1 ? at + len - 1 : size - 1;
    if (a >> top & 1)
        field |= ~low_bits(top < at ? 0 : top - at + 1);
    return field;
}

static inline uint64_t insert(uint64_t a, uint64_t b, uint32_t at, uint32_t len, uint32_t size)
{
    at &= 0xff;
    len &= 0xff;
    if (at >= size || len == 0)
        return b;
    uint64_t mask = low_bits(len) << at;
    return (b & ~mask) | (a << at & mask);
}

static inline uint32_t bmsk(uint32_t at, uint32_t len, int clamp)
{
    if (!clamp)
        return (uint32_t)(low_bits(len & 31) << (at & 31));
    return at >= 32 ? 0 : (uint32_t)(low_bits(len > 32 ? 32 : len) << at);
}

static inline uint32_t szext(uint32_t a, uint32_t n, int clamp, int is_signed)
{
    if (!clamp)
        n &= 31;
    if (n >= 32)
        return a;
    uint32_t low = a & (uint32_t)low_bits(n);
    return is_signed && n && (a >> (n - 1) & 1) ? low | ~(uint32_t)low_bits(n) : low;
}

static inline uint32_t shift_clamp(uint32_t n)
{
    return n > 32 ? 32 : n;
}

static inline uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t n)
{
    return (uint32_t)(((uint64_t)b << 32 | a) << n >> 32);
}

static inline uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t n)
{
    return (uint32_t)(((uint64_t)b << 32 | a) >> n);
}

/* One byte of b:a; bit 3 of the selector replaces it by copies of its sign. */
static inline uint32_t permute_byte(uint64_t both, uint32_t sel)
{
    uint32_t byte = both >> (8 * (sel & 7)) & 0xff;
    return sel & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}

static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t both = (uint64_t)b << 32 | a;
    return permute_byte(both, c & 15) | permute_byte(both, c >> 4 & 15) << 8 | permute_byte(both, c >> 8 & 15) << 16 |
           permute_byte(both, c >> 12 & 15) << 24;
}

/* The modes of prmt choose by the low two bits of c. */
static inline uint32_t prmt_f4e(uint32_t a, uint32_t b, uint32_t c)
{
    return permute(a, b, (uint32_t[]){0x3210, 0x4321, 0x5432, 0x6543}[c & 3]);
}

static inline uint32_t prmt_b4e(uint32_t a, uint32_t b, uint32_t c)
{
    return permute(a, b, (uint32_t[]){0x5670, 0x6701, 0x7012, 0x0123}[c & 3]);
}

static inline uint32_t prmt_rc8(uint32_t a, uint32_t b, uint32_t c)
{
    return permute(a, b, 0x1111 * (c & 3));
}

static inline uint32_t prmt_ecl(uint32_t a, uint32_t b, uint32_t c)
{
    return permute(a, b, (uint32_t[]){0x3210, 0x3211, 0x3222, 0x3333}[c & 3]);
}

static inline uint32_t prmt_ecr(uint32_t a, uint32_t b, uint32_t c)
{
    return permute(a, b, (uint32_t[]){0x0000, 0x1110, 0x2210, 0x3210}[c & 3]);
}

static inline uint32_t prmt_rc16(uint32_t a, uint32_t b, uint32_t c)
{
    return permute(a, b, (uint32_t[]){0x1010, 0x3232, 0x1010, 0x3232}[c & 3]);
}

/* fns: position of the n-th set bit of a from bit `base` on; n < 0: downwards. */
static inline uint32_t find_nth(uint32_t a, uint32_t base, int32_t n)
{
    if (n == 0)
        return base < 32 && (a >> base & 1) ? base : UINT32_MAX;
    int step = n > 0 ? 1 : -1;
    int64_t left = n > 0 ? n : -(int64_t)n;
    for (int64_t at = base; at >= 0 && at < 32; at += step)
        if (a >> at & 1 && --left == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}

#define TABLE_1(X)                                                                                                     \
    X(not_16, "not.b16", "hh", u32, u32, (uint16_t)~a)                                                                 \
    X(not_32, "not.b32", "ww", u32, u32, ~a)                                                                           \
    X(not_64, "not.b64", "xx", u64, u64, ~a)                                                                           \
    X(cnot_w, "cnot.b16 cnot.b32", "ww", u32, u32, a == 0)                                                             \
    X(cnot_x, "cnot.b64", "xx", u64, u64, a == 0)                                                                      \
    X(popc_32, "popc.b32", "ww", u32, u32, __builtin_popcount(a))                                                      \
    X(popc_64, "popc.b64", "wx", u32, u64, __builtin_popcountll(a))                                                    \
    X(clz_32, "clz.b32", "ww", u32, u32, a ? __builtin_clz(a) : 32)                                                    \
    X(clz_64, "clz.b64", "wx", u32, u64, a ? __builtin_clzll(a) : 64)                                                  \
    X(brev_32, "brev.b32", "ww", u32, u32, reverse(a) >> 32)                                                           \
    X(brev_64, "brev.b64", "xx", u64, u64, reverse(a))                                                                 \
    X(bfind_u32, "bfind.u32", "ww", u32, u32, bfind(a))                                                                \
    X(bfind_s32, "bfind.s32", "ww", u32, s32, bfind_s(a))                                                              \
    X(bfind_u64, "bfind.u64", "wx", u32, u64, bfind(a))                                                                \
    X(bfind_s64, "bfind.s64", "wx", u32, s64, bfind_s(a))                                                              \
    X(bfind_shift_u32, "bfind.shiftamt.u32", "ww", u32, u32, a ? 31 - bfind(a) : UINT32_MAX)                           \
    X(bfind_shift_s32, "bfind.shiftamt.s32", "ww", u32, s32, bfind_s(a) == UINT32_MAX ? UINT32_MAX : 31 - bfind_s(a))  \
    X(bfind_shift_u64, "bfind.shiftamt.u64", "wx", u32, u64, a ? 63 - bfind(a) : UINT32_MAX)                           \
    X(bfind_shift_s64, "bfind.shiftamt.s64", "wx", u32, s64, bfind_s(a) == UINT32_MAX ? UINT32_MAX : 63 - bfind_s(a))

#define TABLE_2(X)                                                                                                     \
    X(and_32, "and.b32", "www", u32, u32, u32, a &b)                                                                   \
    X(and_16, "and.b16", "hhh", u32, u32, u32, a &b)                                                                   \
    X(and_64, "and.b64", "xxx", u64, u64, u64, a &b)                                                                   \
    X(or_32, "or.b32", "www", u32, u32, u32, a | b)                                                                    \
    X(or_16, "or.b16", "hhh", u32, u32, u32, a | b)                                                                    \
    X(or_64, "or.b64", "xxx", u64, u64, u64, a | b)                                                                    \
    X(xor_32, "xor.b32", "www", u32, u32, u32, a ^ b)                                                                  \
    X(xor_16, "xor.b16", "hhh", u32, u32, u32, a ^ b)                                                                  \
    X(xor_64, "xor.b64", "xxx", u64, u64, u64, a ^ b)                                                                  \
    X(shl_16, "shl.b16", "hhw", u32, u32, u32, b > 15 ? 0 : (uint16_t)(a << b))                                        \
    X(shl_32, "shl.b32", "www", u32, u32, u32, b > 31 ? 0 : a << (b & 31))                                             \
    X(shl_64, "shl.b64", "xxw", u64, u64, u32, b > 63 ? 0 : a << (b & 63))                                             \
    X(shr_u16, "shr.u16 shr.b16", "hhw", u32, u32, u32, b > 15 ? 0 : a >> b)                                           \
    X(shr_s16, "shr.s16", "hhw", u32, u32, u32, (uint16_t)((int16_t)a >> (b > 15 ? 15 : b)))                           \
    X(shr_u32, "shr.u32 shr.b32", "www", u32, u32, u32, b > 31 ? 0 : a >> (b & 31))                                    \
    X(shr_s32, "shr.s32", "www", u32, s32, u32, a >> (b > 31 ? 31 : b))                                                \
    X(shr_u64, "shr.u64 shr.b64", "xxw", u64, u64, u32, b > 63 ? 0 : a >> (b & 63))                                    \
    X(shr_s64, "shr.s64", "xxw", u64, s64, u32, a >> (b > 63 ? 63 : b))                                                \
    X(bmsk_clamp, "bmsk.clamp.b32", "www", u32, u32, u32, bmsk(a, b, 1))                                               \
    X(bmsk_wrap, "bmsk.wrap.b32", "www", u32, u32, u32, bmsk(a, b, 0))                                                 \
    X(szext_clamp_u, "szext.clamp.u32", "www", u32, u32, u32, szext(a, b, 1, 0))                                       \
    X(szext_clamp_s, "szext.clamp.s32", "www", u32, u32, u32, szext(a, b, 1, 1))                                       \
    X(szext_wrap_u, "szext.wrap.u32", "www", u32, u32, u32, szext(a, b, 0, 0))                                         \
    X(szext_wrap_s, "szext.wrap.s32", "www", u32, u32, u32, szext(a, b, 0, 1))

#define TABLE_3(X)                                                                                                     \
    X(bfe_u32, "bfe.u32", "wwww", u32, u32, u32, u32, extract(a, b, c, 32, 0))                                         \
    X(bfe_s32, "bfe.s32", "wwww", u32, s32, u32, u32, extract((uint64_t)(int64_t)a, b, c, 32, 1))                      \
    X(bfe_u64, "bfe.u64", "xxww", u64, u64, u32, u32, extract(a, b, c, 64, 0))                                         \
    X(bfe_s64, "bfe.s64", "xxww", u64, u64, u32, u32, extract(a, b, c, 64, 1))                                         \
    X(shf_l_clamp, "shf.l.clamp.b32", "wwww", u32, u32, u32, u32, funnel_left(a, b, shift_clamp(c)))                   \
    X(shf_l_wrap, "shf.l.wrap.b32", "wwww", u32, u32, u32, u32, funnel_left(a, b, c & 31))                             \
    X(shf_r_clamp, "shf.r.clamp.b32", "wwww", u32, u32, u32, u32, funnel_right(a, b, shift_clamp(c)))                  \
    X(shf_r_wrap, "shf.r.wrap.b32", "wwww", u32, u32, u32, u32, funnel_right(a, b, c & 31))                            \
    X(prmt, "prmt.b32", "wwww", u32, u32, u32, u32, permute(a, b, c))                                                  \
    X(prmt_f4e_, "prmt.b32.f4e", "wwww", u32, u32, u32, u32, prmt_f4e(a, b, c))                                        \
    X(prmt_b4e_, "prmt.b32.b4e", "wwww", u32, u32, u32, u32, prmt_b4e(a, b, c))                                        \
    X(prmt_rc8_, "prmt.b32.rc8", "wwww", u32, u32, u32, u32, prmt_rc8(a, b, c))                                        \
    X(prmt_ecl_, "prmt.b32.ecl", "wwww", u32, u32, u32, u32, prmt_ecl(a, b, c))                                        \
    X(prmt_ecr_, "prmt.b32.ecr", "wwww", u32, u32, u32, u32, prmt_ecr(a, b, c))                                        \
    X(prmt_rc16_, "prmt.b32.rc16", "wwww", u32, u32, u32, u32, prmt_rc16(a, b, c))                                     \
    X(fns, "fns.b32", "wwww", u32, u32, u32, s32, find_nth(a, b, c))

TABLE_1(LANES_1)
TABLE_2(LANES_2)
TABLE_3(LANES_3)

static void bfi_32(const op *o, const rows *r, uint32_t m)
{
    u32 *d = row(r, o->d);
    const u32 *a = row(r, o->a), *b = row(r, o->b), *c = row(r, o->c), *e = row(r, o->e);
    EACH_SET(i, m) d[i] = (uint32_t)insert(a[i], b[i], c[i], e[i], 32);
}

static void bfi_64(const op *o, const rows *r, uint32_t m)
{
    u64 *d = row(r, o->d);
    const u64 *a = row(r, o->a), *b = row(r, o->b);
    const u32 *c = row(r, o->c), *e = row(r, o->e);
    EACH_SET(i, m) d[i] = insert(a[i], b[i], c[i], e[i], 64);
}

#define PREDICATES(name, expr)                                                                                         \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        u32 *d = row(r, o->d);                                                                                         \
        uint32_t a = *(u32 *)row(r, o->a), b = *(u32 *)row(r, o->b);                                                   \
        *d = (*d & ~m) | ((expr)&m);                                                                                   \
    }
PREDICATES(and_pred, a &b)
PREDICATES(or_pred, a | b)
PREDICATES(xor_pred, a ^ b)

const lane_form logic_forms[] = {
    TABLE_1(LANES_FORM_1) TABLE_2(LANES_FORM_2) TABLE_3(LANES_FORM_3){"bfi.b32", "wwwww", bfi_32},
    {"bfi.b64", "xxxww", bfi_64},
    {"and.pred", "ppp", and_pred},
    {"or.pred", "ppp", or_pred},
    {"xor.pred", "ppp", xor_pred},
    {"not.pred", "pp", lanes_not_predicate},
    {NULL, NULL, NULL},
};

/* lop3: any function of three bits. o->imm is its truth table: bit 4 a + 2 b + c. With .or or .and it has also a
 * predicate: whether the result is not zero, combined with another predicate. */
static void lop3(const op *o, const rows *r, uint32_t m)
{
    u32 *d = row(r, o->d);
    const u32 *pa = row(r, o->a), *pb = row(r, o->b), *pc = row(r, o->c);
    uint32_t t = (uint32_t)o->imm;
    EACH_LANE
    {
        uint32_t a = pa[i], b = pb[i], c = pc[i], x = 0;
        for (int k = 0; k < 8; k++)
            x |= (t >> k & 1 ? (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c) : 0);
        d[i] = (m >> i) & 1 ? x : d[i];
    }
}

/* The lanes in which a register is not zero. */
static uint32_t nonzero(const rows *r, slot a)
{
    const u32 *x = row(r, a);
    uint32_t set = 0;
    for (int i = 0; i < LANES; i++)
        set |= (uint32_t)(x[i] != 0) << i;
    return set;
}

static void nonzero_or(const op *o, const rows *r, uint32_t m)
{
    u32 *d = row(r, o->d);
    *d = (*d & ~m) | ((nonzero(r, o->a) | *(const u32 *)row(r, o->b)) & m);
}

static void nonzero_and(const op *o, const rows *r, uint32_t m)
{
    u32 *d = row(r, o->d);
    *d = (*d & ~m) | (nonzero(r, o->a) & *(const u32 *)row(r, o->b) & m);
}

bool decode_lop3(decoder *d, op *o)
{
    const ptx_operand *x = d->in->operand, *result = x;
    bool with_or = take(d, "or"), both = with_or || take(d, "and");
    uint64_t table;
    if (take_type(d) != PTX_b32)
        return decode_unknown(d);
    if (!all_taken(d) || !has_operands(d, 5 + both, 5 + both) || !immediate(d, &x[4], &table))
        return false;
    op test = *o;
    if (both && (result->kind != PTX_OP_PAIR || result->items != 2))
        return decode_fail(d, "lop3 with .or or .and wants two results, d|p");
    if (both) {
        if (!destination(d, &result->item[1], 'p', &test.d) || !source(d, &x[5], 'p', &test.b))
            return false;
        result = &result->item[0];
    }
    o->imm = (int64_t)table;
    o->run.lanes = lop3;
    o->hidden = both;
    if (!destination(d, result, 'w', &o->d) || !source(d, &x[1], 'w', &o->a) || !source(d, &x[2], 'w', &o->b) ||
        !source(d, &x[3], 'w', &o->c) || !emit(d, o) || !both)
        return d->status == GCAST_OK && !both;
    test.a = o->d;
    test.run.lanes = with_or ? nonzero_or : nonzero_and;
    return emit(d, &test);
}
