/* Floating point as PTX defines it and NVIDIA GPUs compute it, bit for bit and
 * the same on every machine: arithmetic in every rounding, comparisons and
 * conversions are exact, the functions that PTX calls approximate are within
 * its documented error (float/approx.c). Values are bits in the low end of a
 * uint64_t with zeros above. */
#ifndef SIMT_FLOAT_FLOAT_H
#define SIMT_FLOAT_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

/* name, bits */
#define FLOAT_TYPE_TABLE(X)                                                                                            \
    X(u8, 8)                                                                                                           \
    X(u16, 16)                                                                                                         \
    X(u32, 32)                                                                                                         \
    X(u64, 64)                                                                                                         \
    X(s8, 8)                                                                                                           \
    X(s16, 16)                                                                                                         \
    X(s32, 32)                                                                                                         \
    X(s64, 64)                                                                                                         \
    X(f16, 16)                                                                                                         \
    X(bf16, 16)                                                                                                        \
    X(tf32, 32)                                                                                                        \
    X(f32, 32)                                                                                                         \
    X(f64, 64)

typedef enum {
#define X(name, bits) FLOAT_##name,
    FLOAT_TYPE_TABLE(X)
#undef X
        FLOAT_TYPES
} float_type;

/* Also of conversions to integers, where PTX writes rni, rzi, rmi and rpi. */
typedef enum {
    FLOAT_RN, /* nearest, ties to even */
    FLOAT_RZ,
    FLOAT_RM,
    FLOAT_RP,
    FLOAT_RNA /* nearest, ties away from zero */
} float_round;

/* The modifiers of an instruction; all zero is .rn without any. */
typedef struct float_mode {
    float_round round;
    bool ftz;      /* subnormal operands and results become zeros of their sign */
    bool sat;      /* floats: into [0, 1], NaN to +0; conversions to integers: into their range */
    bool integral; /* conversions from float to float: round to an integer */
    bool relu;     /* negative results become +0, NaN the canonical one */
    bool nan;      /* min, max: NaN if an operand is (.NaN) */
    bool xorsign;  /* min, max: of magnitudes, with the signs' exclusive or (.xorsign.abs) */
} float_mode;

/* Type t is a float from here on, but for float_convert. */
uint64_t float_add(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_sub(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_mul(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_fma(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m);
uint64_t float_div(float_type t, uint64_t a, uint64_t b, float_mode m); /* of f32 and f64, as the next two */
uint64_t float_rcp(float_type t, uint64_t a, float_mode m);
uint64_t float_sqrt(float_type t, uint64_t a, float_mode m);

uint64_t float_abs(float_type t, uint64_t a, float_mode m);
uint64_t float_neg(float_type t, uint64_t a, float_mode m);
uint64_t float_min(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_max(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_copysign(float_type t, uint64_t sign, uint64_t magnitude); /* in PTX's order of operands */

/* How a and b compare: just one of these. */
typedef enum { FLOAT_LESS = 1, FLOAT_EQUAL = 2, FLOAT_GREATER = 4, FLOAT_UNORDERED = 8 } float_relation;
float_relation float_compare(float_type t, uint64_t a, uint64_t b, bool ftz);

/* PTX's comparison as the relations for which it holds; name, mask */
#define FLOAT_COMPARISON_TABLE(X)                                                                                      \
    X(eq, FLOAT_EQUAL)                                                                                                 \
    X(ne, FLOAT_LESS | FLOAT_GREATER)                                                                                  \
    X(lt, FLOAT_LESS)                                                                                                  \
    X(le, FLOAT_LESS | FLOAT_EQUAL)                                                                                    \
    X(gt, FLOAT_GREATER)                                                                                               \
    X(ge, FLOAT_GREATER | FLOAT_EQUAL)                                                                                 \
    X(equ, FLOAT_EQUAL | FLOAT_UNORDERED)                                                                              \
    X(neu, FLOAT_LESS | FLOAT_GREATER | FLOAT_UNORDERED)                                                               \
    X(ltu, FLOAT_LESS | FLOAT_UNORDERED)                                                                               \
    X(leu, FLOAT_LESS | FLOAT_EQUAL | FLOAT_UNORDERED)                                                                 \
    X(gtu, FLOAT_GREATER | FLOAT_UNORDERED)                                                                            \
    X(geu, FLOAT_GREATER | FLOAT_EQUAL | FLOAT_UNORDERED)                                                              \
    X(num, FLOAT_LESS | FLOAT_EQUAL | FLOAT_GREATER)                                                                   \
    X(nan, FLOAT_UNORDERED)

int float_comparison(const char *name); /* the mask; 0 if there is none of that name */

/* testp, of f32 and f64: the classes for which it holds; name, mask */
typedef enum { FLOAT_ZERO = 1, FLOAT_SUBNORMAL = 2, FLOAT_NORMAL = 4, FLOAT_INFINITE = 8, FLOAT_NAN = 16 } float_class;
float_class float_class_of(float_type t, uint64_t a);

#define FLOAT_TEST_TABLE(X)                                                                                            \
    X(finite, FLOAT_ZERO | FLOAT_SUBNORMAL | FLOAT_NORMAL)                                                             \
    X(infinite, FLOAT_INFINITE)                                                                                        \
    X(number, FLOAT_ZERO | FLOAT_SUBNORMAL | FLOAT_NORMAL | FLOAT_INFINITE)                                            \
    X(notanumber, FLOAT_NAN)                                                                                           \
    X(normal, FLOAT_ZERO | FLOAT_NORMAL)                                                                               \
    X(subnormal, FLOAT_SUBNORMAL)

int float_test(const char *name); /* the mask; 0 if there is none of that name */

/* cvt from any type to any other, or the same. Integers narrower than the destination register are for the caller to
 * extend; of a packed destination (cvt.f16x2.f32 d, a, b) each half is one call, a's the upper one. */
uint64_t float_convert(float_type to, float_type from, uint64_t a, float_mode m);

/* The approximate ones; t is f32 unless said. */
/* The factors whose product the next but two are; of the reciprocal only without ftz, *b is not read. */
void float_div_factors(bool full, uint64_t *a, uint64_t *b, bool ftz);
void float_rcp_factors(uint64_t *a, uint64_t *b);
uint64_t float_div_approx(uint64_t a, uint64_t b, bool ftz);
uint64_t float_div_full(uint64_t a, uint64_t b, bool ftz);
uint64_t float_rcp_approx(float_type t, uint64_t a, bool ftz); /* f32; f64 with ftz only */
uint64_t float_sqrt_approx(uint64_t a, bool ftz);
uint64_t float_rsqrt_approx(float_type t, uint64_t a, bool ftz); /* f32, f64 */
uint64_t float_sin_approx(uint64_t a, bool ftz);                 /* the hardware does the same for both, as of cos */
uint64_t float_cos_approx(uint64_t a, bool ftz);
uint64_t float_lg2_approx(uint64_t a, bool ftz);
uint64_t float_ex2_approx(float_type t, uint64_t a, bool ftz); /* f32, f16; bf16 with ftz only */
uint64_t float_tanh_approx(float_type t, uint64_t a);          /* f32, f16, bf16 */

/* An operation on each half of f16x2 and bf16x2 registers: b, c of those with fewer operands are 0. */
typedef uint64_t float_function(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m);
uint64_t float_halves(float_function *f, float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m);

#endif
