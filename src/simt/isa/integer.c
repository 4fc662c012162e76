/* Integer arithmetic, extended precision and video instructions, as the PTX ISA defines them: results wrap around
 * unless the instruction has .sat. Values of 16 bits have zeros above. */
#include <stdlib.h>
#include <string.h>

#include "simt/isa/decoder.h"
#include "simt/isa/lane_forms.h"
#include "simt/isa/operands.h"
#include "simt/program/lanes.h"
#include "simt/program/op.h"

static inline uint32_t abs_diff_u(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static inline uint64_t abs_diff_u64(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static inline uint64_t mul_hi_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

static inline uint64_t mul_hi_s64(int64_t a, int64_t b)
{
    return mul_hi_u64((uint64_t)a, (uint64_t)b) - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0);
}

static inline uint32_t sat_s32(int64_t x)
{
    return (uint32_t)(int32_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}

static inline int32_t low24(uint32_t a)
{
    return (int32_t)(a << 8) >> 8;
}

static inline uint32_t mul24_lo_s(uint32_t a, uint32_t b)
{
    return (uint32_t)((int64_t)low24(a) * low24(b));
}

static inline uint32_t mul24_hi_s(uint32_t a, uint32_t b)
{
    return (uint32_t)(((int64_t)low24(a) * low24(b)) >> 16);
}

static inline uint64_t mul24_u(uint32_t a, uint32_t b)
{
    return (uint64_t)(a & 0xffffff) * (b & 0xffffff);
}

/* dp4a: c plus the products of the four bytes of a and b. */
static inline uint32_t dot4(uint32_t a, uint32_t b, uint32_t c, int signed_a, int signed_b)
{
    for (int k = 0; k < 32; k += 8) {
        int32_t x = signed_a ? (int8_t)(a >> k) : (int32_t)(uint8_t)(a >> k);
        int32_t y = signed_b ? (int8_t)(b >> k) : (int32_t)(uint8_t)(b >> k);
        c += (uint32_t)(x * y);
    }
    return c;
}

/* dp2a: c plus the products of the two halves of a and two bytes of b, from byte `first` on. */
static inline uint32_t dot2(uint32_t a, uint32_t b, uint32_t c, int signed_a, int signed_b, int first)
{
    for (int k = 0; k < 2; k++) {
        int32_t x = signed_a ? (int16_t)(a >> 16 * k) : (int32_t)(uint16_t)(a >> 16 * k);
        int32_t y = signed_b ? (int8_t)(b >> 8 * (k + first)) : (int32_t)(uint8_t)(b >> 8 * (k + first));
        c += (uint32_t)x * (uint32_t)y;
    }
    return c;
}

/* Division by zero, which PTX leaves undefined, results in all ones, as on NVIDIA GPUs. */
static inline uint64_t div_u(uint64_t a, uint64_t b, uint64_t type_mask)
{
    return b ? a / b : type_mask;
}

static inline uint64_t rem_u(uint64_t a, uint64_t b, uint64_t type_mask)
{
    return b ? a % b : type_mask;
}

/* Without the overflow that C leaves undefined. */
static inline uint64_t div_s(int64_t a, int64_t b)
{
    return b == 0 ? UINT64_MAX : b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static inline uint64_t rem_s(int64_t a, int64_t b)
{
    return b == 0 ? UINT64_MAX : b == -1 ? 0 : (uint64_t)(a % b);
}

#define S16(x) ((int32_t)(int16_t)(x))

/* Computes both halves of a pair separately. */
#define HALVES(expr, low_a, low_b, high_a, high_b)                                                                     \
    ((uint32_t)(uint16_t)(expr(low_a, low_b)) | (uint32_t)(uint16_t)(expr(high_a, high_b)) << 16)
#define PAIR_U(expr) HALVES(expr, a & 0xffff, b & 0xffff, a >> 16, b >> 16)
#define PAIR_S(expr) HALVES(expr, S16(a), S16(b), S16(a >> 16), S16(b >> 16))
#define SUM(x, y) ((x) + (y))
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define MIN_RELU(x, y) MAX(MIN(x, y), 0)
#define MAX_RELU(x, y) MAX(MAX(x, y), 0)

#define TABLE_1(X)                                                                                                     \
    X(neg_s16, "neg.s16", "hh", u32, u32, (uint16_t) - (a))                                                            \
    X(neg_s32, "neg.s32", "ww", u32, u32, 0u - a)                                                                      \
    X(neg_s64, "neg.s64", "xx", u64, u64, 0u - a)                                                                      \
    X(abs_s16, "abs.s16", "hh", u32, u32, (uint16_t)(S16(a) < 0 ? -S16(a) : S16(a)))                                   \
    X(abs_s32, "abs.s32", "ww", u32, u32, (int32_t)a < 0 ? 0u - a : a)                                                 \
    X(abs_s64, "abs.s64", "xx", u64, u64, (int64_t)a < 0 ? 0u - a : a)

#define TABLE_2(X)                                                                                                     \
    X(add_16, "add.u16 add.s16", "hhh", u32, u32, u32, (uint16_t)(a + b))                                              \
    X(add_32, "add.u32 add.s32", "www", u32, u32, u32, a + b)                                                          \
    X(add_64, "add.u64 add.s64", "xxx", u64, u64, u64, a + b)                                                          \
    X(add_sat, "add.sat.s32", "www", u32, s32, s32, sat_s32((int64_t)a + b))                                           \
    X(sub_16, "sub.u16 sub.s16", "hhh", u32, u32, u32, (uint16_t)(a - b))                                              \
    X(sub_32, "sub.u32 sub.s32", "www", u32, u32, u32, a - b)                                                          \
    X(sub_64, "sub.u64 sub.s64", "xxx", u64, u64, u64, a - b)                                                          \
    X(sub_sat, "sub.sat.s32", "www", u32, s32, s32, sat_s32((int64_t)a - b))                                           \
    X(mul_lo_16, "mul.lo.u16 mul.lo.s16", "hhh", u32, u32, u32, (uint16_t)(a * b))                                     \
    X(mul_lo_32, "mul.lo.u32 mul.lo.s32", "www", u32, u32, u32, a *b)                                                  \
    X(mul_lo_64, "mul.lo.u64 mul.lo.s64", "xxx", u64, u64, u64, a *b)                                                  \
    X(mul_hi_u16, "mul.hi.u16", "hhh", u32, u32, u32, (a * b) >> 16)                                                   \
    X(mul_hi_s16, "mul.hi.s16", "hhh", u32, u32, u32, (uint16_t)((S16(a) * S16(b)) >> 16))                             \
    X(mul_hi_u32, "mul.hi.u32", "www", u32, u32, u32, ((uint64_t)a * b) >> 32)                                         \
    X(mul_hi_s32, "mul.hi.s32", "www", u32, s32, s32, ((int64_t)a * b) >> 32)                                          \
    X(mul_hi_u64_, "mul.hi.u64", "xxx", u64, u64, u64, mul_hi_u64(a, b))                                               \
    X(mul_hi_s64_, "mul.hi.s64", "xxx", u64, s64, s64, mul_hi_s64(a, b))                                               \
    X(mul_wide_u16, "mul.wide.u16", "whh", u32, u32, u32, a *b)                                                        \
    X(mul_wide_s16, "mul.wide.s16", "whh", u32, u32, u32, S16(a) * S16(b))                                             \
    X(mul_wide_u32, "mul.wide.u32", "xww", u64, u32, u32, (uint64_t)a *b)                                              \
    X(mul_wide_s32, "mul.wide.s32", "xww", u64, s32, s32, (int64_t)a *b)                                               \
    X(mul24_lo_u, "mul24.lo.u32", "www", u32, u32, u32, mul24_u(a, b))                                                 \
    X(mul24_hi_u, "mul24.hi.u32", "www", u32, u32, u32, mul24_u(a, b) >> 16)                                           \
    X(mul24_lo_s_, "mul24.lo.s32", "www", u32, u32, u32, mul24_lo_s(a, b))                                             \
    X(mul24_hi_s_, "mul24.hi.s32", "www", u32, u32, u32, mul24_hi_s(a, b))                                             \
    X(min_u, "min.u32", "www", u32, u32, u32, a < b ? a : b)                                                           \
    X(min_u16, "min.u16", "hhh", u32, u32, u32, a < b ? a : b)                                                         \
    X(min_s16, "min.s16", "hhh", u32, u32, u32, S16(a) < S16(b) ? a : b)                                               \
    X(min_s32, "min.s32", "www", u32, s32, s32, a < b ? a : b)                                                         \
    X(min_u64, "min.u64", "xxx", u64, u64, u64, a < b ? a : b)                                                         \
    X(min_s64, "min.s64", "xxx", u64, s64, s64, a < b ? a : b)                                                         \
    X(min_relu, "min.relu.s32 min.s32.relu", "www", u32, s32, s32, (a < b ? a : b) < 0 ? 0 : (a < b ? a : b))          \
    X(max_u, "max.u32", "www", u32, u32, u32, a > b ? a : b)                                                           \
    X(max_u16, "max.u16", "hhh", u32, u32, u32, a > b ? a : b)                                                         \
    X(max_s16, "max.s16", "hhh", u32, u32, u32, S16(a) > S16(b) ? a : b)                                               \
    X(max_s32, "max.s32", "www", u32, s32, s32, a > b ? a : b)                                                         \
    X(max_u64, "max.u64", "xxx", u64, u64, u64, a > b ? a : b)                                                         \
    X(max_s64, "max.s64", "xxx", u64, s64, s64, a > b ? a : b)                                                         \
    X(add_pair, "add.u16x2 add.s16x2", "www", u32, u32, u32, PAIR_U(SUM))                                              \
    X(min_pair_u, "min.u16x2", "www", u32, u32, u32, PAIR_U(MIN))                                                      \
    X(min_pair_s, "min.s16x2", "www", u32, u32, u32, PAIR_S(MIN))                                                      \
    X(min_pair_relu, "min.relu.s16x2 min.s16x2.relu", "www", u32, u32, u32, PAIR_S(MIN_RELU))                          \
    X(max_pair_u, "max.u16x2", "www", u32, u32, u32, PAIR_U(MAX))                                                      \
    X(max_pair_s, "max.s16x2", "www", u32, u32, u32, PAIR_S(MAX))                                                      \
    X(max_pair_relu, "max.relu.s16x2 max.s16x2.relu", "www", u32, u32, u32, PAIR_S(MAX_RELU))                          \
    X(max_relu, "max.relu.s32 max.s32.relu", "www", u32, s32, s32, (a > b ? a : b) < 0 ? 0 : (a > b ? a : b))          \
    X(div_u16, "div.u16", "hhh", u32, u32, u32, div_u(a, b, 0xffff))                                                   \
    X(div_s16, "div.s16", "hhh", u32, u32, u32, (uint16_t)div_s((int16_t)a, (int16_t)b))                               \
    X(div_u32, "div.u32", "www", u32, u32, u32, div_u(a, b, UINT32_MAX))                                               \
    X(div_s32, "div.s32", "www", u32, s32, s32, (uint32_t)div_s(a, b))                                                 \
    X(div_u64, "div.u64", "xxx", u64, u64, u64, div_u(a, b, UINT64_MAX))                                               \
    X(div_s64, "div.s64", "xxx", u64, s64, s64, div_s(a, b))                                                           \
    X(rem_u16, "rem.u16", "hhh", u32, u32, u32, rem_u(a, b, 0xffff))                                                   \
    X(rem_s16, "rem.s16", "hhh", u32, u32, u32, (uint16_t)rem_s((int16_t)a, (int16_t)b))                               \
    X(rem_u32, "rem.u32", "www", u32, u32, u32, rem_u(a, b, UINT32_MAX))                                               \
    X(rem_s32, "rem.s32", "www", u32, s32, s32, (uint32_t)rem_s(a, b))                                                 \
    X(rem_u64, "rem.u64", "xxx", u64, u64, u64, rem_u(a, b, UINT64_MAX))                                               \
    X(rem_s64, "rem.s64", "xxx", u64, s64, s64, rem_s(a, b))

#define TABLE_3(X)                                                                                                     \
    X(mad_lo_16, "mad.lo.u16 mad.lo.s16", "hhhh", u32, u32, u32, u32, (uint16_t)(a * b + c))                           \
    X(mad_lo_32, "mad.lo.u32 mad.lo.s32", "wwww", u32, u32, u32, u32, a *b + c)                                        \
    X(mad_lo_64, "mad.lo.u64 mad.lo.s64", "xxxx", u64, u64, u64, u64, a *b + c)                                        \
    X(mad_hi_u16, "mad.hi.u16", "hhhh", u32, u32, u32, u32, (uint16_t)((a * b >> 16) + c))                             \
    X(mad_hi_s16, "mad.hi.s16", "hhhh", u32, u32, u32, u32, (uint16_t)((uint32_t)(S16(a) * S16(b) >> 16) + c))         \
    X(mad_hi_u32, "mad.hi.u32", "wwww", u32, u32, u32, u32, ((uint64_t)a * b >> 32) + c)                               \
    X(mad_hi_s32, "mad.hi.s32", "wwww", u32, s32, s32, u32, (uint32_t)((int64_t)a * b >> 32) + c)                      \
    X(mad_hi_sat, "mad.hi.sat.s32", "wwww", u32, s32, s32, s32, sat_s32(((int64_t)a * b >> 32) + c))                   \
    X(mad_hi_u64, "mad.hi.u64", "xxxx", u64, u64, u64, u64, mul_hi_u64(a, b) + c)                                      \
    X(mad_hi_s64, "mad.hi.s64", "xxxx", u64, s64, s64, u64, mul_hi_s64(a, b) + c)                                      \
    X(mad_wide_u16, "mad.wide.u16", "whhw", u32, u32, u32, u32, a *b + c)                                              \
    X(mad_wide_s16, "mad.wide.s16", "whhw", u32, u32, u32, u32, (uint32_t)(S16(a) * S16(b)) + c)                       \
    X(mad_wide_u32, "mad.wide.u32", "xwwx", u64, u32, u32, u64, (uint64_t)a *b + c)                                    \
    X(mad_wide_s32, "mad.wide.s32", "xwwx", u64, s32, s32, u64, (uint64_t)((int64_t)a * b) + c)                        \
    X(mad24_lo_u, "mad24.lo.u32", "wwww", u32, u32, u32, u32, mul24_u(a, b) + c)                                       \
    X(mad24_hi_u, "mad24.hi.u32", "wwww", u32, u32, u32, u32, (mul24_u(a, b) >> 16) + c)                               \
    X(mad24_lo_s, "mad24.lo.s32", "wwww", u32, u32, u32, u32, mul24_lo_s(a, b) + c)                                    \
    X(mad24_hi_s, "mad24.hi.s32", "wwww", u32, u32, u32, u32, mul24_hi_s(a, b) + c)                                    \
    X(mad24_hi_sat, "mad24.hi.sat.s32", "wwww", u32, u32, u32, s32, sat_s32((int64_t)(int32_t)mul24_hi_s(a, b) + c))   \
    X(sad_u16, "sad.u16", "hhhh", u32, u32, u32, u32, (uint16_t)(abs_diff_u(a, b) + c))                                \
    X(sad_s16, "sad.s16", "hhhh", u32, u32, u32, u32,                                                                  \
      (uint16_t)((uint32_t)(S16(a) > S16(b) ? S16(a) - S16(b) : S16(b) - S16(a)) + c))                                 \
    X(sad_u32, "sad.u32", "wwww", u32, u32, u32, u32, abs_diff_u(a, b) + c)                                            \
    X(sad_s32, "sad.s32", "wwww", u32, s32, s32, u32,                                                                  \
      (a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a) + c)                                             \
    X(sad_u64, "sad.u64", "xxxx", u64, u64, u64, u64, abs_diff_u64(a, b) + c)                                          \
    X(sad_s64, "sad.s64", "xxxx", u64, s64, s64, u64,                                                                  \
      (a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a) + c)                                             \
    X(dp4a_uu, "dp4a.u32.u32", "wwww", u32, u32, u32, u32, dot4(a, b, c, 0, 0))                                        \
    X(dp4a_us, "dp4a.u32.s32", "wwww", u32, u32, u32, u32, dot4(a, b, c, 0, 1))                                        \
    X(dp4a_su, "dp4a.s32.u32", "wwww", u32, u32, u32, u32, dot4(a, b, c, 1, 0))                                        \
    X(dp4a_ss, "dp4a.s32.s32", "wwww", u32, u32, u32, u32, dot4(a, b, c, 1, 1))                                        \
    X(dp2a_lo_uu, "dp2a.lo.u32.u32", "wwww", u32, u32, u32, u32, dot2(a, b, c, 0, 0, 0))                               \
    X(dp2a_lo_us, "dp2a.lo.u32.s32", "wwww", u32, u32, u32, u32, dot2(a, b, c, 0, 1, 0))                               \
    X(dp2a_lo_su, "dp2a.lo.s32.u32", "wwww", u32, u32, u32, u32, dot2(a, b, c, 1, 0, 0))                               \
    X(dp2a_lo_ss, "dp2a.lo.s32.s32", "wwww", u32, u32, u32, u32, dot2(a, b, c, 1, 1, 0))                               \
    X(dp2a_hi_uu, "dp2a.hi.u32.u32", "wwww", u32, u32, u32, u32, dot2(a, b, c, 0, 0, 2))                               \
    X(dp2a_hi_us, "dp2a.hi.u32.s32", "wwww", u32, u32, u32, u32, dot2(a, b, c, 0, 1, 2))                               \
    X(dp2a_hi_su, "dp2a.hi.s32.u32", "wwww", u32, u32, u32, u32, dot2(a, b, c, 1, 0, 2))                               \
    X(dp2a_hi_ss, "dp2a.hi.s32.s32", "wwww", u32, u32, u32, u32, dot2(a, b, c, 1, 1, 2))

TABLE_1(LANES_1)
TABLE_2(LANES_2)
TABLE_3(LANES_3)

const lane_form integer_forms[] = {
    TABLE_1(LANES_FORM_1) TABLE_2(LANES_FORM_2) TABLE_3(LANES_FORM_3){NULL, NULL, NULL},
};

/* Instructions of extended precision write and read a thread's carry bit. The carry bits of a warp are one mask, like a
 * predicate. */

/* Computes one lane; *carry is the carry in, then the carry out. */
typedef uint64_t carry_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry);

static uint64_t add_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    (void)c;
    uint64_t sum;
    if (wide) {
        bool overflow = __builtin_add_overflow(a, b, &sum);
        *carry = __builtin_add_overflow(sum, (uint64_t)*carry, &sum) || overflow;
        return sum;
    }
    sum = a + b + *carry;
    *carry = sum >> 32;
    return sum;
}

/* a - b is a + ~b + 1 on GPUs, so the carry is set where nothing is borrowed. The PTX ISA calls the bit a borrow, which
 * makes no difference if only subc reads it; but addc after subc.cc, which nvcc writes for 128-bit division, reads the
 * carry. */
static uint64_t subc_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    return add_step(a, wide ? ~b : (uint32_t)~b, c, wide, carry);
}

