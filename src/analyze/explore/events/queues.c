/* Calls, arrivals and entries of one instant: G1, G2, N1, N2, connections and channels, as docs/model.md says. */
#include "analyze/explore/events/queues.h"

#include "base/minmax.h"
#include "simulate/rules/connection_choice.h"
#include "simulate/rules/null_stream.h"

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

/* Must b, which was called later, wait until a has left its stream or connection? */
static bool holds(const event_search *q, const event_op *a, const event_op *b)
{
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

/* The operation enters at this instant, after those that are ready already. */
static void add_ready(event_search *q, const event_op *op)
{
    for (size_t i = 0; i < q->ready.count; i++)
        if (q->ready.at[i] == op->job)
            return;
    if (!vec_push(&q->ready, op->job))
        q->out_of_memory = true;
}

/* An operation has just arrived, or is now the first of its connection: it enters if nothing holds it. */
static void try_to_enter(event_search *q, const event_state *s, const event_op *op)
{
    if (may_enter(q, s, op))
        add_ready(q, op);
}

/* When a kernel has its turn; never: it need not wait for one. The turns of one half of the connections are given one
 * after the other, and so all of them are at one variable. */
static zone_time turn_of(const event_search *q, const event_state *s, const event_op *op)
{
    zone_time last = q->now;
    bool has_rival = false, has_turn = false;
    for (const event_op *y = s->ops.at; q->problem->max_turn_wait_ns && y < s->ops.at + s->ops.count; y++) {
        bool waits = y->phase == EVENT_ARRIVED || y->phase == EVENT_AWAITS_TURN;
        if (!waits || !event_is_kernel(q, y->job) || !connections_take_turns(y->line, op->line))
            continue;
        has_rival = true;
        if (y->phase == EVENT_AWAITS_TURN && !zone_is_never(y->next_event) &&
            (!has_turn || y->next_event.offset > last.offset)) {
            last = y->next_event;
            has_turn = true;
        }
    }
    return has_rival ? zone_after(last, q->problem->gpu->turn_ns) : ZONE_NEVER;
}

/* An operation that waited may have been held only by one that has just left: if so, it enters, or waits for its
 * turn. */
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
        if (stream_of(q, s->ops.at[i].job) == stream) {
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

/* The operation at `place` leaves its stream: tries those that may have waited for it. */
static void leave(event_search *q, event_state *s, size_t place)
{
    uint32_t job = s->ops.at[place].job;
    for (size_t i = place + 1; i < s->ops.count; i++)
        s->ops.at[i - 1] = s->ops.at[i];
    s->ops.count--;
    try_stream(q, s, stream_of(q, job));
    if (is_null(q, job)) {
        for (size_t i = 0; i < s->ops.count; i++)
            if (is_blocking(q, s->ops.at[i].job))
                try_after_departure(q, s, &s->ops.at[i]);
    } else if (is_blocking(q, job)) {
        try_stream(q, s, q->null_stream);
    }
}

/* All operations that leave now were complete at one time; they leave in the order in which they entered. */
bool event_do_departures(event_search *q, event_state *s)
{
    for (;;) {
        size_t first = s->ops.count;
        for (size_t i = 0; i < s->ops.count; i++) {
            const event_op *op = &s->ops.at[i];
            if (op->phase == EVENT_COMPLETE && event_is_now(q, op->next_event) &&
                (first == s->ops.count || op->entry_number < s->ops.at[first].entry_number))
                first = i;
        }
        if (first == s->ops.count)
            return !q->out_of_memory;
        leave(q, s, first);
    }
}

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

/* The stream joins the line `joined`, after all joins so far. */
static void join_line(event_line *lines, size_t count, int joined, int stream)
{
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = max_u32(last, lines[i].join_number);
    lines[joined] = (event_line){last + 1, stream};
}

/* A kernel that is called joins a connection; -1: connections decide nothing. */
static int join_connection(event_search *q, event_state *s, int stream)
{
    int c = s->stream_lines[3 * stream];
    if (!q->connection_count)
        return -1;
    if (stream == q->null_stream)
        c = 0;
    else if (c < 0 || s->lines[c].stream != stream)
        c = choose_connection(q, s);
    join_line(s->lines, (size_t)q->connection_count, c, stream);
    s->stream_lines[3 * stream] = c;
    s->last_connection = (uint32_t)c;
    return c;
}

/* A copy that is called joins a channel of its engine; -1: channels decide nothing. */
static int join_channel(event_search *q, event_state *s, int stream, int engine)
{
    event_line *lines = s->lines + q->connection_count + engine * q->channel_count;
    int32_t *channel = &s->stream_lines[3 * stream + 1 + engine];
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

static bool call(event_search *q, event_state *s, uint32_t job)
{
    int stream = stream_of(q, job);
    event_op op = {.job = job, .phase = EVENT_CALLED, .call = event_call_time(q, s, job)};
    op.line = event_is_kernel(q, job) ? join_connection(q, s, stream) : join_channel(q, s, stream, q->engine[job] - 1);
    op.next_event = zone_after(op.call, q->problem->jobs[job].latency_ns);
    s->called[job / 64] |= UINT64_C(1) << (job % 64);
    return vec_push(&s->ops, op);
}

/* A group is forgotten when all its ops have been called. */
static void drop_late_groups(event_search *q, event_state *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->late_groups.count; i++) {
        bool has_left = false;
        for (uint32_t j = 0; j <= q->group_last[s->late_groups.at[i].group] && !has_left; j++)
            has_left = q->group[j] == s->late_groups.at[i].group && !event_is_called(s, j);
        if (has_left)
            s->late_groups.at[kept++] = s->late_groups.at[i];
    }
    s->late_groups.count = kept;
}

bool event_do_calls(event_search *q, event_state *s)
{
    for (size_t i = 0; i < q->due.count; i++)
        if (!call(q, s, q->due.at[i]))
            return event_no_memory(q);
    if (q->due.count)
        drop_late_groups(q, s);
    return true;
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

/* A kernel leaves its connection when it enters: the next kernel of the connection may enter, too. */
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
