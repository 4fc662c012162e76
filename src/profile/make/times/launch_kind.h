/* How a kernel was launched: in clusters, or cooperatively; and how many of its blocks run at a time. */
#ifndef PROFILE_MAKE_TIMES_LAUNCH_KIND_H
#define PROFILE_MAKE_TIMES_LAUNCH_KIND_H

#include "profile/make/state.h"

/* Blocks of a cluster; 1: it has none, or the profile does not tell. */
uint32_t cluster_size(const prof_op *op);
/* Does the kernel have clusters that the GPU can run, as far as it is known? */
bool cluster_fits(const gcast_gpu *gpu, const prof_op *op);
/* Was it launched as cooperative, and do all blocks fit on the GPU at a time? */
bool cooperative_fits(const gcast_gpu *gpu, const prof_op *op);
/* Blocks of the kernel that the whole GPU runs at a time; at least 1. */
uint64_t blocks_at_a_time(const gcast_gpu *gpu, const prof_op *op);
/* Kernels whose launch the workload cannot tell, or the profile does not. False without memory. */
bool launch_findings(making *m);

#endif
