/* What a group of SMs holds over time, kernel by kernel: for each column of the
 * picture the exact mean share, stacked. */
#ifndef REPORT_AREA_H
#define REPORT_AREA_H

#include "report/fold.h"

typedef struct area {
    int columns;
    int keys;
    uint32_t *top; /* top[key * columns + c]: the upper edge of key, in 1/SHARE_ALL of the row's SMs */
    uint32_t highest;
} area;

/* What things are stacked: operations where there are few, else streams. */
typedef struct area_keys {
    int count;
    int *of_op;      /* by op of the run; -1: nothing to show */
    uint32_t *op_of; /* an op of the run for its colour and name */
    bool streams;    /* keys are streams */
} area_keys;

gcast_status area_keys_make(area_keys *keys, const sm_index *index, gcast_error *err);
void area_keys_free(area_keys *keys);

/* One row of a fold. */
gcast_status area_make(area *a, const sm_index *index, const fold *f, int row, const area_keys *keys, int columns,
                       gcast_error *err);
void area_free(area *a);

/* Where column c starts: from + (to - from) * c / columns. */
int64_t area_column_ns(const view *v, int columns, int c);

#endif
