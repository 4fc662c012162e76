/* Rules G1, G2, N1 and N2, events, connections and channels of docs/model.md, at one instant. */
#include "analyze/explore/events/queues.h"

#include "analyze/explore/events/event_state.h"
#include "base/integers.h"
#include "simulate/queue_rules.h"

/* The next functions choose the connection or channel that an operation joins when it is called. */

static bool is_empty(const event_search *q, const event_state *s, int connection)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (event_is_kernel(q, s->ops.at[i].job) && s->ops.at[i].line == connection)
            return false;
    return true;
}

static int choose_connection(const event_search *q, const event_state *s)
{
    connection_choice choice = CONNECTION_CHOICE_NONE;
    for (int c = 0; c < q->connection_count; c++)
        connection_offer(&choice, c, s->lines[c].join_number, is_empty(q, s, c));
    return connection_chosen(&choice, (int)s->last_connection);
}

/* Lets the stream join line `joined`, as the last join so far. */
static void join_line(event_line *lines, size_t count, int joined, int stream)
{
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = max_u32(last, lines[i].join_number);
    lines[joined] = (event_line){last + 1, stream};
}

/* Lets a called kernel join a connection; -1: connections decide nothing. */
static int join_connection(event_search *q, event_state *s, int stream)
{
    int c = s->stream_lines[EVENT_LINES * stream];
    if (!q->connection_count)
        return -1;
    if (stream == q->null_stream)
        c = 0;
    else if (c < 0 || s->lines[c].stream != stream)
        c = choose_connection(q, s);
    join_line(s->lines, (size_t)q->connection_count, c, stream);
    s->stream_lines[EVENT_LINES * stream] = c;
    s->last_connection = (uint32_t)c;
    return c;
}

/* Lets a called copy join a channel of its engine; -1: channels decide nothing. */
static int join_channel(event_search *q, event_state *s, int stream, int engine)
{
    event_line *lines = s->lines + q->connection_count + engine * q->channel_count;
    int32_t *channel = &s->stream_lines[EVENT_LINES * stream + 1 + engine];
    if (!q->channel_count)
        return -1;
    if (*channel < 0 || lines[*channel].stream != stream) {
        least_recent best = LEAST_RECENT_NONE;
        for (int c = 0; c < q->channel_count; c++)
            least_recent_offer(&best, c, lines[c].join_number);
        *channel = best.index;
    }
    join_line(lines, (size_t)q->channel_count, *channel, stream);
    return *channel;
}

static int stream_of(const event_search *q, uint32_t job)
{
    return event_op_of(q, job)->stream;
}

static bool is_null(const event_search *q, uint32_t job)
{
    return stream_of(q, job) == q->null_stream;
}

static bool is_blocking(const event_search *q, uint32_t job)
{
    return stream_is_blocking(q->problem->w, q->null_stream, stream_of(q, job));
}

/* Does job b depend on job a, which is in another stream? */
static bool is_after(const event_search *q, uint32_t b, uint32_t a)
{
    const explore_job *j = &q->problem->jobs[b];
    for (uint32_t i = 0; i < j->after_count; i++)
        if (j->after[i] == a)
            return true;
    return false;
}

/* Must b, which was called later, wait until a has left its stream or connection, or until a's event is seen? */
static bool holds(const event_search *q, const event_op *a, const event_op *b)
{
    if (a->phase != EVENT_SEEN && is_after(q, b->job, a->job))
        return true;
    if (a->phase == EVENT_LEFT)
        return false;
    if (stream_of(q, a->job) == stream_of(q, b->job))
        return true;
    if ((is_null(q, b->job) && is_blocking(q, a->job)) || (is_null(q, a->job) && is_blocking(q, b->job)))
        return true;
    return event_is_kernel(q, a->job) && event_is_kernel(q, b->job) && a->phase < EVENT_ENTERED && b->line >= 0 &&
           a->line == b->line;
}

static bool may_enter(const event_search *q, const event_state *s, const event_op *op)
{
    if (op->phase != EVENT_ARRIVED)
        return false;
    for (const event_op *before = s->ops.at; before < op; before++)
        if (holds(q, before, op))
            return false;
    return true;
}

/* Lets the operation enter at this instant, after those in q->ready. */
static void add_ready(event_search *q, const event_op *op)
{
    for (size_t i = 0; i < q->ready.count; i++)
        if (q->ready.at[i] == op->job)
            return;
    if (!vec_push(&q->ready, op->job))
        q->out_of_memory = true;
}

/* Lets an operation that has just arrived, or is now first in its connection, enter if nothing holds it. */
static void try_to_enter(event_search *q, const event_state *s, const event_op *op)
{
    if (may_enter(q, s, op))
        add_ready(q, op);
}

/* When a kernel has its turn; never: it need not wait for one. The turns of one half of the connections follow each
 * other, so all of them use one variable. */
