/* Integer and bit instructions against C, lane by lane, with full and partial
 * warps, in both models. */
#include <stdio.h>
#include <string.h>

#include "support/simt_case.h"

typedef uint64_t expected(uint64_t a, uint64_t b, uint64_t c);

#define S16(x) ((int16_t)(x))
#define S32(x) ((int32_t)(x))
#define S64(x) ((int64_t)(x))
#define U32(x) ((uint32_t)(x))
#define W128(a, b) ((unsigned __int128)(a) * (b))

/* name, shape of the result (h, w, x, p), instructions, value */
#define CASES(X)                                                                                                       \
    X(add16, 'h', "add.u16 %h0, %h1, %h2;", a + b)                                                                     \
    X(add32, 'w', "add.s32 %r0, %r1, %r2;", a + b)                                                                     \
    X(add64, 'x', "add.u64 %rd0, %rd1, %rd2;", a + b)                                                                  \
    X(add_imm, 'w', "add.s32 %r0, %r1, -7;", a - 7)                                                                    \
    X(add_sat, 'w', "add.sat.s32 %r0, %r1, %r2;", saturate((int64_t)S32(a) + S32(b)))                                  \
    X(sub16, 'h', "sub.s16 %h0, %h1, %h2;", a - b)                                                                     \
    X(sub32, 'w', "sub.u32 %r0, %r1, %r2;", a - b)                                                                     \
    X(sub64, 'x', "sub.s64 %rd0, %rd1, %rd2;", a - b)                                                                  \
    X(sub_sat, 'w', "sub.sat.s32 %r0, %r1, %r2;", saturate((int64_t)S32(a) - S32(b)))                                  \
    X(mul_lo16, 'h', "mul.lo.u16 %h0, %h1, %h2;", a *b)                                                                \
    X(mul_lo32, 'w', "mul.lo.s32 %r0, %r1, %r2;", a *b)                                                                \
    X(mul_lo64, 'x', "mul.lo.u64 %rd0, %rd1, %rd2;", a *b)                                                             \
    X(mul_hi_s16, 'h', "mul.hi.s16 %h0, %h1, %h2;", (S16(a) * S16(b)) >> 16)                                           \
    X(mul_hi_u32, 'w', "mul.hi.u32 %r0, %r1, %r2;", (uint64_t)U32(a) * U32(b) >> 32)                                   \
    X(mul_hi_s32, 'w', "mul.hi.s32 %r0, %r1, %r2;", (int64_t)S32(a) * S32(b) >> 32)                                    \
    X(mul_hi_u64, 'x', "mul.hi.u64 %rd0, %rd1, %rd2;", (uint64_t)(W128(a, b) >> 64))                                   \
    X(mul_wide_s16, 'w', "mul.wide.s16 %r0, %h1, %h2;", S16(a) * S16(b))                                               \
    X(mul_wide_u32, 'x', "mul.wide.u32 %rd0, %r1, %r2;", (uint64_t)U32(a) * U32(b))                                    \
    X(mul_wide_s32, 'x', "mul.wide.s32 %rd0, %r1, %r2;", (int64_t)S32(a) * S32(b))                                     \
    X(mul24, 'w', "mul24.lo.u32 %r0, %r1, %r2;", (a & 0xffffff) * (b & 0xffffff))                                      \
    X(mad_lo32, 'w', "mad.lo.s32 %r0, %r1, %r2, %r3;", a *b + c)                                                       \
    X(mad_wide, 'x', "mad.wide.s32 %rd0, %r1, %r2, %rd3;", (uint64_t)((int64_t)S32(a) * S32(b)) + c)                   \
    X(mad_hi_u32, 'w', "mad.hi.u32 %r0, %r1, %r2, %r3;", ((uint64_t)U32(a) * U32(b) >> 32) + c)                        \
    X(carry64, 'x', "add.cc.u32 %r4, %r1, %r2; addc.u32 %r5, %r6, %r7; mov.b64 %rd0, {%r4, %r5};", a + b)              \
    X(borrow64, 'x', "sub.cc.u32 %r4, %r1, %r2; subc.u32 %r5, %r6, %r7; mov.b64 %rd0, {%r4, %r5};", a - b)             \
    X(no_borrow, 'w', "sub.cc.u32 %r4, %r1, %r2; subc.cc.u32 %r4, %r1, %r2; addc.u32 %r0, 0, 0;", U32(a) >= U32(b))    \
    X(sad32, 'w', "sad.u32 %r0, %r1, %r2, %r3;", (U32(a) > U32(b) ? a - b : b - a) + c)                                \
    X(div_u32, 'w', "div.u32 %r0, %r1, %r2;", U32(b) ? U32(a) / U32(b) : UINT32_MAX)                                   \
    X(div_s32, 'w', "div.s32 %r0, %r1, %r2;", divide(S32(a), S32(b)))                                                  \
    X(div_u64, 'x', "div.u64 %rd0, %rd1, %rd2;", b ? a / b : UINT64_MAX)                                               \
    X(div_s64, 'x', "div.s64 %rd0, %rd1, %rd2;", divide(S64(a), S64(b)))                                               \
    X(rem_u32, 'w', "rem.u32 %r0, %r1, %r2;", U32(b) ? U32(a) % U32(b) : UINT32_MAX)                                   \
    X(abs32, 'w', "abs.s32 %r0, %r1;", S32(a) < 0 ? 0 - a : a)                                                         \
    X(neg64, 'x', "neg.s64 %rd0, %rd1;", 0 - a)                                                                        \
    X(add_pair, 'w', "add.u16x2 %r0, %r1, %r2;", video(a, b, 16, 1, sum, INT32_MIN, INT32_MAX))                        \
    X(min_pair_u, 'w', "min.u16x2 %r0, %r1, %r2;", video(a, b, 16, 0, min_s32, 0, 65535))                              \
    X(min_pair_s, 'w', "min.s16x2 %r0, %r1, %r2;", video(a, b, 16, 1, min_s32, -32768, 32767))                         \
    X(max_pair_u, 'w', "max.u16x2 %r0, %r1, %r2;", video(a, b, 16, 0, max_s32, 0, 65535))                              \
    X(max_pair_s, 'w', "max.s16x2 %r0, %r1, %r2;", video(a, b, 16, 1, max_s32, -32768, 32767))                         \
    X(min_pair_relu, 'w', "min.relu.s16x2 %r0, %r1, %r2;", video(a, b, 16, 1, min_s32, 0, 32767))                      \
    X(max_pair_relu, 'w', "max.relu.s16x2 %r0, %r1, %r2;", video(a, b, 16, 1, max_s32, 0, 32767))                      \
    X(min_s16, 'h', "min.s16 %h0, %h1, %h2;", S16(a) < S16(b) ? a : b)                                                 \
    X(min_u32, 'w', "min.u32 %r0, %r1, %r2;", U32(a) < U32(b) ? a : b)                                                 \
    X(max_s64, 'x', "max.s64 %rd0, %rd1, %rd2;", S64(a) > S64(b) ? a : b)                                              \
    X(popc32, 'w', "popc.b32 %r0, %r1;", __builtin_popcount(U32(a)))                                                   \
    X(popc64, 'w', "popc.b64 %r0, %rd1;", __builtin_popcountll(a))                                                     \
    X(clz32, 'w', "clz.b32 %r0, %r1;", U32(a) ? __builtin_clz(U32(a)) : 32)                                            \
    X(bfind_u, 'w', "bfind.u32 %r0, %r1;", highest(U32(a)))                                                            \
    X(bfind_s, 'w', "bfind.s32 %r0, %r1;", highest(S32(a) < 0 ? ~U32(a) : U32(a)))                                     \
    X(brev, 'w', "brev.b32 %r0, %r1; brev.b32 %r0, %r0;", a)                                                           \
    X(bfe_u, 'w', "bfe.u32 %r0, %r1, 5, 9;", U32(a) >> 5 & 511)                                                        \
    X(bfe_s, 'w', "bfe.s32 %r0, %r1, 5, 9;", S32(U32(a) << 18) >> 23)                                                  \
    X(bfe_above, 'w', "bfe.s32 %r0, %r1, 32, 8;", S32(a) < 0 ? UINT32_MAX : 0)                                         \
    X(bfi, 'w', "bfi.b32 %r0, %r1, %r2, 8, 12;", (b & ~0xfff00ull) | (a << 8 & 0xfff00))                               \
    X(bfi_long, 'w', "bfi.b32 %r0, %r1, %r2, 5, 33;", (b & 31) | a << 5)                                               \
    X(and32, 'w', "and.b32 %r0, %r1, %r2;", a &b)                                                                      \
    X(or16, 'h', "or.b16 %h0, %h1, -256;", a | 0xff00)                                                                 \
    X(xor64, 'x', "xor.b64 %rd0, %rd1, %rd2;", a ^ b)                                                                  \
    X(not32, 'w', "not.b32 %r0, %r1;", ~a)                                                                             \
    X(cnot, 'w', "cnot.b32 %r0, %r1;", U32(a) == 0)                                                                    \
    X(lop3, 'w', "lop3.b32 %r0, %r1, %r2, %r3, 0x96;", a ^ b ^ c)                                                      \
    X(lop3_or, 'p', "setp.eq.u32 %p1, %r3, 0; lop3.or.b32 %r4|%p0, %r1, %r2, 255, 0x80, %p1;",                         \
      (a & b & 255) != 0 || !U32(c))                                                                                   \
    X(lop3_and, 'p', "setp.lt.u32 %p1, %r1, %r2; lop3.and.b32 _|%p0, %r1, %r2, 255, 0x80, !%p1;",                      \
      (a & b & 255) != 0 && U32(a) >= U32(b))                                                                          \
    X(vabsdiff4, 'w', "vabsdiff4.u32.u32.u32 %r0, %r1, %r2, %r3;", video(a, b, 8, 0, absolute, 0, 255))                \
    X(vadd4_sat, 'w', "vadd4.s32.s32.s32.sat %r0, %r1, %r2, 0;", video(a, b, 8, 1, sum, -128, 127))                    \
    X(vsub2_sat, 'w', "vsub2.u32.u32.u32.sat %r0, %r1, %r2, %r3;", video(a, b, 16, 0, difference, 0, 65535))           \
    X(vsad2, 'w', "vabsdiff2.u32.s32.s32.add %r0, %r1, %r2, %r3;",                                                     \
      c + (uint16_t)absolute(S16(a), S16(b)) + (uint16_t)absolute(S16(a >> 16), S16(b >> 16)))                         \
    X(shl, 'w', "and.b32 %r4, %r2, 63; shl.b32 %r0, %r1, %r4;", (b & 63) > 31 ? 0 : a << (b & 31))                     \
    X(shr_s, 'w', "and.b32 %r4, %r2, 63; shr.s32 %r0, %r1, %r4;", S32(a) >> ((b & 63) > 31 ? 31 : (b & 31)))           \
    X(shl16_far, 'h', "shl.b16 %h0, %h1, 0x10001;", a & 0)                                                             \
    X(shr16_far, 'h', "shr.s16 %h0, %h1, 0x10001;", S16(a) < 0 ? UINT16_MAX : 0)                                       \
    X(shr_u64, 'x', "and.b32 %r4, %r2, 127; shr.u64 %rd0, %rd1, %r4;", (b & 127) > 63 ? 0 : a >> (b & 63))             \
    X(shf_l, 'w', "shf.l.wrap.b32 %r0, %r1, %r2, %r3;", ((uint64_t)U32(b) << 32 | U32(a)) << (c & 31) >> 32)           \
    X(shf_r, 'w', "shf.r.wrap.b32 %r0, %r1, %r2, %r3;", ((uint64_t)U32(b) << 32 | U32(a)) >> (c & 31))                 \
    X(prmt, 'w', "prmt.b32 %r0, %r1, %r2, 0x5140;",                                                                    \
      (a & 0xff) | (b & 0xff) << 8 | (a >> 8 & 0xff) << 16 | (b >> 8 & 0xff) << 24)                                    \
    X(dp4a, 'w', "dp4a.s32.s32 %r0, %r1, %r2, %r3;", dot(a, b, c))                                                     \
    X(bmsk, 'w', "bmsk.clamp.b32 %r0, 4, 8;", 0xff0)                                                                   \
    X(setp_lt, 'p', "setp.lt.s32 %p0, %r1, %r2;", S32(a) < S32(b))                                                     \
    X(setp_hi, 'p', "setp.hi.u32 %p0, %r1, %r2;", U32(a) > U32(b))                                                     \
    X(setp_s16, 'p', "setp.ge.s16 %p0, %h1, %h2;", S16(a) >= S16(b))                                                   \
    X(setp_u64, 'p', "setp.le.u64 %p0, %rd1, %rd2;", a <= b)                                                           \
    X(setp_and, 'p', "setp.ne.s32 %p1, %r3, 0; setp.lt.and.u32 %p0|%p2, %r1, %r2, !%p1;", U32(a) < U32(b) && !U32(c))  \
    X(set, 'w', "set.gt.u32.u32 %r0, %r1, %r2;", U32(a) > U32(b) ? UINT32_MAX : 0)                                     \
    X(set_guarded, 'w',                                                                                                \
      "setp.lt.u32 %p1, %r1, %r2; mov.b32 %f1, %r3; @%p1 set.gt.f32.u32 %f1, %r1, %r2; mov.b32 %r0, %f1;",             \
      U32(a) < U32(b) ? 0 : c)                                                                                         \
    X(selp, 'w', "setp.eq.u32 %p1, %r3, 0; selp.b32 %r0, %r1, %r2, %p1;", U32(c) ? b : a)                              \
    X(slct, 'x', "slct.u64.s32 %rd0, %rd1, %rd2, %r3;", S32(c) >= 0 ? a : b)                                           \
    X(slct_most, 'w', "slct.s32.s32 %r0, %r1, %r2, 0x7fffffff;", a)                                                    \
    X(cvt_s8, 'w', "cvt.s32.s8 %r0, %r1;", (int8_t)a)                                                                  \
    X(cvt_u8, 'w', "cvt.u32.u8 %r0, %r1;", (uint8_t)a)                                                                 \
    X(cvt_wide, 'x', "cvt.s64.s32 %rd0, %r1;", S32(a))                                                                 \
    X(cvt_u64, 'x', "cvt.u64.u16 %rd0, %h1;", (uint16_t)a)                                                             \
    X(cvt_sat, 'w', "cvt.sat.u8.s32 %r0, %r1;", S32(a) < 0 ? 0 : S32(a) > 255 ? 255 : a)                               \
    X(mov_unpack, 'w', "mov.b32 {%h4, %h5}, %r1; mov.b32 %r0, {%h5, %h4};", U32(a) << 16 | U32(a) >> 16)               \
    X(pred_logic, 'p', "setp.ne.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r2, 0; xor.pred %p0, %p1, %p2; not.pred %p0, %p0;", \
      !U32(a) == !U32(b))                                                                                              \
    X(guarded, 'w', "mov.u32 %r0, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 add.u32 %r0, %r0, 2; @!%p1 add.u32 %r0, %r0, 4;", \
      U32(a) < U32(b) ? 3 : 5)

