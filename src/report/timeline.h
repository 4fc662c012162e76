/* A run laid out: which rows there are, what lies where in them, and where each
 * is in the picture. Computed once; timeline_draw.c puts it on a canvas. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include "report/area.h"
#include "report/canvas.h"
#include "report/font.h"
#include "report/ticks.h"

typedef enum {
    ROW_BLOCKS, /* blocks of an SM, or of several alike; spans have an offset and a share */
    ROW_AREA,   /* what SMs hold over time; for groups, and for too many blocks */
    ROW_BARS    /* a copy engine or a stream; spans have lanes */
} row_kind;

typedef struct timeline_row {
    row_kind kind;
    char label[160];
    char id[32];
    int sms; /* SMs it stands for; 0: none */
    span_list spans;
    uint32_t lanes;
    area held;
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
    VEC(timeline_row) rows;
    VEC(timeline_mark) marks;
    uint32_t highest;      /* of all SM rows, in 1/SHARE_ALL; at least SHARE_ALL */
    canvas_point *outline; /* room for drawing one area: four points a column */
    bool *used;            /* by stream: has it anything to show? */
    uint32_t *colour;      /* by op of the workload */
    ticks axis;
    int32_t left, plot;  /* where the plot starts, and its width */
    int32_t top, bottom; /* of the rows */
    int32_t width, height;
    int mark_levels;
} timeline;

gcast_status timeline_make(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err);
void timeline_free(timeline *t);

/* The whole picture; NULL and err without memory. */
canvas *timeline_draw(const timeline *t, gcast_error *err);

/* Where a time is; times out of view are at its edge. */
int32_t timeline_x(const timeline *t, int64_t ns);
/* "K1", or "detect#3" for a job's. */
char *timeline_name(const gcast_run *run, size_t op, char out[LABEL_SIZE]);

/* Parts of timeline_make and timeline_draw, each in its file. */
gcast_status timeline_add_sms(timeline *t, gcast_error *err);     /* timeline_sms.c */
gcast_status timeline_add_bars(timeline *t, gcast_error *err);    /* timeline_bars.c */
gcast_status timeline_place_marks(timeline *t, gcast_error *err); /* timeline_marks.c */
int32_t legend_draw(const timeline *t, canvas *c, int32_t y);     /* legend.c; c NULL: only its height */

#define MARK_LEVELS 6
#define MARK_STEP PX(13)

#endif
