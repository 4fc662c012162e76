/* Prepares the search by events: which jobs may be late together, what blocks need, which connections and channels
 * matter, and what an idle GPU remembers. Then it takes one state after the other out of the store and follows it. */
#include "analyze/explore/events/event_search.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/explore/cover.h"
#include "analyze/explore/events/event_state.h"
#include "analyze/explore/events/event_store.h"
#include "analyze/explore/events/instant.h"
#include "analyze/explore/problem.h"
#include "base/index.h"
#include "model/gpu.h"
#include "model/workload/workload.h"

#define MAX_MEMORIES 20000 /* the list of memories is searched one by one */
#define MAX_JOBS 20000

/* An idle GPU remembers the quarter for the next warp of each SM, with round robin the SM that took the last block,
 * which stream joined which connection and channel, and the channels that the copy engines served last. Does any of
 * this decide a later time? */
static bool remembers(const event_search *q)
{
    const explore_problem *p = q->problem;
    bool is_decisive = q->line_count || p->gpu->register_quarters || p->gpu->placement == GCAST_PLACE_ROUND_ROBIN;
    return p->max_turn_wait_ns || (!p->is_pool && is_decisive);
}

/* The number of called jobs if these are the first ones of all jobs; else EXPLORE_NONE. */
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

/* Stores what the GPU remembers if all called jobs are over. False: with a refusal, or without memory. */
static bool note_memory(event_search *q, const event_state *s)
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
        return explore_refuse(p, "the state of an idle GPU has too many variants");
    int64_t *words = arena_alloc_array(&p->memory, q->key.count, sizeof *words);
    if (!words)
        return event_no_memory(q);
    memcpy(words, q->key.at, bytes);
    explore_memory memory = {.called_count = called, .hash = hash, .words = words, .bytes = bytes};
    return vec_push(&p->memories, memory) || event_no_memory(q);
}

/* Links the groups of each sporadic task, job by job. */
static void chain_groups(event_search *q)
{
    const explore_problem *p = q->problem;
    for (uint32_t g = 0; g < q->group_count; g++)
        q->group_before[g] = q->group_next[g] = EXPLORE_NONE;
    for (uint32_t g = 0; g < q->group_count; g++) {
        int task = event_op_of(q, q->group_first[g])->task;
        for (uint32_t b = g; b-- > 0 && p->w->tasks[task].sporadic && q->group_before[g] == EXPLORE_NONE;)
            if (event_op_of(q, q->group_first[b])->task == task) {
                q->group_before[g] = b;
                q->group_next[b] = g;
                q->group_distance_ns[g] = p->w->tasks[task].period_ns - p->w->tasks[task].jitter_ns;
            }
    }
}

/* Makes the groups: operations of one task job are late together. False without memory. */
static bool make_groups(event_search *q)
{
    explore_problem *p = q->problem;
    size_t n = (size_t)p->job_count + 1;
    q->engine = arena_alloc_array(&p->memory, n, sizeof *q->engine);
    q->group = arena_alloc_array(&p->memory, n, sizeof *q->group);
    q->group_call_lo = arena_alloc_array(&p->memory, n, sizeof *q->group_call_lo);
    q->group_jitter_ns = arena_alloc_array(&p->memory, n, sizeof *q->group_jitter_ns);
    q->group_first = arena_alloc_array(&p->memory, n, sizeof *q->group_first);
    q->group_last = arena_alloc_array(&p->memory, n, sizeof *q->group_last);
    q->group_before = arena_alloc_array(&p->memory, n, sizeof *q->group_before);
    q->group_next = arena_alloc_array(&p->memory, n, sizeof *q->group_next);
    q->group_distance_ns = arena_alloc_array(&p->memory, n, sizeof *q->group_distance_ns);
    if (!q->engine || !q->group || !q->group_call_lo || !q->group_jitter_ns || !q->group_first || !q->group_last ||
        !q->group_before || !q->group_next || !q->group_distance_ns)
        return false;
    for (uint32_t i = 0; i < p->job_count; i++) {
        const explore_job *j = &p->jobs[i];
        const gcast_op *op = &p->w->ops[j->op];
        q->engine[i] = j->engine ? (uint8_t)(1 + copy_engine_of(p->gpu, op)) : 0;
        q->group[i] = EXPLORE_NONE;
        if (j->call_lo == j->call_hi)
            continue;
        for (uint32_t k = i; k-- > 0 && q->group[i] == EXPLORE_NONE;)
            if (p->jobs[k].task_job == j->task_job && p->w->ops[p->jobs[k].op].task == op->task)
                q->group[i] = q->group[k];
        if (q->group[i] == EXPLORE_NONE) {
            q->group[i] = q->group_count;
            q->group_call_lo[q->group_count] = j->call_lo;
            q->group_jitter_ns[q->group_count] = j->call_hi - j->call_lo;
            q->group_first[q->group_count++] = i;
        }
        q->group_last[q->group[i]] = i;
    }
    chain_groups(q);
    return true;
}

