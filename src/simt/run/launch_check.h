/* Can a GPU launch this at all? */
#ifndef SIMT_RUN_LAUNCH_CHECK_H
#define SIMT_RUN_LAUNCH_CHECK_H

#include "simt/run/machine.h"

#define MOST_PARAM_BYTES 32764 /* of a kernel since PTX 8.1, from sm_70 on */

/* Grid and block as every GPU since compute capability 3.0 takes them. */
gcast_status check_launch(const gcast_launch *l, gcast_error *err);
/* What the kernel demands of its blocks, and what the GPU of the options, or the PTX's target, can hold. */
gcast_status check_kernel(const program *p, const gcast_launch *l, const gcast_simt_options *o, gcast_error *err);

#endif
