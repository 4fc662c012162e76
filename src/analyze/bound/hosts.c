/* Hosts' ops, lemma 6 of docs/bound.md: each is due after the return of the one before,
 * which responses bound, the shortest and the longest; and what a host has waited for is over. */
#include "analyze/bound/bound.h"

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t plus(int64_t t, wide more)
{
    return t == BOUND_NEVER || t + more >= BOUND_LATEST ? BOUND_NEVER : (int64_t)(t + more);
}

/* The longest response of an op that a sync on `stream` may wait for; -1: on any. */
static wide longest_response(const bound *b, int stream)
{
    wide longest = 0;
    for (size_t i = 0; i < b->count; i++)
        if (stream < 0 || b->ops[i].op->stream == stream)
            longest = wide_max(longest, b->ops[i].response);
    return longest;
}

/* When all ops with this barrier number are due. */
static int64_t all_there(const bound *b, int barrier)
{
    int64_t latest = 0;
    for (size_t i = 0; i < b->w->op_count; i++)
        if (b->w->ops[i].kind == GCAST_KIND_BARRIER && b->w->ops[i].barrier == barrier)
            latest = later(latest, b->due[i]);
    return latest;
}

/* When the call of op i has returned, or of a GPU op k that is due by then. */
static int64_t returned(bound *b, size_t i, const bound_op *k)
{
    const gcast_op *op = &b->w->ops[i];
    b->steps += op->kind == GCAST_KIND_BARRIER || op->kind == GCAST_KIND_SYNC ? b->w->op_count : 1;
    if (op->kind == GCAST_KIND_BARRIER)
        return all_there(b, op->barrier);
    if (op->kind == GCAST_KIND_SYNC)
        return plus(b->due[i], longest_response(b, op->stream));
    return k && op->host_waits ? plus(b->due[i], k->response) : b->due[i];
}

static bool host_releases(bound *b, size_t host)
{
    bool moved = false;
    int64_t late = 0;
    for (uint32_t i = b->host_first[host]; i != BOUND_END && bound_goes_on(b); i = b->host_next[i]) {
        const gcast_op *op = &b->w->ops[i];
        bound_op *k = b->at[i];
        late = later(op->release_ns, plus(late, op->delay_ns));
        moved = moved || late != b->due[i];
        b->due[i] = late;
        if (k) /* it is called only if it is due before skip_ns */
            k->late = later(k->early, late < op->skip_ns ? late : op->skip_ns - 1);
        late = returned(b, i, k);
    }
    return moved;
}

/* When all ops with this barrier number are due at the soonest, but those whose host may be skipped. */
static int64_t soonest_there(const bound *b, int barrier)
{
    int64_t latest = 0;
    for (size_t i = 0; i < b->w->op_count; i++)
        if (b->w->ops[i].kind == GCAST_KIND_BARRIER && b->w->ops[i].barrier == barrier && !b->may_skip[i])
            latest = later(latest, b->soonest[i]);
    return latest;
}

/* When the call of op i returns at the soonest. `ended`: when what the host called has, by stream, then of all. */
static int64_t soonest_return(bound *b, size_t i, const bound_op *k, int64_t *ended)
{
    const gcast_op *op = &b->w->ops[i];
    int64_t *of_all = &ended[b->w->stream_count], due = b->soonest[i];
    b->steps += op->kind == GCAST_KIND_BARRIER ? b->w->op_count : 1;
    if (op->kind == GCAST_KIND_BARRIER)
        return later(due, soonest_there(b, op->barrier));
    if (op->kind == GCAST_KIND_SYNC)
        return later(due, op->stream < 0 ? *of_all : ended[op->stream]);
    if (!k)
        return due;
    int64_t end = b->options->any_phase ? due : plus(due, k->best);
    ended[op->stream] = later(ended[op->stream], end);
    *of_all = later(*of_all, end);
    return op->host_waits ? end : due;
}

static bool host_soonest(bound *b, size_t host)
{
    bool moved = false, skipped = false;
    int64_t soonest = 0, *ended = b->stream_ended;
    for (uint32_t i = b->host_first[host]; i != BOUND_END; i = b->host_next[i])
        if (b->w->ops[i].stream >= 0)
            ended[b->w->ops[i].stream] = 0;
    ended[b->w->stream_count] = 0;
    for (uint32_t i = b->host_first[host]; i != BOUND_END; i = b->host_next[i]) {
        const gcast_op *op = &b->w->ops[i];
        bound_op *k = b->at[i];
        soonest = later(op->release_ns, plus(soonest, op->delay_ns));
        moved = moved || soonest != b->soonest[i];
        b->soonest[i] = soonest;
        skipped = skipped || soonest >= op->skip_ns;
        if (k) {
            k->early = soonest;
            k->never = skipped;
        }
        soonest = soonest_return(b, i, k, ended);
    }
    return moved;
}

