/* Makes a change to a workload and its GPU. */
#ifndef WHATIF_CHANGE_APPLY_H
#define WHATIF_CHANGE_APPLY_H

#include "whatif/change.h"

/* A workload and its GPU, which are changed. */
typedef struct variant {
    gcast_workload *w;            /* owned */
    gcast_gpu *gpu;               /* owned; a partition is taken already */
    const gcast_gpu *const *gpus; /* those that gpu=NAME may name */
    const char *const *gpu_names; /* the names under which they were loaded */
    size_t gpu_count;
} variant;

/* GCAST_INPUT: the change cannot be made to this workload, and err says why. GCAST_USAGE: it names what does not
 * exist. */
gcast_status change_apply(variant *v, const change *c, gcast_error *err);

/* The changes of streams (merge, split, move, priority), and those between graphs and launches, as change_apply makes
 * them. */
gcast_status change_streams(variant *v, const change *c, gcast_error *err);
gcast_status change_to_graphs(variant *v, gcast_error *err);
gcast_status change_to_launches(variant *v, const change *c, gcast_error *err);

#endif
