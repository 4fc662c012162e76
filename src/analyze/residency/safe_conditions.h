/* Conditions of a proof that nothing hangs: what it needs besides the workload and the measured numbers of the GPU. */
#ifndef ANALYZE_RESIDENCY_SAFE_CONDITIONS_H
#define ANALYZE_RESIDENCY_SAFE_CONDITIONS_H

#include "analyze/residency/residency.h"
#include "base/text.h"

typedef enum {
    SAFE_IF_CALLED_IN_ORDER, /* ops without a host are called in the order of their releases */
    SAFE_IF_GPU_FIELD,       /* a number of the GPU that nobody has measured is right */
    SAFE_IF_CARVEOUTS,      /* SMs have their maximum of shared memory for kernels without a carveout in the workload */
    SAFE_IF_REGISTERS,      /* kernels without registers in the workload have at most `value` */
    SAFE_IF_NOTHING_DROPPED /* nothing waits for what the reader of the workload left out */
} safe_condition_kind;

typedef struct safe_condition {
    safe_condition_kind kind;
    const char *field; /* GPU_FIELD: its name in gridcast.gpu/1 */
    int64_t value;     /* of the field, or registers per thread */
} safe_condition;

#define SAFE_CONDITIONS_MAX 24

/* For a workload that is proven safe with `assumed`: repeats the proof with each unknown number changed for the worse,
 * and lists those with which it fails. */
gcast_status safe_conditions_find(const gcast_workload *w, const gcast_gpu *gpu, const needs_assumed *assumed,
                                  safe_condition found[SAFE_CONDITIONS_MAX], size_t *count, gcast_error *err);

/* Writes a condition in words. */
void safe_condition_say(const safe_condition *c, const gcast_workload *w, const gcast_gpu *gpu, text *out);

#endif
