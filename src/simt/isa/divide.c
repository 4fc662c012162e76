/* Integer division and remainder: what PTX leaves to the machine (division by
 * zero) gives all ones, as NVIDIA GPUs do. */
#include "simt/run/machine.h"

static inline uint64_t div_u(uint64_t a, uint64_t b, uint64_t ones)
{
    return b ? a / b : ones;
}

static inline uint64_t rem_u(uint64_t a, uint64_t b, uint64_t ones)
{
    return b ? a % b : ones;
}

/* Without the overflow that C does not define. */
static inline uint64_t div_s(int64_t a, int64_t b)
{
    return b == 0 ? UINT64_MAX : b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static inline uint64_t rem_s(int64_t a, int64_t b)
{
    return b == 0 ? UINT64_MAX : b == -1 ? 0 : (uint64_t)(a % b);
}

#define TABLE_2(X)                                                                                                     \
    X(div_u16, "div.u16", "hhh", u32, u32, u32, div_u(a, b, 0xffff))                                                   \
    X(div_s16, "div.s16", "hhh", u32, u32, u32, (uint16_t)div_s((int16_t)a, (int16_t)b))                               \
    X(div_u32, "div.u32", "www", u32, u32, u32, div_u(a, b, UINT32_MAX))                                               \
    X(div_s32, "div.s32", "www", u32, s32, s32, (uint32_t)div_s(a, b))                                                 \
    X(div_u64, "div.u64", "xxx", u64, u64, u64, div_u(a, b, UINT64_MAX))                                               \
    X(div_s64, "div.s64", "xxx", u64, s64, s64, div_s(a, b))                                                           \
    X(rem_u16, "rem.u16", "hhh", u32, u32, u32, rem_u(a, b, 0xffff))                                                   \
    X(rem_s16, "rem.s16", "hhh", u32, u32, u32, (uint16_t)rem_s((int16_t)a, (int16_t)b))                               \
    X(rem_u32, "rem.u32", "www", u32, u32, u32, rem_u(a, b, UINT32_MAX))                                               \
    X(rem_s32, "rem.s32", "www", u32, s32, s32, (uint32_t)rem_s(a, b))                                                 \
    X(rem_u64, "rem.u64", "xxx", u64, u64, u64, rem_u(a, b, UINT64_MAX))                                               \
    X(rem_s64, "rem.s64", "xxx", u64, s64, s64, rem_s(a, b))

TABLE_2(LANES_2)

const lane_form divide_forms[] = {TABLE_2(LANES_FORM_2){NULL, NULL, NULL}};
