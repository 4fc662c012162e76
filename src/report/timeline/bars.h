/* Rows of bars: one per copy engine, and one per stream where no blocks are shown. */
#ifndef REPORT_TIMELINE_BARS_H
#define REPORT_TIMELINE_BARS_H

#include "report/timeline/state.h"

gcast_status timeline_add_bars(timeline *t, gcast_error *err);

#endif
