/* Can a GPU launch this at all? */
#ifndef SIMT_RUN_LAUNCH_CHECK_H
#define SIMT_RUN_LAUNCH_CHECK_H

#include "gridcast/occupancy.h"
#include "simt/program/program.h"

/* Is all there that it points to, and are grid and block within the limits of every GPU since compute capability 3.0?
 */
gcast_status check_launch(const gcast_launch *l, gcast_error *err);
/* Does the block have the shape that the kernel demands, and fit the GPU of the options, or the PTX's target? */
gcast_status check_kernel(const program *p, const gcast_launch *l, const gcast_simt_options *o, gcast_error *err);
/* Does the placement of the options name an SM for each block of the launch, and start each block once? */
gcast_status check_placement(const gcast_launch *l, const gcast_simt_options *o, gcast_error *err);
/* What a block takes of an SM. */
gcast_block_shape block_shape(const program *p, const gcast_launch *l, const gcast_simt_options *o);

#endif
