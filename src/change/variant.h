/* A copy of a workload and its GPU, with changes made to it. */
#ifndef CHANGE_VARIANT_H
#define CHANGE_VARIANT_H

#include "change/change.h"

/* What is changed. */
typedef struct variant_base {
    const gcast_workload *w;      /* NULL: only the GPU is changed */
    const gcast_gpu *gpu;         /* a partition is taken already; NULL: only the workload is changed */
    const gcast_gpu *const *gpus; /* the GPUs that gpu=NAME may name */
    const char *const *gpu_names; /* the names under which they were loaded */
    size_t gpu_count;
} variant_base;

typedef struct variant {
    const variant_base *base;
    gcast_workload *w; /* owned; NULL where the base has none */
    gcast_gpu *gpu;    /* owned; likewise */
} variant;

/* Makes the changes together to a copy, and checks it. GCAST_INPUT: the workload cannot have them, and err says why.
 * GCAST_USAGE: they name what does not exist. To be freed, also where it fails. */
gcast_status variant_make(const variant_base *base, const change *changes, size_t count, variant *v, gcast_error *err);
void variant_free(variant *v);

/* For thousands of tries on one copy: variant_open copies, variant_change makes a change, and the next one may change
 * the same thing again, starting from the base. Whoever tries the copy checks it, as simulations and analyses do. */
gcast_status variant_open(const variant_base *base, variant *v, gcast_error *err);
gcast_status variant_change(variant *v, const change *c, gcast_error *err);

#endif
