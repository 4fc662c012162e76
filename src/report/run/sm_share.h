/* How much of an SM a block takes: its largest share of any resource. A block that takes all shared memory fills its
 * SM, as does a block that takes all threads. */
#ifndef REPORT_RUN_SM_SHARE_H
#define REPORT_RUN_SM_SHARE_H

#include "gridcast/occupancy.h"

#define SHARE_ALL 65536u /* all of an SM */

/* What a block takes of an SM, in the units that the hardware allocates. */
typedef struct block_demand {
    int64_t threads, warps, registers, smem, barriers;
} block_demand;

block_demand demand_of_block(const gcast_limits *limits, const gcast_block_shape *shape);

/* From 1 to SHARE_ALL; rounded down, so that blocks that fit on an SM fit into its row. */
uint32_t share_of_block(const gcast_limits *limits, const gcast_block_shape *shape);

#endif
