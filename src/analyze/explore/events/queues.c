/* Calls, arrivals and entries of one instant: G1, G2, N1, N2, connections and channels, as docs/model.md says. */
#include "analyze/explore/events/events.h"
#include "simulate/rules/connection_choice.h"
#include "simulate/rules/null_stream.h"

static int stream_of(const event_search *q, uint32_t job)
{
    return event_spec(q, job)->stream;
}

static bool is_null(const event_search *q, uint32_t job)
{
    return stream_of(q, job) == q->null_stream;
}

static bool is_blocking(const event_search *q, uint32_t job)
{
    return stream_is_blocking(q->x->w, q->null_stream, stream_of(q, job));
}

/* Is a in front of b, which was called later? */
static bool holds(const event_search *q, const event_op *a, const event_op *b)
{
    if (stream_of(q, a->job) == stream_of(q, b->job))
        return true;
    if ((is_null(q, b->job) && is_blocking(q, a->job)) || (is_null(q, a->job) && is_blocking(q, b->job)))
        return true;
    return event_kernel(q, a->job) && event_kernel(q, b->job) && a->phase < EVENT_QUEUED && b->line >= 0 &&
           a->line == b->line;
}

static bool may_enter(const event_search *q, const event_state *s, const event_op *op)
{
    if (op->phase != EVENT_WAITING)
        return false;
    for (const event_op *before = s->ops.at; before < op; before++)
        if (holds(q, before, op))
            return false;
    return true;
}

static void get_ready(event_search *q, const event_op *op)
{
    for (size_t i = 0; i < q->ready.count; i++)
        if (q->ready.at[i] == op->job)
            return;
    if (!vec_push(&q->ready, op->job))
        q->failed = true;
}

/* It may enter, if nothing holds it, and does so after those found before. */
static void try(event_search *q, const event_state *s, const event_op *op)
{
    if (may_enter(q, s, op))
        get_ready(q, op);
}

/* Its turn, where it has to wait for one; else no time. All turns of a half that are given are one after the
 * other, and so of one variable. */
static event_time turn_of(const event_search *q, const event_state *s, const event_op *op)
{
    event_time last = q->now;
    bool others = false, turning = false;
    for (const event_op *y = s->ops.at; q->x->turn && y < s->ops.at + s->ops.count; y++) {
        bool waits = y->phase == EVENT_WAITING || y->phase == EVENT_TURNING;
        if (!waits || !event_kernel(q, y->job) || !connections_take_turns(y->line, op->line))
            continue;
        others = true;
        if (y->phase == EVENT_TURNING && y->next.var != EVENT_NEVER && (!turning || y->next.off > last.off)) {
            last = y->next;
            turning = true;
        }
    }
    return others ? event_after(last, q->x->gpu->turn_ns) : EVENT_NO_TIME;
}

/* The same of one that was there, and of which an operation that left may have been all it waited for. */
static void try_freed(event_search *q, const event_state *s, event_op *op)
{
    if (!may_enter(q, s, op))
        return;
    event_time turn = event_kernel(q, op->job) && op->line >= 0 ? turn_of(q, s, op) : EVENT_NO_TIME;
    if (turn.var == EVENT_NEVER) {
        get_ready(q, op);
    } else {
        op->phase = EVENT_TURNING;
        op->next = turn;
    }
}

static void try_stream(event_search *q, event_state *s, int stream)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (stream_of(q, s->ops.at[i].job) == stream) {
            try_freed(q, s, &s->ops.at[i]);
            return;
        }
}

void event_turns(event_search *q, event_state *s)
{
    for (int half = 0; half < CONNECTION_HALVES; half++)
        for (event_op *op = s->ops.at; op < s->ops.at + s->ops.count; op++)
            if (op->phase == EVENT_TURNING && connection_half(op->line) == half && event_is_now(q, op->next)) {
                op->next = EVENT_NO_TIME;
                get_ready(q, op);
            }
}

/* An operation leaves its stream; who waited for it? */
static void leave(event_search *q, event_state *s, size_t at)
{
    uint32_t job = s->ops.at[at].job;
    for (size_t i = at + 1; i < s->ops.count; i++)
        s->ops.at[i - 1] = s->ops.at[i];
    s->ops.count--;
    try_stream(q, s, stream_of(q, job));
    if (is_null(q, job)) {
        for (size_t i = 0; i < s->ops.count; i++)
            if (is_blocking(q, s->ops.at[i].job))
                try_freed(q, s, &s->ops.at[i]);
    } else if (is_blocking(q, job)) {
        try_stream(q, s, q->null_stream);
    }
}

/* All that leave now were complete at one time, so the first to enter is the first to leave. */
bool event_departures(event_search *q, event_state *s)
{
    for (;;) {
        size_t least = s->ops.count;
        for (size_t i = 0; i < s->ops.count; i++) {
            const event_op *op = &s->ops.at[i];
            if (op->phase == EVENT_COMPLETE && event_is_now(q, op->next) &&
                (least == s->ops.count || op->entry < s->ops.at[least].entry))
                least = i;
        }
        if (least == s->ops.count)
            return !q->failed;
        leave(q, s, least);
    }
}

