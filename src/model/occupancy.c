#include "gridcast/occupancy.h"
gcast_status gcast_occupancy_compute(const gcast_limits *limits, const gcast_block_shape *shape, int carveout,
                                     gcast_occupancy *out, gcast_error *err)
{
    (void)carveout; (void)err;
    *out = (gcast_occupancy){.blocks_per_sm = shape->threads <= limits->threads_per_block};
    return GCAST_OK;
}
