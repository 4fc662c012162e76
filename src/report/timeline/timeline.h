/* A run laid out as a timeline: which rows there are, what lies where in them, and where each is in the picture. It is
 * computed once; draw.h draws it. */
#ifndef REPORT_TIMELINE_TIMELINE_H
#define REPORT_TIMELINE_TIMELINE_H

#include "base/integers.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/time_axis.h"
#include "report/run/deadlines.h"
#include "report/timeline/areas.h"

#define LABEL_FONT PX(11)  /* of rows and of the axis */
#define LABEL_ROOM PX(150) /* the widest that labels of rows are */
#define MARK_LEVELS 6      /* of labels of launches below the axis */
#define MARK_STEP PX(13)   /* from one of these levels to the next */
#define OVERVIEW_STREAMS 8 /* that have a colour of their own in an overview */
#define OTHERS_COLOUR 0xb4b7bcu
#define ALL_COLOUR 0x5b7c99u

typedef enum {
    ROW_BLOCKS, /* blocks of an SM, or of several identical ones; spans have an offset and a share */
    ROW_AREA,   /* the share of SMs that each kernel holds over time; for groups of SMs, and for too many blocks */
    ROW_USE,    /* in an overview: the threads in use over time, by stream */
    ROW_SHADES, /* in an overview: the threads in use of some SMs, as shades */
    ROW_BARS,   /* operations of a copy engine or a stream; spans have lanes */
    ROW_BUSY,   /* a copy engine or a stream with too many operations: the part of the time that it is busy */
    ROW_JOBS,   /* the jobs of a task and their deadlines */
    ROW_WAITS   /* what an operation waited for */
} row_kind;

typedef struct timeline_row {
    row_kind kind;     /* what it shows */
    char label[160];   /* shown at the left */
    char id[32];       /* of the group in SVG */
    int sms;           /* how many SMs it stands for; 0: none */
    int sm_row;        /* which row of timeline.sm_rows it is */
    span_list spans;   /* ROW_BLOCKS: blocks; ROW_BARS and ROW_BUSY: operations */
    uint32_t lanes;    /* of spans that overlap */
    area held;         /* ROW_AREA, ROW_USE, ROW_SHADES and ROW_BUSY: heights over time */
    uint32_t capacity; /* the share that fills its height, in 1/SHARE_ALL */
    size_t first_job;  /* ROW_JOBS: index in timeline.deadlines */
    size_t job_count;  /* ROW_JOBS: how many of these */
    int32_t y, height; /* its place in the picture */
} timeline_row;

/* A launch below the axis. */
typedef struct timeline_mark {
    int32_t x;              /* where its arrow is */
    uint32_t op;            /* index in the operations of the run */
    int level;              /* of its label, from the axis down */
    unsigned hidden;        /* launches at this place that are not shown */
    char label[LABEL_SIZE]; /* "": none */
} timeline_mark;

typedef struct timeline {
    const gcast_run *run;           /* what is drawn */
    view shown;                     /* the part of it that is drawn */
    sm_index index;                 /* its blocks by SM */
    sm_rows sm_rows;                /* which SMs share a row */
    area_keys keys;                 /* what areas stack: kernels or streams */
    bins columns;                   /* columns of areas */
    bins shade_columns;             /* columns of shades */
    VEC(timeline_row) rows;         /* from top to bottom */
    VEC(timeline_mark) marks;       /* launches, from right to left */
    deadline_list deadlines;        /* of the jobs that are shown */
    bool overview;                  /* there are too many kernels to show each */
    busiest busy;                   /* the kernels that an overview lists */
    const gcast_report_wait *waits; /* of ROW_WAITS, in order of time */
    size_t wait_count;              /* how many there are */
    const char *waits_title;        /* of their list; NULL: none */
    bool links;                     /* lines show dependencies between operations */
    size_t missed;                  /* deadlines that are missed and shown */
    uint32_t highest;               /* maximum of all SM rows, in 1/SHARE_ALL; at least SHARE_ALL */
    uint32_t *threads;              /* by op of the workload, also by child: a block's share of an SM's threads, in
                                       1/SHARE_ALL */
    canvas_point *outline;          /* scratch for drawing an area: four points per column */
    bool *used;                     /* by stream: it has operations on the GPU */
    uint32_t *colour;               /* by op of the workload, also by child */
    uint64_t *launched;             /* by child of the workload: how often it was launched in the run */
    ticks axis;                     /* the time axis */
    int32_t left, plot;             /* where the plot starts, and its width; full pixels */
    int32_t top, bottom;            /* of the rows */
    int32_t width, height;          /* of the picture */
    int sms_height;                 /* pixels that SM rows share; 0: as many as a picture of SMs has */
    int mark_levels;                /* levels that labels of launches take */
    size_t unmarked;                /* how many launches there are, where that is too many to mark; else 0 */
} timeline;

/* The x of a time; times out of view are at its edge. */
static inline int32_t timeline_x(const timeline *t, int64_t ns)
{
    const view *v = &t->shown;
    ns = max_i64(v->start_ns, min_i64(ns, v->end_ns));
    return t->left + (int32_t)((__int128)(ns - v->start_ns) * t->plot / (v->end_ns - v->start_ns));
}

static inline bool row_of_sms(const timeline_row *row)
{
    return row->kind < ROW_BARS;
}

/* How high a share of an SM is in a row. */
static inline int32_t row_share_height(const timeline_row *row, uint64_t share)
{
    return (int32_t)(share * (uint64_t)row->height / row->capacity);
}

gcast_status timeline_make(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err);
/* The same in two steps, for pictures with further rows: which rows there are, and where they are below `top`. Between
 * them the caller may change rows, colours, sms_height, left and plot. After a failure of the second step,
 * timeline_free is still to be called. */
gcast_status timeline_rows(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err);
gcast_status timeline_place(timeline *t, int32_t top, gcast_error *err);
void timeline_free(timeline *t);

#endif
