/* What follows a set of events that happen at one instant, and what is still open then: in which order calls are made,
 * where any may be first, and, if a kernel is to start, what room has come back while nobody waited for it. */
#include <string.h>

#include "analyze/explore/events/events.h"

#define WORK_BETWEEN_LOOKS 1000000 /* at the clock, within one instant */
#define INSTANTS 32                /* looked at for each state allowed: many sets of events may lead to one state */

bool event_waits(const event_search *q, const event_state *s)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (s->ops.at[i].phase == EVENT_QUEUED && event_kernel(q, s->ops.at[i].job))
            return true;
    return false;
}

static bool within_limits(event_search *q)
{
    uint64_t states = q->x->options->max_states ? q->x->options->max_states : EXPLORE_STATES;
    double fraction = (double)q->done / ((double)q->most_done + 1);
    if (q->looked / INSTANTS > states)
        return explore_refuse(q->x, "event by event, too many sets of events may be next");
    return explore_goes_on(q->x, q->looked++, q->bytes, fraction);
}

bool event_goes_on(event_search *q, size_t work)
{
    q->work += work;
    if (q->work < WORK_BETWEEN_LOOKS)
        return true;
    q->work = 0;
    return explore_in_time(q->x);
}

static bool start(event_search *q, size_t depth)
{
    if (!within_limits(q))
        return false;
    if (!event_state_copy(q, &q->then, &q->to)) {
        q->failed = true;
        return false;
    }
    zone_copy(&q->then.zone, &q->stack[depth]);
    return event_starts(q, &q->then) && event_add(q, &q->then);
}

/* The lowest offset above `from` of room that comes back by this variable; INT64_MAX: none. */
static int64_t next_room(const event_state *s, uint32_t var, int64_t from)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < s->rooms.count; i++)
        if (s->rooms.at[i].at.var == var && s->rooms.at[i].at.off > from)
            next = earlier(next, s->rooms.at[i].at.off);
    return next;
}

/* What room has come back, variable by variable: all up to some offset before now, perhaps one offset now. */
static bool settle_rooms(event_search *q, uint32_t var, size_t depth)
{
    const event_zone *z = &q->stack[depth];
    event_zone *next = &q->stack[depth + 1];
    while (var < z->n && next_room(&q->to, var, INT64_MIN) == INT64_MAX)
        var++;
    if (var == z->n)
        return start(q, depth);
    if (q->happens[var] != INT64_MIN) {
        q->back_before[var] = q->happens[var];
        bool ok = settle_rooms(q, var + 1, depth);
        q->back_before[var] = INT64_MIN;
        return ok;
    }
    bool ok = true;
    for (int64_t before = INT64_MIN, off; ok; before = off) {
        off = next_room(&q->to, var, before);
        event_time last = {var, before}, first = {var, off};
        q->back_before[var] = off == INT64_MAX ? INT64_MAX : off;
        zone_copy(next, z);
        if ((before == INT64_MIN || zone_limit(next, last, q->now, -1)) &&
            (off == INT64_MAX || zone_limit(next, q->now, first, -1)))
            ok = settle_rooms(q, var + 1, depth + 1);
        if (off == INT64_MAX)
            break;
        zone_copy(next, z);
        if (ok && zone_limit(next, first, q->now, 0) && zone_limit(next, q->now, first, 0)) {
            q->happens[var] = off;
            ok = settle_rooms(q, var + 1, depth + 1);
            q->happens[var] = INT64_MIN;
        }
    }
    q->back_before[var] = INT64_MIN;
    return ok;
}

static bool settle_queues(event_search *q, size_t depth)
{
    if (!event_state_copy(q, &q->to, &q->from)) {
        q->failed = true;
        return false;
    }
    zone_copy(&q->to.zone, &q->stack[depth]);
    if (!event_queues(q, &q->to))
        return false;
    return event_waits(q, &q->to) && !event_waits(q, &q->from) ? settle_rooms(q, 0, depth) : start(q, depth);
}

/* Of two calls of one time, is this order settled? */
static bool in_order(const event_search *q, uint32_t a, uint32_t b)
{
    const explore_job *x = &q->x->jobs[a], *y = &q->x->jobs[b];
    int task = event_spec(q, a)->task;
    return (!x->loose && !y->loose) || (task != GCAST_ONCE && task == event_spec(q, b)->task && x->job == y->job);
}

/* Every order of the calls from `at` on that may be; they are by index. */
static bool settle_calls(event_search *q, size_t at, size_t depth)
{
    if (at >= q->due.count)
        return settle_queues(q, depth);
    if (!event_goes_on(q, q->due.count - at))
        return false;
    uint32_t *due = q->due.at;
    for (size_t i = at; i < q->due.count; i++) {
        bool may_be_next = true;
        for (size_t k = at; k < i && may_be_next; k++)
            may_be_next = !in_order(q, due[k], due[i]);
        if (!may_be_next)
            continue;
        uint32_t first = due[i];
        memmove(&due[at + 1], &due[at], (i - at) * sizeof *due);
        due[at] = first;
        if (!settle_calls(q, at + 1, depth))
            return false;
        memmove(&due[at], &due[at + 1], (i - at) * sizeof *due);
        due[i] = first;
    }
    return true;
}

bool event_happen(event_search *q, size_t depth)
{
    const explore *x = q->x;
    q->due.count = 0;
    for (uint32_t j = 0; j < x->job_count; j++) {
        if (event_called(&q->from, j) || !event_is_now(q, event_call_time(q, &q->from, j)))
            continue;
        size_t at = q->due.count;
        if (!vec_push(&q->due, j)) {
            q->failed = true;
            return false;
        }
        for (; at > 0 && x->jobs[q->due.at[at - 1]].index > x->jobs[j].index; at--)
            q->due.at[at] = q->due.at[at - 1];
        q->due.at[at] = j;
    }
    return settle_calls(q, 0, depth);
}
