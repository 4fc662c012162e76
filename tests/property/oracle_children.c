/* "Launch path" of docs/model.md: overhead, stream, pool and hardware queue of children, and the rests of blocks that
 * waited. Independent of the simulator on purpose: every child is asked at every time how far it may come. */
#include "property/oracle_state.h"

oracle_op *oracle_add_child(oracle_state *o, oracle_op *parent, uint64_t block, bool is_rest)
{
    oracle_op *x = &o->ops[o->all++];
    const gcast_launches *l = parent->op->launches;
    oracle_child *c = arena_alloc(o->memory, sizeof *c);
    *c = (oracle_child){.parent = parent, .launches = l, .request_ns = -1, .ready_ns = -1};
    c->of = (gcast_child){
        .parent_block = (uint32_t)block, .is_rest = is_rest, .pool_ns = -1, .blocks_end_ns = -1, .queue = -1};
    *x = *parent; /* a rest has its op, job and demand */
    x->child = c;
    x->blocks = NULL, x->age = NULL;
    x->started = x->launch_first = 0;
    x->launch_size = 1;
    x->in_queue = x->ends_now = false;
    x->connection = -1;
    x->complete_ns = -1;
    x->copy_start_ns = x->turn_ns = x->repair_ns = -1;
    x->run = (gcast_run_op){.op = parent->run.op,
                            .job = parent->run.job,
                            .engine = -1,
                            .connection = -1,
                            .channel = -1,
                            .release_ns = o->now,
                            .call_ns = o->now,
                            .return_ns = o->now,
                            .arrive_ns = -1,
                            .head_ns = -1,
                            .enter_ns = -1,
                            .start_ns = -1,
                            .dispatched_ns = -1,
                            .end_ns = -1};
    if (!is_rest) {
        c->call = o->calls++;
        x->run.op = (uint32_t)(o->w->op_count + (size_t)l->child_index);
        x->run.job = (uint32_t)c->call;
        x->run.launch = c->call;
        x->op = &o->w->ops[x->run.op];
    }
    return x;
}

bool oracle_children_complete(const oracle_state *o, const oracle_op *x, int64_t block)
{
    for (size_t i = o->count; i < o->all; i++) {
        const oracle_op *y = &o->ops[i];
        if (oracle_is_child(y) && y->child->parent == x && (block < 0 || y->child->of.parent_block == block) &&
            !oracle_complete(y))
            return false;
    }
    return true;
}

/* The rest of a block; NULL: there is none, or not yet. */
static const oracle_op *rest_of(const oracle_state *o, const oracle_op *x, uint64_t block)
{
    for (size_t i = o->count; i < o->all; i++)
        if (oracle_is_rest(&o->ops[i]) && o->ops[i].child->parent == x && o->ops[i].child->of.parent_block == block)
            return &o->ops[i];
    return NULL;
}

/* Does a block that has decided wait for children, so that there is a rest of it? */
static bool block_waits(const oracle_state *o, const oracle_op *x, uint64_t block)
{
    const gcast_launches *l = oracle_launches(x);
    if (!l || l->wait != GCAST_CHILD_WAIT_BLOCK || l->after_ns == 0)
        return false;
    for (size_t i = o->count; i < o->all; i++)
        if (oracle_is_child(&o->ops[i]) && o->ops[i].child->parent == x && o->ops[i].child->of.parent_block == block)
            return true;
    return false;
}

bool oracle_rests_complete(const oracle_state *o, const oracle_op *x)
{
    for (uint64_t b = 0; oracle_is_kernel(x) && b < x->started; b++)
        if (block_waits(o, x, b) && !(rest_of(o, x, b) && oracle_complete(rest_of(o, x, b))))
            return false;
    return true;
}

static bool is_tail(const oracle_op *x)
{
    return x->child->launches->wait == GCAST_CHILD_WAIT_TAIL;
}

static bool share_stream(const oracle_op *x, const oracle_op *y)
{
    const gcast_launches *l = x->child->launches;
    if (x == y)
        return true;
    if (oracle_is_rest(x) || oracle_is_rest(y) || x->child->parent != y->child->parent)
        return false;
    if (is_tail(x))
        return true;
    switch (l->stream) {
    case GCAST_CHILD_STREAM_OWN:
        return false;
    case GCAST_CHILD_STREAM_BLOCK:
        return x->child->of.parent_block == y->child->of.parent_block;
    case GCAST_CHILD_STREAM_NAMED:
        return true;
    default:
        return x->child->of.launcher % l->streams == y->child->of.launcher % l->streams;
    }
}

/* "Overhead": over now, or later where the GPU is busy with others. */
static void end_overhead(oracle_state *o, oracle_op *x)
{
    int64_t end = o->now;
    if (o->gpu->child_service_ns && o->last_overhead_ns >= 0 && o->last_overhead_ns + o->gpu->child_service_ns > end)
        end = o->last_overhead_ns + o->gpu->child_service_ns;
    x->child->ready_ns = o->last_overhead_ns = end;
}

/* When the last block of the parent ends; -1: not all have started. */
static int64_t parent_end(const oracle_state *o, const oracle_op *x)
{
    const oracle_op *parent = x->child->parent;
    return oracle_is_dispatched(parent) ? oracle_last_end(o, parent) : -1;
}

static bool may_join(const oracle_state *o, const oracle_op *x)
{
    if (x->run.arrive_ns >= 0 || x->child->ready_ns < 0 || x->child->ready_ns > o->now)
        return false;
    int64_t end = parent_end(o, x);
    return !is_tail(x) || (end >= 0 && end + o->gpu->stream_gap_ns <= o->now);
}

