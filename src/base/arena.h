/* Memory that is freed all at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

typedef struct arena_chunk arena_chunk;

typedef struct arena {
    arena_chunk *chunks; /* the first is being filled */
} arena;

/* Zeroed, aligned for any type; NULL without memory or for an absurd size. */
void *arena_alloc(arena *a, size_t size);
void *arena_alloc_array(arena *a, size_t count, size_t size);
char *arena_strdup(arena *a, const char *text);
void *arena_copy(arena *a, const void *data, size_t size);
void arena_free(arena *a);

#endif
