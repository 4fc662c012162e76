#include "report/run/packing.h"

#include "base/heap.h"
#include "base/integers.h"

int span_order(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

/* At least 1 ns after its start. */
static int64_t end_of(const span *s)
{
    return s->end > s->start ? s->end : s->start + 1;
}

/* Gives each span, by start, the lowest free lane. So there are as many lanes as spans at one time, which is the
 * minimum. */
bool lanes_colour(span *spans, size_t count, uint32_t *lanes)
{
    heap busy = {0}, free_lanes = {0}; /* lanes in use by the end of their last span; free ones by number */
    uint32_t used = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        const heap_item *first;
        while (ok && (first = heap_top(&busy)) && first->time <= spans[i].start)
            ok = heap_push(&free_lanes, (heap_item){.time = heap_pop(&busy).id});
        spans[i].place = heap_count(&free_lanes) ? (uint32_t)heap_pop(&free_lanes).time : used++;
        ok = ok && heap_push(&busy, (heap_item){.time = end_of(&spans[i]), .id = spans[i].place});
    }
    vec_free(&busy.items);
    vec_free(&free_lanes.items);
    *lanes = used;
    return ok;
}

bool lanes_pack(span *spans, size_t count, uint32_t *top)
{
    VEC(const span *) active = {0}; /* by place */
    bool ok = true;
    *top = 0;
    for (size_t i = 0; ok && i < count; i++) {
        span *s = &spans[i];
        size_t kept = 0, gap = SIZE_MAX; /* gap: the span's index among the active ones */
        s->place = 0;
        for (size_t k = 0; k < active.count; k++) {
            const span *a = active.at[k];
            if (end_of(a) <= s->start)
                continue;
            if (gap == SIZE_MAX && a->place - s->place >= s->share)
                gap = kept; /* the gap below this one is wide enough */
            if (gap == SIZE_MAX)
                s->place = a->place + a->share;
            active.at[kept++] = a;
        }
        active.count = kept;
        if (gap == SIZE_MAX)
            gap = kept;
        ok = vec_push(&active, NULL);
        for (size_t k = kept; ok && k > gap; k--)
            active.at[k] = active.at[k - 1];
        if (ok)
            active.at[gap] = s;
        *top = max_u32(*top, s->place + s->share);
    }
    vec_free(&active);
    return ok;
}
