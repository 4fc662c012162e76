#include "base/index.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, mixed once more, since the low bits choose the slot. */
uint64_t index_hash(const void *data, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const unsigned char *p = data; size--; p++)
        h = (h ^ *p) * 0x100000001b3u;
    return h ^ h >> 29;
}

uint64_t index_hash_text(const char *text)
{
    return index_hash(text, strlen(text));
}

static void place(index_slot *slots, size_t cap, index_slot s)
{
    size_t i = s.hash & (cap - 1);
    while (slots[i].number)
        i = (i + 1) & (cap - 1);
    slots[i] = s;
}

static bool grow(hash_index *x)
{
    size_t cap = x->cap ? 2 * x->cap : 16;
    index_slot *slots = calloc(cap, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < x->cap; i++)
        if (x->slots[i].number)
            place(slots, cap, x->slots[i]);
    free(x->slots);
    x->slots = slots;
    x->cap = cap;
    return true;
}

bool index_add(hash_index *x, uint64_t hash, uint32_t value)
{
    if (2 * (x->count + 1) > x->cap && !grow(x))
        return false;
    place(x->slots, x->cap, (index_slot){hash, value + 1});
    x->count++;
    return true;
}

index_probe index_start(const hash_index *x, uint64_t hash)
{
    return (index_probe){.hash = hash, .at = x->cap ? hash & (x->cap - 1) : 0};
}

bool index_next(const hash_index *x, index_probe *p)
{
    while (x->cap && x->slots[p->at].number) {
        const index_slot *s = &x->slots[p->at];
        p->at = (p->at + 1) & (x->cap - 1);
        if (s->hash == p->hash) {
            p->value = s->number - 1;
            return true;
        }
    }
    return false;
}

void index_free(hash_index *x)
{
    free(x->slots);
    *x = (hash_index){0};
}
