/* The queues of a run at one time or several, as a picture. */
#ifndef REPORT_QUEUES_QUEUES_DRAW_H
#define REPORT_QUEUES_QUEUES_DRAW_H

#include "gridcast/report.h"
#include "report/queues/queue_rows.h"

/* SVG, PNG or PDF. All are of one run. */
gcast_status queues_draw(const queue_rows *times, size_t count, gcast_format format, gcast_write_fn write, void *data,
                         gcast_error *err);

#endif