static uint64_t sub_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    *carry = true;
    return subc_step(a, b, c, wide, carry);
}

static uint64_t mad_lo_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    return add_step(wide ? a * b : (uint32_t)(a * b), c, 0, wide, carry);
}

static uint64_t mad_hi_u_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    return add_step(wide ? mul_hi_u64(a, b) : a * b >> 32, c, 0, wide, carry);
}

static uint64_t mad_hi_s_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    uint64_t high = wide ? mul_hi_s64((int64_t)a, (int64_t)b) : (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32);
    return add_step(high, c, 0, wide, carry);
}

/* Runs a step for the lanes of m. Row o->e holds the carry. */
static inline void run_carry(const op *o, const rows *r, uint32_t m, carry_step *step, int wide, int reads_carry,
                             int writes_carry)
{
    uint32_t *carries = row(r, o->e), out = *carries & ~m;
    EACH_SET(i, m)
    {
        bool carry = reads_carry && (*carries >> i & 1);
        if (wide) {
            const u64 *a = row(r, o->a), *b = row(r, o->b), *c = row(r, o->c);
            u64 *d = row(r, o->d);
            d[i] = step(a[i], b[i], c[i], 1, &carry);
        } else {
            const u32 *a = row(r, o->a), *b = row(r, o->b), *c = row(r, o->c);
            u32 *d = row(r, o->d);
            d[i] = (uint32_t)step(a[i], b[i], c[i], 0, &carry);
        }
        out |= (uint32_t)carry << i;
    }
    if (writes_carry)
        *carries = out;
}

