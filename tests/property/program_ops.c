/* What the instructions of random programs compute, in plain C. Floats that come
 * out as NaN are made 1 on both sides, for PTX leaves open which NaN it is. */
#include <math.h>
#include <string.h>

#include "property/program.h"

static float to_f(uint64_t x)
{
    uint32_t bits = (uint32_t)x;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static double to_d(uint64_t x)
{
    double d;
    memcpy(&d, &x, 8);
    return d;
}

static uint64_t of_f(float f)
{
    uint32_t x;
    memcpy(&x, &f, 4);
    return isnan(f) ? 0x3f800000 : x;
}

static uint64_t of_d(double d)
{
    uint64_t x;
    memcpy(&x, &d, 8);
    return isnan(d) ? 0x3ff0000000000000u : x;
}

static uint64_t shift_left(uint64_t x, uint64_t n, unsigned bits)
{
    return n >= bits ? 0 : x << n;
}

static uint64_t shift_right(uint64_t x, uint64_t n, unsigned bits)
{
    return n >= bits ? 0 : x >> n;
}

static int64_t shift_signed(int64_t x, uint64_t n, unsigned bits)
{
    return n >= bits ? (x < 0 ? -1 : 0) : x >> n;
}

static uint64_t extract(uint64_t x, uint64_t at, uint64_t count, bool is_signed)
{
    uint64_t value = 0, bit = 0;
    at &= 255;
    count &= 255;
    uint64_t top = at + count - 1 < 31 ? at + count - 1 : 31, sign = is_signed && count ? x >> top & 1 : 0;
    for (bit = 0; bit < 32; bit++)
        value |= (bit < count && at + bit < 32 ? x >> (at + bit) & 1 : sign) << bit;
    return value;
}

static uint64_t insert(uint64_t x, uint64_t into, uint64_t at, uint64_t count)
{
    for (uint64_t bit = 0; bit < count && at + bit < 32; bit++)
        into = (into & ~((uint64_t)1 << (at + bit))) | (x >> bit & 1) << (at + bit);
    return into;
}

static uint64_t reverse(uint64_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

static uint64_t count_bits(uint64_t x)
{
    uint64_t n = 0;
    for (; x; x >>= 1)
        n += x & 1;
    return n;
}

static uint64_t leading_zeros(uint64_t x, int bits)
{
    uint64_t n = 0;
    for (int i = bits - 1; i >= 0 && !(x >> i & 1); i--)
        n++;
    return n;
}

static uint64_t permute(uint64_t x, uint64_t y, uint64_t selector)
{
    uint64_t both = (x & UINT32_MAX) | y << 32, r = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t s = selector >> (4 * i) & 15, byte = both >> (8 * (s & 7)) & 255;
        if (s & 8)
            byte = byte & 128 ? 255 : 0;
        r |= byte << (8 * i);
    }
    return r;
}

static uint64_t choose_bits(uint64_t x, uint64_t y, uint64_t z, unsigned table)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (uint64_t)(table >> ((x >> i & 1) << 2 | (y >> i & 1) << 1 | (z >> i & 1)) & 1) << i;
    return r;
}

static int64_t clamp(int64_t x, int64_t min, int64_t max)
{
    return x < min ? min : x > max ? max : x;
}

/* PTX: NaN gives 0, but from .f64 the highest bit. */
static uint64_t to_integer(double x, double min, double max, uint64_t low, uint64_t high, uint64_t nan)
{
    if (isnan(x))
        return nan;
    x = trunc(x);
    return x <= min ? low : x >= max ? high : min < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static uint64_t divide_64(int64_t x, int64_t y, bool rest)
{
    if (y == -1)
        return rest ? 0 : -(uint64_t)x;
    return (uint64_t)(rest ? x % y : x / y);
}

static uint64_t high_64(uint64_t x, uint64_t y)
{
    return (uint64_t)((unsigned __int128)x * y >> 64);
}

static float least_f(float x, float y)
{
    return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? x : y) : x < y ? x : y;
}

static float most_f(float x, float y)
{
    return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? y : x) : x > y ? x : y;
}

static uint64_t dot_4(uint64_t x, uint64_t y, uint64_t z)
{
    for (int i = 0; i < 4; i++)
        z += (uint64_t)((int64_t)(int8_t)(x >> (8 * i)) * (int64_t)(int8_t)(y >> (8 * i)));
    return z;
}