static bool make_demands(event_search *q)
{
    const gcast_workload *w = q->problem->w;
    q->demands = aligned_alloc(_Alignof(sm_demand), (w->op_count + 1) * sizeof *q->demands);
    for (size_t i = 0; i < w->op_count && q->demands; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            q->demands[i] = sm_demand_of(q->problem->gpu, &w->ops[i]);
    return q->demands != NULL;
}

/* Counts connections and channels if they decide anything. False: with a status. */
static bool make_lines(event_search *q)
{
    explore_problem *p = q->problem;
    q->null_stream = workload_find_stream(p->w, 0);
    if (explore_connections_matter(p))
        q->connection_count = connections_in_force(p->w, p->gpu);
    if (!explore_covers_channels(p))
        q->channel_count = p->gpu->copy_channels;
    p->refusal = NULL;
    q->line_count = (size_t)q->connection_count + COPY_ENGINES * (size_t)q->channel_count;
    return p->status == GCAST_OK;
}

/* Stores the state in which nothing was called. False without memory. */
static bool start(event_search *q)
{
    const explore_problem *p = q->problem;
    q->set_words = ((size_t)p->job_count + 63) / 64;
    for (uint32_t j = 0; j < p->job_count; j++)
        q->max_progress += event_job_weight(&p->jobs[j]);
    q->zone_stack = malloc((2 * ZONE_MAX_VARIABLES + 3) * sizeof *q->zone_stack);
    bool has_sms = sm_set_init(&q->sms, p->gpu, p->w);
    q->own_sms = q->sms.at;
    return has_sms && q->zone_stack && make_groups(q) && make_demands(q) && explore_make_results(q->problem) &&
           placement_init(&q->placement, p->gpu->sms) && event_state_init(q, &q->current) &&
           event_state_init(q, &q->after_queues) && event_state_init(q, &q->successor) &&
           event_store_add(q, &q->current);
}

static void finish(event_search *q)
{
    q->sms.at = q->own_sms; /* it may point into a state */
    sm_set_free(&q->sms);
    placement_free(&q->placement);
    event_state_free(&q->current);
    event_state_free(&q->after_queues);
    event_state_free(&q->successor);
    event_store_free(q);
    vec_free(&q->freed);
    vec_free(&q->ready);
    vec_free(&q->due);
    vec_free(&q->arrive_at_once);
    free(q->demands);
    free(q->zone_stack);
}

static bool is_covered(const event_search *q)
{
    explore_problem *p = q->problem;
    p->remembers = p->hyperperiod_ns && p->w->task_count && remembers(q);
    if (p->job_count > MAX_JOBS)
        return explore_refuse(
            p, "blocks are not a pool of equal slots, and there are too many jobs to follow every event");
    return true;
}

bool explore_by_events(explore_problem *p)
{
    event_search q = {.problem = p};
    bool ok = make_lines(&q) && is_covered(&q) && start(&q);
    while (ok && event_store_pop(&q, &q.current))
        ok = note_memory(&q, &q.current) && event_follow_state(&q);
    bool has_reason = p->status != GCAST_OK || p->refusal;
    if (q.out_of_memory || (!ok && !has_reason))
        ok = explore_no_memory(p);
    finish(&q);
    return ok;
}