/* name, step, reads the carry, writes the carry */
#define CARRY_TABLE(X)                                                                                                 \
    X(add_cc, add_step, 0, 1)                                                                                          \
    X(addc, add_step, 1, 0)                                                                                            \
    X(addc_cc, add_step, 1, 1)                                                                                         \
    X(sub_cc, sub_step, 0, 1)                                                                                          \
    X(subc, subc_step, 1, 0)                                                                                           \
    X(subc_cc, subc_step, 1, 1)                                                                                        \
    X(mad_lo_cc, mad_lo_step, 0, 1)                                                                                    \
    X(madc_lo, mad_lo_step, 1, 0)                                                                                      \
    X(madc_lo_cc, mad_lo_step, 1, 1)

#define DEFINE(name, step, reads_carry, writes_carry)                                                                  \
    static void name##_32(const op *o, const rows *r, uint32_t m)                                                      \
    {                                                                                                                  \
        run_carry(o, r, m, step, 0, reads_carry, writes_carry);                                                        \
    }                                                                                                                  \
    static void name##_64(const op *o, const rows *r, uint32_t m)                                                      \
    {                                                                                                                  \
        run_carry(o, r, m, step, 1, reads_carry, writes_carry);                                                        \
    }
CARRY_TABLE(DEFINE)

