/* The cache of analyses of the GPU, for searches that ask for the same ones often, and memory for reuse. */
#ifndef ANALYZE_SYSTEM_GPU_CACHE_H
#define ANALYZE_SYSTEM_GPU_CACHE_H

#include "analyze/system/system_work.h"
#include "base/index.h"
#include "base/vec.h"

/* The result of an analysis: the operations of all tasks on the GPU, in the order of the workload. */
typedef struct gpu_ends {
    const int64_t *worst; /* from the release of the job, or GCAST_NO_BOUND */
    bool conditional;     /* a latency in use is assumed */
    const char *why_not;  /* why some operation has no bound; "": all have */
    const char *const *assumptions;
    size_t assumption_count;
} gpu_ends;

/* The ends for the current releases of the tasks of x; they live as long as the cache. */
gcast_status gpu_cache_find(sys_gpu_cache *cache, system_work *x, const gpu_ends **ends);
/* The ends of the last call; NULL: there was none. */
const gpu_ends *gpu_cache_last(const sys_gpu_cache *cache);

typedef struct cache_entry {
    uint64_t hash;
    const int64_t *key; /* tasks, priorities and releases */
    size_t key_count;
    gpu_ends ends;
} cache_entry;

struct sys_gpu_cache {
    arena memory; /* of entries */
    VEC(cache_entry *) entries;
    hash_index index; /* of entries, by key */
    const gpu_ends *last;
    void *scratch; /* of one analysis at a time */
    size_t scratch_size;
};

/* Frees all memory of the cache. */
void gpu_cache_clear(sys_gpu_cache *cache);
/* Forgets all entries if there are too many. Earlier ends may be freed. */
void gpu_cache_trim(sys_gpu_cache *cache);

#endif