static uint64_t saturate(int64_t x)
{
    return (uint32_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x);
}

static uint64_t divide(int64_t a, int64_t b)
{
    return b == 0 ? UINT64_MAX : b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static int32_t sum(int32_t a, int32_t b)
{
    return a + b;
}

static int32_t difference(int32_t a, int32_t b)
{
    return a - b;
}

static int32_t min_s32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t max_s32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t absolute(int32_t a, int32_t b)
{
    return a > b ? a - b : b - a;
}

/* Computes parts of so many bits, clamped to a range. */
static uint64_t video(uint64_t a, uint64_t b, int bits, int is_signed, int32_t (*combine)(int32_t, int32_t), int32_t lo,
                      int32_t hi)
{
    uint64_t out = 0, mask = (1u << bits) - 1;
    for (int at = 0; at < 32; at += bits) {
        int32_t x = (int32_t)(a >> at & mask), y = (int32_t)(b >> at & mask);
        if (is_signed)
            x -= x >> (bits - 1) << bits, y -= y >> (bits - 1) << bits;
        int32_t z = combine(x, y);
        out |= ((uint64_t)(uint32_t)(z < lo ? lo : z > hi ? hi : z) & mask) << at;
    }
    return out;
}

static uint64_t highest(uint32_t x)
{
    return x ? 31u - (uint32_t)__builtin_clz(x) : UINT32_MAX;
}

static uint64_t dot(uint64_t a, uint64_t b, uint64_t c)
{
    for (int k = 0; k < 32; k += 8)
        c += (uint64_t)((int8_t)(a >> k) * (int8_t)(b >> k));
    return c;
}

#define X(name, kind, text, value)                                                                                     \
    static uint64_t expect_##name(uint64_t a, uint64_t b, uint64_t c)                                                  \
    {                                                                                                                  \
        (void)a, (void)b, (void)c;                                                                                     \
        return (uint64_t)(value);                                                                                      \
    }
CASES(X)
#undef X

static const struct {
    const char *name, *text;
    char kind;
    expected *value;
} cases[] = {
#define X(name, kind, text, value) {#name, text, kind, expect_##name},
    CASES(X)
#undef X
};

static const char head[] = "mul.wide.u32 %rd50, %r60, 24; add.u64 %rd50, %rd60, %rd50;"
                           "ld.global.u64 %rd1, [%rd50]; ld.global.u64 %rd2, [%rd50+8]; ld.global.u64 %rd3, [%rd50+16];"
                           "cvt.u32.u64 %r1, %rd1; cvt.u32.u64 %r2, %rd2; cvt.u32.u64 %r3, %rd3;"
                           "cvt.u16.u64 %h1, %rd1; cvt.u16.u64 %h2, %rd2; cvt.u16.u64 %h3, %rd3;"
                           "mov.b64 {%r50, %r6}, %rd1; mov.b64 {%r50, %r7}, %rd2;";
static const char epilogue[] =
    "mul.wide.u32 %rd50, %r60, 8; add.u64 %rd50, %rd61, %rd50; st.global.u64 [%rd50], %rd0; ret;";

static const char *widen(char kind)
{
    return kind == 'h'   ? "cvt.u64.u16 %rd0, %h0;"
           : kind == 'w' ? "cvt.u64.u32 %rd0, %r0;"
           : kind == 'p' ? "selp.b64 %rd0, 1, 0, %p0;"
                         : "";
}

static uint64_t cut_to_shape(char kind, uint64_t x)
{
    return kind == 'h' ? (uint16_t)x : kind == 'w' ? (uint32_t)x : kind == 'p' ? x != 0 : x;
}

static void fill(uint64_t *in)
{
    static const uint64_t edges[] = {0, 1, UINT64_MAX, 0x7fffffff, 0x80000000, 0xffff, 0x8000, (uint64_t)1 << 63, 255};
    support_random r = {12345};
    for (int i = 0; i < 96; i++)
        in[i] = i % 3 == 2 || i > 60 ? support_next(&r) : edges[(uint64_t)(i * 7 + i / 9) % 9];
}

static void check(gcast_simt_model model, uint32_t threads)
{
    uint64_t in[96];
    fill(in);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[2048];
        uint64_t out[32] = {0};
        snprintf(body, sizeof body, "%s\n%s\n%s %s", head, cases[k].text, widen(cases[k].kind), epilogue);
        simt_case c = simt_case_start(body, model, 1, threads);
        simt_case_buffer(&c, (uint32_t *)in, 192);
        simt_case_buffer(&c, (uint32_t *)out, 64);
        simt_case_ok(&c);
        for (uint32_t i = 0; i < threads; i++) {
            uint64_t want = cut_to_shape(cases[k].kind, cases[k].value(in[3 * i], in[3 * i + 1], in[3 * i + 2]));
            if (out[i] != want)
                fail_msg("%s, lane %u: %llx, not %llx", cases[k].name, i, (unsigned long long)out[i],
                         (unsigned long long)want);
        }
        simt_case_end(&c);
    }
}

static void full_warps(void **state)
{
    (void)state;
    check(GCAST_SIMT_THREADS, 32);
}

static void partial_warps(void **state)
{
    (void)state;
    check(GCAST_SIMT_STACK, 29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_warps),
        cmocka_unit_test(partial_warps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
