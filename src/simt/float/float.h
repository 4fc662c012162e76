/* Floating point as PTX defines it and NVIDIA GPUs compute it, bit for bit and the same on every machine. Arithmetic
 * in every rounding mode, comparisons and conversions are exact; approximate functions are within the error that PTX
 * documents (float/approx.c). A value is its bits in the low end of a uint64_t, with zeros above. */
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

/* Rounding modes, also of conversions to integers, where PTX writes rni, rzi, rmi and rpi. */
typedef enum {
    FLOAT_RN, /* nearest, ties to even */
    FLOAT_RZ,
    FLOAT_RM,
    FLOAT_RP,
    FLOAT_RNA /* nearest, ties away from zero */
} float_round;

/* The modifiers of an instruction; all zeros mean .rn and no other. */
typedef struct float_mode {
    float_round round;
    bool ftz;      /* subnormal operands and results become zeros of their sign */
    bool sat;      /* floats: into [0, 1], NaN becomes +0; conversions to integers: into their range */
    bool integral; /* conversions from float to float: round to an integer */
    bool relu;     /* negative results become +0, NaN becomes canonical */
    bool nan;      /* min, max: the result is NaN if an operand is (.NaN) */
    bool xorsign;  /* min, max: of magnitudes, with the exclusive or of the signs (.xorsign.abs) */
} float_mode;

/* Classes of floats. */
typedef enum { FLOAT_ZERO = 1, FLOAT_SUBNORMAL = 2, FLOAT_NORMAL = 4, FLOAT_INFINITE = 8, FLOAT_NAN = 16 } float_class;

#endif
