/* Checks whether a GPU can launch this. */
#ifndef SIMT_MACHINE_LAUNCH_CHECK_H
#define SIMT_MACHINE_LAUNCH_CHECK_H

#include "gridcast/occupancy.h"
#include "simt/program/program.h"

/* Are all pointers set, and are grid and block within the limits of every GPU since compute capability 3.0? */
gcast_status check_launch(const gcast_launch *l, gcast_error *err);
/* Does the block have the shape that the kernel demands, and fit the GPU of the options, or the PTX's target? */
gcast_status check_kernel(const program *p, const gcast_launch *l, const gcast_simt_options *o, gcast_error *err);
/* Does the placement of the options name an SM for each block of the launch, and start each block once? */
gcast_status check_placement(const gcast_launch *l, const gcast_simt_options *o, gcast_error *err);
/* The resources that a block takes. */
gcast_block_shape block_shape(const program *p, const gcast_launch *l, const gcast_simt_options *o);

#endif
