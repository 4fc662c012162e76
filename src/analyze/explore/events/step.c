/* One instant: ends, calls, queues, starts, in the order of docs/model.md. */
#include "analyze/explore/events/step.h"

#include "analyze/explore/events/queues.h"
#include "analyze/explore/events/start.h"
#include "analyze/explore/events/states/forget.h"
#include "analyze/explore/problem/results.h"

/* Gives back resources that are freed now, or were freed while no kernel waited. False without memory. */
static bool give_back_freed(event_search *q, event_state *s)
{
    size_t kept = 0;
    q->freed.count = 0;
    for (size_t i = 0; i < s->residents.count; i++) {
        event_resident *r = &s->residents.at[i];
        bool is_now = event_is_now(q, r->freed);
        if (!is_now && r->freed.offset >= q->freed_before[r->freed.var]) {
            s->residents.at[kept++] = *r;
            continue;
        }
        sm_release_one(&s->sms[r->rank], &q->demands[q->problem->jobs[r->job].op], r->quarter);
        if (is_now && !vec_push(&q->freed, *r))
            return event_no_memory(q);
    }
    s->residents.count = kept;
    return true;
}

static bool has_ends_left(const event_state *s, uint32_t job)
{
    for (size_t i = 0; i < s->ends.count; i++)
        if (s->ends.at[i].job == job)
            return true;
    return false;
}

static void complete(event_search *q, event_state *s, event_op *op, zone_time end)
{
    explore_problem *p = q->problem;
    const zone *z = &s->zone;
    explore_add_result(p, op->job, -zone_max_after(z, op->call, end), zone_max_after(z, end, op->call),
                       zone_max_after(z, end, ZONE_TIME_0));
    event_set_complete(q, op, end);
    if (event_is_kernel(q, op->job))
        return;
    event_engine *e = &s->engines[q->engine[op->job] - 1];
    e->job = EXPLORE_NONE;
    e->gap_end = p->copy_gap_ns ? zone_after(end, p->copy_gap_ns) : ZONE_NEVER;
}

/* Blocks and copies end, then the switch of the EE and the gaps of copy engines. */
static void do_ends(event_search *q, event_state *s)
{
    for (size_t i = 0; i < s->ends.count;) {
        event_end end = s->ends.at[i];
        if (!event_is_now(q, end.time)) {
            i++;
            continue;
        }
        s->ends.at[i] = s->ends.at[--s->ends.count];
        event_op *op = event_find_op(s, end.job);
        if (op->phase == EVENT_FULLY_DISPATCHED && !has_ends_left(s, end.job))
            complete(q, s, op, end.time);
    }
    if (event_is_now(q, s->switch_end))
        s->switch_end = ZONE_NEVER;
    for (int e = 0; e < COPY_ENGINES; e++)
        if (event_is_now(q, s->engines[e].gap_end))
            s->engines[e].gap_end = ZONE_NEVER;
}

bool event_do_queues(event_search *q, event_state *s)
{
    q->ready.count = 0;
    do_ends(q, s);
    event_do_turns(q, s);
    return event_do_departures(q, s) && event_do_events(q, s) && event_do_calls(q, s) && event_do_arrivals(q, s) &&
           event_do_entries(q, s);
}

bool event_do_starts(event_search *q, event_state *s)
{
    if (!give_back_freed(q, s) || !event_start_copies(q, s) || !event_start_blocks(q, s))
        return false;
    event_forget(q, s);
    return true;
}
