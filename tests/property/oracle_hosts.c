/* "Hosts" of docs/model.md: who calls when, and when calls return. */
#include "model/workload/workload.h"
#include "property/oracle_state.h"

static const oracle_op *previous_of_host(const oracle_state *o, const oracle_op *x)
{
    const oracle_op *p = x;
    while (p-- > o->ops)
        if (p->op->host == x->op->host)
            return p;
    return NULL;
}

int64_t oracle_due(const oracle_state *o, const oracle_op *x)
{
    int64_t after = 0;
    if (x->op->host != GCAST_NO_HOST) {
        const oracle_op *previous = previous_of_host(o, x);
        if (previous && previous->run.return_ns < 0)
            return -1;
        after = (previous ? previous->run.return_ns : 0) + x->op->delay_ns;
    }
    return after > x->run.release_ns ? after : x->run.release_ns;
}

/* Is every operation that runs on the GPU and was called before x complete, on one stream or on all (-1)? */
static bool all_before_complete(const oracle_state *o, const oracle_op *x, int stream)
{
    for (size_t i = 0; i < o->count; i++) {
        const oracle_op *y = &o->ops[i];
        if (oracle_before(y, x) && (stream < 0 || y->op->stream == stream) && !oracle_complete(y))
            return false;
    }
    return true;
}

static bool barrier_is_open(const oracle_state *o, int barrier)
{
    for (size_t i = 0; i < o->count; i++) {
        const oracle_op *y = &o->ops[i];
        if (y->op->kind == GCAST_KIND_BARRIER && y->op->barrier == barrier && !oracle_called(y) && !y->run.skipped)
            return false;
    }
    return true;
}

static bool may_return(const oracle_state *o, const oracle_op *x)
{
    switch (x->op->kind) {
    case GCAST_KIND_SYNC:
        return all_before_complete(o, x, x->op->stream);
    case GCAST_KIND_FREE:
        return all_before_complete(o, x, -1);
    case GCAST_KIND_BARRIER:
        return barrier_is_open(o, x->op->barrier);
    case GCAST_KIND_MALLOC:
        return true;
    default:
        return !x->op->host_waits || oracle_complete(x);
    }
}

static void skip(oracle_state *o, oracle_op *x)
{
    x->run.release_ns = oracle_due(o, x);
    x->run.skipped = true;
    for (oracle_op *y = x + 1; x->op->host != GCAST_NO_HOST && y < o->ops + o->count; y++)
        if (y->op->host == x->op->host)
            y->run.skipped = true;
}

static void returned(oracle_state *o, oracle_op *x)
{
    x->run.return_ns = o->now;
    if (!gcast_kind_on_gpu(x->op->kind))
        x->run.end_ns = o->now;
}

/* Everything that returns or is skipped now, and what follows from that. */
static void settle(oracle_state *o)
{
    bool changed;
    do {
        changed = false;
        for (oracle_op *x = o->ops; x < o->ops + o->count; x++) {
            if (x->run.skipped || x->run.return_ns >= 0)
                continue;
            int64_t due = oracle_called(x) ? -1 : oracle_due(o, x);
            if (oracle_called(x) && may_return(o, x)) {
                returned(o, x);
                changed = true;
            } else if (due >= 0 && due <= o->now && (due >= x->op->skip_ns || oracle_first(o, x)->run.skipped)) {
                skip(o, x);
                changed = true;
            }
        }
    } while (changed);
}

static bool a_free_has_not_returned(const oracle_state *o)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->ops[i].op->kind == GCAST_KIND_FREE && oracle_called(&o->ops[i]) && o->ops[i].run.return_ns < 0)
            return true;
    return false;
}

static oracle_op *first_due(oracle_state *o)
{
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++) {
        int64_t due = x->run.skipped || oracle_called(x) ? -1 : oracle_due(o, x);
        if (due >= 0 && due <= o->now)
            return x;
    }
    return NULL;
}

static bool pause_before(const oracle_state *o)
{
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (oracle_called(y) && o->now < y->run.call_ns + o->gpu->copy_idle_ns)
            return false;
    return o->gpu->copy_idle_ns > 0;
}

/* Is it a copy between host and device whose time is not given? */
static bool between(const gcast_op *op)
{
    return op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D && op->min_ns == GCAST_UNKNOWN_NS;
}

/* Kernels arrive in the order of their calls, and so does the rest. */
static int64_t in_turn(const oracle_state *o, const oracle_op *x, int64_t arrives)
{
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (oracle_is_kernel(y) == oracle_is_kernel(x) && !oracle_has_edges(y) && y->run.arrive_ns > arrives)
            arrives = y->run.arrive_ns;
    return arrives;
}

static bool on_device(const oracle_op *x, gcast_kind kind)
{
    return x->op->kind == kind && !x->op->host_memory;
}

/* Has the memory of the malloc x been freed? Each free gives back the memory of the last malloc of its host that has
 * not been freed. */
static bool is_freed(const oracle_state *o, const oracle_op *x)
{
    int above = 0;
    for (uint64_t launch = x->run.launch + 1; launch < o->launches; launch++)
        for (const oracle_op *y = o->ops; y < o->ops + o->count; y++) {
            if (!oracle_called(y) || y->run.launch != launch || y->op->host != x->op->host)
                continue;
            if (on_device(y, GCAST_KIND_FREE) && y->run.return_ns >= 0 && above-- == 0)
                return true;
            above += on_device(y, GCAST_KIND_MALLOC);
        }
    return false;
}

/* "Memory": is there as much as the malloc that is called now asks for? */
static bool has_memory(const oracle_state *o, const oracle_op *x)
{
    int64_t taken = 0;
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (y != x && on_device(y, GCAST_KIND_MALLOC) && oracle_called(y) && !is_freed(o, y))
            taken += y->op->bytes;
    return !o->gpu->memory_bytes || !on_device(x, GCAST_KIND_MALLOC) || taken + x->op->bytes <= o->gpu->memory_bytes;
}

static void call(oracle_state *o, oracle_op *x)
{
    if (!o->failed_malloc && !has_memory(o, x))
        o->failed_malloc = x;
    x->run.release_ns = oracle_due(o, x);
    bool pause = pause_before(o);
    x->extra_ns = pause && between(x->op) ? o->gpu->copy_wake_ns : 0;
    x->run.call_ns = o->now;
    x->run.launch = o->launches++;
    if (!gcast_kind_on_gpu(x->op->kind))
        x->run.start_ns = x->run.dispatched_ns = o->now;
    else
        x->run.arrive_ns = oracle_node_arrives(o, x, in_turn(o, x, o->now + oracle_latency(o, x, pause)));
    if (oracle_joins(x) && o->connections)
        x->run.connection = x->connection = oracle_connection(o, x);
    if (oracle_engine(o, x->op) >= 0 && gcast_kind_on_gpu(x->op->kind) && o->gpu->copy_channels)
        x->run.channel = oracle_channel(o, x);
}

void oracle_hosts(oracle_state *o)
{
    oracle_op *x;
    settle(o);
    while (!a_free_has_not_returned(o) && (x = first_due(o)) != NULL) {
        call(o, x);
        settle(o);
    }
}
