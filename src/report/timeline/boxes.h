/* What is drawn inside one row. */
#ifndef REPORT_TIMELINE_BOXES_H
#define REPORT_TIMELINE_BOXES_H

#include "report/timeline/timeline.h"

void boxes_draw(const timeline *t, const timeline_row *row, canvas *c);
/* Rows of one kind each. */
void areas_draw(const timeline *t, const timeline_row *row, canvas *c);  /* timeline/areas_draw.c */
void busy_draw(const timeline *t, const timeline_row *row, canvas *c);   /* timeline/areas_draw.c */
void use_draw(const timeline *t, const timeline_row *row, canvas *c);    /* timeline/overview.c */
void shades_draw(const timeline *t, const timeline_row *row, canvas *c); /* timeline/overview.c */
void jobs_draw(const timeline *t, const timeline_row *row, canvas *c);   /* timeline/deadline_rows.c */

/* A label whole, or cut where some of it is still worth reading; false: no room. */
bool boxes_fit(const char *label, int32_t size, int32_t room, char fitting[LABEL_SIZE]);
/* How high a share of an SM is in a row. */
int32_t boxes_height(const timeline_row *row, uint64_t share);

#endif
