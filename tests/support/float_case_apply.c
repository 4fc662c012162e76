/* What float.h computes for a case. */
#include <string.h>

#include "simt/float/approx.h"
#include "simt/float/arithmetic.h"
#include "simt/float/soft.h"
#include "support/float_case.h"

/* The operation of a case on one element, in one shape for all. */
typedef uint64_t element(const float_case *c, const uint64_t in[3]);

#define OPERATION(name, call)                                                                                          \
    static uint64_t apply_##name(const float_case *c, const uint64_t in[3])                                            \
    {                                                                                                                  \
        (void)in, (void)c;                                                                                             \
        return call;                                                                                                   \
    }

OPERATION(add, float_add(c->to, in[0], in[1], c->mode))
OPERATION(sub, float_sub(c->to, in[0], in[1], c->mode))
OPERATION(mul, float_mul(c->to, in[0], in[1], c->mode))
OPERATION(fma, float_fma(c->to, in[0], in[1], in[2], c->mode))
OPERATION(div, c->approx ? float_div_approx(in[0], in[1], c->mode.ftz)
               : c->full ? float_div_full(in[0], in[1], c->mode.ftz)
                         : float_div(c->to, in[0], in[1], c->mode))
OPERATION(rcp, c->approx ? float_rcp_approx(c->to, in[0], c->mode.ftz) : float_rcp(c->to, in[0], c->mode))
OPERATION(sqrt, c->approx ? float_sqrt_approx(in[0], c->mode.ftz) : float_sqrt(c->to, in[0], c->mode))
OPERATION(rsqrt, float_rsqrt_approx(c->to, in[0], c->mode.ftz))
OPERATION(sin, float_sin_approx(in[0], c->mode.ftz))
OPERATION(cos, float_cos_approx(in[0], c->mode.ftz))
OPERATION(lg2, float_lg2_approx(in[0], c->mode.ftz))
OPERATION(ex2, float_ex2_approx(c->to, in[0], c->mode.ftz))
OPERATION(tanh, float_tanh_approx(c->to, in[0]))
OPERATION(abs, float_abs(c->to, in[0], c->mode))
OPERATION(neg, float_neg(c->to, in[0], c->mode))
OPERATION(min, float_min(c->to, in[0], in[1], c->mode))
OPERATION(max, float_max(c->to, in[0], in[1], c->mode))
OPERATION(copysign, float_copysign(c->to, in[0], in[1]))
OPERATION(cvt, float_convert(c->to, c->from, in[0], c->mode))

/* Bit i: whether the i-th comparison of the table holds. */
static uint64_t apply_setp(const float_case *c, const uint64_t in[3])
{
    const int relation = (int)float_compare(c->to, in[0], in[1], c->mode.ftz);
    uint64_t held = 0, bit = 1;
#define X(name, mask)                                                                                                  \
    held |= float_comparison(#name) & relation ? bit : 0;                                                              \
    bit <<= 1;
    FLOAT_COMPARISON_TABLE(X)
#undef X
    return held;
}

static uint64_t apply_testp(const float_case *c, const uint64_t in[3])
{
    const int class = (int)float_class_of(c->to, in[0]);
    uint64_t held = 0, bit = 1;
#define X(name, mask)                                                                                                  \
    held |= float_test(#name) & class ? bit : 0;                                                                       \
    bit <<= 1;
    FLOAT_TEST_TABLE(X)
#undef X
    return held;
}

#define ELEMENTS(X)                                                                                                    \
    X(add)                                                                                                             \
    X(sub)                                                                                                             \
    X(mul)                                                                                                             \
    X(fma)                                                                                                             \
    X(div)                                                                                                             \
    X(rcp)                                                                                                             \
    X(sqrt) X(rsqrt) X(sin) X(cos) X(lg2) X(ex2) X(tanh) X(abs) X(neg) X(min) X(max) X(copysign) X(cvt) X(setp) X(testp)

uint64_t float_case_apply(const float_case *c, const uint64_t in[3])
{
    static const struct {
        const char *name;
        element *apply;
    } elements[] = {
#define X(name) {#name, apply_##name},
        ELEMENTS(X)
#undef X
    };
    element *apply = NULL;
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (!strcmp(elements[i].name, c->opcode))
            apply = elements[i].apply;
    if (!c->packed)
        return apply(c, in);
    if (!strcmp(c->opcode, "cvt"))
        return apply(c, in) << 16 | apply(c, in + 1);
    const uint64_t low[] = {in[0] & 0xffff, in[1] & 0xffff, in[2] & 0xffff};
    const uint64_t high[] = {in[0] >> 16, in[1] >> 16, in[2] >> 16};
    return apply(c, high) << 16 | apply(c, low);
}
