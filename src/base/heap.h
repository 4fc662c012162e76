/* A binary min-heap of timed events, 16 bytes each. Pop leaves a hole at the
 * root that the next push fills with a single sift, so that the common
 * pop-then-push of a simulation costs one pass, not two. Order among equal
 * times is not defined: whoever uses it must not depend on it. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/vec.h"

typedef struct heap_item {
    int64_t time;
    uint32_t kind, id;
} heap_item;

typedef struct heap {
    VEC(heap_item) items;
    bool hole; /* items.at[0] is free */
} heap;

static inline void heap_sift_down(heap_item *at, size_t count, heap_item x)
{
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && at[child + 1].time < at[child].time)
            child++;
        if (x.time <= at[child].time)
            break;
        at[i] = at[child];
        i = child;
    }
    at[i] = x;
}

static inline void heap_settle(heap *h)
{
    if (h->hole) {
        h->hole = false;
        heap_item last = h->items.at[--h->items.count];
        if (h->items.count)
            heap_sift_down(h->items.at, h->items.count, last);
    }
}

static inline bool heap_push(heap *h, heap_item x)
{
    if (h->hole) {
        h->hole = false;
        heap_sift_down(h->items.at, h->items.count, x);
        return true;
    }
    if (!vec_push(&h->items, x))
        return false;
    heap_item *at = h->items.at;
    size_t i = h->items.count - 1;
    while (i && at[(i - 1) / 2].time > x.time) {
        at[i] = at[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    at[i] = x;
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
