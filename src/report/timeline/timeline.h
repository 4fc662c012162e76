/* A run laid out: which rows there are, what lies where in them, and where each
 * is in the picture. Computed once; timeline/draw.c puts it on a canvas. */
#ifndef REPORT_TIMELINE_TIMELINE_H
#define REPORT_TIMELINE_TIMELINE_H

#include "report/areas/area.h"
#include "report/areas/busiest.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/ticks.h"
#include "report/run/deadlines.h"

typedef enum {
    ROW_BLOCKS, /* blocks of an SM, or of several alike; spans have an offset and a share */
    ROW_AREA,   /* what SMs hold over time, kernel by kernel; for groups, and for too many blocks */
    ROW_USE,    /* of too many kernels: the threads that they hold over time, stream by stream */
    ROW_SHADES, /* the same of some SMs, as shades */
    ROW_BARS,   /* a copy engine or a stream; spans have lanes */
    ROW_BUSY,   /* the same where bars are too many: the part of the time that it is busy */
    ROW_JOBS    /* the jobs of a task and their deadlines */
} row_kind;

typedef struct timeline_row {
    row_kind kind;
    char label[160];
    char id[32];
    int sms;   /* SMs it stands for; 0: none */
    int group; /* row of t->folded */
    span_list spans;
    uint32_t lanes;
    area held;
    uint32_t full;          /* what fills its height, in 1/SHARE_ALL */
    size_t first_job, jobs; /* in t->deadlines */
    int32_t y, height;
} timeline_row;

/* One launch below the axis. */
typedef struct timeline_mark {
    int32_t x;
    uint32_t op;
    int level;       /* how far down its label is */
    unsigned hidden; /* others that are not shown because of it */
    char label[LABEL_SIZE];
} timeline_mark;

typedef struct timeline {
    const gcast_run *run;
    view shown;
    sm_index index;
    fold folded;
    area_keys keys;
    bins columns, wide; /* of areas; of shades */
    VEC(timeline_row) rows;
    VEC(timeline_mark) marks;
    deadline_list deadlines;
    bool overview;         /* there are too many kernels to show them */
    busiest busy;          /* of an overview */
    size_t missed;         /* deadlines that show */
    uint32_t highest;      /* of all SM rows, in 1/SHARE_ALL; at least SHARE_ALL */
    uint32_t *threads;     /* by op of the workload: what a block has of an SM's, in 1/SHARE_ALL */
    canvas_point *outline; /* room for drawing one area: four points a column */
    bool *used;            /* by stream: has it anything to show? */
    uint32_t *colour;      /* by op of the workload */
    ticks axis;
    int32_t left, plot;  /* where the plot starts, and its width: whole pixels */
    int32_t top, bottom; /* of the rows */
    int32_t width, height;
    int mark_levels;
    size_t unmarked; /* launches, where they are too many to mark any */
} timeline;

gcast_status timeline_make(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err);
void timeline_free(timeline *t);

/* The whole picture; NULL and err without memory. */
canvas *timeline_draw(const timeline *t, gcast_error *err);

/* Where a time is; times out of view are at its edge. */
int32_t timeline_x(const timeline *t, int64_t ns);
/* "K1", or "detect#3" for a job's. */
char *timeline_name(const gcast_run *run, size_t op, char out[LABEL_SIZE]);
static inline bool row_of_sms(const timeline_row *row)
{
    return row->kind < ROW_BARS;
}

/* Parts of timeline_make and timeline_draw, each in its file. */
gcast_status timeline_add_sms(timeline *t, gcast_error *err);        /* timeline/sms.c */
gcast_status timeline_add_bars(timeline *t, gcast_error *err);       /* timeline/bars.c */
gcast_status timeline_add_jobs(timeline *t, gcast_error *err);       /* timeline/deadline_rows.c */
gcast_status timeline_fill_areas(timeline *t, gcast_error *err);     /* timeline/areas_fill.c */
gcast_status timeline_place_marks(timeline *t, gcast_error *err);    /* timeline/marks.c */
int32_t legend_draw(const timeline *t, canvas *c, int32_t y);        /* legend.c; c NULL: only its height */
int32_t overview_list_draw(const timeline *t, canvas *c, int32_t y); /* timeline/overview.c; c NULL: only its height */
int32_t jobs_legend_draw(const timeline *t, canvas *c, int32_t x,
                         int32_t base); /* timeline/deadline_rows.c; its width */

#define LABEL_FONT PX(11) /* of rows and of the axis */
#define LABEL_ROOM PX(150)
#define MARK_LEVELS 6
#define MARK_STEP PX(13)
#define OVERVIEW_STREAMS 8 /* that have a colour of their own in an overview */
#define OTHERS_COLOUR 0xb4b7bcu
#define ALL_COLOUR 0x5b7c99u

#endif
