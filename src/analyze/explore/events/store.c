/* The states that are left to be looked at. Of those with one key as many are kept as are not one in the other, up to
 * MOST_ALIKE, and one when there are many states. */
#include <stdlib.h>
#include <string.h>

#include "analyze/explore/events/events.h"
#include "base/index.h"

#define MOST_ALIKE 6
#define FEW_STATES 8 /* with more than this part of those allowed, all that are alike become one */

/* How far it is: more with everything that happens, the same for the same key. */
static uint64_t progress(const event_search *q, const event_state *s)
{
    uint64_t done = 0, pending = s->rooms.count + s->ends.count + (s->switching.var != EVENT_NEVER);
    for (uint32_t j = 0; j < q->x->job_count; j++)
        if (event_called(s, j))
            done += event_weight(&q->x->jobs[j]);
    for (size_t i = 0; i < s->ops.count; i++) {
        const event_op *op = &s->ops.at[i];
        pending += 4 * (q->x->jobs[op->job].blocks - op->started) + 6 - op->phase;
    }
    for (int e = 0; e < 2; e++)
        pending += s->engines[e].gap.var != EVENT_NEVER;
    return done - pending;
}

static bool within(const int64_t *a, const int64_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] > b[i])
            return false;
    return true;
}

/* By how much a would be wider with b in it. */
static uint64_t apart(const int64_t *a, const int64_t *b, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (b[i] > a[i])
            sum += (uint64_t)(b[i] - a[i]) / count + 1;
    return sum;
}

static bool grow_table(event_search *q)
{
    size_t size = q->table_size ? 2 * q->table_size : 1024;
    event_packed **table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < q->table_size; i++)
        for (event_packed *p = q->table[i], *next; p; p = next) {
            next = p->chain;
            p->chain = table[p->hash & (size - 1)];
            table[p->hash & (size - 1)] = p;
        }
    q->bytes += (size - q->table_size) * sizeof *table;
    free(q->table);
    q->table = table;
    q->table_size = size;
    return true;
}

static bool insert(event_search *q, uint32_t n, const int64_t *bounds, uint64_t hash, uint64_t done)
{
    size_t zone = (size_t)n * n, bytes = sizeof(event_packed) + (q->key.count + zone) * sizeof(int64_t);
    if (q->live >= q->table_size && !grow_table(q))
        return false;
    event_packed *p = malloc(bytes);
    uint32_t id = q->free_ids.count ? q->free_ids.at[--q->free_ids.count] : (uint32_t)q->known.count;
    if (!p || (id == q->known.count && !vec_push(&q->known, NULL))) {
        free(p);
        return false;
    }
    q->known.at[id] = p;
    *p = (event_packed){.chain = q->table[hash & (q->table_size - 1)],
                        .hash = hash,
                        .done = done,
                        .key_count = (uint32_t)q->key.count,
                        .n = n};
    memcpy(p->words, q->key.at, q->key.count * sizeof *p->words);
    memcpy(p->words + q->key.count, bounds, zone * sizeof *p->words);
    q->table[hash & (q->table_size - 1)] = p;
    q->live++;
    q->bytes += bytes;
    q->x->out->a.states++;
    return heap_push(&q->pending, (heap_item){(int64_t)done, 0, id});
}

/* Into one of those alike, or a place of its own. */
static bool store(event_search *q, uint32_t n, const int64_t *bounds, uint64_t done)
{
    uint64_t hash = index_hash(q->key.at, q->key.count * sizeof *q->key.at), least = UINT64_MAX;
    size_t zone = (size_t)n * n, alike = 0;
    int64_t *nearest = NULL;
    for (event_packed *p = q->table_size ? q->table[hash & (q->table_size - 1)] : NULL; p; p = p->chain) {
        if (p->hash != hash || p->key_count != q->key.count || p->n != n ||
            memcmp(p->words, q->key.at, q->key.count * sizeof *q->key.at) != 0)
            continue;
        int64_t *own = p->words + p->key_count;
        if (within(bounds, own, zone))
            return true;
        bool larger = within(own, bounds, zone);
        uint64_t distance = larger ? 0 : apart(own, bounds, zone);
        alike++;
        if (distance < least) {
            least = distance;
            nearest = own;
        }
    }
    uint64_t states = q->x->options->max_states ? q->x->options->max_states : EXPLORE_STATES;
    size_t most = q->x->out->a.states < states / FEW_STATES ? MOST_ALIKE : 1;
    if (!nearest || (least && (q->x->apart || alike < most)))
        return insert(q, n, bounds, hash, done);
    for (size_t i = 0; i < zone; i++)
        nearest[i] = later(nearest[i], bounds[i]);
    return true;
}

bool event_add(event_search *q, event_state *s)
{
    int64_t bounds[EVENT_VARIABLES * EVENT_VARIABLES];
    uint32_t n = event_pack(q, s, bounds);
    if (!q->failed && !store(q, n, bounds, progress(q, s)))
        q->failed = true;
    return !q->failed;
}

bool event_pop(event_search *q, event_state *s)
{
    if (!heap_top(&q->pending))
        return false;
    uint32_t id = heap_pop(&q->pending).id;
    event_packed *p = q->known.at[id], **link = &q->table[p->hash & (q->table_size - 1)];
    while (*link != p)
        link = &(*link)->chain;
    *link = p->chain;
    q->live--;
    q->done = p->done;
    if (!event_unpack(q, s, p) || !vec_push(&q->free_ids, id))
        q->failed = true;
    q->bytes -= sizeof *p + (p->key_count + (size_t)p->n * p->n) * sizeof(int64_t);
    q->known.at[id] = NULL;
    free(p);
    return !q->failed;
}

void event_store_free(event_search *q)
{
    for (size_t i = 0; i < q->known.count; i++)
        free(q->known.at[i]);
    vec_free(&q->known);
    vec_free(&q->free_ids);
    vec_free(&q->key);
    vec_free(&q->pending.items);
    free(q->table);
}
