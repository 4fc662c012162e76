#include "report/canvas/time_axis.h"

#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"

static const time_unit units[] = {{"s", 1000000000, 9}, {"ms", 1000000, 6}, {"us", 1000, 3}, {"ns", 1, 0}};
#define UNITS (sizeof units / sizeof units[0])

const time_unit *time_unit_for(int64_t span, int64_t min_count)
{
    size_t i = 0;
    while (i + 1 < UNITS && span / units[i].ns < min_count)
        i++;
    return &units[i];
}

void time_in_unit(int64_t ns, const time_unit *unit, int decimals, char *out, size_t size)
{
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns, scale = (uint64_t)unit->ns, drop = 1;
    if (decimals > unit->digits)
        decimals = unit->digits;
    for (int i = decimals; i < unit->digits; i++)
        drop *= 10;
    v = v / drop + (v % drop >= (drop + 1) / 2 && drop > 1);
    scale /= drop;
    const char *sign = ns < 0 && v ? "-" : "";
    if (decimals)
        snprintf(out, size, "%s%llu.%0*llu", sign, (unsigned long long)(v / scale), decimals,
                 (unsigned long long)(v % scale));
    else
        snprintf(out, size, "%s%llu", sign, (unsigned long long)(v / scale));
}

int time_decimals(int64_t ns, const time_unit *unit, int max_decimals)
{
    int decimals = unit->digits;
    while (decimals > 0 && ns % 10 == 0) {
        ns /= 10;
        decimals--;
    }
    return min_int(decimals, max_decimals);
}

static ticks with_step(int64_t start_ns, int64_t step, const time_unit *unit)
{
    return (ticks){.first = round_up(start_ns, step),
                   .step = step,
                   .unit = unit,
                   .decimals = time_decimals(step, unit, unit->digits)};
}

ticks ticks_for(int64_t start_ns, int64_t end_ns, int32_t width, int32_t size)
{
    static const int64_t factors[] = {1, 2, 5};
    int64_t span = end_ns - start_ns;
    const time_unit *unit = time_unit_for(span, 2);
    for (int64_t power = 1; power <= INT64_MAX / 50; power *= 10)
        for (size_t i = 0; i < 3; i++) {
            ticks t = with_step(start_ns, power * factors[i], unit);
            char widest[48];
            time_in_unit(end_ns, unit, t.decimals, widest, sizeof widest);
            /* a label and a margin must fit between two ticks */
            __int128 gap = (__int128)t.step * width / span;
            if (gap >= font_width(widest, size) + PX(24))
                return t;
        }
    return with_step(start_ns, INT64_MAX / 4, unit);
}
