#include "report/tables/clock_face.h"

#include <stdio.h>

#define LEAST_UNITS 10 /* 9 ms are shown as 9000 us, 10 ms as 10 ms */

clock_face clock_face_for(int64_t longest, int most_decimals)
{
    return (clock_face){.unit = time_unit_for(longest, LEAST_UNITS), .most = most_decimals};
}

void clock_face_see(clock_face *f, int64_t ns)
{
    int decimals = ns < 0 ? 0 : time_decimals(ns, f->unit, f->most);
    if (decimals > f->decimals)
        f->decimals = decimals;
}

void clock_face_cell(grid *g, int column, int64_t ns, bool applies, clock_face f)
{
    char cell[48] = "-";
    if (applies)
        time_in_unit(ns, f.unit, f.decimals, cell, sizeof cell);
    grid_cell(g, column, cell);
}

const char *clock_face_title(char *out, size_t size, const char *title, clock_face f)
{
    snprintf(out, size, "%s (%s)", title, f.unit->name);
    return out;
}
