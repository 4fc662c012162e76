/* A warp's registers: rows of 32 lanes. A register of up to 32 bits is a row of
 * 4-byte lanes (narrower ones have zeros above), one of 64 bits a row of 8-byte
 * lanes, a predicate one mask. An instruction is one loop over a row, which the
 * compiler turns into vector code. */
#ifndef SIMT_ISA_LANES_H
#define SIMT_ISA_LANES_H

#include <stdint.h>

#define LANES 32
#define ALL_LANES UINT32_MAX

/* Rows are read as whatever type the instruction says. */
#define LANE_TYPE __attribute__((may_alias))
typedef uint32_t LANE_TYPE u32;
typedef int32_t LANE_TYPE s32;
typedef uint64_t LANE_TYPE u64;
typedef int64_t LANE_TYPE s64;
typedef float LANE_TYPE f32;
typedef double LANE_TYPE f64;

/* A row's place in the frame of a call, or, with the lowest bit set, among the constants of the function. */
typedef uint32_t slot;

typedef struct rows {
    char *base[2];
} rows;

static inline void *row(const rows *r, slot s)
{
    return r->base[s & 1] + (s & ~1u);
}

/* Rows of one instruction are the same or apart, so no iteration depends on another. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* loops that stay scalar, such as all of an unoptimized build */
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < LANES; i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int i = 0; i < LANES; i++)
#endif

/* The lanes of a mask, one after the other. */
#define EACH_SET(i, m)                                                                                                 \
    for (uint32_t set_##i = (m), i; set_##i && (i = (uint32_t)__builtin_ctz(set_##i), 1); set_##i &= set_##i - 1)

struct op;
/* What a lane instruction does to the lanes of mask m. */
typedef void lane_function(const struct op *o, const rows *r, uint32_t m);

/* One form of an instruction that only reads and writes registers. */
typedef struct lane_form {
    const char *words; /* "mul.lo.u32 mul.lo.s32": what it is called, with spaces between */
    const char *shape; /* of its operands: w up to 32 bits, h 16 bits, x 64 bits, p predicate, _ none, k the carry,
                          i an integer that is written; the destination first */
    lane_function *run;
} lane_form;

/* Each ends with words of NULL. */
extern const lane_form integer_forms[], divide_forms[], carry_forms[], logic_forms[];
lane_function lanes_not_predicate, lanes_copy_32, lanes_copy_64, lanes_select_32, lanes_select_64;

/* Writes expr to the lanes of mask m; it must be harmless in the others. `a`, `b`, `c` are the operands' lanes. */
#define WRITE_LANES(D, read, expr)                                                                                     \
    if (m == ALL_LANES) {                                                                                              \
        EACH_LANE                                                                                                      \
        {                                                                                                              \
            read;                                                                                                      \
            d[i] = (D)(expr);                                                                                          \
        }                                                                                                              \
    } else {                                                                                                           \
        EACH_LANE                                                                                                      \
        {                                                                                                              \
            read;                                                                                                      \
            D x = (D)(expr);                                                                                           \
            d[i] = (m >> i) & 1 ? x : d[i];                                                                            \
        }                                                                                                              \
    }

/* Functions of 1, 2 and 3 operands, for tables of (name, words, shape, types, expression). */
#define LANES_1(name, words, shape, D, A, expr)                                                                        \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        D *d = row(r, o->d);                                                                                           \
        const A *pa = row(r, o->a);                                                                                    \
        WRITE_LANES(D, A a = pa[i], expr)                                                                              \
    }

#define LANES_2(name, words, shape, D, A, B, expr)                                                                     \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        D *d = row(r, o->d);                                                                                           \
        const A *pa = row(r, o->a);                                                                                    \
        const B *pb = row(r, o->b);                                                                                    \
        WRITE_LANES(D, A a = pa[i]; B b = pb[i], expr)                                                                 \
    }

#define LANES_3(name, words, shape, D, A, B, C, expr)                                                                  \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        D *d = row(r, o->d);                                                                                           \
        const A *pa = row(r, o->a);                                                                                    \
        const B *pb = row(r, o->b);                                                                                    \
        const C *pc = row(r, o->c);                                                                                    \
        WRITE_LANES(D, A a = pa[i]; B b = pb[i]; C c = pc[i], expr)                                                    \
    }

#define LANES_FORM_1(name, words, shape, D, A, expr) {words, shape, name},
#define LANES_FORM_2(name, words, shape, D, A, B, expr) {words, shape, name},
#define LANES_FORM_3(name, words, shape, D, A, B, C, expr) {words, shape, name},

#endif
