/* Phase 3 of docs/model.md: streams, the NULL stream, connections, and the order
 * in which operations enter their engines' queues. */
#include "property/oracle_state.h"

/* Operations that leave at one time leave one after another: those with an entry number below o->left have. */
static bool has_left_its_queue(const oracle_state *o, const oracle_op *x)
{
    int64_t leaves = x->run.end_ns + o->gpu->stream_gap_ns;
    return oracle_complete(x) && (leaves < o->now || (leaves == o->now && x->run.entry < o->left));
}

static bool is_head_of_stream(const oracle_state *o, const oracle_op *x)
{
    if (x->run.arrive_ns < 0 || x->run.arrive_ns > o->now)
        return false;
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (oracle_before(y, x) && y->op->stream == x->op->stream && !has_left_its_queue(o, y))
            return false;
    return true;
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
    const gcast_stream *mine = &o->w->streams[x->op->stream];
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++) {
        if (!oracle_before(y, x) || has_left_its_queue(o, y))
            continue;
        const gcast_stream *its = &o->w->streams[y->op->stream];
        if (mine->id == 0 && its->id != 0 && its->blocking)
            return false;
        if (mine->id != 0 && mine->blocking && its->id == 0)
            return false;
    }
    return true;
}

static bool may_enter(const oracle_state *o, const oracle_op *x)
{
    if (!gcast_kind_on_gpu(x->op->kind) || x->run.enter_ns >= 0 || x->turn > o->now)
        return false;
    bool connected = oracle_is_kernel(x) && o->connections;
    return is_head_of_stream(o, x) && null_stream_allows(o, x) && (!connected || is_head_of_connection(o, x));
}

int oracle_engine(const oracle_state *o, const gcast_op *op)
{
    if (op->kind == GCAST_KIND_KERNEL)
        return -1;
    return op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H && o->gpu->copy_engines > 1 ? 1 : 0;
}

/* The operation on the GPU with this launch number; NULL: none. */
static oracle_op *launched(oracle_state *o, uint64_t launch)
{
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
        if (gcast_kind_on_gpu(x->op->kind) && oracle_called(x) && x->run.launch == launch)
            return x;
    return NULL;
}

static oracle_op *entered(oracle_state *o, uint64_t entry)
{
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
        if (x->run.enter_ns >= 0 && x->run.entry == entry)
            return x;
    return NULL;
}

/* x enters after those that are in line already, if it may. */
static void line_up(oracle_state *o, oracle_op *x)
{
    for (size_t i = 0; i < o->line_count; i++)
        if (o->line[i] == x)
            return;
    if (may_enter(o, x))
        o->line[o->line_count++] = x;
}

/* Does another connection of its half hold a kernel that was there before? */
static bool half_waits(const oracle_state *o, const oracle_op *x)
{
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (y->connection >= 0 && y->connection != x->connection && y->connection % 2 == x->connection % 2 &&
            y->run.arrive_ns < o->now)
            return true;
    return false;
}

/* The last turn in the half of x that is not over. */
static int64_t last_turn(const oracle_state *o, const oracle_op *x)
{
    int64_t last = o->now;
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (y->connection >= 0 && y->connection % 2 == x->connection % 2 && y->turn > last)
            last = y->turn;
    return last;
}

/* x waited for something that has just left. */
static void free_one(oracle_state *o, oracle_op *x)
{
    if (o->gpu->turn_ns && x->connection >= 0 && may_enter(o, x) && x->turn < 0 && half_waits(o, x))
        x->turn = last_turn(o, x) + o->gpu->turn_ns;
    line_up(o, x);
}

/* Did x, which was there, wait for y by its stream, or by N1 and N2? */
static bool waited_for(const oracle_state *o, const oracle_op *x, const oracle_op *y, bool same_stream)
{
    const gcast_stream *mine = &o->w->streams[x->op->stream], *its = &o->w->streams[y->op->stream];
    if (x->run.arrive_ns >= o->now || (x->op->stream == y->op->stream) != same_stream)
        return false;
    return same_stream || (its->id == 0 && mine->blocking) || (mine->id == 0 && its->blocking);
}

/* In which order those that waited for y are freed: by launch, or as drawn where times scatter. */
static uint64_t order_of(const oracle_state *o, const oracle_op *x, const oracle_op *y)
{
    bool null_held = o->w->streams[y->op->stream].id == 0 && x->op->stream != y->op->stream;
    return o->options->scatter && null_held ? (uint64_t)oracle_turn(o, x) : x->run.launch;
}

/* What was there and waited for y, which has just left its stream's queue: the next of its stream, then by N1 and N2.
 */
static void line_up_freed(oracle_state *o, const oracle_op *y)
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
                free_one(o, next);
            last = next;
        } while (next);
    }
}

static void enter(oracle_state *o, oracle_op *x)
{
    int connection = x->connection;
    x->run.enter_ns = o->now;
    x->run.entry = o->entries++;
    x->run.engine = oracle_engine(o, x->op);
    x->connection = -1;
    for (oracle_op *y = o->ops; connection >= 0 && y < o->ops + o->count; y++)
        if (y->connection == connection)
            line_up(o, y);
}

void oracle_queues(oracle_state *o)
{
    o->line_count = 0;
    for (int half = 0; half < 2; half++)
        for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
            if (x->turn == o->now && x->connection % 2 == half)
                line_up(o, x);
    for (uint64_t entry = 0; entry < o->entries; entry++) {
        const oracle_op *y = entered(o, entry);
        o->left = entry + 1;
        if (oracle_complete(y) && y->run.end_ns + o->gpu->stream_gap_ns == o->now)
            line_up_freed(o, y);
    }
    o->left = UINT64_MAX;
    for (uint64_t launch = 0; launch < o->launches; launch++) {
        oracle_op *x = launched(o, launch);
        if (!x || x->run.arrive_ns != o->now)
            continue;
        line_up(o, x);
    }
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
        if (x->run.head_ns < 0 && is_head_of_stream(o, x))
            x->run.head_ns = o->now;
    for (size_t i = 0; i < o->line_count; i++)
        enter(o, o->line[i]);
}
