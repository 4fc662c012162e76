/* Times and sizes as people write them: 10us, 1.5ms, 48KiB. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DAY_NS INT64_C(86400000000000)

/* A time with a unit (ns, us, ms, s; a number alone is nanoseconds), not negative and exact to the nanosecond. False
 * where the text is none. */
bool units_parse_time(const char *text, int64_t *ns);
/* As units_parse_time, but exact to the picosecond, with the unit ps too. */
bool units_parse_picoseconds(const char *text, int64_t *ps);
/* The shortest exact form: 4ms, 1.5us, 123ns. */
void units_format_time(int64_t ns, char *out, size_t size);
/* A size that is not negative, with a unit (B, KiB, MiB, GiB, KB, MB, GB). */
bool units_parse_size(const char *text, int64_t *bytes);
/* Exactly, in the largest unit that leaves no fraction: 96 KiB, 90 GB, 1001 B. */
void units_format_size(int64_t bytes, char *out, size_t size);
/* Exactly, always in GB/s: 68.25 GB/s, 0.000001 GB/s. */
void units_format_rate(int64_t bytes_per_s, char *out, size_t size);

#endif
