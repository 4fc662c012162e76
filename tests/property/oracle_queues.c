/* Phase 3 of docs/model.md: streams, the NULL stream, connections, and the order
 * in which operations enter their engines' queues. */
#include "model/workload/workload.h"
#include "property/oracle_state.h"

/* Has x departed? Operations that depart at one time do so in the order in which they were complete: those with a
 * completion number below o->departed_below have. */
static bool has_left_its_queue(const oracle_state *o, const oracle_op *x)
{
    x = oracle_last_node(o, x);
    int64_t leaves = x->run.end_ns + o->gpu->stream_gap_ns;
    return oracle_complete(x) && (leaves < o->now || (leaves == o->now && x->completion < o->departed_below));
}

static bool is_head_of_stream(const oracle_state *o, const oracle_op *x)
{
    if (x->run.arrive_ns < 0 || x->run.arrive_ns > o->now)
        return false;
    int left = 0;
    x = oracle_first(o, x);
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        left += oracle_before(y, x) && y->op->stream == x->op->stream && oracle_first(o, y) == y &&
                !has_left_its_queue(o, y);
    return left == 0 || oracle_overlaps(o, x, left);
}

static bool is_head_of_connection(const oracle_state *o, const oracle_op *x)
{
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (oracle_before(y, x) && y->connection == x->connection)
            return false;
    return true;
}

/* N1 and N2. */
static bool null_stream_allows(const oracle_state *o, const oracle_op *x)
{
    const gcast_stream *stream = &o->w->streams[x->op->stream];
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++) {
        if (!oracle_before(y, x) || has_left_its_queue(o, y))
            continue;
        const gcast_stream *other = &o->w->streams[y->op->stream];
        if (stream->id == 0 && other->id != 0 && other->blocking)
            return false;
        if (stream->id != 0 && stream->blocking && other->id == 0)
            return false;
    }
    return true;
}

/* Is x after y: of the same job, of another stream, and called later? */
static bool is_after(const oracle_state *o, const oracle_op *x, const oracle_op *y)
{
    if (!oracle_before(y, x) || y->run.job != x->run.job || y->op->stream == x->op->stream)
        return false;
    for (size_t k = 0; k < x->op->after_count; k++)
        if (&o->w->ops[x->op->after[k]] == y->op)
            return true;
    return false;
}

/* Are the events seen of all operations that x is after? Those of one time are seen in the order of completions. */
static bool events_are_seen(const oracle_state *o, const oracle_op *x)
{
    x = oracle_first(o, x);
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++) {
        const oracle_op *last = oracle_last_node(o, y);
        int64_t seen = last->run.end_ns + oracle_event_gap(o);
        if (is_after(o, x, y) &&
            !(oracle_complete(last) && (seen < o->now || (seen == o->now && last->completion < o->seen_below))))
            return false;
    }
    return true;
}

static bool may_enter(const oracle_state *o, const oracle_op *x)
{
    if (!gcast_kind_on_gpu(x->op->kind) || x->run.enter_ns >= 0 || x->turn_ns > o->now)
        return false;
    bool connected = x->connection >= 0;
    int64_t edges = oracle_edges_seen(o, x);
    return edges >= 0 && edges <= o->now && is_head_of_stream(o, x) && null_stream_allows(o, x) &&
           events_are_seen(o, x) && (!connected || is_head_of_connection(o, x));
}

int oracle_engine(const oracle_state *o, const gcast_op *op)
{
    if (op->kind == GCAST_KIND_KERNEL)
        return -1;
    if (op->kind == GCAST_KIND_MEMSET || op->direction == GCAST_D2D)
        return o->gpu->copy_engines > 2 ? 2 : 0;
    return op->direction == GCAST_D2H && o->gpu->copy_engines > 1 ? 1 : 0;
}

/* The operation on the GPU with this launch number; NULL: none. */
static oracle_op *launched(oracle_state *o, uint64_t launch)
{
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
        if (gcast_kind_on_gpu(x->op->kind) && oracle_called(x) && x->run.launch == launch)
            return x;
    return NULL;
}

/* The operation with this place in the order of completions that ended gap_ns ago, of those that the host called; NULL:
 * none.
 */
static oracle_op *ended_before(oracle_state *o, uint64_t completion, int64_t gap_ns)
{
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
        if (gcast_kind_on_gpu(x->op->kind) && oracle_complete(x) && x->completion == completion &&
            x->run.end_ns + gap_ns == o->now)
            return x;
    return NULL;
}

/* Adds x to those that enter now, if it may enter. */
static void try_enter(oracle_state *o, oracle_op *x)
{
    for (size_t i = 0; i < o->entering_count; i++)
        if (o->entering[i] == x)
            return;
    if (may_enter(o, x))
        o->entering[o->entering_count++] = x;
}

/* Does a kernel that arrived before wait in another connection of the half of x? */
static bool half_waits(const oracle_state *o, const oracle_op *x)
{
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (y->connection >= 0 && y->connection != x->connection && y->connection % 2 == x->connection % 2 &&
            y->run.arrive_ns < o->now)
            return true;
    return false;
}

/* The last turn that was given in the half of x; now, if that is over. */
static int64_t last_turn(const oracle_state *o, const oracle_op *x)
{
    int64_t last = o->now;
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (y->connection >= 0 && y->connection % 2 == x->connection % 2 && y->turn_ns > last)
            last = y->turn_ns;
    return last;
}

