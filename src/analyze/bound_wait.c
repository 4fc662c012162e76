/* Waiting in EE queues, lemmas 2 and 3 of docs/bound.md. Whenever a kernel of the
 * path is in a queue, some head fits nowhere, or the GPU switches kernels. Heads of a
 * low floor are charged one by one (lemma 3), the others together by the work that
 * keeps them out (lemma 2); the split that gives the least is taken. */
#include "analyze/bound.h"

#include <string.h>

#define LEVELS 64

/* All events of kernels that can have blocks on the GPU while the path waits. */
typedef struct crowd {
    wide area, width;     /* of all blocks, weight x time and weight */
    wide streams;         /* weight that can be there at once: of each stream its heaviest kernel */
    wide longest, second; /* holds, of kernels of two streams */
    int longest_stream;
    wide holds; /* one of each event */
    wide events;
    int lowest;         /* level of any of them */
    wide at[LEVELS];    /* events of a level */
    wide above[LEVELS]; /* holds of the events above a level, one of each */
} crowd;

static wide events_of(const bound *b, const bound_op *i, const bound_op *k, bool own)
{
    return wide_add(b->counts[i - b->ops], own && i == k);
}

/* The blocks of i that can hold room while kernels of the path are in queues. One of a
 * lower level starts none then: only those count that were there when the path's entered.
 * k's last block starts when the wait is over. */
static void add_blocks(const bound *b, const bound_op *i, const bound_op *k, const bound_path *path, bool own, crowd *c)
{
    wide events = events_of(b, i, k, own), blocks = wide_mul(events, (wide)i->op->blocks);
    wide holds = wide_mul(events, i->holds), there = wide_mul(i->at_once, wide_add(path->kernels, 1));
    if (i->level > path->lowest && there < blocks) {
        blocks = there;
        holds = wide_min(holds, wide_mul(there, i->hold));
    }
    if (own && i == k) {
        blocks -= 1;
        holds -= k->last_hold;
    }
    c->width = wide_add(c->width, wide_mul(blocks, i->weight));
    c->area = wide_add(c->area, wide_mul(holds, i->weight));
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

static void gather(bound *b, const bound_op *k, const bound_path *path, bool own, crowd *c)
{
    *c = (crowd){.longest_stream = -1};
    memset(b->stream_weight, 0, b->w->stream_count * sizeof *b->stream_weight);
    for (size_t n = 0; n < b->kernels; n++) {
        const bound_op *i = b->by_floor[n];
        wide events = events_of(b, i, k, own);
        if (!events)
            continue;
        add_blocks(b, i, k, path, own, c);
        add_hold(c, i->hold, i->op->stream);
        c->holds = wide_add(c->holds, wide_mul(events, i->hold));
        c->events = wide_add(c->events, events);
        c->lowest = i->level > c->lowest ? i->level : c->lowest;
        c->at[i->level] = wide_add(c->at[i->level], events);
        for (int level = i->level + 1; level < b->gpu->priority_levels; level++)
            c->above[level] = wide_add(c->above[level], wide_mul(events, i->hold));
        wide weight = wide_mul(wide_min((wide)i->op->blocks, i->at_once), i->weight);
        wide *stream = &b->stream_weight[i->op->stream];
        if (weight > *stream) {
            c->streams = wide_add(c->streams, weight - *stream);
            *stream = weight;
        }
    }
}

/* Can there be as much on the GPU at once as keeps a block of h out? */
static bool may_wait(const bound *b, const bound_op *h, const crowd *c)
{
    wide there = c->width;
    if (b->serial) {
        wide others = c->streams - b->stream_weight[h->op->stream];
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

/* Lemma 3c: alone. */
static wide waves(const bound_op *h)
{
    return wide_min(wide_mul(((wide)h->op->blocks - 1) / h->alone, h->hold), (h->holds - h->last_hold) / h->alone);
}

/* Lemma 2, for heads none of which has a floor below this one. */
static wide pooled(const crowd *c, wide floor)
{
    return wide_min(c->area / floor, wide_mul(c->longest, c->width / floor));
}

/* Heads of a low floor one by one, the others together: the split that gives the least. */
static wide heads(bound *b, const bound_op *k, const bound_path *path, bool own, const crowd *c)
{
    wide alone = 0, drains = 0, charged = 0, least = BOUND_HUGE;
    for (size_t n = 0; n < b->kernels && charged < least; n++) {
        const bound_op *h = b->by_floor[n];
        wide events = events_of(b, h, k, own);
        if (!events || h->level > path->lowest || !may_wait(b, h, c))
            continue;
        least = wide_min(least, wide_add(charged, pooled(c, h->floor)));
        alone = wide_add(alone, wide_mul(events, waves(h)));
        drains = wide_add(drains, wide_mul(events, drains_before(b, h, c)));
        charged = wide_add(alone, wide_min(drains, all_drains(c)));
    }
    return wide_min(least, charged);
}

wide bound_wait(bound *b, const bound_op *k, const bound_path *path, bool own)
{
    crowd c;
    gather(b, k, path, own, &c);
    wide wait = heads(b, k, path, own, &c), switches = wide_mul(c.events - own, b->gpu->switch_ns);
    if (own && c.above[k->level] == 0) {
        /* Nothing comes before k once it is the head: its blocks are in nobody's way. */
        wide last = may_wait(b, k, &c) ? wide_add(waves(k), drains_before(b, k, &c)) : 0;
        gather(b, k, path, false, &c);
        wait = wide_min(wait, wide_add(heads(b, k, path, false, &c), last));
    }
    return wide_add(wait, switches);
}
