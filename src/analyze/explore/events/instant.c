/* Three decisions may be open when a set of events happens: the order of calls that are made at one time, which of them
 * arrive at once where latencies are ranges that begin at 0, and, if a kernel enters now and none waited before, which
 * resources were freed while none waited (docs/explore.md, E3). Every case is followed. */
#include "analyze/explore/events/instant.h"

#include <string.h>

#include "analyze/explore/events/states/state_memory.h"
#include "analyze/explore/events/states/store.h"
#include "analyze/explore/events/step.h"
#include "analyze/explore/problem/search_limits.h"
#include "base/minmax.h"

#define MAX_WORK_UNCHECKED 1000000 /* calls that are ordered until the clock is read again */
#define INSTANTS_PER_STATE 32      /* instants allowed for each state allowed: many sets may lead to one state */

static bool within_limits(event_search *q)
{
    double fraction = (double)q->progress / ((double)q->max_progress + 1);
    if (q->instant_count / INSTANTS_PER_STATE > explore_max_states(q->problem))
        return explore_refuse(q->problem, "event by event, too many sets of events may be next");
    return explore_within_limits(q->problem, q->instant_count++, q->store_bytes, fraction);
}

/* Reads the clock when enough work was done. */
static bool in_time(event_search *q, size_t work)
{
    q->work_since_check += work;
    if (q->work_since_check < MAX_WORK_UNCHECKED)
        return true;
    q->work_since_check = 0;
    return explore_in_time(q->problem);
}

/* Everything is settled: starts what can start, and stores the successor. */
static bool finish_instant(event_search *q, size_t depth)
{
    if (!within_limits(q))
        return false;
    if (!event_state_copy(q, &q->successor, &q->after_queues))
        return event_no_memory(q);
    zone_copy(&q->successor.zone, &q->zone_stack[depth]);
    return event_do_starts(q, &q->successor) && event_store_add(q, &q->successor);
}

/* The lowest offset above `offset` at which resources are freed by this variable; INT64_MAX: none. */
static int64_t next_freed(const event_state *s, uint32_t var, int64_t offset)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < s->residents.count; i++)
        if (s->residents.at[i].freed.var == var && s->residents.at[i].freed.offset > offset)
            next = min_i64(next, s->residents.at[i].freed.offset);
    return next;
}

/* Settles which resources were freed before now and which are freed now, from variable `var` on. Of each variable the
 * offsets up to some one were before now, and perhaps the next one is now. */
static bool settle_freed(event_search *q, uint32_t var, size_t depth)
{
    const zone *z = &q->zone_stack[depth];
    zone *restricted = &q->zone_stack[depth + 1];
    while (var < z->var_count && next_freed(&q->after_queues, var, INT64_MIN) == INT64_MAX)
        var++;
    if (var == z->var_count)
        return finish_instant(q, depth);
    if (q->happens[var] != INT64_MIN) {
        q->freed_before[var] = q->happens[var];
        bool ok = settle_freed(q, var + 1, depth);
        q->freed_before[var] = INT64_MIN;
        return ok;
    }
    bool ok = true;
    for (int64_t offset = INT64_MIN, next; ok; offset = next) {
        next = next_freed(&q->after_queues, var, offset);
        zone_time last_before = {var, offset}, first_after = {var, next};
        q->freed_before[var] = next;
        zone_copy(restricted, z);
        if ((offset == INT64_MIN || zone_restrict(restricted, last_before, q->now, -1)) &&
            (next == INT64_MAX || zone_restrict(restricted, q->now, first_after, -1)))
            ok = settle_freed(q, var + 1, depth + 1);
        if (next == INT64_MAX)
            break;
        zone_copy(restricted, z);
        if (ok && zone_restrict(restricted, first_after, q->now, 0) &&
            zone_restrict(restricted, q->now, first_after, 0)) {
            q->happens[var] = next;
            ok = settle_freed(q, var + 1, depth + 1);
            q->happens[var] = INT64_MIN;
        }
    }
    q->freed_before[var] = INT64_MIN;
    return ok;
}

/* Calls are settled: does ends, calls and entries. Latencies that are ranges add variables to the zone, which is that
 * of the next depth then. */
static bool settle_queues(event_search *q, size_t depth)
{
    if (!event_state_copy(q, &q->after_queues, &q->current))
        return event_no_memory(q);
    zone_copy(&q->after_queues.zone, &q->zone_stack[depth]);
    if (!event_do_queues(q, &q->after_queues))
        return false;
    if (q->after_queues.zone.var_count != q->zone_stack[depth].var_count)
        zone_copy(&q->zone_stack[++depth], &q->after_queues.zone);
    bool starts_to_wait = event_kernel_waits(q, &q->after_queues) && !event_kernel_waits(q, &q->current);
    return starts_to_wait ? settle_freed(q, 0, depth) : finish_instant(q, depth);
}

/* Follows both cases of every call of q->due from `next` on whose latency may be 0 or longer. */
static bool settle_arrivals(event_search *q, size_t next, size_t depth)
{
    for (; next < q->due.count; next++) {
        const explore_job *j = &q->problem->jobs[q->due.at[next]];
        q->arrive_at_once.at[next] = false;
        if (j->latency_ns == 0 && j->max_latency_ns > 0)
            break;
    }
    if (next == q->due.count)
        return settle_queues(q, depth);
    if (!in_time(q, q->due.count) || !settle_arrivals(q, next + 1, depth))
        return false;
    q->arrive_at_once.at[next] = true;
    return settle_arrivals(q, next + 1, depth);
}

/* Of two calls at one time, a before b by call index: is a always made before b? */
static bool order_is_known(const event_search *q, uint32_t a, uint32_t b)
{
    const explore_job *x = &q->problem->jobs[a], *y = &q->problem->jobs[b];
    int task = event_op_of(q, a)->task;
    return (!x->order_is_open && !y->order_is_open) ||
           (task != GCAST_ONCE && task == event_op_of(q, b)->task && x->task_job == y->task_job);
}

/* Follows every order of the calls of q->due from `next` on; these are by call index. */
static bool settle_calls(event_search *q, size_t next, size_t depth)
{
    if (next >= q->due.count)
        return settle_arrivals(q, 0, depth);
    if (!in_time(q, q->due.count - next))
        return false;
    uint32_t *due = q->due.at;
    for (size_t i = next; i < q->due.count; i++) {
        bool may_be_next = true;
        for (size_t k = next; k < i && may_be_next; k++)
            may_be_next = !order_is_known(q, due[k], due[i]);
        if (!may_be_next)
            continue;
        uint32_t job = due[i];
        memmove(&due[next + 1], &due[next], (i - next) * sizeof *due);
        due[next] = job;
        if (!settle_calls(q, next + 1, depth))
            return false;
        memmove(&due[next], &due[next + 1], (i - next) * sizeof *due);
        due[i] = job;
    }
    return true;
}

bool event_follow_instant(event_search *q, size_t depth)
{
    const explore_problem *p = q->problem;
    q->due.count = q->arrive_at_once.count = 0;
    for (uint32_t j = 0; j < p->job_count; j++) {
        if (event_is_called(&q->current, j) || !event_is_now(q, event_call_time(q, &q->current, j)))
            continue;
        size_t place = q->due.count;
        if (!vec_push(&q->due, j) || !vec_push(&q->arrive_at_once, false))
            return event_no_memory(q);
        for (; place > 0 && p->jobs[q->due.at[place - 1]].call_index > p->jobs[j].call_index; place--)
            q->due.at[place] = q->due.at[place - 1];
        q->due.at[place] = j;
    }
    return settle_calls(q, 0, depth);
}