static zone_time turn_of(const event_search *q, const event_state *s, const event_op *op)
{
    zone_time last = q->now;
    bool has_rival = false, has_turn = false;
    for (const event_op *rival = s->ops.at; q->problem->max_turn_wait_ns && rival < s->ops.at + s->ops.count; rival++) {
        bool waits = rival->phase == EVENT_ARRIVED || rival->phase == EVENT_AWAITS_TURN;
        if (!waits || !event_is_kernel(q, rival->job) || !connections_take_turns(rival->line, op->line))
            continue;
        has_rival = true;
        if (rival->phase == EVENT_AWAITS_TURN && !zone_is_never(rival->next_event) &&
            (!has_turn || rival->next_event.offset > last.offset)) {
            last = rival->next_event;
            has_turn = true;
        }
    }
    return has_rival ? zone_after(last, q->problem->gpu->turn_ns) : ZONE_NEVER;
}

/* Lets an operation enter, or wait for its turn, if only an operation that has just left held it. */
static void try_after_departure(event_search *q, const event_state *s, event_op *op)
{
    if (!may_enter(q, s, op))
        return;
    zone_time turn = event_is_kernel(q, op->job) && op->line >= 0 ? turn_of(q, s, op) : ZONE_NEVER;
    if (zone_is_never(turn)) {
        add_ready(q, op);
    } else {
        op->phase = EVENT_AWAITS_TURN;
        op->next_event = turn;
    }
}

/* Tries the first operation of a stream. */
static void try_stream(event_search *q, event_state *s, int stream)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (stream_of(q, s->ops.at[i].job) == stream && s->ops.at[i].phase != EVENT_LEFT) {
            try_after_departure(q, s, &s->ops.at[i]);
            return;
        }
}

void event_do_turns(event_search *q, event_state *s)
{
    for (int half = 0; half < CONNECTION_HALVES; half++)
        for (event_op *op = s->ops.at; op < s->ops.at + s->ops.count; op++)
            if (op->phase == EVENT_AWAITS_TURN && connection_half(op->line) == half &&
                event_is_now(q, op->next_event)) {
                op->next_event = ZONE_NEVER;
                add_ready(q, op);
            }
}

/* Time from an operation's end to its next event: it leaves its stream, or its event is seen. */
static int64_t first_gap(const event_search *q, uint32_t job)
{
    const explore_problem *p = q->problem;
    return p->jobs[job].event == EXPLORE_NONE ? p->stream_gap_ns : min_i64(p->stream_gap_ns, p->event_gap_ns);
}

void event_set_complete(const event_search *q, event_op *op, zone_time end)
{
    op->phase = EVENT_COMPLETE;
    op->next_event = zone_after(end, first_gap(q, op->job));
}

static bool leaves_now(const event_search *q, const event_op *op)
{
    if (op->phase == EVENT_COMPLETE)
        return event_is_now(q, zone_after(op->next_event, q->problem->stream_gap_ns - first_gap(q, op->job)));
    return op->phase == EVENT_SEEN && event_is_now(q, op->next_event);
}

/* Is the operation's event seen now? Departures of this instant are done. */
static bool is_seen_now(const event_search *q, const event_op *op)
{
    bool has_event = q->problem->jobs[op->job].event != EXPLORE_NONE;
    return has_event && (op->phase == EVENT_COMPLETE || op->phase == EVENT_LEFT) && event_is_now(q, op->next_event);
}

static void remove_op(event_state *s, size_t place)
{
    for (size_t i = place + 1; i < s->ops.count; i++)
        s->ops.at[i - 1] = s->ops.at[i];
    s->ops.count--;
}

/* Lets the operation at `place` leave its stream, and tries those that may have waited for it. */
static void leave(event_search *q, event_state *s, size_t place)
{
    const explore_problem *p = q->problem;
    event_op *op = &s->ops.at[place];
    uint32_t job = op->job;
    if (op->phase == EVENT_COMPLETE && p->jobs[job].event != EXPLORE_NONE) {
        op->phase = EVENT_LEFT; /* its event is still to be seen */
        op->next_event = zone_after(op->next_event, p->event_gap_ns - first_gap(q, job));
    } else {
        remove_op(s, place);
    }
    try_stream(q, s, stream_of(q, job));
    if (is_null(q, job)) {
        for (size_t i = 0; i < s->ops.count; i++)
            if (is_blocking(q, s->ops.at[i].job))
                try_after_departure(q, s, &s->ops.at[i]);
    } else if (is_blocking(q, job)) {
        try_stream(q, s, q->null_stream);
    }
}

/* All operations that leave now became complete at one time; they leave in the order of their entries. */
bool event_do_departures(event_search *q, event_state *s)
{
    for (;;) {
        size_t first = s->ops.count;
        for (size_t i = 0; i < s->ops.count; i++) {
            const event_op *op = &s->ops.at[i];
            if (leaves_now(q, op) && (first == s->ops.count || op->entry_number < s->ops.at[first].entry_number))
                first = i;
        }
        if (first == s->ops.count)
            return !q->out_of_memory;
        leave(q, s, first);
    }
}

