/* Which SMs share a row of the picture. Few SMs have a row each. Many SMs share a row where they hold identical blocks;
 * where that leaves too many rows, neighbouring SMs share one. */
#ifndef REPORT_TIMELINE_SM_ROWS_H
#define REPORT_TIMELINE_SM_ROWS_H

#include "report/run/sm_index.h"

typedef struct sm_rows {
    int count;      /* of rows */
    bool identical; /* the SMs of a row hold blocks of the same operations at the same times */
    int *row_of;    /* row_of[i]: the row of SM shown->first_sm + i */
} sm_rows;

gcast_status sm_rows_make(sm_rows *r, const sm_index *index, gcast_error *err);
void sm_rows_free(sm_rows *r);

/* The first SM of a row; *count is how many it has. */
int sm_rows_first(const sm_rows *r, const sm_index *index, int row, int *count);
/* "SM 4", "SMs 0-5", or "5 SMs: 0-3, 8" where these are identical; cut with "..." where it is long. */
void sm_rows_label(const sm_rows *r, const sm_index *index, int row, char *out, size_t size);

#endif
