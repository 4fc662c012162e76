/* The search by events: which jobs may be late together, what blocks need, and the states one after the other. */
#include "analyze/explore/events/events.h"

#include <stdlib.h>

#include "model/workload/edit.h"

#define MOST_JOBS 20000

/* Ops of one job of a task are late together. */
static bool make_groups(event_search *q)
{
    explore *x = q->x;
    size_t n = (size_t)x->job_count + 1;
    q->engine = arena_alloc_array(&x->memory, n, sizeof *q->engine);
    q->group = arena_alloc_array(&x->memory, n, sizeof *q->group);
    q->group_first = arena_alloc_array(&x->memory, n, sizeof *q->group_first);
    q->group_late = arena_alloc_array(&x->memory, n, sizeof *q->group_late);
    q->group_last = arena_alloc_array(&x->memory, n, sizeof *q->group_last);
    if (!q->engine || !q->group || !q->group_first || !q->group_late || !q->group_last)
        return false;
    for (uint32_t i = 0; i < x->job_count; i++) {
        const explore_job *j = &x->jobs[i];
        const gcast_op *op = &x->w->ops[j->op];
        q->engine[i] = j->engine ? (uint8_t)(1 + explore_copy_engine(x, op)) : 0;
        q->group[i] = EXPLORE_NONE;
        if (j->first == j->last)
            continue;
        for (uint32_t k = i; k-- > 0 && q->group[i] == EXPLORE_NONE;)
            if (x->jobs[k].job == j->job && x->w->ops[x->jobs[k].op].task == op->task)
                q->group[i] = q->group[k];
        if (q->group[i] == EXPLORE_NONE) {
            q->group[i] = q->group_count;
            q->group_first[q->group_count] = j->first;
            q->group_late[q->group_count++] = j->last - j->first;
        }
        q->group_last[q->group[i]] = i;
    }
    return true;
}

static bool make_demands(event_search *q)
{
    const gcast_workload *w = q->x->w;
    q->demands = aligned_alloc(_Alignof(sm_demand), (w->op_count + 1) * sizeof *q->demands);
    for (size_t i = 0; i < w->op_count && q->demands; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            q->demands[i] = sm_demand_of(q->x->gpu, &w->ops[i]);
    return q->demands != NULL;
}

/* Connections and channels, where they decide anything. */
static bool make_lines(event_search *q)
{
    explore *x = q->x;
    q->null_stream = workload_find_stream(x->w, 0);
    if (explore_lines_matter(x))
        q->connections = x->w->connections >= 0 ? x->w->connections : x->gpu->connections;
    if (!explore_covers_channels(x))
        q->channels = x->gpu->copy_channels;
    x->why = NULL;
    q->line_count = (size_t)q->connections + 2 * (size_t)q->channels;
    return x->status == GCAST_OK;
}

static bool start(event_search *q)
{
    const explore *x = q->x;
    q->words = ((size_t)x->job_count + 63) / 64;
    for (uint32_t j = 0; j < x->job_count; j++)
        q->most_done += event_weight(&x->jobs[j]);
    q->stack = malloc((2 * EVENT_VARIABLES + 2) * sizeof *q->stack);
    bool sms = sm_set_init(&q->set, x->gpu, x->w);
    q->own_sms = q->set.at;
    return sms && q->stack && make_groups(q) && make_demands(q) && explore_make_results(q->x) &&
           placement_init(&q->place, x->gpu->sms) && event_state_init(q, &q->from) && event_state_init(q, &q->to) &&
           event_state_init(q, &q->then) && event_add(q, &q->from);
}

static void finish(event_search *q)
{
    q->set.at = q->own_sms; /* not of a state */
    sm_set_free(&q->set);
    placement_free(&q->place);
    event_state_free(&q->from);
    event_state_free(&q->to);
    event_state_free(&q->then);
    event_store_free(q);
    vec_free(&q->back);
    vec_free(&q->ready);
    vec_free(&q->due);
    free(q->demands);
    free(q->stack);
}

/* SMs, connections and channels remember what was there before, also when all is idle; on a pool that
 * decides no time, but for turns. */
static bool covers(const event_search *q)
{
    explore *x = q->x;
    bool remembers =
        x->turn ||
        (!x->pool && (q->line_count || x->gpu->register_quarters || x->gpu->placement == GCAST_PLACE_ROUND_ROBIN));
    if (x->job_count > MOST_JOBS)
        return explore_refuse(x, "blocks are no pool of slots, and there are too many jobs to follow every event");
    if (x->period && x->w->task_count && remembers)
        return explore_refuse(
            x, "the GPU remembers where blocks or copies went, so that one hyperperiod does not stand for all; "
               "give a horizon to look at a part");
    return true;
}

bool explore_events(explore *x)
{
    event_search q = {.x = x};
    bool ok = make_lines(&q) && covers(&q) && start(&q);
    if (!ok && x->status == GCAST_OK && !x->why)
        q.failed = true;
    while (ok && event_pop(&q, &q.from))
        ok = event_follow(&q);
    if (!ok && x->status == GCAST_OK && !x->why)
        q.failed = true;
    if (q.failed)
        x->status = gcast_error_set_memory(x->err);
    ok = ok && !q.failed;
    finish(&q);
    return ok;
}
