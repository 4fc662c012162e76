/* What a group of SMs holds over time, kernel by kernel or stream by stream: for each
 * column of the picture the exact mean, stacked. */
#ifndef REPORT_AREAS_AREA_H
#define REPORT_AREAS_AREA_H

#include "report/areas/bins.h"
#include "report/areas/sm_rows.h"

typedef struct area {
    bins columns; /* their edges belong to someone else */
    int keys;
    uint32_t *top; /* top[key * columns->count + c]: the upper edge of key, in 1/SHARE_ALL of the row's SMs */
    uint32_t highest;
} area;

/* The edges of a key in a column. */
static inline uint32_t area_top(const area *a, int key, int column)
{
    return a->top[(size_t)key * (size_t)a->columns.count + (size_t)column];
}
static inline uint32_t area_low(const area *a, int key, int column)
{
    return key ? area_top(a, key - 1, column) : 0;
}

#define AREA_KEYS 256
#define AREA_OTHERS (-2) /* what has no key of its own */

/* What things are stacked. */
typedef struct area_keys {
    int count;
    int *of_op;      /* by op of the run; -1: nothing to show */
    uint32_t *op_of; /* an op of the run for its colour and name */
    bool streams;    /* keys are streams: there are more than AREA_KEYS kernels */
    int others;      /* the last key, for streams that have none of their own; -1: there is none */
    bool all;        /* that key is the only one: no few streams hold most */
} area_keys;

/* Kernels where they are few. Else the streams that hold most, at most `most`, and all others together; all streams
 * together where these others hold more. `weight` is what a block counts, by op of the workload. */
gcast_status area_keys_make(area_keys *keys, const sm_index *index, const uint32_t *weight, int most, gcast_error *err);
void area_keys_free(area_keys *keys);

/* One row of a fold. */
gcast_status area_make(area *a, const sm_index *index, const fold *f, int row, const area_keys *keys,
                       const uint32_t *weight, const bins *columns, gcast_error *err);
/* Spans as one key, `lanes` of them the whole height. */
gcast_status area_of_spans(area *a, const view *v, const span_list *spans, uint32_t lanes, const bins *columns,
                           gcast_error *err);
void area_free(area *a);

#endif
