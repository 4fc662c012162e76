/* The path of a child from its call to the EE queue. */
#include "simulate/engine/launch_path.h"

#include <string.h>

#include "base/integers.h"
#include "model/gpu.h"
#include "simulate/engine/child_blocks.h"
#include "simulate/engine/execution_queue.h"
#include "simulate/engine/state.h"

/* An overhead depends on how many launches the warp makes at a time, and on how long calls wait for each other. Of two
 * warps with equally many launches, the one that called first ends its overhead first, so each number of launches has a
 * FIFO. All other queues are FIFOs too: the path of a child takes constant time, except that children that go on at one
 * time are sorted by call where they are not in that order already. */

#define MAX_TAKEN 1024 /* how many items of a queue are taken before it may be moved */

static listed_child listed(const sim *s, uint32_t o)
{
    return (listed_child)s->state[o].job << 32 | o;
}

/* Adds a child to a list that is to be sorted by call. */
static void list_child(sim *s, child_list *list, listed_child child)
{
    if (!vec_push(list, child))
        sim_fail_memory(s);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_by_call(child_list *list)
{
    size_t i = 1;
    while (i < list->count && list->at[i - 1] < list->at[i])
        i++;
    if (i < list->count)
        qsort(list->at, list->count, sizeof *list->at, by_value);
}

/* Moves a queue to the start of its vector, once most of the vector has been taken. */
#define drop_taken(queue, first)                                                                                       \
    do {                                                                                                               \
        if ((first) > MAX_TAKEN && (first)*2 > (queue)->count) {                                                       \
            (queue)->count -= (first);                                                                                 \
            memmove((queue)->at, &(queue)->at[first], (queue)->count * sizeof *(queue)->at);                           \
            (first) = 0;                                                                                               \
        }                                                                                                              \
    } while (0)

uint32_t path_new_stream(sim *s)
{
    sim_launches *l = s->launch;
    uint32_t id = l->free_stream;
    if (id != NONE) {
        l->free_stream = l->streams[id].next_free;
    } else {
        if (!vec_grow(&l->streams, &l->stream_cap, (size_t)l->stream_places + 1, sizeof *l->streams)) {
            sim_fail_memory(s);
            return NONE;
        }
        id = l->stream_places++;
    }
    l->streams[id] =
        (sim_child_stream){.queue = FIFO_EMPTY, .number = l->stream_numbers++, .users = 1, .next_free = NONE};
    return id;
}

void path_leave_stream(sim *s, uint32_t stream)
{
    sim_launches *l = s->launch;
    if (--l->streams[stream].users)
        return;
    l->streams[stream].next_free = l->free_stream;
    l->free_stream = stream;
}

/* Adds an event of the stream, one stream gap from now. */
static void add_stream_event(sim *s, uint32_t stream, bool opens)
{
    sim_launches *l = s->launch;
    drop_taken(&l->stream_events, l->stream_event_first);
    int64_t time = s->now + s->gpu->stream_gap_ns;
    l->streams[stream].users++;
    l->path_next_ns = min_i64(l->path_next_ns, time);
    if (!vec_push(&l->stream_events, ((child_stream_event){time, stream, opens})))
        sim_fail_memory(s);
}

/* o arrives in its stream's queue. */
static void set_arrival(sim *s, uint32_t o)
{
    if (s->launch->records)
        child_record_of(s, o)->arrive_ns = s->now;
}

/* The child joins the queue of its stream, or is its head. */
static void join_stream(sim *s, listed_child child)
{
    uint32_t o = (uint32_t)child;
    sim_child_stream *stream = &s->launch->streams[child_of(s, o)->stream];
    set_arrival(s, o);
    if (stream->is_busy) {
        fifo_add(s, &stream->queue, o);
    } else {
        stream->is_busy = true;
        list_child(s, &s->launch->heads, child);
    }
}

void path_open_tail(sim *s, sim_parent *p)
{
    if (p->launches->wait == GCAST_CHILD_WAIT_TAIL && p->streams[0] != NONE)
        add_stream_event(s, p->streams[0], true);
}

void path_ended(sim *s, uint32_t o)
{
    sim_launches *l = s->launch;
    uint32_t stream = child_of(s, o)->stream;
    if (stream == NONE)
        return;
    uint32_t next = l->streams[stream].queue.first;
    if (next != NONE)
        child_prefetch(s, next); /* it becomes the head a stream gap later */
    if (l->streams[stream].users > 1)
        add_stream_event(s, stream, false);
    path_leave_stream(s, stream);
}

/* The stream gap is over. */
static void handle_stream_event(sim *s, child_stream_event e)
{
    sim_child_stream *stream = &s->launch->streams[e.stream];
    if (e.opens) {
        stream->is_closed = false;
        for (uint32_t o = stream->queue.first; o != NONE; o = s->state[o].queue_next)
            list_child(s, &s->launch->joining, listed(s, o));
        stream->queue = FIFO_EMPTY;
    } else {
        uint32_t next = stream->queue.first;
        stream->is_busy = next != NONE;
        if (next != NONE) {
            fifo_drop(s, &stream->queue);
            list_child(s, &s->launch->heads, listed(s, next));
        }
    }
    path_leave_stream(s, e.stream);
}

bool path_refuses(const sim *s)
{
    return !s->gpu->child_pool_grows && s->gpu->child_pool && s->launch->in_pool >= (uint64_t)s->gpu->child_pool;
}

static void enter_pool(sim *s)
{
    sim_launches *l = s->launch;
    l->stats.max_pool = max_u64(l->stats.max_pool, ++l->in_pool);
}

void path_call(sim *s, const uint32_t *children, uint32_t launches, int64_t late_ns)
{
    sim_launches *l = s->launch;
    overhead_queue *queue = &l->overhead[launches];
    uint32_t o = children[0];
    int64_t overhead = s->gpu->child_launch_ns + (int64_t)launches * s->gpu->child_step_ns;
    int64_t end = sim_add_ns(s, o, sim_add_ns(s, o, s->now, late_ns), overhead);
    drop_taken(&queue->ends, queue->first);
    for (uint32_t i = 0; i < launches; i++)
        if (!vec_push(&queue->ends, ((overhead_end){end, listed(s, children[i])})))
            sim_fail_memory(s);
    l->path_next_ns = min_i64(l->path_next_ns, end);
    if (queue->ends.count) /* else there was no memory */
        l->overhead_used |= UINT64_C(1) << launches;
}

/* The overhead of a child is over. */
static void end_overhead(sim *s, listed_child child)
{
    sim_launches *l = s->launch;
    uint32_t o = (uint32_t)child;
    sim_child *c = child_of(s, o);
    l->in_overhead--;
    c->overhead_end_ns = l->last_served_ns = s->now;
    if (c->stream == NONE) {
        set_arrival(s, o);
        list_child(s, &l->heads, child);
    } else if (l->streams[c->stream].is_closed) {
        fifo_add(s, &l->streams[c->stream].queue, o);
    } else {
        list_child(s, &l->joining, child);
    }
}

/* Ends the overheads that would be over now, by call: all at once, or one after the other where there is a service
 * time. */
static void serve(sim *s)
{
    sim_launches *l = s->launch;
    int64_t service = s->gpu->child_service_ns;
    sort_by_call(&l->entering);
    for (size_t i = 0; i < l->entering.count; i++) {
        uint32_t o = (uint32_t)l->entering.at[i], last = l->served.last;
        int64_t before = last != NONE ? child_of(s, last)->overhead_end_ns : l->last_served_ns;
        int64_t end = before < 0 ? s->now : max_i64(s->now, sim_add_ns(s, o, before, service));
        if (!service || end <= s->now) {
            end_overhead(s, l->entering.at[i]);
        } else {
            child_of(s, o)->overhead_end_ns = end;
            fifo_add(s, &l->served, o);
        }
    }
    l->entering.count = 0;
}

static void end_overheads(sim *s)
{
    sim_launches *l = s->launch;
    for (uint32_t o; (o = l->served.first) != NONE && child_of(s, o)->overhead_end_ns <= s->now;) {
        fifo_drop(s, &l->served);
        end_overhead(s, listed(s, o));
    }
    for (uint64_t bits = l->overhead_used; bits; bits &= bits - 1) {
        int launches = __builtin_ctzll(bits);
        overhead_queue *queue = &l->overhead[launches];
        while (queue->first < queue->ends.count && queue->ends.at[queue->first].time <= s->now)
            list_child(s, &l->entering, queue->ends.at[queue->first++].child);
        if (queue->first == queue->ends.count) {
            queue->first = queue->ends.count = 0;
            l->overhead_used &= ~(UINT64_C(1) << launches);
        }
    }
    if (l->entering.count)
        serve(s);
}

/* Children become heads of their streams, and join the line. */
static void find_heads(sim *s)
{
    sim_launches *l = s->launch;
    while (l->stream_event_first < l->stream_events.count && l->stream_events.at[l->stream_event_first].time <= s->now)
        handle_stream_event(s, l->stream_events.at[l->stream_event_first++]);
    if (l->stream_event_first == l->stream_events.count)
        l->stream_event_first = l->stream_events.count = 0;
    sort_by_call(&l->joining);
    for (size_t i = 0; i < l->joining.count; i++)
        join_stream(s, l->joining.at[i]);
    l->joining.count = 0;
    sort_by_call(&l->heads);
    for (size_t i = 0; i < l->heads.count; i++) {
        uint32_t o = (uint32_t)l->heads.at[i];
        child_of(s, o)->head_ns = s->now;
        fifo_add(s, &l->line, o);
    }
    l->heads.count = 0;
}

static int level_of(const sim *s, uint32_t parent)
{
    switch (s->gpu->child_level) {
    case 1:
        return 0;
    case 2:
        return level_of_priority(s->gpu, 0);
    default:
        return s->state[parent].level;
    }
}

static void enter(sim *s, uint32_t o)
{
    sim_child *c = child_of(s, o);
    c->enter_ns = s->now;
    s->state[o].entry = s->entries++;
    c->entered_at_limit = grid_limit_reached(s->gpu, s->resident_grids);
    if (s->gpu->child_pool_grows)
        s->launch->in_pool--;
    if (sim_spec(s, o)->launches)
        parent_start(s, o);
    execution_enter_level(s, o, level_of(s, c->parent));
}

void path_blocks_ended(sim *s, uint32_t o)
{
    sim_launches *l = s->launch;
    int32_t queue = child_of(s, o)->queue;
    if (queue < 0)
        return;
    l->queues[queue].is_busy = false;
    if (l->queues[queue].waiting.first != NONE && !vec_push(&l->freed_queues, (uint32_t)queue))
        sim_fail_memory(s);
}

/* The next children of freed hardware queues enter the EE queue. */
static void advance_queues(sim *s)
{
    sim_launches *l = s->launch;
    for (size_t i = 0; i < l->freed_queues.count; i++) {
        child_queue *queue = &l->queues[l->freed_queues.at[i]];
        queue->is_busy = true;
        list_child(s, &l->entering, listed(s, queue->waiting.first));
        fifo_drop(s, &queue->waiting);
    }
    l->freed_queues.count = 0;
    sort_by_call(&l->entering);
    for (size_t i = 0; i < l->entering.count && s->status == GCAST_OK; i++)
        enter(s, (uint32_t)l->entering.at[i]);
    l->entering.count = 0;
}

/* Heads in the line enter the pool as long as it has places, and from there hardware queues or the EE queue. */
static void advance_line(sim *s)
{
    sim_launches *l = s->launch;
    uint64_t places = s->gpu->child_pool_grows && s->gpu->child_pool ? (uint64_t)s->gpu->child_pool : UINT64_MAX;
    for (uint32_t o; (o = l->line.first) != NONE && l->in_pool < places && s->status == GCAST_OK;) {
        sim_child *c = child_of(s, o);
        fifo_drop(s, &l->line);
        c->pool_ns = s->now;
        if (s->gpu->child_pool_grows)
            enter_pool(s);
        if (c->queue >= 0 && l->queues[c->queue].is_busy) {
            fifo_add(s, &l->queues[c->queue].waiting, o);
            continue;
        }
        if (c->queue >= 0)
            l->queues[c->queue].is_busy = true;
        enter(s, o);
    }
}

/* The next end of an overhead, or stream event. */
static int64_t find_next_time(const sim *s)
{
    const sim_launches *l = s->launch;
    int64_t t = INT64_MAX;
    for (uint64_t bits = l->overhead_used; bits; bits &= bits - 1) {
        const overhead_queue *queue = &l->overhead[__builtin_ctzll(bits)];
        t = min_i64(t, queue->ends.at[queue->first].time);
    }
    if (l->served.first != NONE)
        t = min_i64(t, child_of(s, l->served.first)->overhead_end_ns);
    if (l->stream_event_first < l->stream_events.count)
        t = min_i64(t, l->stream_events.at[l->stream_event_first].time);
    return t;
}

void path_advance(sim *s)
{
    if (path_next_time(s) <= s->now) {
        end_overheads(s);
        find_heads(s);
        s->launch->path_next_ns = find_next_time(s);
    }
    if (s->launch->freed_queues.count)
        advance_queues(s);
    if (s->launch->line.first != NONE)
        advance_line(s);
}