#define HIGH_TABLE(X)                                                                                                  \
    X(mad_hi_cc_u, mad_hi_u_step, 0, 1)                                                                                \
    X(madc_hi_u, mad_hi_u_step, 1, 0)                                                                                  \
    X(madc_hi_cc_u, mad_hi_u_step, 1, 1)                                                                               \
    X(mad_hi_cc_s, mad_hi_s_step, 0, 1)                                                                                \
    X(madc_hi_s, mad_hi_s_step, 1, 0)                                                                                  \
    X(madc_hi_cc_s, mad_hi_s_step, 1, 1)
HIGH_TABLE(DEFINE)

#define W2 "www_k"
#define W3 "wwwwk"
#define X2 "xxx_k"
#define X3 "xxxxk"
const lane_form carry_forms[] = {
    {"add.cc.u32 add.cc.s32", W2, add_cc_32},
    {"add.cc.u64 add.cc.s64", X2, add_cc_64},
    {"addc.u32 addc.s32", W2, addc_32},
    {"addc.u64 addc.s64", X2, addc_64},
    {"addc.cc.u32 addc.cc.s32", W2, addc_cc_32},
    {"addc.cc.u64 addc.cc.s64", X2, addc_cc_64},
    {"sub.cc.u32 sub.cc.s32", W2, sub_cc_32},
    {"sub.cc.u64 sub.cc.s64", X2, sub_cc_64},
    {"subc.u32 subc.s32", W2, subc_32},
    {"subc.u64 subc.s64", X2, subc_64},
    {"subc.cc.u32 subc.cc.s32", W2, subc_cc_32},
    {"subc.cc.u64 subc.cc.s64", X2, subc_cc_64},
    {"mad.lo.cc.u32 mad.lo.cc.s32", W3, mad_lo_cc_32},
    {"mad.lo.cc.u64 mad.lo.cc.s64", X3, mad_lo_cc_64},
    {"madc.lo.u32 madc.lo.s32", W3, madc_lo_32},
    {"madc.lo.u64 madc.lo.s64", X3, madc_lo_64},
    {"madc.lo.cc.u32 madc.lo.cc.s32", W3, madc_lo_cc_32},
    {"madc.lo.cc.u64 madc.lo.cc.s64", X3, madc_lo_cc_64},
    {"mad.hi.cc.u32", W3, mad_hi_cc_u_32},
    {"mad.hi.cc.u64", X3, mad_hi_cc_u_64},
    {"mad.hi.cc.s32", W3, mad_hi_cc_s_32},
    {"mad.hi.cc.s64", X3, mad_hi_cc_s_64},
    {"madc.hi.u32", W3, madc_hi_u_32},
    {"madc.hi.u64", X3, madc_hi_u_64},
    {"madc.hi.s32", W3, madc_hi_s_32},
    {"madc.hi.s64", X3, madc_hi_s_64},
    {"madc.hi.cc.u32", W3, madc_hi_cc_u_32},
    {"madc.hi.cc.u64", X3, madc_hi_cc_u_64},
    {"madc.hi.cc.s32", W3, madc_hi_cc_s_32},
    {"madc.hi.cc.s64", X3, madc_hi_cc_s_64},
    {NULL, NULL, NULL},
};