/* x waited for an operation that has just departed: it enters if it may, or gets a turn. */
static void release_waiter(oracle_state *o, oracle_op *x)
{
    if (o->gpu->turn_ns && x->connection >= 0 && may_enter(o, x) && x->turn_ns < 0 && half_waits(o, x))
        x->turn_ns = last_turn(o, x) + o->gpu->turn_ns;
    try_enter(o, x);
}

/* Had x arrived, and did it wait for y: in the same stream, or else by N1 and N2? */
static bool waited_for(const oracle_state *o, const oracle_op *x, const oracle_op *y, bool same_stream)
{
    const gcast_stream *stream = &o->w->streams[x->op->stream], *other = &o->w->streams[y->op->stream];
    if (x->run.arrive_ns >= o->now || (x->op->stream == y->op->stream) != same_stream)
        return false;
    return same_stream || (other->id == 0 && stream->blocking) || (stream->id == 0 && other->blocking);
}

/* The order in which operations that waited for y may enter: by launch, or as drawn where times scatter. */
static uint64_t order_of(const oracle_state *o, const oracle_op *x, const oracle_op *y)
{
    bool null_held = o->w->streams[y->op->stream].id == 0 && x->op->stream != y->op->stream;
    return o->options->scatter && null_held ? (uint64_t)oracle_turn(o, x) : x->run.launch;
}

/* y has just departed. The operations that waited for it may enter: the next one of its stream, then those by N1 and
 * N2. */
static void release_waiters(oracle_state *o, const oracle_op *y)
{
    for (int same_stream = 1; same_stream >= 0; same_stream--) {
        oracle_op *next, *last = NULL;
        do {
            next = NULL;
            for (uint64_t launch = y->run.launch + 1; launch < o->launches; launch++) {
                oracle_op *x = launched(o, launch);
                if (x && waited_for(o, x, y, same_stream) && (!last || order_of(o, x, y) > order_of(o, last, y)) &&
                    (!next || order_of(o, x, y) < order_of(o, next, y)))
                    next = x;
            }
            if (next)
                release_waiter(o, next);
            last = next;
        } while (next);
    }
}

/* Is the launch of x after y, or after another node of the launch of y? */
static bool launch_is_after(const oracle_state *o, const oracle_op *x, const oracle_op *y)
{
    for (const oracle_op *z = o->ops; z < o->ops + o->count; z++)
        if (oracle_first(o, z) == oracle_first(o, y) && is_after(o, oracle_first(o, x), z))
            return true;
    return false;
}

/* The event of y has just been seen. What is after it may enter. */
static void release_after(oracle_state *o, const oracle_op *y)
{
    for (uint64_t launch = y->run.launch + 1; launch < o->launches; launch++) {
        oracle_op *x = launched(o, launch);
        if (x && launch_is_after(o, x, y) && x->run.arrive_ns < o->now)
            release_waiter(o, x);
    }
}

void oracle_enter(oracle_state *o, oracle_op *x)
{
    int connection = x->connection;
    x->run.enter_ns = o->now;
    x->run.entry = o->entries;
    o->by_entry[o->entries++] = x;
    x->in_queue = oracle_is_kernel(x);
    x->queue_number = o->queue_entries++;
    x->run.engine = oracle_engine(o, x->op);
    x->connection = -1;
    for (oracle_op *y = o->ops; connection >= 0 && y < o->ops + o->count; y++)
        if (y->connection == connection)
            try_enter(o, y);
}

void oracle_queues(oracle_state *o)
{
    o->entering_count = 0;
    o->triggers_seen = false;
    for (int half = 0; half < 2; half++)
        for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
            if (x->turn_ns == o->now && x->connection % 2 == half)
                try_enter(o, x);
    o->seen_below = 0;
    for (uint64_t completion = 0; completion < o->completions; completion++) {
        const oracle_op *y = ended_before(o, completion, o->gpu->stream_gap_ns);
        o->departed_below = completion + 1;
        if (y && oracle_last_node(o, y) == y)
            release_waiters(o, y);
    }
    o->departed_below = UINT64_MAX;
    for (uint64_t completion = 0; completion < o->completions; completion++) {
        const oracle_op *y = ended_before(o, completion, oracle_event_gap(o));
        o->seen_below = completion + 1;
        if (y && oracle_last_node(o, y) == y)
            release_after(o, y);
    }
    o->seen_below = UINT64_MAX;
    o->triggers_seen = true;
    for (uint64_t launch = 0; launch < o->launches; launch++) {
        oracle_op *x = launched(o, launch), *y = x ? oracle_primary(o, x) : NULL;
        if (y && oracle_is_kernel(y) && oracle_trigger_seen(o, y) == o->now && x->run.arrive_ns < o->now)
            release_waiter(o, x);
    }
    for (uint64_t launch = 0; launch < o->launches; launch++) {
        oracle_op *x = launched(o, launch);
        if (x && oracle_has_edges(x) && oracle_edges_seen(o, x) == o->now)
            release_waiter(o, x);
    }
    for (uint64_t launch = 0; launch < o->launches; launch++) {
        oracle_op *x = launched(o, launch);
        if (!x || x->run.arrive_ns != o->now)
            continue;
        try_enter(o, x);
    }
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
        if (x->run.head_ns < 0 && is_head_of_stream(o, x))
            x->run.head_ns = o->now;
    for (size_t i = 0; i < o->entering_count; i++)
        oracle_enter(o, o->entering[i]);
}
