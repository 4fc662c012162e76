/* The state of an idle GPU is the quarter to which the next warp of each SM goes, the SM that took the last block with
 * round robin, who joined which connection and channel, and the channels that the copy engines served last. */
#include "analyze/explore/events/states/idle_memory.h"

#include <string.h>

#include "base/index.h"

#define MAX_MEMORIES 20000 /* the list of memories is searched one by one */

bool event_remembers(const event_search *q)
{
    const explore_problem *p = q->problem;
    bool is_decisive = q->line_count || p->gpu->register_quarters || p->gpu->placement == GCAST_PLACE_ROUND_ROBIN;
    return p->max_turn_wait_ns || (!p->is_pool && is_decisive);
}

/* How many jobs were called, if these are the first ones; EXPLORE_NONE: others were called before one of these. */
static uint32_t called_count(const event_search *q, const event_state *s)
{
    uint32_t count = 0;
    while (count < q->problem->job_count && event_is_called(s, count))
        count++;
    for (uint32_t j = count; j < q->problem->job_count; j++)
        if (event_is_called(s, j))
            return EXPLORE_NONE;
    return count;
}

static bool put_memory(event_search *q, const event_state *s)
{
    bool ok = true;
    q->key.count = 0;
    for (int i = 0; i < q->sms.count; i++)
        ok = ok && vec_push(&q->key, s->sms[i].next_quarter);
    ok = ok && vec_push(&q->key, s->last_sm) && vec_push(&q->key, s->last_connection);
    for (int e = 0; e < COPY_ENGINES; e++)
        ok = ok && vec_push(&q->key, s->engines[e].channel);
    for (size_t i = 0; i < q->line_count; i++)
        ok = ok && vec_push(&q->key, (int64_t)s->lines[i].join_number << 32 | (uint32_t)(s->lines[i].stream + 1));
    for (size_t i = 0; q->line_count && i < EVENT_LINES * q->problem->w->stream_count; i++)
        ok = ok && vec_push(&q->key, s->stream_lines[i]);
    return ok;
}

bool event_note_memory(event_search *q, const event_state *s)
{
    explore_problem *p = q->problem;
    uint32_t called = p->remembers && !s->ops.count ? called_count(q, s) : EXPLORE_NONE;
    if (called == EXPLORE_NONE)
        return true;
    if (!put_memory(q, s))
        return event_no_memory(q);
    size_t bytes = q->key.count * sizeof *q->key.at;
    uint64_t hash = index_hash(q->key.at, bytes);
    for (size_t i = 0; i < p->memories.count; i++) {
        const explore_memory *m = &p->memories.at[i];
        if (m->called_count == called && m->hash == hash && memcmp(m->words, q->key.at, bytes) == 0)
            return true;
    }
    if (p->memories.count == MAX_MEMORIES)
        return explore_refuse(p, "an idle GPU may remember too many things");
    int64_t *words = arena_alloc_array(&p->memory, q->key.count, sizeof *words);
    if (!words)
        return event_no_memory(q);
    memcpy(words, q->key.at, bytes);
    explore_memory memory = {.called_count = called, .hash = hash, .words = words, .bytes = bytes};
    return vec_push(&p->memories, memory) || event_no_memory(q);
}
