#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 65536 /* bytes */
#define LARGE 8192  /* more than this gets a chunk of its own */

struct arena_chunk {
    arena_chunk *next; /* an older one; NULL: none */
    size_t used, size; /* of data */
    alignas(max_align_t) char data[];
};

static arena_chunk *chunk_new(size_t size)
{
    if (size > SIZE_MAX - sizeof(arena_chunk))
        return NULL;
    arena_chunk *c = calloc(1, sizeof *c + size);
    if (c)
        c->size = size;
    return c;
}

void *arena_alloc(arena *a, size_t size)
{
    const size_t unit = alignof(max_align_t);
    if (size > PTRDIFF_MAX - unit)
        return NULL;
    size = (size + unit - 1) / unit * unit;
    arena_chunk *c = a->chunks;
    if (size > LARGE) {
        /* goes behind the chunk that is being filled */
        arena_chunk *own = chunk_new(size);
        if (!own)
            return NULL;
        own->used = size;
        if (c) {
            own->next = c->next;
            c->next = own;
        } else {
            a->chunks = own;
        }
        return own->data;
    }
    if (!c || c->size - c->used < size) {
        arena_chunk *chunk = chunk_new(CHUNK);
        if (!chunk)
            return NULL;
        chunk->next = c;
        a->chunks = c = chunk;
    }
    void *p = c->data + c->used;
    c->used += size;
    return p;
}

void *arena_alloc_array(arena *a, size_t count, size_t size)
{
    if (size && count > PTRDIFF_MAX / size)
        return NULL;
    return arena_alloc(a, count * size);
}

char *arena_strdup(arena *a, const char *text)
{
    return arena_copy(a, text, strlen(text) + 1);
}

void *arena_copy(arena *a, const void *data, size_t size)
{
    void *p = arena_alloc(a, size);
    if (p && size)
        memcpy(p, data, size);
    return p;
}

void arena_free(arena *a)
{
    for (arena_chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    a->chunks = NULL;
}