static void host_skips(bound *b, size_t host)
{
    bool may_skip = false;
    for (uint32_t i = b->host_first[host]; i != BOUND_END; i = b->host_next[i])
        b->may_skip[i] = may_skip = may_skip || b->w->ops[i].skip_ns != GCAST_NEVER;
}

void bound_soonest(bound *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->ops[i].never = b->ops[i].early >= b->ops[i].op->skip_ns;
    for (size_t i = 0; i < b->w->op_count; i++) {
        b->soonest[i] = b->w->ops[i].host == GCAST_NO_HOST ? b->w->ops[i].release_ns : 0;
        b->may_skip[i] = b->w->ops[i].skip_ns != GCAST_NEVER;
    }
    for (size_t host = 0; host < b->w->host_count; host++)
        host_skips(b, host);
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t host = 0; host < b->w->host_count && bound_goes_on(b) && b->steps < b->most_steps / 4; host++)
            moved = host_soonest(b, host) || moved;
    }
}

/* Backwards through a host's calls: where is the next that waits for each stream? */
static void host_awaits(bound *b, size_t host)
{
    size_t device = SIZE_MAX;
    for (uint32_t i = b->host_last[host]; i != BOUND_END; i = b->host_before[i])
        if (b->w->ops[i].stream >= 0)
            b->stream_next[b->w->ops[i].stream] = SIZE_MAX;
    for (uint32_t i = b->host_last[host]; i != BOUND_END; i = b->host_before[i]) {
        const gcast_op *op = &b->w->ops[i];
        if (op->kind == GCAST_KIND_SYNC)
            *(op->stream < 0 ? &device : &b->stream_next[op->stream]) = (size_t)i + 1;
        if (!b->at[i])
            continue;
        size_t next = b->stream_next[op->stream];
        b->at[i]->awaited = op->host_waits ? (size_t)i + 1 : next < device ? next : device;
    }
}

bool bound_link_hosts(bound *b)
{
    size_t ops = b->w->op_count + 1, hosts = b->w->host_count + 1;
    b->at = arena_alloc_array(b->memory, ops, sizeof(bound_op *));
    b->host_next = arena_alloc_array(b->memory, ops, sizeof *b->host_next);
    b->host_before = arena_alloc_array(b->memory, ops, sizeof *b->host_before);
    b->host_first = arena_alloc_array(b->memory, hosts, sizeof *b->host_first);
    b->host_last = arena_alloc_array(b->memory, hosts, sizeof *b->host_last);
    if (!b->at || !b->host_next || !b->host_before || !b->host_first || !b->host_last)
        return false;
    for (size_t n = 0; n < b->count; n++)
        b->at[b->ops[n].index] = &b->ops[n];
    for (size_t h = 0; h < b->w->host_count; h++)
        b->host_first[h] = b->host_last[h] = BOUND_END;
    for (uint32_t i = 0; i < b->w->op_count; i++) {
        int host = b->w->ops[i].host;
        if (host == GCAST_NO_HOST)
            continue;
        b->host_next[i] = BOUND_END;
        b->host_before[i] = b->host_last[host];
        *(b->host_last[host] == BOUND_END ? &b->host_first[host] : &b->host_next[b->host_last[host]]) = i;
        b->host_last[host] = i;
    }
    return true;
}

void bound_awaits(bound *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->ops[i].awaited = SIZE_MAX;
    for (size_t host = 0; host < b->w->host_count; host++)
        host_awaits(b, host);
}

bool bound_releases(bound *b)
{
    bool moved = false;
    for (size_t i = 0; i < b->w->op_count; i++)
        if (b->w->ops[i].host == GCAST_NO_HOST)
            b->due[i] = b->w->ops[i].release_ns;
    for (size_t host = 0; host < b->w->host_count; host++)
        moved = host_releases(b, host) || moved;
    return moved;
}

bool bound_calls_late(const bound *b)
{
    for (size_t i = 0; i < b->w->op_count; i++) {
        const gcast_op *op = &b->w->ops[i];
        if (op->host != GCAST_NO_HOST && b->due[i] == BOUND_NEVER && op->skip_ns == GCAST_NEVER)
            return true;
    }
    return false;
}
