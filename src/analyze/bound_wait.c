/* Waiting in EE queues, lemmas 2 and 3 of docs/bound.md. Whenever a kernel of the
 * path is in a queue, some head fits nowhere, or the GPU switches kernels. Heads of a
 * low floor are charged one by one (lemma 3), the others together by the work that
 * keeps them out (lemma 2); the split that gives the least is taken. */
#include "analyze/bound.h"

#include <string.h>

#define LEVELS 64

typedef struct crowd {
    wide area, width;     /* weight x time, and weight, of all blocks about */
    wide longest, second; /* longest holds of two events */
    wide switches;
    wide higher[LEVELS]; /* holds of the kernels above a level, summed */
    wide streams;        /* weight that can be there at once: of each stream its heaviest kernel */
} crowd;

static wide events_of(const bound *b, const bound_op *i, const bound_op *k, bool own)
{
    return wide_add(b->counts[i - b->ops], own && i == k);
}

/* Blocks of `i` that can hold room while kernels of the path are in queues. One of a lower
 * level starts none then, so that only those count that were there when they entered. */
static wide blocks_of(const bound *b, const bound_op *i, const bound_op *k, const bound_path *path, bool own)
{
    wide n = wide_mul(events_of(b, i, k, own), (wide)i->op->blocks);
    if (i->level > path->lowest)
        n = wide_min(n, wide_mul(i->at_once, wide_add(path->kernels, own)));
    return own && i == k ? n - 1 : n;
}

static void add_hold(crowd *c, wide hold, wide events)
{
    for (int n = 0; n < 2 && n < events; n++) {
        if (hold > c->longest) {
            c->second = c->longest;
            c->longest = hold;
        } else if (hold > c->second) {
            c->second = hold;
        }
    }
}

static void gather(bound *b, const bound_op *k, const bound_path *path, bool own, crowd *c)
{
    memset(c, 0, sizeof *c);
    memset(b->stream_weight, 0, b->w->stream_count * sizeof *b->stream_weight);
    for (size_t n = 0; n < b->kernels; n++) {
        const bound_op *i = b->by_floor[n];
        wide events = events_of(b, i, k, own);
        if (!events)
            continue;
        wide width = wide_mul(blocks_of(b, i, k, path, own), i->weight);
        c->width = wide_add(c->width, width);
        c->area = wide_add(c->area, wide_mul(width, i->hold));
        c->switches = wide_add(c->switches, b->counts[i - b->ops]);
        add_hold(c, i->hold, events);
        for (int level = i->level + 1; level < b->gpu->priority_levels; level++)
            c->higher[level] = wide_add(c->higher[level], wide_mul(events, i->hold));
        wide here = wide_mul(wide_min((wide)i->op->blocks, i->at_once), i->weight);
        wide *stream = &b->stream_weight[i->op->stream];
        if (here > *stream) {
            c->streams = wide_add(c->streams, here - *stream);
            *stream = here;
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

/* Lemma 3: what was there drains, what is higher comes and drains, and then it is alone. */
static wide charge(const bound_op *h, const crowd *c, wide events)
{
    wide drain = events == 1 && h->hold == c->longest ? c->second : c->longest;
    wide waves = wide_mul(((wide)h->op->blocks - 1) / h->alone, h->hold);
    return wide_mul(events, wide_add(wide_add(drain, c->higher[h->level]), waves));
}

/* Lemma 2, for heads none of which has a floor below this one. */
static wide pooled(const crowd *c, wide floor)
{
    return wide_min(c->area / floor, wide_mul(c->longest, c->width / floor));
}

wide bound_wait(bound *b, const bound_op *k, const bound_path *path, bool own)
{
    crowd c;
    wide charged = 0, least = BOUND_HUGE;
    gather(b, k, path, own, &c);
    for (size_t n = 0; n < b->kernels && charged < least; n++) {
        const bound_op *h = b->by_floor[n];
        wide events = events_of(b, h, k, own);
        if (!events || h->level > path->lowest || !may_wait(b, h, &c))
            continue;
        least = wide_min(least, wide_add(charged, pooled(&c, h->floor)));
        charged = wide_add(charged, charge(h, &c, events));
    }
    return wide_add(wide_min(least, charged), wide_mul(c.switches, b->gpu->switch_ns));
}