#define S(x) ((int64_t)(int32_t)(x))
#define H(x) ((int64_t)(int16_t)(x))
#define U(x) ((uint64_t)(x))
#define FIX_F "; testp.notanumber.f32 %q0, $0; selp.f32 $0, 0f3F800000, $0, %q0"
#define FIX_D "; testp.notanumber.f64 %q0, $0; selp.f64 $0, 0d3FF0000000000000, $0, %q0"

/* PTX, kinds of destination and sources, value of sources x, y, z */
#define OP_TABLE(X)                                                                                                    \
    X("add.u32 $0, $1, $2", "aaa", x + y)                                                                              \
    X("sub.s32 $0, $1, $2", "aaa", x - y)                                                                              \
    X("add.sat.s32 $0, $1, $2", "aaa", U(clamp(S(x) + S(y), INT32_MIN, INT32_MAX)))                                    \
    X("sub.sat.s32 $0, $1, $2", "aaa", U(clamp(S(x) - S(y), INT32_MIN, INT32_MAX)))                                    \
    X("add.u64 $0, $1, $2", "www", x + y)                                                                              \
    X("sub.s64 $0, $1, $2", "www", x - y)                                                                              \
    X("add.s16 $0, $1, $2", "hhh", x + y)                                                                              \
    X("mul.lo.u32 $0, $1, $2", "aaa", x *y)                                                                            \
    X("mul.hi.u32 $0, $1, $2", "aaa", x *y >> 32)                                                                      \
    X("mul.hi.s32 $0, $1, $2", "aaa", U(S(x) * S(y) >> 32))                                                            \
    X("mul.wide.u32 $0, $1, $2", "waa", x *y)                                                                          \
    X("mul.wide.s32 $0, $1, $2", "waa", U(S(x) * S(y)))                                                                \
    X("mul.wide.s16 $0, $1, $2", "ahh", U(H(x) * H(y)))                                                                \
    X("mul.hi.u16 $0, $1, $2", "hhh", x *y >> 16)                                                                      \
    X("mul.lo.u64 $0, $1, $2", "www", x *y)                                                                            \
    X("mul.hi.u64 $0, $1, $2", "www", high_64(x, y))                                                                   \
    X("mul24.lo.u32 $0, $1, $2", "aaa", (x & 0xffffff) * (y & 0xffffff))                                               \
    X("mad.lo.s32 $0, $1, $2, $3", "aaaa", x *y + z)                                                                   \
    X("mad.hi.u32 $0, $1, $2, $3", "aaaa", (x * y >> 32) + z)                                                          \
    X("mad.wide.u32 $0, $1, $2, $3", "waaw", x *y + z)                                                                 \
    X("mad.wide.s32 $0, $1, $2, $3", "waaw", U(S(x) * S(y)) + z)                                                       \
    X("mad.lo.u16 $0, $1, $2, $3", "hhhh", x *y + z)                                                                   \
    X("add.cc.u32 %t0, $1, $2; addc.u32 $0, $3, 7", "aaaa", z + 7 + ((x + y) >> 32))                                   \
    X("sub.cc.u32 %t0, $1, $2; subc.u32 $0, $3, 0", "aaaa", z - (x < y))                                               \
    X("or.b32 %t0, $2, 1; div.u32 $0, $1, %t0", "aaa", x / (y | 1))                                                    \
    X("or.b32 %t0, $2, 1; div.s32 $0, $1, %t0", "aaa", U(S(x) / S(y | 1)))                                             \
    X("or.b32 %t0, $2, 1; rem.u32 $0, $1, %t0", "aaa", x % (y | 1))                                                    \
    X("or.b32 %t0, $2, 1; rem.s32 $0, $1, %t0", "aaa", U(S(x) % S(y | 1)))                                             \
    X("or.b64 %u0, $2, 1; div.s64 $0, $1, %u0", "www", divide_64((int64_t)x, (int64_t)(y | 1), false))                 \
    X("or.b64 %u0, $2, 1; rem.u64 $0, $1, %u0", "www", x % (y | 1))                                                    \
    X("or.b64 %u0, $2, 1; rem.s64 $0, $1, %u0", "www", divide_64((int64_t)x, (int64_t)(y | 1), true))                  \
    X("or.b16 %g0, $2, 1; div.s16 $0, $1, %g0", "hhh", U(H(x) / H(y | 1)))                                             \
    X("min.s32 $0, $1, $2", "aaa", S(x) < S(y) ? x : y)                                                                \
    X("max.s32 $0, $1, $2", "aaa", S(x) > S(y) ? x : y)                                                                \
    X("min.u32 $0, $1, $2", "aaa", x < y ? x : y)                                                                      \
    X("max.u64 $0, $1, $2", "www", x > y ? x : y)                                                                      \
    X("min.s64 $0, $1, $2", "www", (int64_t)x < (int64_t)y ? x : y)                                                    \
    X("max.s16 $0, $1, $2", "hhh", H(x) > H(y) ? x : y)                                                                \
    X("abs.s32 $0, $1", "aa", U(S(x) < 0 ? -S(x) : S(x)))                                                              \
    X("neg.s32 $0, $1", "aa", -x)                                                                                      \
    X("neg.s64 $0, $1", "ww", -x)                                                                                      \
    X("sad.s32 $0, $1, $2, $3", "aaaa", z + U(S(x) < S(y) ? S(y) - S(x) : S(x) - S(y)))                                \
    X("sad.u32 $0, $1, $2, $3", "aaaa", z + (x < y ? y - x : x - y))                                                   \
    X("and.b32 $0, $1, $2", "aaa", x &y)                                                                               \
    X("or.b32 $0, $1, $2", "aaa", x | y)                                                                               \
    X("xor.b64 $0, $1, $2", "www", x ^ y)                                                                              \
    X("and.b16 $0, $1, $2", "hhh", x &y)                                                                               \
    X("not.b32 $0, $1", "aa", ~x)                                                                                      \
    X("not.b16 $0, $1", "hh", ~x)                                                                                      \
    X("cnot.b32 $0, $1", "aa", x == 0)                                                                                 \
    X("shl.b32 $0, $1, $2", "aaa", shift_left(x, y, 32))                                                               \
    X("shr.u32 $0, $1, $2", "aaa", shift_right(x, y, 32))                                                              \
    X("shr.s32 $0, $1, $2", "aaa", U(shift_signed(S(x), y, 32)))                                                       \
    X("and.b32 %t0, $2, 63; shl.b64 $0, $1, %t0", "wwa", shift_left(x, y & 63, 64))                                    \
    X("shr.s64 $0, $1, $2", "wwa", U(shift_signed((int64_t)x, y, 64)))                                                 \
    X("shr.u64 $0, $1, $2", "wwa", shift_right(x, y, 64))                                                              \
    X("shl.b16 $0, $1, $2", "hha", shift_left(x, y, 16))                                                               \
    X("shr.s16 $0, $1, $2", "hha", U(shift_signed(H(x), y, 16)))                                                       \
    X("shf.l.wrap.b32 $0, $1, $2, $3", "aaaa", (y << 32 | x) << (z & 31) >> 32)                                        \
    X("shf.r.wrap.b32 $0, $1, $2, $3", "aaaa", (y << 32 | x) >> (z & 31))                                              \
    X("shf.r.clamp.b32 $0, $1, $2, $3", "aaaa", (y << 32 | x) >> (z < 32 ? z : 32))                                    \
    X("bfe.u32 $0, $1, $2, $3", "aaaa", extract(x, y, z, false))                                                       \
    X("bfe.s32 $0, $1, $2, $3", "aaaa", extract(x, y, z, true))                                                        \
    X("bfi.b32 $0, $1, $2, 5, $3", "aaaa", insert(x, y, 5, z & 255))                                                   \
    X("popc.b32 $0, $1", "aa", count_bits(x))                                                                          \
    X("popc.b64 $0, $1", "aw", count_bits(x))                                                                          \
    X("clz.b32 $0, $1", "aa", leading_zeros(x, 32))                                                                    \
    X("clz.b64 $0, $1", "aw", leading_zeros(x, 64))                                                                    \
    X("bfind.u32 $0, $1", "aa", 31 - leading_zeros(x, 32))                                                             \
    X("brev.b32 $0, $1", "aa", reverse(x))                                                                             \
    X("prmt.b32 $0, $1, $2, $3", "aaaa", permute(x, y, z))                                                             \
    X("lop3.b32 $0, $1, $2, $3, 0x96", "aaaa", choose_bits(x, y, z, 0x96))                                             \
    X("lop3.b32 $0, $1, $2, $3, 0xe4", "aaaa", choose_bits(x, y, z, 0xe4))                                             \
    X("dp4a.s32.s32 $0, $1, $2, $3", "aaaa", dot_4(x, y, z))                                                           \
    X("mov.b32 $0, $1", "aa", x)                                                                                       \
    X("mov.b64 $0, {$1, $2}", "waa", x | y << 32)                                                                      \
    X("mov.b64 {%t0, $0}, $1", "aw", x >> 32)                                                                          \
    X("mov.b32 {$0, %g0}, $1", "ha", x)                                                                                \
    X("mov.b32 $0, $1", "af", x)                                                                                       \
    X("mov.b64 $0, $1", "dw", x)                                                                                       \
    X("cvt.u32.u16 $0, $1", "ah", x)                                                                                   \
    X("cvt.s32.s16 $0, $1", "ah", U(H(x)))                                                                             \
    X("cvt.u16.u32 $0, $1", "ha", x)                                                                                   \
    X("cvt.s64.s32 $0, $1", "wa", U(S(x)))                                                                             \
    X("cvt.u64.u32 $0, $1", "wa", x)                                                                                   \
    X("cvt.u32.u64 $0, $1", "aw", x)                                                                                   \
    X("cvt.s32.s8 $0, $1", "aa", U((int64_t)(int8_t)x))                                                                \
    X("cvt.sat.u8.s32 $0, $1", "aa", U(clamp(S(x), 0, 255)))                                                           \
    X("cvt.sat.s16.s32 $0, $1", "ha", U(clamp(S(x), INT16_MIN, INT16_MAX)))                                            \
    X("cvt.rn.f32.s32 $0, $1", "fa", of_f((float)S(x)))                                                                \
    X("cvt.rn.f32.u64 $0, $1", "fw", of_f((float)x))                                                                   \
    X("cvt.rn.f64.s64 $0, $1", "dw", of_d((double)(int64_t)x))                                                         \
    X("cvt.rzi.s32.f32 $0, $1", "af", to_integer(to_f(x), -0x1p31, 0x1p31, 0x80000000u, INT32_MAX, 0))                 \
    X("cvt.rzi.u32.f64 $0, $1", "ad", to_integer(to_d(x), 0, 0x1p32, 0, UINT32_MAX, 0x80000000u))                      \
    X("cvt.f64.f32 $0, $1" FIX_D, "df", of_d((double)to_f(x)))                                                         \
    X("cvt.rn.f32.f64 $0, $1" FIX_F, "fd", of_f((float)to_d(x)))                                                       \
    X("cvt.rni.f32.f32 $0, $1" FIX_F, "ff", of_f(rintf(to_f(x))))                                                      \
    X("add.rn.f32 $0, $1, $2" FIX_F, "fff", of_f(to_f(x) + to_f(y)))                                                   \
    X("sub.f32 $0, $1, $2" FIX_F, "fff", of_f(to_f(x) - to_f(y)))                                                      \
    X("mul.rn.f32 $0, $1, $2" FIX_F, "fff", of_f(to_f(x) * to_f(y)))                                                   \
    X("fma.rn.f32 $0, $1, $2, $3" FIX_F, "ffff", of_f(fmaf(to_f(x), to_f(y), to_f(z))))                                \
    X("div.rn.f32 $0, $1, $2" FIX_F, "fff", of_f(to_f(x) / to_f(y)))                                                   \
    X("sqrt.rn.f32 $0, $1" FIX_F, "ff", of_f(sqrtf(to_f(x))))                                                          \
    X("min.f32 $0, $1, $2" FIX_F, "fff", of_f(least_f(to_f(x), to_f(y))))                                              \
    X("max.f32 $0, $1, $2" FIX_F, "fff", of_f(most_f(to_f(x), to_f(y))))                                               \
    X("neg.f32 $0, $1" FIX_F, "ff", of_f(-to_f(x)))                                                                    \
    X("abs.f32 $0, $1" FIX_F, "ff", of_f(fabsf(to_f(x))))                                                              \
    X("add.rn.f64 $0, $1, $2" FIX_D, "ddd", of_d(to_d(x) + to_d(y)))                                                   \
    X("mul.f64 $0, $1, $2" FIX_D, "ddd", of_d(to_d(x) * to_d(y)))                                                      \
    X("fma.rn.f64 $0, $1, $2, $3" FIX_D, "dddd", of_d(fma(to_d(x), to_d(y), to_d(z))))                                 \
    X("div.rn.f64 $0, $1, $2" FIX_D, "ddd", of_d(to_d(x) / to_d(y)))                                                   \
    X("setp.lt.s32 $0, $1, $2", "paa", S(x) < S(y))                                                                    \
    X("setp.hs.u32 $0, $1, $2", "paa", x >= y)                                                                         \
    X("setp.eq.s32 $0, $1, $2", "paa", x == y)                                                                         \
    X("setp.gt.u64 $0, $1, $2", "pww", x > y)                                                                          \
    X("setp.le.s16 $0, $1, $2", "phh", H(x) <= H(y))                                                                   \
    X("setp.ne.and.b32 $0, $1, $2, $3", "paap", x != y && z)                                                           \
    X("setp.lt.xor.s64 %q0|$0, $1, $2, $3", "pwwp", ((int64_t)x >= (int64_t)y) != (z != 0))                            \
    X("setp.lt.or.u32 $0, $1, $2, !$3", "paap", x < y || !z)                                                           \
    X("setp.lt.f32 $0, $1, $2", "pff", to_f(x) < to_f(y))                                                              \
    X("setp.geu.f64 $0, $1, $2", "pdd", !(to_d(x) < to_d(y)))                                                          \
    X("setp.nan.f32 $0, $1, $2", "pff", isnan(to_f(x)) || isnan(to_f(y)))                                              \
    X("and.b32 %t0, $1, $2; setp.eq.u32 $0, %t0, 0", "paa", (x & y) == 0)                                              \
    X("and.b32 %t0, $1, 1; setp.ne.u32 $0, %t0, 0", "pa", x & 1)                                                       \
    X("and.pred $0, $1, $2", "ppp", x &&y)                                                                             \
    X("or.pred $0, $1, $2", "ppp", x || y)                                                                             \
    X("xor.pred $0, $1, $2", "ppp", x != y)                                                                            \
    X("not.pred $0, $1", "pp", !x)                                                                                     \
    X("mov.pred $0, $1", "pp", x)                                                                                      \
    X("selp.b32 $0, $1, $2, $3", "aaap", z ? x : y)                                                                    \
    X("selp.b64 $0, $1, $2, $3", "wwwp", z ? x : y)                                                                    \
    X("selp.b16 $0, $1, $2, $3", "hhhp", z ? x : y)                                                                    \
    X("selp.f32 $0, $1, $2, $3", "fffp", z ? x : y)                                                                    \
    X("slct.s32.s32 $0, $1, $2, $3", "aaaa", S(z) >= 0 ? x : y)                                                        \
    X("set.lt.u32.s32 $0, $1, $2", "aaa", S(x) < S(y) ? UINT32_MAX : 0)                                                \
    X("set.gt.f32.u32 $0, $1, $2", "faa", x > y ? 0x3f800000 : 0)

const tree_op tree_ops[] = {
#define X(text, shape, value) {text, shape},
    OP_TABLE(X)
#undef X
};
const int tree_op_count = sizeof tree_ops / sizeof *tree_ops;

int kind_of(char letter)
{
    static const char letters[] = "awhfdp";
    return (int)(strchr(letters, letter) - letters);
}

uint64_t tree_op_value(int op, uint64_t x, uint64_t y, uint64_t z)
{
    static const uint64_t masks[KINDS] = {UINT32_MAX, UINT64_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX, 1};
    int n = 0;
    uint64_t value = 0;
#define X(text, shape, expression)                                                                                     \
    if (op == n++)                                                                                                     \
        value = (uint64_t)(expression);
    OP_TABLE(X)
#undef X
    return value & masks[kind_of(tree_ops[op].shape[0])];
}
