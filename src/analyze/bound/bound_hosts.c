/* Lemma 6 of docs/bound.md. A call is due when the host's previous call has returned: at the earliest by the shortest
 * responses, at the latest by the longest ones. What a host has waited for has ended. */
#include "analyze/bound/bound_hosts.h"

#include "base/integers.h"

static int64_t add_time(int64_t t, wide ns)
{
    return t == BOUND_NEVER || t + ns >= BOUND_MAX_NS ? BOUND_NEVER : (int64_t)(t + ns);
}

/* The longest response that a sync on `stream` may wait for; -1: on all streams. */
static wide longest_response(const bound *b, int stream)
{
    wide longest = 0;
    for (size_t i = 0; i < b->op_count; i++)
        if (stream < 0 || b->ops[i].op->stream == stream)
            longest = wide_max(longest, b->ops[i].response_ns);
    return longest;
}

/* Latest time at which all calls of a barrier are due. */
static int64_t latest_at_barrier(const bound *b, int barrier)
{
    int64_t latest = 0;
    for (size_t i = 0; i < b->w->op_count; i++)
        if (b->w->ops[i].kind == GCAST_KIND_BARRIER && b->w->ops[i].barrier == barrier)
            latest = max_i64(latest, b->latest_due_ns[i]);
    return latest;
}

/* Latest return of the call of op i; k is its entry in b->ops, if it has one. */
static int64_t latest_return(bound *b, size_t i, const bound_op *k)
{
    const gcast_op *op = &b->w->ops[i];
    b->steps += op->kind == GCAST_KIND_BARRIER || op->kind == GCAST_KIND_SYNC ? b->w->op_count : 1;
    if (op->kind == GCAST_KIND_BARRIER)
        return latest_at_barrier(b, op->barrier);
    if (op->kind == GCAST_KIND_SYNC)
        return add_time(b->latest_due_ns[i], longest_response(b, op->stream));
    return k && op->host_waits ? add_time(b->latest_due_ns[i], k->response_ns) : b->latest_due_ns[i];
}

static bool update_host_latest(bound *b, size_t host)
{
    bool moved = false;
    int64_t due_ns = 0;
    for (uint32_t i = b->host_first[host]; i != BOUND_END && bound_may_continue(b); i = b->host_next[i]) {
        const gcast_op *op = &b->w->ops[i];
        bound_op *k = b->op_of[i];
        due_ns = max_i64(op->release_ns, add_time(due_ns, op->delay_ns));
        moved = moved || due_ns != b->latest_due_ns[i];
        b->latest_due_ns[i] = due_ns;
        if (k) /* the call is made only if it is due before skip_ns */
            k->latest_release_ns = max_i64(k->earliest_release_ns, min_i64(due_ns, op->skip_ns - 1));
        due_ns = latest_return(b, i, k);
    }
    return moved;
}

/* Earliest time at which all calls of a barrier are due. A barrier may not wait for calls that may be skipped. */
static int64_t earliest_at_barrier(const bound *b, int barrier)
{
    int64_t latest = 0;
    for (size_t i = 0; i < b->w->op_count; i++)
        if (b->w->ops[i].kind == GCAST_KIND_BARRIER && b->w->ops[i].barrier == barrier && !b->may_be_skipped[i])
            latest = max_i64(latest, b->earliest_due_ns[i]);
    return latest;
}

/* Earliest return of the call of op i; k is its entry in b->ops, if it has one. Updates b->stream_end_ns. */
static int64_t earliest_return(bound *b, size_t i, const bound_op *k)
{
    const gcast_op *op = &b->w->ops[i];
    int64_t *stream_end_ns = b->stream_end_ns, *end_of_all = &stream_end_ns[b->w->stream_count];
    int64_t due_ns = b->earliest_due_ns[i];
    b->steps += op->kind == GCAST_KIND_BARRIER ? b->w->op_count : 1;
    if (op->kind == GCAST_KIND_BARRIER)
        return max_i64(due_ns, earliest_at_barrier(b, op->barrier));
    if (op->kind == GCAST_KIND_SYNC)
        return max_i64(due_ns, op->stream < 0 ? *end_of_all : stream_end_ns[op->stream]);
    if (!k)
        return due_ns;
    int64_t end_ns = b->options->any_phase ? due_ns : add_time(due_ns, k->best_ns);
    stream_end_ns[op->stream] = max_i64(stream_end_ns[op->stream], end_ns);
    *end_of_all = max_i64(*end_of_all, end_ns);
    return op->host_waits ? end_ns : due_ns;
}

static bool find_host_earliest(bound *b, size_t host)
{
    bool moved = false, skipped = false;
    int64_t due_ns = 0;
    for (uint32_t i = b->host_first[host]; i != BOUND_END; i = b->host_next[i])
        if (b->w->ops[i].stream >= 0)
            b->stream_end_ns[b->w->ops[i].stream] = 0;
    b->stream_end_ns[b->w->stream_count] = 0;
    for (uint32_t i = b->host_first[host]; i != BOUND_END; i = b->host_next[i]) {
        const gcast_op *op = &b->w->ops[i];
        bound_op *k = b->op_of[i];
        due_ns = max_i64(op->release_ns, add_time(due_ns, op->delay_ns));
        moved = moved || due_ns != b->earliest_due_ns[i];
        b->earliest_due_ns[i] = due_ns;
        skipped = skipped || due_ns >= op->skip_ns;
        if (k) {
            k->earliest_release_ns = due_ns;
            k->never_called = skipped;
        }
        due_ns = earliest_return(b, i, k);
    }
    return moved;
}

