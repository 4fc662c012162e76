#include "report/spawn/spawn_rows.h"

#include <math.h>
#include <stdio.h>

const char *spawn_row_name(const gcast_spawn_row *row, char out[SPAWN_NAME_SIZE])
{
    const char *name = gcast_spawn_contender_name(row->contender);
    if (row->contender == GCAST_CONTENDER_THRESHOLD)
        snprintf(out, SPAWN_NAME_SIZE, "%s %u", name, row->threshold);
    else
        snprintf(out, SPAWN_NAME_SIZE, "%s", name);
    return out;
}

double spawn_offloaded(const gcast_spawn_row *row)
{
    return row->stats.items ? (double)row->stats.offloaded / (double)row->stats.items : 0;
}

double spawn_mean(const gcast_spawn_row *row, double sum)
{
    return row->stats.children ? sum / (double)row->stats.children : 0;
}

double spawn_mean_speedup(const spawn_set *s, size_t choice)
{
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += log(s->at[i]->rows[choice].speedup);
    return exp(sum / (double)s->count);
}
