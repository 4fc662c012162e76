/* The active masks of a warp over time as a picture: instructions from left to right, lanes from top to bottom. */
#ifndef REPORT_EXEC_MASKS_DRAW_H
#define REPORT_EXEC_MASKS_DRAW_H

#include "gridcast/exec.h"

gcast_status exec_masks_draw(const gcast_exec *e, gcast_format format, gcast_write_fn write, void *data,
                             gcast_error *err);

#endif
