#include "profile/decimal.h"

#include <string.h>

#include "base/text/number.h"

/* With an exponent, which no profiler is known to write, it is a double. */
static bool parse_exponent(const char *text, size_t size, int digits, int64_t *value)
{
    char copy[64];
    if (size >= sizeof copy)
        return false;
    memcpy(copy, text, size);
    copy[size] = '\0';
    char *end;
    double x = number_parse(copy, &end);
    for (int i = 0; i < digits; i++)
        x *= 10;
    if (!(x > -(double)DECIMAL_MAX && x < (double)DECIMAL_MAX))
        return false;
    *value = (int64_t)x;
    return true;
}

bool decimal_parse(const char *text, size_t size, int digits, int64_t *value, bool *is_whole)
{
    const char *p = text, *end = text + size;
    bool negative = p < end && *p == '-';
    int left = digits; /* of the fraction that still count */
    bool in_fraction = false;
    int64_t x = 0;
    *is_whole = true;
    if (memchr(text, 'e', size) || memchr(text, 'E', size))
        return parse_exponent(text, size, digits, value);
    for (p += negative; p < end; p++) {
        if (*p == '.') {
            in_fraction = true;
            continue;
        }
        *is_whole = *is_whole && (!in_fraction || *p == '0');
        if (in_fraction && left-- <= 0)
            continue;
        if (*p < '0' || *p > '9' || x > (DECIMAL_MAX - 9) / 10)
            return false;
        x = 10 * x + (*p - '0');
    }
    for (; left > 0; left--) {
        if (x > DECIMAL_MAX / 10)
            return false;
        x *= 10;
    }
    *value = negative ? -x : x;
    return true;
}
