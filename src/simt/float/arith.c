/* add, sub, mul, fma, div, rcp and sqrt in every rounding mode. For f32 and f64
 * the operators of C round to nearest; everything else is computed with
 * integers. */
#include "simt/float/arith.h"

#include <math.h>

#include "simt/float/finish.h"
#include "simt/float/native.h"
#include "simt/float/soft.h"

#ifdef __FAST_MATH__
#error "floating point that must be exact cannot be built with -ffast-math"
#endif

typedef enum { ADD, MUL, FMA, DIV, SQRT } operation;

static float native_f32(operation op, float a, float b, float c)
{
    switch (op) {
    case ADD:
        return a + b;
    case MUL:
        return a * b;
    case FMA:
        return fmaf(a, b, c);
    case DIV:
        return a / b;
    default:
        return sqrtf(a);
    }
}

static double native_f64(operation op, double a, double b, double c)
{
    switch (op) {
    case ADD:
        return a + b;
    case MUL:
        return a * b;
    case FMA:
        return fma(a, b, c);
    case DIV:
        return a / b;
    default:
        return sqrt(a);
    }
}

/* Operands are flushed already. */
static uint64_t with_integers(operation op, float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)
{
    soft x = soft_unpack(t, a, false), y = soft_unpack(t, b, false), r;
    switch (op) {
    case ADD:
        r = soft_add(x, y, m.round);
        break;
    case MUL:
        r = soft_mul(x, y);
        break;
    case FMA:
        r = soft_add(soft_mul(x, y), soft_unpack(t, c, false), m.round);
        break;
    case DIV:
        r = soft_div(x, y);
        break;
    default:
        r = soft_sqrt(x);
    }
    return soft_pack(t, r, m.round, m.ftz);
}

static uint64_t compute(operation op, float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)
{
    if (m.ftz) {
        a = soft_flush(t, a);
        b = soft_flush(t, b);
        c = soft_flush(t, c);
    }
    if (soft_is_nan(t, a) || soft_is_nan(t, b) || soft_is_nan(t, c))
        return float_finish(t, op == DIV ? soft_nan_of(t, b, a, 0) : soft_nan_of(t, a, b, c), m);
    bool native = m.round == FLOAT_RN && t >= FLOAT_f32;
    uint64_t r = 0;
    if (native) {
        r = t == FLOAT_f32 ? bits_of_f32(native_f32(op, f32_of(a), f32_of(b), f32_of(c)))
                           : bits_of_f64(native_f64(op, f64_of(a), f64_of(b), f64_of(c)));
        /* the smallest normal number may be the result of rounding up a number below it, which ftz may have to flush */
        native = !m.ftz || (r & ~soft_sign_bit(t)) > UINT64_C(1) << soft_format_of(t).fraction;
    }
    if (!native)
        r = with_integers(op, t, a, b, c, m);
    return float_finish(t, soft_is_nan(t, r) ? soft_nan(t) : r, m);
}

uint64_t float_add(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return compute(ADD, t, a, b, 0, m);
}

uint64_t float_sub(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return compute(ADD, t, a, soft_is_nan(t, b) ? b : b ^ soft_sign_bit(t), 0, m);
}

uint64_t float_mul(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return compute(MUL, t, a, b, 0, m);
}

uint64_t float_fma(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)
{
    return compute(FMA, t, a, b, c, m);
}

uint64_t float_div(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return compute(DIV, t, a, b, 0, m);
}

uint64_t float_rcp(float_type t, uint64_t a, float_mode m)
{
    return compute(DIV, t, soft_one(t), a, 0, m);
}

uint64_t float_sqrt(float_type t, uint64_t a, float_mode m)
{
    return compute(SQRT, t, a, 0, 0, m);
}

uint64_t float_halves(float_function *f, float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)
{
    return f(t, a & 0xffff, b & 0xffff, c & 0xffff, m) | f(t, a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff, m)
                                                             << 16;
}
