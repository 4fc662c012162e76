/* Decimal numbers as integers: 12.345 microseconds are 12345 nanoseconds, exactly. */
#ifndef PROFILE_DECIMAL_H
#define PROFILE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DECIMAL_MAX (INT64_MAX / 4)

/* A JSON number times 10^digits, with what is below 1 cut off. False where it is beyond DECIMAL_MAX. *is_whole: it had
 * no digit but 0 behind the point. */
bool decimal_parse(const char *text, size_t size, int digits, int64_t *value, bool *is_whole);

#endif
