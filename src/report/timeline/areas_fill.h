/* Computes the heights of areas, once the width of the plot is known. */
#ifndef REPORT_TIMELINE_AREAS_FILL_H
#define REPORT_TIMELINE_AREAS_FILL_H

#include "report/timeline/state.h"

gcast_status timeline_fill_areas(timeline *t, gcast_error *err);

#endif
