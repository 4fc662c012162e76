/* Makes a change to a workload and its GPU. */
#ifndef WHATIF_CHANGE_CHANGE_APPLY_H
#define WHATIF_CHANGE_CHANGE_APPLY_H

#include "whatif/change/change.h"

/* What is changed. */
typedef struct variant {
    gcast_workload *w;            /* owned */
    gcast_gpu *gpu;               /* owned; a partition is taken already */
    const gcast_gpu *const *gpus; /* that gpu=NAME may name, by the name that they were loaded with */
    const char *const *gpu_names; /* these names */
    size_t gpu_count;
} variant;

/* GCAST_INPUT: it cannot be made to this workload, and err says why. GCAST_USAGE: the change names what is not there.
 */
gcast_status change_apply(variant *v, const change *c, gcast_error *err);

/* By kind: streams (merge, split, move, priority), kernels (blocks, SMs, carveouts, durations), graphs and hosts. */
gcast_status change_streams(variant *v, const change *c, gcast_error *err);
gcast_status change_kernels(variant *v, const change *c, gcast_error *err);
gcast_status change_to_graphs(variant *v, gcast_error *err);
gcast_status change_to_launches(variant *v, const change *c, gcast_error *err);

#endif