static bool may_be_head(const oracle_state *o, const oracle_op *x)
{
    if (x->run.arrive_ns < 0 || x->run.head_ns >= 0)
        return false;
    for (size_t i = o->count; i < o->all; i++) {
        const oracle_op *y = &o->ops[i];
        if (y != x && share_stream(x, y) && y->run.arrive_ns >= 0 && y->child->join_number < x->child->join_number &&
            !(oracle_ended(y) && y->run.end_ns + o->gpu->stream_gap_ns <= o->now))
            return false;
    }
    return true;
}

/* "Hardware queue": does it join none? */
static bool forgets(const oracle_state *o, const oracle_op *x)
{
    return o->gpu->child_forget && x->child->launches->stream == GCAST_CHILD_STREAM_OWN && !is_tail(x);
}

static const oracle_op *first_of_stream(const oracle_state *o, const oracle_op *x)
{
    const oracle_op *y = o->ops + o->count;
    while (!share_stream(x, y))
        y++;
    return y;
}

static int hardware_queue(const oracle_state *o, const oracle_op *x)
{
    int number = 0;
    if (!o->gpu->child_queues || forgets(o, x))
        return -1;
    for (const oracle_op *y = o->ops + o->count; y < first_of_stream(o, x); y++)
        number += oracle_is_child(y) && !forgets(o, y) && first_of_stream(o, y) == y;
    return number % o->gpu->child_queues;
}

/* Has it been taken from the line, and may it enter the EE queue? */
static bool may_enter(const oracle_state *o, const oracle_op *x)
{
    if (oracle_is_rest(x) || x->child->of.pool_ns < 0 || x->run.enter_ns >= 0)
        return false;
    for (size_t i = o->count; x->child->of.queue >= 0 && i < o->all; i++) {
        const oracle_op *y = &o->ops[i];
        if (y->child->of.queue == x->child->of.queue && y->child->of.pool_ns >= 0 &&
            y->child->pool_number < x->child->pool_number && !oracle_blocks_ended(o, y))
            return false;
    }
    return true;
}

static bool pool_has_place(const oracle_state *o)
{
    int count = 0;
    for (size_t i = o->count; i < o->all; i++)
        count += oracle_is_child(&o->ops[i]) && o->ops[i].child->of.pool_ns >= 0 && o->ops[i].run.enter_ns < 0;
    return !o->gpu->child_pool_grows || !o->gpu->child_pool || count < o->gpu->child_pool;
}

static oracle_op *first_in_line(const oracle_state *o)
{
    oracle_op *first = NULL;
    for (oracle_op *x = o->ops + o->count; x < o->ops + o->all; x++)
        if (x->run.head_ns >= 0 && x->child->of.pool_ns < 0 &&
            (!first || x->child->line_number < first->child->line_number))
            first = x;
    return first;
}

static void leave_line(oracle_state *o, oracle_op *x)
{
    x->child->of.pool_ns = o->now;
    x->child->pool_number = o->pools++;
    x->child->of.queue = hardware_queue(o, x);
    if (may_enter(o, x))
        oracle_enter(o, x);
}

/* Children are in the array in the order of their calls. */
void oracle_children(oracle_state *o)
{
    oracle_op *first = o->ops + o->count, *end = o->ops + o->all, *x;
    for (x = first; x < end; x++)
        if (x->child->request_ns == o->now && x->child->ready_ns < 0)
            end_overhead(o, x);
    for (x = first; x < end; x++)
        if (oracle_is_child(x) && may_join(o, x)) {
            x->run.arrive_ns = o->now;
            x->child->join_number = o->joins++;
        }
    for (x = first; x < end; x++)
        if (oracle_is_child(x) && may_be_head(o, x)) {
            x->run.head_ns = o->now;
            o->stats->overhead_ns += (double)(x->child->ready_ns - x->run.call_ns);
            o->stats->stream_wait_ns += (double)(o->now - x->child->ready_ns);
            x->child->line_number = o->lines++;
        }
    for (x = first; x < end; x++)
        if (may_enter(o, x))
            oracle_enter(o, x);
    while ((x = first_in_line(o)) != NULL && pool_has_place(o))
        leave_line(o, x);
}

static void add_rest(oracle_state *o, oracle_op *parent, uint64_t block)
{
    oracle_op *x = oracle_add_child(o, parent, block, true);
    x->run.arrive_ns = x->run.head_ns = x->child->of.pool_ns = o->now;
    x->run.block_count = 1;
    x->run.blocks = x->blocks = arena_alloc_array(o->memory, 1, sizeof *x->blocks);
    x->age = arena_alloc_array(o->memory, 1, sizeof *x->age);
    oracle_enter(o, x);
}

void oracle_rests(oracle_state *o)
{
    uint64_t entries = o->entries;
    for (uint64_t entry = 0; entry < entries; entry++) {
        oracle_op *x = o->by_entry[entry];
        for (uint64_t b = 0; oracle_is_kernel(x) && b < x->started; b++)
            if (block_waits(o, x, b) && !rest_of(o, x, b) && x->blocks[b].end_ns <= o->now &&
                oracle_children_complete(o, x, (int64_t)b))
                add_rest(o, x, b);
    }
}

int64_t oracle_child_time(const oracle_state *o, const oracle_op *x)
{
    return x->child->request_ns > o->now ? x->child->request_ns : x->child->ready_ns;
}
