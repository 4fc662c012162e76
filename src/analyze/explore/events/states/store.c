/* States come out by progress, so that all states of one key are there before the first of them comes out. A state
 * whose zone is within that of another state of its key is left out. Of one key up to MAX_STATES_PER_KEY other states
 * are kept, and one when there are many states; a further one is merged into the nearest. */
#include "analyze/explore/events/states/store.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/explore/events/states/pack.h"
#include "analyze/explore/problem/search_limits.h"
#include "base/index.h"
#include "base/minmax.h"

#define FIRST_TABLE_SIZE 1024
#define MAX_STATES_PER_KEY 6
#define PART_OF_STATES 8 /* when there are more than this part of the states allowed, one state per key is kept */

/* Grows with everything that happens, and is the same for all states of one key. */
static uint64_t progress_of(const event_search *q, const event_state *s)
{
    uint64_t done = 0, pending = s->residents.count + s->ends.count + !zone_is_never(s->switch_end);
    for (uint32_t j = 0; j < q->problem->job_count; j++)
        if (event_is_called(s, j))
            done += event_job_weight(&q->problem->jobs[j]);
    for (size_t i = 0; i < s->ops.count; i++) {
        const event_op *op = &s->ops.at[i];
        const explore_job *j = &q->problem->jobs[op->job];
        uint32_t phases = 6 + (j->event != EXPLORE_NONE);
        pending += 4 * (j->block_count - op->started_count) + phases - min_u32(op->phase, EVENT_LEFT);
    }
    for (int e = 0; e < COPY_ENGINES; e++)
        pending += !zone_is_never(s->engines[e].gap_end);
    return done - pending;
}

/* Are all bounds of a within those of b? */
static bool is_within(const int64_t *a, const int64_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] > b[i])
            return false;
    return true;
}

/* How much wider the bounds of a must be to hold those of b, all together and about. */
static uint64_t widening(const int64_t *a, const int64_t *b, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (b[i] > a[i])
            sum += (uint64_t)(b[i] - a[i]) / count + 1;
    return sum;
}

static bool grow_table(event_search *q)
{
    size_t size = q->table_size ? 2 * q->table_size : FIRST_TABLE_SIZE;
    event_packed **table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < q->table_size; i++)
        for (event_packed *p = q->table[i], *next; p; p = next) {
            next = p->next;
            p->next = table[p->hash & (size - 1)];
            table[p->hash & (size - 1)] = p;
        }
    q->store_bytes += (size - q->table_size) * sizeof *table;
    free(q->table);
    q->table = table;
    q->table_size = size;
    return true;
}

/* Stores a state with the key q->key. False without memory. */
static bool insert(event_search *q, uint32_t var_count, const int64_t *bounds, uint64_t hash, uint64_t progress)
{
    size_t bound_count = (size_t)var_count * var_count;
    size_t bytes = sizeof(event_packed) + (q->key.count + bound_count) * sizeof(int64_t);
    if (q->stored_count >= q->table_size && !grow_table(q))
        return false;
    event_packed *p = malloc(bytes);
    uint32_t id = q->free_ids.count ? q->free_ids.at[--q->free_ids.count] : (uint32_t)q->packed.count;
    if (!p || (id == q->packed.count && !vec_push(&q->packed, NULL))) {
        free(p);
        return false;
    }
    q->packed.at[id] = p;
    *p = (event_packed){.next = q->table[hash & (q->table_size - 1)],
                        .hash = hash,
                        .progress = progress,
                        .key_count = (uint32_t)q->key.count,
                        .var_count = var_count};
    memcpy(p->words, q->key.at, q->key.count * sizeof *p->words);
    memcpy(p->words + q->key.count, bounds, bound_count * sizeof *p->words);
    q->table[hash & (q->table_size - 1)] = p;
    q->stored_count++;
    q->store_bytes += bytes;
    q->problem->out->a.states++;
    return heap_push(&q->pending, (heap_item){(int64_t)progress, 0, id});
}

/* Stores a state with the key q->key, or merges it into one of this key. False without memory. */
static bool insert_or_merge(event_search *q, uint32_t var_count, const int64_t *bounds, uint64_t progress)
{
    explore_problem *problem = q->problem;
    uint64_t hash = index_hash(q->key.at, q->key.count * sizeof *q->key.at), min_widening = UINT64_MAX;
    size_t bound_count = (size_t)var_count * var_count, same_key = 0;
    int64_t *nearest = NULL;
    for (event_packed *p = q->table_size ? q->table[hash & (q->table_size - 1)] : NULL; p; p = p->next) {
        if (p->hash != hash || p->key_count != q->key.count || p->var_count != var_count ||
            memcmp(p->words, q->key.at, q->key.count * sizeof *q->key.at) != 0)
            continue;
        int64_t *other = p->words + p->key_count;
        if (is_within(bounds, other, bound_count))
            return true;
        uint64_t w = is_within(other, bounds, bound_count) ? 0 : widening(other, bounds, bound_count);
        same_key++;
        if (w < min_widening) {
            min_widening = w;
            nearest = other;
        }
    }
    bool has_few = problem->out->a.states < explore_max_states(problem) / PART_OF_STATES;
    size_t max_same_key = has_few ? MAX_STATES_PER_KEY : 1;
    if (!nearest || (min_widening && (problem->states_stay_apart || same_key < max_same_key)))
        return insert(q, var_count, bounds, hash, progress);
    for (size_t i = 0; i < bound_count; i++)
        nearest[i] = max_i64(nearest[i], bounds[i]);
    return true;
}

bool event_store_add(event_search *q, event_state *s)
{
    int64_t bounds[ZONE_MAX_VARIABLES * ZONE_MAX_VARIABLES];
    uint32_t var_count = event_pack(q, s, bounds);
    if (!q->out_of_memory && !insert_or_merge(q, var_count, bounds, progress_of(q, s)))
        q->out_of_memory = true;
    return !q->out_of_memory;
}

bool event_store_pop(event_search *q, event_state *s)
{
    if (!heap_top(&q->pending))
        return false;
    uint32_t id = heap_pop(&q->pending).id;
    event_packed *p = q->packed.at[id], **link = &q->table[p->hash & (q->table_size - 1)];
    while (*link != p)
        link = &(*link)->next;
    *link = p->next;
    q->stored_count--;
    q->progress = p->progress;
    if (!event_unpack(q, s, p) || !vec_push(&q->free_ids, id))
        q->out_of_memory = true;
    q->store_bytes -= sizeof *p + (p->key_count + (size_t)p->var_count * p->var_count) * sizeof(int64_t);
    q->packed.at[id] = NULL;
    free(p);
    return !q->out_of_memory;
}

void event_store_free(event_search *q)
{
    for (size_t i = 0; i < q->packed.count; i++)
        free(q->packed.at[i]);
    vec_free(&q->packed);
    vec_free(&q->free_ids);
    vec_free(&q->key);
    vec_free(&q->pending.items);
    free(q->table);
}
