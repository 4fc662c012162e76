/* Finds which jobs may be late together, what blocks need, and which connections and channels matter. Then it takes one
 * state after the other out of the store. */
#include "analyze/explore/events/event_search.h"

#include <stdlib.h>

#include "analyze/explore/events/next_instant.h"
#include "analyze/explore/events/states/idle_memory.h"
#include "analyze/explore/events/states/state_memory.h"
#include "analyze/explore/events/states/store.h"
#include "analyze/explore/problem/cover.h"
#include "analyze/explore/problem/results.h"
#include "model/gpu/copy_engine.h"
#include "model/workload/edit.h"

#define MAX_JOBS 20000

/* Finds the jobs before and after each job of a sporadic task. */
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

/* Operations of one job of a task are late together: they are a group. False without memory. */
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

/* Counts connections and channels, where they decide anything. False: with a status. */
static bool make_lines(event_search *q)
{
    explore_problem *p = q->problem;
    q->null_stream = workload_find_stream(p->w, 0);
    if (explore_connections_matter(p))
        q->connection_count = p->w->connections >= 0 ? p->w->connections : p->gpu->connections;
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
    q->sms.at = q->own_sms; /* it may be that of a state */
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
    p->remembers = p->hyperperiod_ns && p->w->task_count && event_remembers(q);
    if (p->job_count > MAX_JOBS)
        return explore_refuse(p, "blocks are no pool of slots, and there are too many jobs to follow every event");
    return true;
}

bool explore_by_events(explore_problem *p)
{
    event_search q = {.problem = p};
    bool ok = make_lines(&q) && is_covered(&q) && start(&q);
    while (ok && event_store_pop(&q, &q.current))
        ok = event_note_memory(&q, &q.current) && event_follow_state(&q);
    bool has_reason = p->status != GCAST_OK || p->refusal;
    if (q.out_of_memory || (!ok && !has_reason))
        ok = explore_no_memory(p);
    finish(&q);
    return ok;
}
