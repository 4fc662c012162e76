/* States come out by progress, so that all states of one key are there before the first of them comes out. Two states
 * of one key merge if all their intervals touch, or if the key has many states; the merged intervals contain both. */
#include "analyze/explore/intervals/interval_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/integers.h"

#define SLAB_BYTES (1 << 20)
#define FIRST_TABLE_SIZE 1024
#define MAX_STATES_PER_KEY 8

static interval_state *state_at(const interval_search *q, uint32_t id)
{
    const interval_store *t = &q->store;
    return (interval_state *)((char *)t->slabs.at[id / t->states_per_slab] + id % t->states_per_slab * q->state_bytes);
}

/* Memory for a state, or NONE. */
static uint32_t allocate(interval_search *q)
{
    interval_store *t = &q->store;
    if (t->first_free != EXPLORE_NONE) {
        uint32_t id = t->first_free;
        t->first_free = state_at(q, id)->next;
        return id;
    }
    if (t->slab_states == t->slabs.count * t->states_per_slab) {
        bool has_ids = t->slab_states < EXPLORE_NONE - t->states_per_slab;
        interval_state *slab = has_ids ? malloc(t->states_per_slab * q->state_bytes) : NULL;
        if (!slab || !vec_push(&t->slabs, slab)) {
            free(slab);
            return EXPLORE_NONE;
        }
    }
    return t->slab_states++;
}

static bool grow_table(interval_search *q)
{
    interval_store *t = &q->store;
    size_t size = t->table_size ? 2 * t->table_size : FIRST_TABLE_SIZE;
    uint32_t *table = malloc(size * sizeof *table);
    if (!table)
        return false;
    memset(table, 0xff, size * sizeof *table);
    for (size_t i = 0; i < t->table_size; i++)
        for (uint32_t id = t->table[i], next; id != EXPLORE_NONE; id = next) {
            interval_state *s = state_at(q, id);
            next = s->next;
            s->next = table[s->hash & (size - 1)];
            table[s->hash & (size - 1)] = id;
        }
    free(t->table);
    t->table = table;
    t->table_size = size;
    return true;
}

static bool insert(interval_search *q, const interval_state *s)
{
    interval_store *t = &q->store;
    uint32_t id = t->stored_count < t->table_size || grow_table(q) ? allocate(q) : EXPLORE_NONE;
    if (id == EXPLORE_NONE || !heap_push(&t->pending, (heap_item){(int64_t)s->progress, 0, id}))
        return false;
    interval_state *stored = state_at(q, id);
    memcpy(stored, s, q->state_bytes);
    stored->next = t->table[stored->hash & (t->table_size - 1)];
    t->table[stored->hash & (t->table_size - 1)] = id;
    t->stored_count++;
    q->problem->out->a.states++;
    return true;
}

bool interval_store_start(interval_search *q)
{
    q->store.first_free = EXPLORE_NONE;
    q->store.states_per_slab = (uint32_t)(SLAB_BYTES / q->state_bytes) + 1;
    q->successor = calloc(1, q->state_bytes);
    if (!q->successor)
        return false;
    int64_t *lo = interval_lo(q, q->successor), *hi = interval_hi(q, q->successor);
    for (size_t i = 0; i < q->problem->partial_count; i++)
        *interval_partial(q, q->successor, i) = EXPLORE_NONE;
    for (size_t i = 0; i < q->problem->stream_count; i++)
        lo[q->layout.stream_complete + i] = hi[q->layout.stream_complete + i] = -q->problem->stream_gap_ns;
    return interval_store_add(q);
}

/* About how far apart the intervals of two states are, all together; 0: all touch. */
static uint64_t distance(const interval_search *q, interval_state *a, interval_state *b)
{
    const int64_t *alo = interval_lo(q, a), *ahi = interval_hi(q, a), *blo = interval_lo(q, b),
                  *bhi = interval_hi(q, b);
    uint64_t sum = 0;
    for (size_t i = q->layout.partial_started; i < q->layout.pair_count; i++) /* numbers of blocks must be equal */
        sum += alo[i] != blo[i] || ahi[i] != bhi[i];
    for (size_t i = 0; i < q->layout.partial_started; i++) {
        if (blo[i] > ahi[i] + 1)
            sum += (uint64_t)(blo[i] - ahi[i] - 1) / q->layout.pair_count + 1;
        else if (alo[i] > bhi[i] + 1)
            sum += (uint64_t)(alo[i] - bhi[i] - 1) / q->layout.pair_count + 1;
    }
    return sum;
}

/* Widens the intervals of a to contain those of b. */
static void widen(const interval_search *q, interval_state *a, interval_state *b)
{
    int64_t *alo = interval_lo(q, a), *ahi = interval_hi(q, a);
    const int64_t *blo = interval_lo(q, b), *bhi = interval_hi(q, b);
    for (size_t i = 0; i < q->layout.lo_count; i++)
        alo[i] = min_i64(alo[i], blo[i]);
    for (size_t i = 0; i < q->layout.hi_count; i++)
        ahi[i] = max_i64(ahi[i], bhi[i]);
}

bool interval_store_add(interval_search *q)
{
    interval_state *s = q->successor, *nearest = NULL;
    interval_store *t = &q->store;
    uint64_t min_distance = UINT64_MAX;
    unsigned same_key = 0;
    s->hash = index_hash(s->words, q->key_words * sizeof *s->words);
    uint32_t id = t->table_size ? t->table[s->hash & (t->table_size - 1)] : EXPLORE_NONE;
    for (; id != EXPLORE_NONE && min_distance; id = state_at(q, id)->next) {
        interval_state *other = state_at(q, id);
        if (other->hash != s->hash || memcmp(other->words, s->words, q->key_words * sizeof *s->words) != 0)
            continue;
        uint64_t d = distance(q, other, s);
        same_key++;
        if (d < min_distance) {
            min_distance = d;
            nearest = other;
        }
    }
    if (nearest && (!min_distance || same_key >= MAX_STATES_PER_KEY)) {
        widen(q, nearest, s);
        return true;
    }
    return insert(q, s) || explore_no_memory(q->problem);
}

interval_state *interval_store_pop(interval_search *q, uint32_t *id)
{
    interval_store *t = &q->store;
    if (!heap_top(&t->pending))
        return NULL;
    *id = heap_pop(&t->pending).id;
    interval_state *s = state_at(q, *id);
    uint32_t *link = &t->table[s->hash & (t->table_size - 1)];
    while (*link != *id)
        link = &state_at(q, *link)->next;
    *link = s->next;
    t->stored_count--;
    return s;
}

void interval_store_drop(interval_search *q, uint32_t id)
{
    state_at(q, id)->next = q->store.first_free;
    q->store.first_free = id;
}

uint64_t interval_store_bytes(const interval_search *q)
{
    const interval_store *t = &q->store;
    return (uint64_t)t->slabs.count * t->states_per_slab * q->state_bytes + t->table_size * sizeof *t->table +
           t->pending.items.cap * sizeof *t->pending.items.at;
}

void interval_store_free(interval_search *q)
{
    interval_store *t = &q->store;
    for (size_t i = 0; i < t->slabs.count; i++)
        free(t->slabs.at[i]);
    vec_free(&t->slabs);
    vec_free(&t->pending.items);
    free(t->table);
    free(q->successor);
}
