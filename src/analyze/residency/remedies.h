/* Small changes after which no schedule hangs, each proven. */
#ifndef ANALYZE_RESIDENCY_REMEDIES_H
#define ANALYZE_RESIDENCY_REMEDIES_H

#include "analyze/residency/residency.h"

typedef enum {
    REMEDY_PRIORITY,    /* all streams that take part have one priority */
    REMEDY_COOPERATIVE, /* kernels whose blocks wait for their own are launched cooperatively */
    REMEDY_ORDER,       /* `op` is after `other` */
    REMEDY_BLOCKS,      /* `op` has `value` blocks at most */
    REMEDY_SMS          /* `value` SMs are only for kernels that wait, and these use no others */
} remedy_kind;

typedef struct residency_remedy {
    remedy_kind kind;
    uint32_t op, other;
    int64_t value;
} residency_remedy;

#define REMEDIES_MAX 16
#define REMEDIES_MAX_OPS 500 /* of larger workloads none are looked for: each is a proof of its own */

/* Tries them, the least change first; *count of at most REMEDIES_MAX are found. */
gcast_status remedies_find(const gcast_workload *w, const gcast_gpu *gpu, const residency *r,
                           residency_remedy found[REMEDIES_MAX], size_t *count, gcast_error *err);

#endif
