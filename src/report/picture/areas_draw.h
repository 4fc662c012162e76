/* What SMs hold over time, as stacked areas with their names. */
#ifndef REPORT_PICTURE_AREAS_DRAW_H
#define REPORT_PICTURE_AREAS_DRAW_H

#include "report/canvas/canvas.h"
#include "report/timeline/state.h"

void areas_draw(const timeline *t, const timeline_row *row, canvas *c);
void busy_draw(const timeline *t, const timeline_row *row, canvas *c);

#endif
