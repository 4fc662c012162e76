/* Waiting in EE queues, lemmas 2 and 3 of docs/bound.md. Whenever a kernel of the
 * path is in a queue, some head fits nowhere, or the GPU switches kernels. Heads of a
 * low floor are charged one by one (lemma 3), the others together by the work that
 * keeps them out (lemma 2); the split that gives the least is taken. */
#include "analyze/bound/bound.h"

#include <string.h>

#define LEVELS 64

/* All events of kernels that can have blocks on the GPU while the path waits. */
typedef struct crowd {
    bool own;             /* k's event is one of them */
    wide area, width;     /* of all blocks, weight x time and weight */
    wide streams;         /* weight that can be there at once: of each stream its heaviest kernel */
    wide longest, second; /* holds, of kernels of two streams */
    int longest_stream;
    wide holds; /* one of each event */
    wide events, lower;
    wide counted;       /* events, where of a stream all are counted */
    int lowest;         /* level of any of them */
    wide at[LEVELS];    /* events of a level */
    wide above[LEVELS]; /* holds of the events above a level, one of each */
} crowd;

static wide events_of(const bound *b, const bound_op *i, const bound_op *k, const crowd *c)
{
    size_t n = (size_t)(i - b->ops);
    return wide_add(b->overs[n] > b->cut ? b->counts[n] : 0, c->own && i == k);
}

/* When k enters, of each other stream at most one kernel has entered and not left, and of k's level or below
 * nothing that enters later matters. */
static bool only_one(const bound *b, const bound_op *i, const bound_op *k, const bound_path *path)
{
    return path->alone && b->serial && i->level >= k->level && i->op->stream != k->op->stream;
}

/* As `size` is the largest so far of those that exclude each other, or one more of those that do not. */
static void add_size(wide *sum, wide *largest, bool exclude, wide size)
{
    if (!exclude) {
        *sum = wide_add(*sum, size);
    } else if (size > *largest) {
        *sum = wide_add(*sum, size - *largest);
        *largest = size;
    }
}

/* The blocks of i that can hold room while kernels of the path are in queues. One of a
 * lower level starts none then: only those count that were there when the path's entered.
 * k's last block starts when the wait is over. */
static void add_blocks(bound *b, const bound_op *i, const bound_op *k, const bound_path *path, wide events, crowd *c)
{
    bool one = only_one(b, i, k, path);
    wide blocks = wide_mul(events, (wide)i->op->blocks);
    wide holds = wide_mul(events, i->holds), there = wide_mul(i->at_once, wide_add(path->kernels, 1));
    if (i->level > path->lowest && there < blocks) {
        blocks = there;
        holds = wide_min(holds, wide_mul(there, i->hold));
    }
    if (c->own && i == k) {
        blocks -= 1;
        holds -= k->last_hold;
    }
    bound_stream *stream = &b->streams[i->op->stream];
    add_size(&c->width, &stream->width, one, wide_mul(blocks, i->weight));
    add_size(&c->area, &stream->area, one, wide_mul(holds, i->weight));
    add_size(&c->streams, &stream->weight, true, wide_mul(wide_min((wide)i->op->blocks, i->at_once), i->weight));
}

static void add_hold(crowd *c, wide hold, int stream)
{
    if (hold > c->longest) {
        c->second = stream == c->longest_stream ? c->second : c->longest;
        c->longest = hold;
        c->longest_stream = stream;
    } else if (hold > c->second && stream != c->longest_stream) {
        c->second = hold;
    }
}

/* Its events, and a hold of each. */
static void add_events(bound *b, const bound_op *i, bool one, wide events, const bound_path *path, crowd *c)
{
    bound_stream *stream = &b->streams[i->op->stream];
    wide hold = wide_mul(events, i->hold), before = one ? stream->hold : 0;
    if (one && stream->seen)
        events = 0;
    stream->seen = true;
    add_size(&c->holds, &stream->hold, one, hold);
    hold = wide_max(hold - before, 0);
    c->events = wide_add(c->events, events);
    c->lower = wide_add(c->lower, i->level > path->lowest ? events : 0);
    c->lowest = i->level > c->lowest ? i->level : c->lowest;
    c->at[i->level] = wide_add(c->at[i->level], events);
    for (int level = i->level + 1; level < b->gpu->priority_levels; level++)
        c->above[level] = wide_add(c->above[level], hold);
    add_hold(c, i->hold, i->op->stream);
}

