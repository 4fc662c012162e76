#include "report/tables/time_format.h"

#include <stdio.h>

#include "base/minmax.h"

#define MIN_UNITS 10 /* in the longest time: 9 ms are shown as 9000 us, 10 ms as 10 ms */

time_format time_format_for(int64_t longest, int max_decimals)
{
    return (time_format){.unit = time_unit_for(longest, MIN_UNITS), .max_decimals = max_decimals};
}

void time_format_include(time_format *f, int64_t ns)
{
    int decimals = ns < 0 ? 0 : time_decimals(ns, f->unit, f->max_decimals);
    f->decimals = max_int(f->decimals, decimals);
}

void time_format_cell(grid *g, int column, int64_t ns, bool applies, time_format f)
{
    char cell[48] = "-";
    if (applies)
        time_in_unit(ns, f.unit, f.decimals, cell, sizeof cell);
    grid_cell(g, column, cell);
}

const char *time_format_title(char *out, size_t size, const char *title, time_format f)
{
    snprintf(out, size, "%s (%s)", title, f.unit->name);
    return out;
}
