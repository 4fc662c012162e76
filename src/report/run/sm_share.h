/* How much of an SM a block takes: its largest share of any resource, so that a
 * block that takes all shared memory fills its row as one with all threads does. */
#ifndef REPORT_RUN_SM_SHARE_H
#define REPORT_RUN_SM_SHARE_H

#include "gridcast/occupancy.h"

#define SHARE_ALL 65536u

/* From 1 to SHARE_ALL; rounded down, so that blocks that fit an SM fit its row. */
uint32_t share_of_block(const gcast_limits *limits, const gcast_block_shape *shape);

#endif
