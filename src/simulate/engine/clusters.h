/* The block scheduler while a kernel whose blocks start cluster by cluster is queued ("Clusters" in docs/model.md). */
#ifndef SIMULATE_ENGINE_CLUSTERS_H
#define SIMULATE_ENGINE_CLUSTERS_H

#include "simulate/engine/state.h"

/* Makes sim.clusters where some kernel has clusters; false without memory. */
bool clusters_init(sim *s);
void clusters_free(sim *s);
/* A kernel enters an EE queue. */
void clusters_enter(sim *s, uint32_t o);
/* Starts all blocks that may start now, while a kernel with clusters is in an EE queue. */
void clusters_dispatch(sim *s);

#endif
