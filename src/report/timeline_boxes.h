/* What is drawn inside one row. */
#ifndef REPORT_TIMELINE_BOXES_H
#define REPORT_TIMELINE_BOXES_H

#include "report/timeline.h"

void boxes_draw(const timeline *t, const timeline_row *row, canvas *c);
/* A row of kind ROW_AREA. */
void areas_draw(const timeline *t, const timeline_row *row, canvas *c); /* timeline_areas.c */

/* A label whole, or cut where some of it is still worth reading; false: no room. */
bool boxes_fit(const char *label, int32_t size, int32_t room, char fitting[LABEL_SIZE]);
/* How high a share of an SM is in a row. */
int32_t boxes_height(const timeline *t, const timeline_row *row, uint64_t share);

#endif