static void gather(bound *b, const bound_op *k, const bound_path *path, crowd *c)
{
    c->longest_stream = -1;
    memset(b->streams, 0, b->w->stream_count * sizeof *b->streams);
    for (size_t n = 0; n < b->kernels; n++) {
        const bound_op *i = b->by_floor[n];
        wide events = events_of(b, i, k, c);
        if (!events)
            continue;
        bool one = only_one(b, i, k, path);
        c->counted = wide_add(c->counted, events);
        add_blocks(b, i, k, path, one ? 1 : events, c);
        add_events(b, i, one, one ? 1 : events, path, c);
    }
}

/* Can there be as much on the GPU at once as keeps a block of h out? */
static bool may_wait(const bound *b, const bound_op *h, const crowd *c)
{
    wide there = c->width;
    if (b->serial) {
        wide others = c->streams - b->streams[h->op->stream].weight;
        there = wide_min(there, wide_add(others, wide_mul((wide)h->op->blocks - 1, h->weight)));
    }
    return there >= h->floor;
}

/* Lemma 3a: when it becomes the head, what is there drains; then so does what is higher and came between. */
static wide drains_before(const bound *b, const bound_op *h, const crowd *c)
{
    wide others = h->op->stream == c->longest_stream ? c->second : c->longest;
    wide same = b->serial ? 0 : b->gpu->handover_ns - b->gpu->stream_gap_ns;
    return wide_add(wide_max(others, same), c->above[h->level]);
}

/* Lemma 3b: each event drains once after its last block, and once more when a higher one comes. */
static wide all_drains(const crowd *c)
{
    return wide_add(c->holds, wide_mul(c->events - c->at[c->lowest], c->longest));
}

/* Lemma 3c. */
wide bound_waves(const bound_op *h, wide above)
{
    return wide_min(h->waves, wide_add(h->turns, wide_mul(above, h->hold)));
}

static wide waves(const bound *b, const bound_op *h, const crowd *c)
{
    wide above = b->cut != BOUND_NO_CUT && b->overtaken;
    for (int level = 0; level < h->level; level++)
        above = wide_add(above, c->at[level]);
    return bound_waves(h, above);
}

/* Lemma 2, for heads none of which has a floor below this one. */
static wide pooled(const crowd *c, wide floor)
{
    return wide_min(c->area / floor, wide_mul(c->longest, c->width / floor));
}

/* Heads of a low floor one by one, the others together: the split that gives the least. */
static wide heads(bound *b, const bound_op *k, const bound_path *path, const crowd *c)
{
    wide alone = 0, drains = 0, charged = 0, least = BOUND_HUGE;
    for (size_t n = 0; n < b->kernels && charged < least; n++) {
        const bound_op *h = b->by_floor[n];
        bool one = only_one(b, h, k, path);
        wide events = events_of(b, h, k, c);
        if (!events || h->level > path->lowest || !may_wait(b, h, c))
            continue;
        bound_stream *stream = &b->streams[h->op->stream];
        least = wide_min(least, wide_add(charged, pooled(c, h->floor)));
        add_size(&alone, &stream->waves, one, wide_mul(one ? 1 : events, waves(b, h, c)));
        add_size(&drains, &stream->drains, one, wide_mul(one ? 1 : events, drains_before(b, h, c)));
        charged = wide_add(alone, wide_min(drains, all_drains(c)));
    }
    return wide_min(least, charged);
}

/* One switch for each kernel that starts its last block while the path waits. One below the path does so before,
 * and so does what has left: of these only the last one matters, each time that one of the path enters. */
static wide switches(const bound *b, const bound_path *path, const crowd *c)
{
    wide before = path->alone ? wide_add(b->left, c->counted - c->events + c->lower) : c->lower;
    wide most = wide_add(path->kernels, c->own);
    return wide_mul(c->events - c->own - c->lower + wide_min(before, most), b->gpu->switch_ns);
}

wide bound_wait(bound *b, const bound_op *k, const bound_path *path, bool own)
{
    crowd c = {.own = own};
    gather(b, k, path, &c);
    wide wait = heads(b, k, path, &c), switching = switches(b, path, &c);
    if (own && c.above[k->level] == 0) {
        /* Nothing comes before k once it is the head: its blocks are in nobody's way. */
        wide last = may_wait(b, k, &c) ? wide_add(waves(b, k, &c), drains_before(b, k, &c)) : 0;
        c = (crowd){.own = false};
        gather(b, k, path, &c);
        wait = wide_min(wait, wide_add(heads(b, k, path, &c), last));
    }
    return wide_add(wait, switching);
}
