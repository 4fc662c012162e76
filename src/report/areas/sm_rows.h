/* Which SMs share a row of the picture: none where they are few; else those that look
 * exactly alike, or, where that leaves more rows than a person reads, neighbours. */
#ifndef REPORT_AREAS_SM_ROWS_H
#define REPORT_AREAS_SM_ROWS_H

#include "report/run/sm_index.h"

typedef struct fold {
    int rows;
    bool alike; /* the SMs of a row hold the same blocks at the same times */
    int *row;   /* of SM shown->first_sm + i */
} fold;

gcast_status fold_make(fold *f, const sm_index *index, gcast_error *err);
void fold_free(fold *f);

/* The first SM of a row, and how many it has. */
int fold_first(const fold *f, const sm_index *index, int row, int *count);
/* "SM 4", "SMs 0-5", or "5 SMs: 0-3, 8" where they are alike; cut with "..." where it is long. */
void fold_label(const fold *f, const sm_index *index, int row, char *out, size_t size);

#endif
