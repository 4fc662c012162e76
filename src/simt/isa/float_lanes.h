/* What the lane functions of floats share: the modifiers of an instruction in
 * op.imm, and arithmetic of this computer, which differs from that of the GPU
 * only in NaNs. */
#ifndef SIMT_ISA_FLOAT_LANES_H
#define SIMT_ISA_FLOAT_LANES_H

#include <string.h>

#include "simt/float/float.h"
#include "simt/program/op.h"

enum { MODE_FTZ = 8, MODE_SAT = 16, MODE_RELU = 32, MODE_NAN = 64, MODE_XORSIGN = 128 };

static inline float_mode mode_of(const op *o)
{
    return (float_mode){
        .round = (float_round)(o->imm & 7),
        .ftz = o->imm & MODE_FTZ,
        .sat = o->imm & MODE_SAT,
        .relu = o->imm & MODE_RELU,
        .nan = o->imm & MODE_NAN,
        .xorsign = o->imm & MODE_XORSIGN,
    };
}

static inline float canonical(float x)
{
    union {
        uint32_t bits;
        float value;
    } nan = {0x7fffffff};
    return x == x ? x : nan.value;
}

/* Doubles keep the bits of a NaN: where a lane results in one, all are computed again by `exact`. */
#define FAST_F64(name, exact, expr)                                                                                    \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        f64 x[LANES], *d = row(r, o->d);                                                                               \
        const f64 *pa = row(r, o->a), *pb = row(r, o->b), *pc = row(r, o->c);                                          \
        int nans = 0;                                                                                                  \
        EACH_LANE                                                                                                      \
        {                                                                                                              \
            double a = pa[i], b = pb[i], c = pc[i];                                                                    \
            (void)c;                                                                                                   \
            x[i] = expr;                                                                                               \
            nans |= x[i] != x[i];                                                                                      \
        }                                                                                                              \
        if (nans) {                                                                                                    \
            exact(o, r, m);                                                                                            \
            return;                                                                                                    \
        }                                                                                                              \
        if (m == ALL_LANES)                                                                                            \
            memcpy(d, x, sizeof x);                                                                                    \
        else                                                                                                           \
            EACH_SET(i, m) d[i] = x[i];                                                                                \
    }

#endif