/* Video instructions work on two halves or four bytes. They have no masks and selectors here, as in the headers of
 * CUDA. With .add the result is the sum of the parts and c; without it c is not used. */

enum { VIDEO_ADD, VIDEO_SUB, VIDEO_ABSDIFF, VIDEO_MIN, VIDEO_MAX };
enum { SIGNED_D = 1, SIGNED_A = 2, SIGNED_B = 4, SATURATE = 8, ACCUMULATE = 16 }; /* flags of op.imm */

static int32_t part_of(uint32_t x, uint32_t at, uint32_t bits, bool is_signed)
{
    uint32_t top = x << (32 - bits - at);
    return is_signed ? (int32_t)top >> (32 - bits) : (int32_t)(top >> (32 - bits));
}

static int32_t combine(int operation, int32_t a, int32_t b)
{
    switch (operation) {
    case VIDEO_ADD:
        return a + b;
    case VIDEO_SUB:
        return a - b;
    case VIDEO_ABSDIFF:
        return abs(a - b);
    case VIDEO_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

/* o->bytes: bits of a part. */
static void video(const op *o, const rows *r, uint32_t m)
{
    const u32 *a = row(r, o->a), *b = row(r, o->b), *c = row(r, o->c);
    u32 *d = row(r, o->d);
    uint32_t bits = o->bytes;
    bool is_signed = o->imm & SIGNED_D;
    int32_t min = is_signed ? -(1 << (bits - 1)) : 0, max = (1 << (bits - is_signed)) - 1;
    EACH_SET(i, m)
    {
        uint32_t parts = 0, sum = c[i];
        for (uint32_t at = 0; at < 32; at += bits) {
            int32_t x = combine(o->variant, part_of(a[i], at, bits, o->imm & SIGNED_A),
                                part_of(b[i], at, bits, o->imm & SIGNED_B));
            if (o->imm & SATURATE)
                x = x < min ? min : x > max ? max : x;
            uint32_t low = (uint32_t)x & ((1u << bits) - 1);
            parts |= low << at;
            sum += (uint32_t)part_of(low, 0, bits, is_signed);
        }
        d[i] = o->imm & ACCUMULATE ? sum : parts;
    }
}

bool decode_video(decoder *d, op *o)
{
    static const char *const names[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax"};
    static const int signs[] = {SIGNED_D, SIGNED_A, SIGNED_B};
    size_t size = strlen(d->in->opcode) - 1;
    for (uint8_t k = 0; k < 5; k++)
        if (strncmp(d->in->opcode, names[k], size) == 0)
            o->variant = k;
    o->bytes = d->in->opcode[size] == '2' ? 16 : 8;
    for (int k = 0; k < 3; k++) {
        ptx_type t = take_type(d);
        if (t != PTX_u32 && t != PTX_s32)
            return decode_fail(d, "%.40s wants three types, .u32 or .s32", d->in->opcode);
        o->imm |= t == PTX_s32 ? signs[k] : 0;
    }
    o->imm |= take(d, "sat") ? SATURATE : take(d, "add") ? ACCUMULATE : 0;
    const ptx_operand *x = d->in->operand;
    o->run.lanes = video;
    return all_taken(d) && has_operands(d, 4, 4) && destination(d, &x[0], 'w', &o->d) && source(d, &x[1], 'w', &o->a) &&
           source(d, &x[2], 'w', &o->b) && source(d, &x[3], 'w', &o->c) && emit(d, o);
}
