/* What a cache of analyses of the GPU holds, and memory that analyses use again. */
#ifndef ANALYZE_SYSTEM_GPU_GPU_CACHE_STATE_H
#define ANALYZE_SYSTEM_GPU_GPU_CACHE_STATE_H

#include "analyze/system/gpu/gpu_cache.h"
#include "base/index.h"
#include "base/vec.h"

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

/* Frees all that it has. */
void gpu_cache_clear(sys_gpu_cache *cache);
/* Forgets entries where there are too many. Ends from before may be gone. */
void gpu_cache_trim(sys_gpu_cache *cache);

#endif
