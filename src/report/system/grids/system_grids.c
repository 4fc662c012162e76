#include "report/system/grids/system_grids.h"

#include <stdio.h>

void sys_grid_open(sys_grid *t, const grid_column *columns, const char *title, time_format f)
{
    int count = 0;
    snprintf(t->first_title, sizeof t->first_title, "%s; times in %s", title, f.unit->name);
    for (; columns[count].title; count++)
        t->columns[count] = columns[count];
    t->columns[0].title = t->first_title;
    t->columns[count] = (grid_column){NULL, false};
    grid_open(&t->g, t->columns);
}
