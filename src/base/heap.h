/* A 4-ary min-heap of timed events, 16 bytes each. A pop leaves a hole at the root that the next push fills with a
 * single sift, so that a pop followed by a push, which is common in a simulation, takes one pass and not two. The order
 * of equal times is not defined. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/vec.h"

typedef struct heap_item {
    int64_t time;      /* the earliest is at the top */
    uint32_t kind, id; /* of the event, for the user */
} heap_item;

typedef struct heap {
    VEC(heap_item) items; /* children of i are 4 * i + 1 to 4 * i + 4 */
    bool hole;            /* items.at[0] is free */
} heap;

/* Puts x at i, or as far up from there as its time requires. */
static inline void heap_up(heap_item *at, size_t i, heap_item x)
{
    while (i && at[(i - 1) / 4].time > x.time) {
        at[i] = at[(i - 1) / 4];
        i = (i - 1) / 4;
    }
    at[i] = x;
}

/* Puts x into the hole at the root: the hole moves down to a leaf along the smallest children, and x moves up from
 * there. What a simulation pushes is late, so that the way up is short; the way down has no branch that the processor
 * could mispredict. */
static inline void heap_fill_root(heap_item *at, size_t count, heap_item x)
{
    size_t i = 0, child;
    while ((child = 4 * i + 1) + 3 < count) {
        size_t a = child + (at[child + 1].time < at[child].time);
        size_t b = child + 2 + (at[child + 3].time < at[child + 2].time);
        child = at[b].time < at[a].time ? b : a;
        at[i] = at[child];
        i = child;
    }
    if (child < count) { /* the last, incomplete family */
        size_t best = child;
        while (++child < count)
            best = at[child].time < at[best].time ? child : best;
        at[i] = at[best];
        i = best;
    }
    heap_up(at, i, x);
}

/* Closes the hole with the last item. */
static inline void heap_settle(heap *h)
{
    if (h->hole) {
        h->hole = false;
        heap_item last = h->items.at[--h->items.count];
        if (h->items.count)
            heap_fill_root(h->items.at, h->items.count, last);
    }
}

static inline bool heap_push(heap *h, heap_item x)
{
    if (h->hole) {
        h->hole = false;
        heap_fill_root(h->items.at, h->items.count, x);
        return true;
    }
    if (!vec_push(&h->items, x))
        return false;
    heap_up(h->items.at, h->items.count - 1, x);
    return true;
}

/* The earliest item, or NULL. */
static inline const heap_item *heap_top(heap *h)
{
    heap_settle(h);
    return h->items.count ? &h->items.at[0] : NULL;
}

static inline heap_item heap_pop(heap *h)
{
    heap_settle(h);
    h->hole = true;
    return h->items.at[0];
}

static inline size_t heap_count(const heap *h)
{
    return h->items.count - h->hole;
}

#endif