/* Lets the event of the operation at `place` be seen, and tries those that may have waited for it. */
static void see_event(event_search *q, event_state *s, size_t place)
{
    const explore_problem *p = q->problem;
    event_op *op = &s->ops.at[place];
    uint32_t job = op->job;
    if (op->phase == EVENT_LEFT) {
        remove_op(s, place);
    } else {
        op->phase = EVENT_SEEN;
        op->next_event = zone_after(op->next_event, p->stream_gap_ns - first_gap(q, job));
        place++;
    }
    for (size_t i = place; i < s->ops.count; i++)
        if (is_after(q, s->ops.at[i].job, job))
            try_after_departure(q, s, &s->ops.at[i]);
}

/* All operations whose events are seen now became complete at one time; they count in the order of their entries. */
bool event_do_events(event_search *q, event_state *s)
{
    for (;;) {
        size_t first = s->ops.count;
        for (size_t i = 0; i < s->ops.count; i++) {
            const event_op *op = &s->ops.at[i];
            if (is_seen_now(q, op) && (first == s->ops.count || op->entry_number < s->ops.at[first].entry_number))
                first = i;
        }
        if (first == s->ops.count)
            return !q->out_of_memory;
        see_event(q, s, first);
    }
}

event_op *event_next_copy(event_search *q, event_state *s, int engine)
{
    event_op *best = NULL;
    int channels = q->channel_count ? q->channel_count : 1, best_turn = 0;
    for (size_t i = 0; i < s->ops.count; i++) {
        event_op *op = &s->ops.at[i];
        if (q->engine[op->job] != engine + 1 || op->phase != EVENT_ENTERED)
            continue;
        int turn = channel_steps((int)s->engines[engine].channel, op->line < 0 ? 0 : op->line, channels);
        if (!best || turn < best_turn || (turn == best_turn && op->entry_number < best->entry_number)) {
            best = op;
            best_turn = turn;
        }
    }
    return best;
}

/* Sets when an operation arrives: at a new variable if its latency is a range. False: with a refusal. */
static bool set_arrival(event_search *q, event_state *s, event_op *op, bool at_once)
{
    const explore_job *j = &q->problem->jobs[op->job];
    op->next_event = zone_after(op->call, at_once ? 0 : j->latency_ns);
    if (at_once || j->latency_ns == j->max_latency_ns)
        return true;
    uint32_t v = zone_add(&s->zone, op->call, max_i64(j->latency_ns, 1), j->max_latency_ns);
    if (v == ZONE_NO_VARIABLE)
        return explore_refuse(q->problem, "the order of too many events is open at once");
    op->next_event = (zone_time){v, 0};
    return true;
}

static bool call(event_search *q, event_state *s, uint32_t job, bool arrives_at_once)
{
    event_op op = {.job = job, .phase = EVENT_CALLED, .call = event_call_time(q, s, job)};
    op.line = event_is_kernel(q, job) ? join_connection(q, s, stream_of(q, job))
                                      : join_channel(q, s, stream_of(q, job), q->engine[job] - 1);
    s->called[job / 64] |= UINT64_C(1) << (job % 64);
    if (!set_arrival(q, s, &op, arrives_at_once))
        return false;
    return vec_push(&s->ops, op) || event_no_memory(q);
}

bool event_do_calls(event_search *q, event_state *s)
{
    for (size_t i = 0; i < q->due.count; i++)
        if (!call(q, s, q->due.at[i], q->arrive_at_once.at[i]))
            return false;
    return !q->due.count || event_drop_late_groups(q, s);
}

bool event_do_arrivals(event_search *q, event_state *s)
{
    for (size_t i = 0; i < s->ops.count; i++) {
        event_op *op = &s->ops.at[i];
        if (op->phase != EVENT_CALLED || !event_is_now(q, op->next_event))
            continue;
        op->phase = EVENT_ARRIVED;
        op->next_event = ZONE_NEVER;
        try_to_enter(q, s, op);
    }
    return !q->out_of_memory;
}

/* A kernel that enters leaves its connection, so the next kernel of the connection may enter, too. */
static void leave_connection(event_search *q, event_state *s, event_op *op)
{
    int32_t line = op->line;
    op->line = -1;
    for (size_t i = 0; line >= 0 && i < s->ops.count; i++)
        if (event_is_kernel(q, s->ops.at[i].job) && s->ops.at[i].line == line) {
            try_to_enter(q, s, &s->ops.at[i]);
            return;
        }
}

bool event_do_entries(event_search *q, event_state *s)
{
    for (size_t i = 0; i < q->ready.count && !q->out_of_memory; i++) {
        event_op *op = event_find_op(s, q->ready.at[i]);
        op->phase = EVENT_ENTERED;
        op->entry_number = s->next_entry_number++;
        if (event_is_kernel(q, op->job))
            leave_connection(q, s, op);
    }
    q->ready.count = 0;
    return !q->out_of_memory;
}
