/* Extended precision: instructions that write and read a thread's carry bit.
 * The carry bits of a warp are one mask, like a predicate. */
#include "simt/isa/lane_forms.h"
#include "simt/program/op.h"

/* Computes one lane; *carry is the carry in, then the carry out. */
typedef uint64_t carry_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry);

static uint64_t add_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    (void)c;
    uint64_t sum;
    if (wide) {
        bool overflow = __builtin_add_overflow(a, b, &sum);
        *carry = __builtin_add_overflow(sum, (uint64_t)*carry, &sum) || overflow;
        return sum;
    }
    sum = a + b + *carry;
    *carry = sum >> 32;
    return sum;
}

/* a - b is a + ~b + 1 on GPUs, so the carry is set where nothing is borrowed. The PTX ISA calls it the borrow, which
 * makes no difference as long as only subc reads it; but addc after subc.cc, as nvcc writes it for 128-bit division,
 * reads the carry. */
static uint64_t subc_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    return add_step(a, wide ? ~b : (uint32_t)~b, c, wide, carry);
}

static uint64_t sub_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    *carry = true;
    return subc_step(a, b, c, wide, carry);
}

static uint64_t mad_lo_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    return add_step(wide ? a * b : (uint32_t)(a * b), c, 0, wide, carry);
}

static uint64_t mad_hi_u_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    uint64_t high = wide ? (uint64_t)((unsigned __int128)a * b >> 64) : a * b >> 32;
    return add_step(high, c, 0, wide, carry);
}

static uint64_t mad_hi_s_step(uint64_t a, uint64_t b, uint64_t c, int wide, bool *carry)
{
    uint64_t high;
    if (wide)
        high = (uint64_t)((unsigned __int128)a * b >> 64) - ((int64_t)a < 0 ? b : 0) - ((int64_t)b < 0 ? a : 0);
    else
        high = (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32);
    return add_step(high, c, 0, wide, carry);
}

/* Row o->e holds the carry. reads_carry and writes_carry: the instruction reads it, writes it. */
static inline void run_carry(const op *o, const rows *r, uint32_t m, carry_step *step, int wide, int reads_carry,
                             int writes_carry)
{
    uint32_t *carries = row(r, o->e), out = *carries & ~m;
    EACH_SET(i, m)
    {
        bool carry = reads_carry && (*carries >> i & 1);
        if (wide) {
            const u64 *a = row(r, o->a), *b = row(r, o->b), *c = row(r, o->c);
            u64 *d = row(r, o->d);
            d[i] = step(a[i], b[i], c[i], 1, &carry);
        } else {
            const u32 *a = row(r, o->a), *b = row(r, o->b), *c = row(r, o->c);
            u32 *d = row(r, o->d);
            d[i] = (uint32_t)step(a[i], b[i], c[i], 0, &carry);
        }
        out |= (uint32_t)carry << i;
    }
    if (writes_carry)
        *carries = out;
}

/* name, step, takes, gives */
#define CARRY_TABLE(X)                                                                                                 \
    X(add_cc, add_step, 0, 1)                                                                                          \
    X(addc, add_step, 1, 0)                                                                                            \
    X(addc_cc, add_step, 1, 1)                                                                                         \
    X(sub_cc, sub_step, 0, 1)                                                                                          \
    X(subc, subc_step, 1, 0)                                                                                           \
    X(subc_cc, subc_step, 1, 1)                                                                                        \
    X(mad_lo_cc, mad_lo_step, 0, 1)                                                                                    \
    X(madc_lo, mad_lo_step, 1, 0)                                                                                      \
    X(madc_lo_cc, mad_lo_step, 1, 1)

#define DEFINE(name, step, reads_carry, writes_carry)                                                                  \
    static void name##_32(const op *o, const rows *r, uint32_t m)                                                      \
    {                                                                                                                  \
        run_carry(o, r, m, step, 0, reads_carry, writes_carry);                                                        \
    }                                                                                                                  \
    static void name##_64(const op *o, const rows *r, uint32_t m)                                                      \
    {                                                                                                                  \
        run_carry(o, r, m, step, 1, reads_carry, writes_carry);                                                        \
    }
CARRY_TABLE(DEFINE)

#define HIGH_TABLE(X)                                                                                                  \
    X(mad_hi_cc_u, mad_hi_u_step, 0, 1)                                                                                \
    X(madc_hi_u, mad_hi_u_step, 1, 0)                                                                                  \
    X(madc_hi_cc_u, mad_hi_u_step, 1, 1)                                                                               \
    X(mad_hi_cc_s, mad_hi_s_step, 0, 1)                                                                                \
    X(madc_hi_s, mad_hi_s_step, 1, 0)                                                                                  \
    X(madc_hi_cc_s, mad_hi_s_step, 1, 1)
HIGH_TABLE(DEFINE)

#define W2 "www_k"
#define W3 "wwwwk"
#define X2 "xxx_k"
#define X3 "xxxxk"
const lane_form carry_forms[] = {
    {"add.cc.u32 add.cc.s32", W2, add_cc_32},
    {"add.cc.u64 add.cc.s64", X2, add_cc_64},
    {"addc.u32 addc.s32", W2, addc_32},
    {"addc.u64 addc.s64", X2, addc_64},
    {"addc.cc.u32 addc.cc.s32", W2, addc_cc_32},
    {"addc.cc.u64 addc.cc.s64", X2, addc_cc_64},
    {"sub.cc.u32 sub.cc.s32", W2, sub_cc_32},
    {"sub.cc.u64 sub.cc.s64", X2, sub_cc_64},
    {"subc.u32 subc.s32", W2, subc_32},
    {"subc.u64 subc.s64", X2, subc_64},
    {"subc.cc.u32 subc.cc.s32", W2, subc_cc_32},
    {"subc.cc.u64 subc.cc.s64", X2, subc_cc_64},
    {"mad.lo.cc.u32 mad.lo.cc.s32", W3, mad_lo_cc_32},
    {"mad.lo.cc.u64 mad.lo.cc.s64", X3, mad_lo_cc_64},
    {"madc.lo.u32 madc.lo.s32", W3, madc_lo_32},
    {"madc.lo.u64 madc.lo.s64", X3, madc_lo_64},
    {"madc.lo.cc.u32 madc.lo.cc.s32", W3, madc_lo_cc_32},
    {"madc.lo.cc.u64 madc.lo.cc.s64", X3, madc_lo_cc_64},
    {"mad.hi.cc.u32", W3, mad_hi_cc_u_32},
    {"mad.hi.cc.u64", X3, mad_hi_cc_u_64},
    {"mad.hi.cc.s32", W3, mad_hi_cc_s_32},
    {"mad.hi.cc.s64", X3, mad_hi_cc_s_64},
    {"madc.hi.u32", W3, madc_hi_u_32},
    {"madc.hi.u64", X3, madc_hi_u_64},
    {"madc.hi.s32", W3, madc_hi_s_32},
    {"madc.hi.s64", X3, madc_hi_s_64},
    {"madc.hi.cc.u32", W3, madc_hi_cc_u_32},
    {"madc.hi.cc.u64", X3, madc_hi_cc_u_64},
    {"madc.hi.cc.s32", W3, madc_hi_cc_s_32},
    {"madc.hi.cc.s64", X3, madc_hi_cc_s_64},
    {NULL, NULL, NULL},
};
