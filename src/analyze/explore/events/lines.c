/* Which connection a kernel, and which channel a copy, joins when it is called, as docs/model.md says. */
#include "analyze/explore/events/lines.h"

#include "base/minmax.h"
#include "simulate/rules/connection_choice.h"

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

/* A copy that is called joins a channel of its engine; -1: channels decide nothing. */
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

int event_join_line(event_search *q, event_state *s, uint32_t job)
{
    int stream = event_op_of(q, job)->stream;
    return event_is_kernel(q, job) ? join_connection(q, s, stream) : join_channel(q, s, stream, q->engine[job] - 1);
}
