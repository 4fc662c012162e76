/* A hash index: finds the indices of items that are stored elsewhere. It stores a hash and an index; its user compares
 * the items.
 *
 *     for (index_probe p = index_start(&x, hash); index_next(&x, &p);)
 *         if (equal(items[p.value], item))
 *             return p.value; */
#ifndef BASE_INDEX_H
#define BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct index_slot {
    uint64_t hash;   /* of the item */
    uint32_t number; /* value + 1; 0: free */
} index_slot;

typedef struct hash_index {
    index_slot *slots; /* open addressing */
    size_t count;      /* of slots in use */
    size_t cap;        /* of slots: 0 or a power of two */
} hash_index;

typedef struct index_probe {
    uint64_t hash;  /* searched for */
    size_t at;      /* the next slot */
    uint32_t value; /* of the match, after index_next was true */
} index_probe;

uint64_t index_hash(const void *data, size_t size);
uint64_t index_hash_text(const char *text);

/* False without memory. value < UINT32_MAX. */
bool index_add(hash_index *x, uint64_t hash, uint32_t value);
index_probe index_start(const hash_index *x, uint64_t hash);
bool index_next(const hash_index *x, index_probe *p);
void index_free(hash_index *x);

#endif
