/* Speedups over flat as bars: a group per comparison, a bar per policy. */
#ifndef REPORT_SPAWN_SPAWN_BARS_H
#define REPORT_SPAWN_SPAWN_BARS_H

#include "report/spawn/spawn_rows.h"

/* SVG, PNG or PDF. */
gcast_status spawn_bars(const spawn_set *s, gcast_format format, gcast_write_fn write, void *data, gcast_error *err);

#endif
