/* Residency of a profile's kernels: resources of a block, carveout, clusters, and blocks that run at a time. */
#ifndef PROFILE_MAKE_KERNEL_RESIDENCY_H
#define PROFILE_MAKE_KERNEL_RESIDENCY_H

#include "profile/make/making.h"

/* The resources that a block needs; unknown ones are 0. */
gcast_block_shape block_shape_of(const prof_op *op);
/* Does an SM hold a block of the kernel? If not, the GPU cannot launch it. */
bool can_launch(const gcast_limits *limits, const prof_op *op);
/* Does the kernel have clusters, and can the GPU run them, as far as is known? */
bool cluster_fits(const gcast_gpu *gpu, const prof_op *op);
/* Is it a cooperative launch, and do all its blocks fit on the GPU at a time? */
bool cooperative_fits(const gcast_gpu *gpu, const prof_op *op);
/* Blocks of the kernel that the whole GPU runs at a time; at least 1. */
uint64_t blocks_at_a_time(const gcast_gpu *gpu, const prof_op *op);

/* The carveout of a workload that leads to the recorded carveout; `driver` if that is unknown. *fits is false if no
 * setting leads to it. */
gcast_op_carveout carveout_for(const gcast_limits *limits, const prof_op *op, bool *fits);

/* Findings about resources that the profile lacks or a workload cannot express. False without memory. */
bool residency_findings(making *m);
/* Findings about clusters and cooperative launches that do not fit or are not recorded. False without memory. */
bool launch_findings(making *m);

#endif
