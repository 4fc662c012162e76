/* The time axis: steps of 1, 2 or 5 times a power of ten, and one unit for all labels. */
#ifndef REPORT_CANVAS_TIME_AXIS_H
#define REPORT_CANVAS_TIME_AXIS_H

#include <stddef.h>
#include <stdint.h>

typedef struct time_unit {
    const char *name; /* "ms" */
    int64_t ns;       /* its length */
    int digits;       /* decimals that show a nanosecond */
} time_unit;

/* The largest unit of which `span` has at least `min_count`. */
const time_unit *time_unit_for(int64_t span, int64_t min_count);
/* ns in the unit, with exactly that many decimals (rounded half up). ns may be negative. */
void time_in_unit(int64_t ns, const time_unit *unit, int decimals, char *out, size_t size);
/* Decimals that show ns exactly, at most max_decimals. */
int time_decimals(int64_t ns, const time_unit *unit, int max_decimals);

typedef struct ticks {
    int64_t first;         /* ns: the first tick that is not before the start of the axis */
    int64_t step;          /* ns from one tick to the next */
    const time_unit *unit; /* of the labels */
    int decimals;          /* of the labels */
} ticks;

/* Ticks from start_ns to end_ns whose labels (of font size `size`) stay apart on an axis of this width. */
ticks ticks_for(int64_t start_ns, int64_t end_ns, int32_t width, int32_t size);

#endif
