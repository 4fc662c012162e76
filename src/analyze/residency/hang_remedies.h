/* Remedies: small changes of a workload after which it is proven that no schedule hangs. */
#ifndef ANALYZE_RESIDENCY_HANG_REMEDIES_H
#define ANALYZE_RESIDENCY_HANG_REMEDIES_H

#include "analyze/residency/residency.h"

typedef enum {
    REMEDY_PRIORITY,    /* one priority for the streams of all kernels that appear in a risk */
    REMEDY_COOPERATIVE, /* kernels whose blocks wait for their own are launched cooperatively */
    REMEDY_ORDER,       /* `op` is called after `other` and waits for it */
    REMEDY_BLOCKS,      /* `op` has `value` blocks at most */
    REMEDY_SMS          /* `value` SMs are reserved for waiters, which use no others */
} remedy_kind;

typedef struct residency_remedy {
    remedy_kind kind;
    uint32_t op, other;
    int64_t value;
} residency_remedy;

#define REMEDIES_MAX 16
#define REMEDIES_MAX_OPS 500 /* no remedies for larger workloads: each try is a proof of its own */

/* Tries remedies, the least change first, and lists those that are proven. */
gcast_status remedies_find(const gcast_workload *w, const gcast_gpu *gpu, const residency *r,
                           residency_remedy found[REMEDIES_MAX], size_t *count, gcast_error *err);

#endif
