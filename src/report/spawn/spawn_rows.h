/* What the table, the JSON text and the bars of a comparison of policies have in common. */
#ifndef REPORT_SPAWN_SPAWN_ROWS_H
#define REPORT_SPAWN_SPAWN_ROWS_H

#include "gridcast/spawn.h"

/* Comparisons of the same choices. */
typedef struct spawn_set {
    const gcast_spawn_comparison *const *at; /* from top to bottom */
    size_t count;                            /* at least 1 */
    bool color;                              /* of tables */
} spawn_set;

#define SPAWN_NAME_SIZE 32

/* "spawn", "threshold 64". */
const char *spawn_row_name(const gcast_spawn_row *row, char out[SPAWN_NAME_SIZE]);
/* Items that children did, of all that launchers had. */
double spawn_offloaded(const gcast_spawn_row *row);
/* A sum over children, by child; 0 without children. */
double spawn_mean(const gcast_spawn_row *row, double sum);
/* The geometric mean of the speedups of a choice. */
double spawn_mean_speedup(const spawn_set *s, size_t choice);

#endif