static bool is_empty(const event_search *q, const event_state *s, int connection)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (event_kernel(q, s->ops.at[i].job) && s->ops.at[i].line == connection)
            return false;
    return true;
}

static int choose_connection(const event_search *q, const event_state *s)
{
    connection_choice choice = CONNECTION_CHOICE_NONE;
    for (int c = 0; c < q->connections; c++)
        connection_offer(&choice, c, s->lines[c].joined, is_empty(q, s, c));
    return connection_chosen(&choice, (int)s->last_connection);
}

static void joins(event_line *lines, size_t count, int at, int stream)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = lines[i].joined > most ? lines[i].joined : most;
    lines[at] = (event_line){most + 1, stream};
}

static int join_connection(event_search *q, event_state *s, int stream)
{
    int c = s->stream_line[3 * stream];
    if (!q->connections)
        return -1;
    if (stream == q->null_stream)
        c = 0;
    else if (c < 0 || s->lines[c].stream != stream)
        c = choose_connection(q, s);
    joins(s->lines, (size_t)q->connections, c, stream);
    s->stream_line[3 * stream] = c;
    s->last_connection = (uint32_t)c;
    return c;
}

static int join_channel(event_search *q, event_state *s, int stream, int engine)
{
    event_line *lines = s->lines + q->connections + engine * q->channels;
    int32_t *mine = &s->stream_line[3 * stream + 1 + engine];
    if (!q->channels)
        return -1;
    if (*mine < 0 || lines[*mine].stream != stream) {
        least_recent best = LEAST_RECENT_NONE;
        for (int c = 0; c < q->channels; c++)
            least_recent_offer(&best, c, lines[c].joined);
        *mine = best.index;
    }
    joins(lines, (size_t)q->channels, *mine, stream);
    return *mine;
}

event_op *event_next_copy(event_search *q, event_state *s, int engine)
{
    event_op *best = NULL;
    uint32_t channels = q->channels ? (uint32_t)q->channels : 1, best_turn = 0;
    for (size_t i = 0; i < s->ops.count; i++) {
        event_op *op = &s->ops.at[i];
        if (q->engine[op->job] != engine + 1 || op->phase != EVENT_QUEUED)
            continue;
        uint32_t channel = op->line < 0 ? 0 : (uint32_t)op->line;
        uint32_t turn = (channel + channels - s->engines[engine].channel) % channels;
        if (!best || turn < best_turn || (turn == best_turn && op->entry < best->entry)) {
            best = op;
            best_turn = turn;
        }
    }
    return best;
}

static bool call(event_search *q, event_state *s, uint32_t job)
{
    int stream = stream_of(q, job);
    event_op op = {.job = job, .phase = EVENT_COMING, .call = event_call_time(q, s, job)};
    op.line = event_kernel(q, job) ? join_connection(q, s, stream) : join_channel(q, s, stream, q->engine[job] - 1);
    op.next = event_after(op.call, q->x->jobs[job].latency);
    s->called[job / 64] |= UINT64_C(1) << (job % 64);
    return vec_push(&s->ops, op);
}

/* A group of which every op has been called is no longer late. */
static void drop_late(event_search *q, event_state *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->late.count; i++) {
        bool left = false;
        for (uint32_t j = 0; j <= q->group_last[s->late.at[i].group] && !left; j++)
            left = q->group[j] == s->late.at[i].group && !event_called(s, j);
        if (left)
            s->late.at[kept++] = s->late.at[i];
    }
    s->late.count = kept;
}

bool event_calls(event_search *q, event_state *s)
{
    for (size_t i = 0; i < q->due.count; i++)
        if (!call(q, s, q->due.at[i])) {
            q->failed = true;
            return false;
        }
    if (q->due.count)
        drop_late(q, s);
    return true;
}

bool event_arrivals(event_search *q, event_state *s)
{
    for (size_t i = 0; i < s->ops.count; i++) {
        event_op *op = &s->ops.at[i];
        if (op->phase != EVENT_COMING || !event_is_now(q, op->next))
            continue;
        op->phase = EVENT_WAITING;
        op->next = EVENT_NO_TIME;
        try(q, s, op);
    }
    return !q->failed;
}

/* A kernel leaves its connection as it enters: the next one there may follow. */
static void leave_connection(event_search *q, event_state *s, event_op *op)
{
    int32_t line = op->line;
    op->line = -1;
    for (size_t i = 0; line >= 0 && i < s->ops.count; i++)
        if (event_kernel(q, s->ops.at[i].job) && s->ops.at[i].line == line) {
            try(q, s, &s->ops.at[i]);
            return;
        }
}

bool event_entries(event_search *q, event_state *s)
{
    for (size_t i = 0; i < q->ready.count && !q->failed; i++) {
        event_op *op = event_find(s, q->ready.at[i]);
        op->phase = EVENT_QUEUED;
        op->entry = s->entries++;
        if (event_kernel(q, op->job))
            leave_connection(q, s, op);
    }
    q->ready.count = 0;
    return !q->failed;
}
