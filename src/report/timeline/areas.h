/* What SMs hold over time: for each column of a picture the exact mean, stacked by kernel or by stream (area); and
 * which kernels hold the most (busiest). */
#ifndef REPORT_TIMELINE_AREAS_H
#define REPORT_TIMELINE_AREAS_H

#include "report/run/bins.h"
#include "report/run/sm_index.h"
#include "report/timeline/sm_rows.h"

typedef struct area {
    bins columns;     /* a copy, whose edges the caller owns */
    int keys;         /* how many are stacked */
    uint32_t *top;    /* top[key * columns.count + c]: the upper edge of a key, in 1/SHARE_ALL of the row's SMs */
    uint32_t highest; /* the maximum of all */
} area;

/* The upper and the lower edge of a key in a column. */
static inline uint32_t area_top(const area *a, int key, int column)
{
    return a->top[(size_t)key * (size_t)a->columns.count + (size_t)column];
}

static inline uint32_t area_low(const area *a, int key, int column)
{
    return key ? area_top(a, key - 1, column) : 0;
}

#define AREA_KEYS 256 /* the maximum */

/* What is stacked: kernels or streams. */
typedef struct area_keys {
    int count;        /* of keys */
    int *of_op;       /* by operation of the run: its key; -1: it is not shown */
    uint32_t *op_of;  /* by key: an operation of the run that has its colour and name */
    bool streams;     /* keys are streams: there are more than AREA_KEYS kernels */
    int others_key;   /* the last key, for streams that have none of their own; -1: there is none */
    bool only_others; /* `others_key` is the only key: the largest streams together hold less than the others */
} area_keys;

/* Keys are kernels where there are at most AREA_KEYS; all children of one label are one kernel. Else keys are the
 * max_streams streams that hold the largest shares, and one key for all other streams; where the other streams together
 * hold more, all streams are one key. `weight` is the share that a block holds, by op of the workload. */
gcast_status area_keys_make(area_keys *keys, const sm_index *index, const uint32_t *weight, int max_streams,
                            gcast_error *err);
void area_keys_free(area_keys *keys);

/* Sums up what the SMs of one row hold. */
gcast_status area_make(area *a, const sm_index *index, const sm_rows *rows, int row, const area_keys *keys,
                       const uint32_t *weight, const bins *columns, gcast_error *err);
/* Sums up spans as one key; `lanes` spans at one time fill the height. */
gcast_status area_of_spans(area *a, const view *v, const span_list *spans, uint32_t lanes, const bins *columns,
                           gcast_error *err);
void area_free(area *a);

/* The kernels that hold the largest shares of the thread time: what to look at where there are too many to see each. */

#define BUSIEST 10 /* the maximum that is listed */

typedef struct busy_kernel {
    uint32_t op;     /* of the workload: stands for all of its jobs, and all iterations of its label */
    uint32_t ppm;    /* its share of the threads * time of all blocks in the view, in parts per million */
    uint64_t runs;   /* how many of its operations are shown */
    uint64_t blocks; /* of these operations */
} busy_kernel;

typedef struct busiest {
    busy_kernel at[BUSIEST]; /* the largest share first */
    int count;               /* how many are listed */
    size_t kernels;          /* how many are shown, by name */
} busiest;

/* For the SMs and the time in view. False without memory. */
bool busiest_find(busiest *b, const sm_index *index);

#endif
