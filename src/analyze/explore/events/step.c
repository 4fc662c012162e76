/* One instant: ends, calls, queues, starts, in the order of docs/model.md. */
#include "analyze/explore/events/events.h"

/* Room that comes back now, or has come back while nobody waited for it. */
static bool give_room(event_search *q, event_state *s)
{
    size_t kept = 0;
    q->back.count = 0;
    for (size_t i = 0; i < s->rooms.count; i++) {
        event_room *r = &s->rooms.at[i];
        bool now = event_is_now(q, r->at);
        if (!now && r->at.off >= q->back_before[r->at.var]) {
            s->rooms.at[kept++] = *r;
            continue;
        }
        sm_release_one(&s->sms[r->rank], &q->demands[q->x->jobs[r->job].op], r->quarter);
        if (now && !vec_push(&q->back, *r)) {
            q->failed = true;
            return false;
        }
    }
    s->rooms.count = kept;
    return true;
}

static bool ends_left(const event_state *s, uint32_t job)
{
    for (size_t i = 0; i < s->ends.count; i++)
        if (s->ends.at[i].job == job)
            return true;
    return false;
}

/* What is known of a response that has come to its end. */
static void respond(event_search *q, const event_state *s, const event_op *op, event_time end)
{
    explore *x = q->x;
    uint32_t n = x->jobs[op->job].op;
    x->worst[n] = later(x->worst[n], zone_most(&s->zone, end, op->call));
    x->best[n] = earlier(x->best[n], -zone_most(&s->zone, op->call, end));
    x->ends[op->job] = later(x->ends[op->job], zone_most(&s->zone, end, (event_time){0, 0}));
}

static void complete(event_search *q, event_state *s, event_op *op, event_time end)
{
    const explore *x = q->x;
    respond(q, s, op, end);
    op->phase = EVENT_COMPLETE;
    op->next = event_after(end, x->gap);
    if (event_kernel(q, op->job))
        return;
    event_engine *e = &s->engines[q->engine[op->job] - 1];
    e->job = EXPLORE_NONE;
    e->gap = x->copy_gap ? event_after(end, x->copy_gap) : EVENT_NO_TIME;
}

static void end_all(event_search *q, event_state *s)
{
    for (size_t i = 0; i < s->ends.count;) {
        event_end end = s->ends.at[i];
        if (!event_is_now(q, end.at)) {
            i++;
            continue;
        }
        s->ends.at[i] = s->ends.at[--s->ends.count];
        event_op *op = event_find(s, end.job);
        if (op->phase == EVENT_RUNNING && !ends_left(s, end.job))
            complete(q, s, op, end.at);
    }
    if (event_is_now(q, s->switching))
        s->switching = EVENT_NO_TIME;
    for (int e = 0; e < 2; e++)
        if (event_is_now(q, s->engines[e].gap))
            s->engines[e].gap = EVENT_NO_TIME;
}

bool event_queues(event_search *q, event_state *s)
{
    q->ready.count = 0;
    end_all(q, s);
    event_turns(q, s);
    return event_departures(q, s) && event_calls(q, s) && event_arrivals(q, s) && event_entries(q, s);
}

bool event_starts(event_search *q, event_state *s)
{
    if (!give_room(q, s) || !event_start_copies(q, s) || !event_start_blocks(q, s))
        return false;
    event_forget(q, s);
    return true;
}
