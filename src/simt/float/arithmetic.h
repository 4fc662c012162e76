/* Sign operations, minimum and maximum, comparisons, testp, conversions, and arithmetic in every rounding mode. Type t
 * is a float. */
#ifndef SIMT_FLOAT_ARITHMETIC_H
#define SIMT_FLOAT_ARITHMETIC_H

#include "simt/float/float.h"

uint64_t float_abs(float_type t, uint64_t a, float_mode m);
uint64_t float_neg(float_type t, uint64_t a, float_mode m);
uint64_t float_min(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_max(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_copysign(float_type t, uint64_t sign, uint64_t magnitude); /* operands in the order of PTX */

/* Of two floats, exactly one of these holds. */
typedef enum { FLOAT_LESS = 1, FLOAT_EQUAL = 2, FLOAT_GREATER = 4, FLOAT_UNORDERED = 8 } float_relation;
float_relation float_compare(float_type t, uint64_t a, uint64_t b, bool ftz);

/* Comparisons of PTX: name, mask of the relations for which it holds */
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

int float_comparison(const char *name); /* the mask; 0: no comparison has this name */

/* Tests of testp, on f32 and f64: name, mask of the classes for which it holds */
#define FLOAT_TEST_TABLE(X)                                                                                            \
    X(finite, FLOAT_ZERO | FLOAT_SUBNORMAL | FLOAT_NORMAL)                                                             \
    X(infinite, FLOAT_INFINITE)                                                                                        \
    X(number, FLOAT_ZERO | FLOAT_SUBNORMAL | FLOAT_NORMAL | FLOAT_INFINITE)                                            \
    X(notanumber, FLOAT_NAN)                                                                                           \
    X(normal, FLOAT_ZERO | FLOAT_NORMAL)                                                                               \
    X(subnormal, FLOAT_SUBNORMAL)

int float_test(const char *name); /* the mask; 0: no test has this name */

/* cvt from any type to any type. The caller extends integers that are narrower than the destination register. A packed
 * destination (cvt.f16x2.f32 d, a, b) takes one call for each half; a is the upper half. */
uint64_t float_convert(float_type dtype, float_type stype, uint64_t a, float_mode m);

uint64_t float_add(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_sub(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_mul(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_fma(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m);
uint64_t float_div(float_type t, uint64_t a, uint64_t b, float_mode m); /* div, rcp and sqrt: f32 and f64 */
uint64_t float_rcp(float_type t, uint64_t a, float_mode m);
uint64_t float_sqrt(float_type t, uint64_t a, float_mode m);

/* Applies an operation to both halves of f16x2 or bf16x2 registers. Unused operands are 0. */
typedef uint64_t float_function(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m);
uint64_t float_halves(float_function *f, float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m);

#endif
