/* The time axis: steps of 1, 2 or 5, one unit for all of it. */
#ifndef REPORT_CANVAS_TICKS_H
#define REPORT_CANVAS_TICKS_H

#include <stddef.h>
#include <stdint.h>

typedef struct time_unit {
    const char *name;
    int64_t ns;
    int digits; /* of ns: decimals to the nanosecond */
} time_unit;

/* The largest unit of which `span` holds at least `least`. */
const time_unit *time_unit_for(int64_t span, int64_t least);
/* ns in the unit, with just that many decimals (rounded half up). Negative times are fine. */
void time_in_unit(int64_t ns, const time_unit *unit, int decimals, char *out, size_t size);
/* Decimals that show ns exactly, at most `most`. */
int time_decimals(int64_t ns, const time_unit *unit, int most);

typedef struct ticks {
    int64_t first, step; /* ns; first is the first one not before `from` */
    const time_unit *unit;
    int decimals;
} ticks;

/* Steps whose labels (of font size `size`) stay apart on `width` (hundredths of a pixel). */
ticks ticks_for(int64_t from, int64_t to, int32_t width, int32_t size);

#endif
