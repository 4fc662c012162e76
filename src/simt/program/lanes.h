/* A warp's registers: rows of 32 lanes. A register of up to 32 bits is a row of 4-byte lanes (narrower ones have zeros
 * above), a register of 64 bits a row of 8-byte lanes, and a predicate one mask. An instruction is one loop over a row,
 * which the compiler turns into vector code. */
#ifndef SIMT_PROGRAM_LANES_H
#define SIMT_PROGRAM_LANES_H

#include <stdbool.h>
#include <stdint.h>

#define LANES 32 /* of a warp */
#define ALL_LANES UINT32_MAX

/* The instruction decides the type of lanes, so a row may be read as any of these. */
#define LANE_TYPE __attribute__((may_alias))
typedef uint32_t LANE_TYPE u32;
typedef int32_t LANE_TYPE s32;
typedef uint64_t LANE_TYPE u64;
typedef int64_t LANE_TYPE s64;
typedef float LANE_TYPE f32;
typedef double LANE_TYPE f64;

/* A row's place in the frame of a call, or, with the lowest bit set, among the constants of the function. */
typedef uint32_t slot;

/* The registers and constants of a call. */
typedef struct rows {
    char *base[2]; /* rows of the frame; rows of constants */
} rows;

static inline void *row(const rows *r, slot s)
{
    return r->base[s & 1] + (s & ~1u);
}

/* All lanes of a row. Rows of one instruction are identical or do not overlap, so iterations are independent. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* loops that stay scalar, such as all of an unoptimized build */
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < LANES; i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int i = 0; i < LANES; i++)
#endif

/* The lanes of a mask, one after the other. */
#define EACH_SET(i, m)                                                                                                 \
    for (uint32_t set_##i = (m), i; set_##i && (i = (uint32_t)__builtin_ctz(set_##i), 1); set_##i &= set_##i - 1)

/* Writes expr to the lanes of mask m of row d. `read` declares the operands of lane i. Lanes outside of m compute expr,
 * too, so it must be harmless there. */
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

/* One lane of a row of 32 or, if wide, 64 bits. */
static inline uint64_t lane_read(const rows *r, slot s, uint32_t lane, bool wide)
{
    return wide ? ((const u64 *)row(r, s))[lane] : ((const u32 *)row(r, s))[lane];
}

static inline void lane_write(const rows *r, slot s, uint32_t lane, bool wide, uint64_t x)
{
    if (wide)
        ((u64 *)row(r, s))[lane] = x;
    else
        ((u32 *)row(r, s))[lane] = (uint32_t)x;
}

/* One lane of a row of registers of 2, 4 or 8 bytes. */
static inline void lane_write_bytes(const rows *r, slot s, uint32_t lane, uint32_t bytes, uint64_t x)
{
    lane_write(r, s, lane, bytes == 8, bytes == 2 ? (uint16_t)x : x);
}

struct op;
/* Runs an op that only reads and writes registers for the lanes of mask m. */
typedef void lane_function(const struct op *o, const rows *r, uint32_t m);

#endif