static void find_host_skips(bound *b, size_t host)
{
    bool may_be_skipped = false;
    for (uint32_t i = b->host_first[host]; i != BOUND_END; i = b->host_next[i])
        b->may_be_skipped[i] = may_be_skipped = may_be_skipped || b->w->ops[i].skip_ns != GCAST_NEVER;
}

void bound_find_earliest(bound *b)
{
    for (size_t i = 0; i < b->op_count; i++)
        b->ops[i].never_called = b->ops[i].earliest_release_ns >= b->ops[i].op->skip_ns;
    for (size_t i = 0; i < b->w->op_count; i++) {
        b->earliest_due_ns[i] = b->w->ops[i].host == GCAST_NO_HOST ? b->w->ops[i].release_ns : 0;
        b->may_be_skipped[i] = b->w->ops[i].skip_ns != GCAST_NEVER;
    }
    for (size_t host = 0; host < b->w->host_count; host++)
        find_host_skips(b, host);
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t host = 0; host < b->w->host_count && bound_may_continue(b) && b->steps < b->max_steps / 4; host++)
            moved = find_host_earliest(b, host) || moved;
    }
}

/* Goes backwards through the calls of a host and keeps, by stream, the next call that waits for it. */
static void find_host_awaited(bound *b, size_t host)
{
    size_t device_awaited_from = SIZE_MAX;
    for (uint32_t i = b->host_last[host]; i != BOUND_END; i = b->host_previous[i])
        if (b->w->ops[i].stream >= 0)
            b->stream_awaited_from[b->w->ops[i].stream] = SIZE_MAX;
    for (uint32_t i = b->host_last[host]; i != BOUND_END; i = b->host_previous[i]) {
        const gcast_op *op = &b->w->ops[i];
        if (op->kind == GCAST_KIND_SYNC)
            *(op->stream < 0 ? &device_awaited_from : &b->stream_awaited_from[op->stream]) = (size_t)i + 1;
        if (!b->op_of[i])
            continue;
        size_t next = b->stream_awaited_from[op->stream];
        b->op_of[i]->awaited_from = op->host_waits ? (size_t)i + 1 : min_size(next, device_awaited_from);
    }
}

bool bound_link_hosts(bound *b)
{
    size_t ops = b->w->op_count + 1, hosts = b->w->host_count + 1;
    b->op_of = arena_alloc_array(b->memory, ops, sizeof(bound_op *));
    b->host_next = arena_alloc_array(b->memory, ops, sizeof *b->host_next);
    b->host_previous = arena_alloc_array(b->memory, ops, sizeof *b->host_previous);
    b->host_first = arena_alloc_array(b->memory, hosts, sizeof *b->host_first);
    b->host_last = arena_alloc_array(b->memory, hosts, sizeof *b->host_last);
    if (!b->op_of || !b->host_next || !b->host_previous || !b->host_first || !b->host_last)
        return false;
    for (size_t n = 0; n < b->op_count; n++)
        b->op_of[b->ops[n].index] = &b->ops[n];
    for (size_t h = 0; h < b->w->host_count; h++)
        b->host_first[h] = b->host_last[h] = BOUND_END;
    for (uint32_t i = 0; i < b->w->op_count; i++) {
        int host = b->w->ops[i].host;
        if (host == GCAST_NO_HOST)
            continue;
        b->host_next[i] = BOUND_END;
        b->host_previous[i] = b->host_last[host];
        *(b->host_last[host] == BOUND_END ? &b->host_first[host] : &b->host_next[b->host_last[host]]) = i;
        b->host_last[host] = i;
    }
    return true;
}

void bound_find_awaited(bound *b)
{
    for (size_t i = 0; i < b->op_count; i++)
        b->ops[i].awaited_from = SIZE_MAX;
    for (size_t host = 0; host < b->w->host_count; host++)
        find_host_awaited(b, host);
}

bool bound_update_latest(bound *b)
{
    bool moved = false;
    for (size_t i = 0; i < b->w->op_count; i++)
        if (b->w->ops[i].host == GCAST_NO_HOST)
            b->latest_due_ns[i] = b->w->ops[i].release_ns;
    for (size_t host = 0; host < b->w->host_count; host++)
        moved = update_host_latest(b, host) || moved;
    return moved;
}

bool bound_has_unlimited_call(const bound *b)
{
    for (size_t i = 0; i < b->w->op_count; i++) {
        const gcast_op *op = &b->w->ops[i];
        if (op->host != GCAST_NO_HOST && b->latest_due_ns[i] == BOUND_NEVER && op->skip_ns == GCAST_NEVER)
            return true;
    }
    return false;
}
