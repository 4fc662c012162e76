#include "simulate/system/ready_queue.h"

static bool is_before(const ready_item *a, const ready_item *b)
{
    if (a->isr != b->isr || a->priority != b->priority)
        return ready_is_higher(a, b);
    return a->release_ns != b->release_ns ? a->release_ns < b->release_ns : a->task < b->task;
}

bool ready_add(ready_queue *q, ready_item item)
{
    if (!vec_push(&q->items, item))
        return false;
    ready_item *at = q->items.at;
    size_t i = q->items.count - 1;
    for (; i && is_before(&item, &at[(i - 1) / 2]); i = (i - 1) / 2)
        at[i] = at[(i - 1) / 2];
    at[i] = item;
    return true;
}

const ready_item *ready_first(const ready_queue *q)
{
    return q->items.count ? &q->items.at[0] : NULL;
}

ready_item ready_take(ready_queue *q)
{
    ready_item *at = q->items.at, first = at[0], last = at[--q->items.count];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < q->items.count) {
        if (child + 1 < q->items.count && is_before(&at[child + 1], &at[child]))
            child++;
        if (!is_before(&at[child], &last))
            break;
        at[i] = at[child];
        i = child;
    }
    at[i] = last;
    return first;
}
