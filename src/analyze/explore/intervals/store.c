/* States that wait to be explored. They come out by how many blocks have started, so that all states with one key
 * are there before the first of them comes out. Of those, two become one where all their intervals
 * touch, or where the key has many states; the intervals of the one hold those of both. */
#include <stdlib.h>
#include <string.h>

#include "analyze/explore/explore.h"
#include "base/index.h"

#define SLAB_BYTES (1 << 20)
#define MOST_ALIKE 8 /* states of one key */

static explore_state *at(const explore *x, uint32_t id)
{
    const explore_store *t = &x->store;
    return (explore_state *)((char *)t->slabs.at[id / t->per_slab] + id % t->per_slab * x->state_bytes);
}

/* A state's memory; NONE without. */
static uint32_t take(explore *x)
{
    explore_store *t = &x->store;
    if (t->free != EXPLORE_NONE) {
        uint32_t id = t->free;
        t->free = at(x, id)->chain;
        return id;
    }
    if (t->taken == t->slabs.count * t->per_slab) {
        bool room = t->taken < EXPLORE_NONE - t->per_slab;
        explore_state *slab = room ? malloc(t->per_slab * x->state_bytes) : NULL;
        if (!slab || !vec_push(&t->slabs, slab)) {
            free(slab);
            return EXPLORE_NONE;
        }
    }
    return t->taken++;
}

static bool grow_table(explore *x)
{
    explore_store *t = &x->store;
    size_t size = t->table_size ? 2 * t->table_size : 1024;
    uint32_t *table = malloc(size * sizeof *table);
    if (!table)
        return false;
    memset(table, 0xff, size * sizeof *table);
    for (size_t i = 0; i < t->table_size; i++)
        for (uint32_t id = t->table[i], next; id != EXPLORE_NONE; id = next) {
            explore_state *s = at(x, id);
            next = s->chain;
            s->chain = table[s->hash & (size - 1)];
            table[s->hash & (size - 1)] = id;
        }
    free(t->table);
    t->table = table;
    t->table_size = size;
    return true;
}

static bool insert(explore *x, const explore_state *s)
{
    explore_store *t = &x->store;
    uint32_t id = t->live < t->table_size || grow_table(x) ? take(x) : EXPLORE_NONE;
    if (id == EXPLORE_NONE || !heap_push(&t->pending, (heap_item){(int64_t)s->done, 0, id}))
        return false;
    explore_state *own = at(x, id);
    memcpy(own, s, x->state_bytes);
    own->chain = t->table[own->hash & (t->table_size - 1)];
    t->table[own->hash & (t->table_size - 1)] = id;
    t->live++;
    x->out->a.states++;
    return true;
}

bool store_start(explore *x)
{
    x->store.free = EXPLORE_NONE;
    x->store.per_slab = (uint32_t)(SLAB_BYTES / x->state_bytes) + 1;
    x->next = calloc(1, x->state_bytes);
    if (!x->next)
        return false;
    for (size_t i = 0; i < x->partials; i++)
        *state_partial(x, x->next, i) = EXPLORE_NONE;
    for (size_t i = 0; i < x->stream_count; i++)
        state_lo(x, x->next)[x->at.stream + i] = state_hi(x, x->next)[x->at.stream + i] = -x->gap;
    return store_add(x);
}

/* By how much the pairs of the two would be wider in one; 0 where they all touch. */
static uint64_t apart(const explore *x, explore_state *a, explore_state *b)
{
    const int64_t *alo = state_lo(x, a), *ahi = state_hi(x, a), *blo = state_lo(x, b), *bhi = state_hi(x, b);
    uint64_t sum = 0;
    for (size_t i = x->at.started; i < x->at.pairs; i++) /* how many have started is not to become less known */
        sum += alo[i] != blo[i] || ahi[i] != bhi[i];
    for (size_t i = 0; i < x->at.started; i++) {
        if (blo[i] > ahi[i] + 1)
            sum += (uint64_t)(blo[i] - ahi[i] - 1) / x->at.pairs + 1;
        else if (alo[i] > bhi[i] + 1)
            sum += (uint64_t)(alo[i] - bhi[i] - 1) / x->at.pairs + 1;
    }
    return sum;
}

static void widen(const explore *x, explore_state *a, explore_state *b)
{
    int64_t *alo = state_lo(x, a), *ahi = state_hi(x, a);
    const int64_t *blo = state_lo(x, b), *bhi = state_hi(x, b);
    for (size_t i = 0; i < x->at.earliest; i++)
        alo[i] = earlier(alo[i], blo[i]);
    for (size_t i = 0; i < x->at.latest; i++)
        ahi[i] = later(ahi[i], bhi[i]);
}

bool store_add(explore *x)
{
    explore_state *s = x->next, *nearest = NULL;
    explore_store *t = &x->store;
    uint64_t least = UINT64_MAX;
    unsigned alike = 0;
    s->hash = index_hash(s->words, x->key_words * sizeof *s->words);
    uint32_t id = t->table_size ? t->table[s->hash & (t->table_size - 1)] : EXPLORE_NONE;
    for (; id != EXPLORE_NONE && least; id = at(x, id)->chain) {
        explore_state *other = at(x, id);
        if (other->hash != s->hash || memcmp(other->words, s->words, x->key_words * sizeof *s->words) != 0)
            continue;
        uint64_t distance = apart(x, other, s);
        alike++;
        if (distance < least) {
            least = distance;
            nearest = other;
        }
    }
    if (nearest && (!least || alike >= MOST_ALIKE)) {
        widen(x, nearest, s);
        return true;
    }
    if (insert(x, s))
        return true;
    x->status = gcast_error_set_memory(x->err);
    return false;
}

explore_state *store_pop(explore *x, uint32_t *id)
{
    explore_store *t = &x->store;
    if (!heap_top(&t->pending))
        return NULL;
    *id = heap_pop(&t->pending).id;
    explore_state *s = at(x, *id);
    uint32_t *link = &t->table[s->hash & (t->table_size - 1)];
    while (*link != *id)
        link = &at(x, *link)->chain;
    *link = s->chain;
    t->live--;
    return s;
}

void store_drop(explore *x, uint32_t id)
{
    at(x, id)->chain = x->store.free;
    x->store.free = id;
}

uint64_t store_bytes(const explore *x)
{
    const explore_store *t = &x->store;
    return (uint64_t)t->slabs.count * t->per_slab * x->state_bytes + t->table_size * sizeof *t->table +
           t->pending.items.cap * sizeof *t->pending.items.at;
}

void store_free(explore *x)
{
    explore_store *t = &x->store;
    for (size_t i = 0; i < t->slabs.count; i++)
        free(t->slabs.at[i]);
    vec_free(&t->slabs);
    vec_free(&t->pending.items);
    free(t->table);
    free(x->next);
}
