/* Kernels whose blocks start cluster by cluster, and those that wait beside them ("Clusters" in docs/model.md). */
#ifndef SIMULATE_DISPATCH_CLUSTER_QUEUE_H
#define SIMULATE_DISPATCH_CLUSTER_QUEUE_H

#include "simulate/state/state.h"

/* Where some kernel has clusters; false without memory. */
bool clusters_init(sim *s);
void clusters_free(sim *s);
/* A kernel enters an EE queue. */
void clusters_enter(sim *s, uint32_t o);
/* Starts all blocks that may start now, while a kernel with clusters is in an EE queue. */
void clusters_dispatch(sim *s);

#endif
