/* Analyses of the GPU's part, kept: a search asks for the same ones again and again. */
#ifndef ANALYZE_SYSTEM_GPU_GPU_CACHE_H
#define ANALYZE_SYSTEM_GPU_GPU_CACHE_H

#include "analyze/system/state.h"

/* What is known of the operations of all tasks on the GPU, in the order of the workload. */
typedef struct gpu_ends {
    const int64_t *worst; /* from the release of the job; GCAST_NO_BOUND */
    bool conditional;     /* a latency that counts is assumed */
    const char *why_not;  /* there is no bound for all; else "" */
    const char *const *assumptions;
    size_t assumption_count;
} gpu_ends;

/* The ends with the releases that tasks of x have now; they live as long as the cache. */
gcast_status gpu_cache_find(sys_gpu_cache *cache, system_work *x, const gpu_ends **ends);
/* Those of the last call; NULL: there was none. */
const gpu_ends *gpu_cache_last(const sys_gpu_cache *cache);

#endif
