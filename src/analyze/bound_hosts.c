/* Hosts' ops, lemma 6 of docs/bound.md: each is due after the return of the one before,
 * which responses bound; and what a host has waited for is over. */
#include "analyze/bound.h"

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

static bool host_releases(bound *b, int host)
{
    bool moved = false;
    int64_t early = 0, late = 0;
    bound_op *next = b->ops;
    for (size_t i = 0; i < b->w->op_count && b->steps < b->most_steps; i++) {
        const gcast_op *op = &b->w->ops[i];
        bound_op *k = next < b->ops + b->count && next->index == i ? next++ : NULL;
        if (op->host != host)
            continue;
        early = later(op->release_ns, plus(early, op->delay_ns));
        late = later(op->release_ns, plus(late, op->delay_ns));
        moved = moved || late != b->due[i];
        b->due[i] = late;
        if (k) {
            k->early = early;
            k->late = late;
        }
        late = returned(b, i, k);
    }
    return moved;
}

/* Backwards through a host's calls: where is the next that waits for each stream? */
static void host_awaits(bound *b, int host)
{
    size_t device = SIZE_MAX;
    bound_op *k = b->ops + b->count;
    for (size_t i = 0; i < b->w->stream_count; i++)
        b->stream_next[i] = SIZE_MAX;
    for (size_t i = b->w->op_count; i-- > 0;) {
        const gcast_op *op = &b->w->ops[i];
        bound_op *of = k > b->ops && k[-1].index == i ? --k : NULL;
        if (op->host != host)
            continue;
        if (op->kind == GCAST_KIND_SYNC)
            *(op->stream < 0 ? &device : &b->stream_next[op->stream]) = i + 1;
        if (!of)
            continue;
        size_t next = b->stream_next[op->stream];
        of->awaited = op->host_waits ? i + 1 : next < device ? next : device;
    }
}

void bound_awaits(bound *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->ops[i].awaited = SIZE_MAX;
    for (size_t host = 0; host < b->w->host_count; host++)
        host_awaits(b, (int)host);
}

bool bound_releases(bound *b)
{
    bool moved = false;
    for (size_t i = 0; i < b->w->op_count; i++)
        if (b->w->ops[i].host == GCAST_NO_HOST)
            b->due[i] = b->w->ops[i].release_ns;
    for (size_t host = 0; host < b->w->host_count; host++)
        moved = host_releases(b, (int)host) || moved;
    return moved;
}
