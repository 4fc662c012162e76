/* What is drawn inside one row. */
#ifndef REPORT_TIMELINE_BOXES_H
#define REPORT_TIMELINE_BOXES_H

#include "report/timeline.h"

void boxes_draw(const timeline *t, const timeline_row *row, canvas *c);

#endif
