/* Sign operations, minimum and maximum, comparisons and testp. */
#include "simt/float/compare.h"

#include <string.h>

#include "simt/float/finish.h"
#include "simt/float/soft.h"

float_relation float_compare(float_type t, uint64_t a, uint64_t b, bool ftz)
{
    if (soft_is_nan(t, a) || soft_is_nan(t, b))
        return FLOAT_UNORDERED;
    if (ftz) {
        a = soft_flush(t, a);
        b = soft_flush(t, b);
    }
    const uint64_t sign = soft_sign_bit(t);
    if (a == b || !((a | b) & (sign - 1)))
        return FLOAT_EQUAL;
    if ((a ^ b) & sign)
        return a & sign ? FLOAT_LESS : FLOAT_GREATER;
    return (a < b) != !!(a & sign) ? FLOAT_LESS : FLOAT_GREATER;
}

typedef struct named_mask {
    const char *name;
    int mask;
} named_mask;

static int mask_of(const named_mask *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(table[i].name, name))
            return table[i].mask;
    return 0;
}

#define X(name, mask) {#name, mask},
static const named_mask comparisons[] = {FLOAT_COMPARISON_TABLE(X)};
static const named_mask tests[] = {FLOAT_TEST_TABLE(X)};
#undef X

int float_comparison(const char *name)
{
    return mask_of(comparisons, sizeof comparisons / sizeof comparisons[0], name);
}

int float_test(const char *name)
{
    return mask_of(tests, sizeof tests / sizeof tests[0], name);
}

/* A NaN becomes what an addition makes of it. */
uint64_t float_abs(float_type t, uint64_t a, float_mode m)
{
    if (soft_is_nan(t, a))
        return soft_nan_of(t, a, 0, 0);
    return (m.ftz ? soft_flush(t, a) : a) & ~soft_sign_bit(t);
}

uint64_t float_neg(float_type t, uint64_t a, float_mode m)
{
    if (soft_is_nan(t, a))
        return soft_nan_of(t, a, 0, 0);
    return (m.ftz ? soft_flush(t, a) : a) ^ soft_sign_bit(t);
}

uint64_t float_copysign(float_type t, uint64_t sign, uint64_t magnitude)
{
    return (sign & soft_sign_bit(t)) | (magnitude & ~soft_sign_bit(t));
}

/* Is a below b, where -0 is below +0? */
static bool is_below(float_type t, uint64_t a, uint64_t b)
{
    float_relation r = float_compare(t, a, b, false);
    return r == FLOAT_LESS || (r == FLOAT_EQUAL && (a & soft_sign_bit(t)));
}

static uint64_t extreme(float_type t, uint64_t a, uint64_t b, float_mode m, bool greatest)
{
    const uint64_t sign = soft_sign_bit(t), signs = (a ^ b) & sign;
    const bool nan_a = soft_is_nan(t, a), nan_b = soft_is_nan(t, b);
    if (m.ftz) {
        a = soft_flush(t, a);
        b = soft_flush(t, b);
    }
    if (m.xorsign) {
        a &= ~sign;
        b &= ~sign;
    }
    if ((nan_a && nan_b) || (m.nan && (nan_a || nan_b)))
        return soft_nan_of(t, a, b, 0);
    uint64_t r = nan_a || (!nan_b && is_below(t, a, b) == greatest) ? b : a;
    return m.xorsign ? r | signs : r;
}

uint64_t float_min(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return extreme(t, a, b, m, false);
}

uint64_t float_max(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return extreme(t, a, b, m, true);
}
