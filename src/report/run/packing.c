#include "report/run/packing.h"

#include "base/heap.h"

static int64_t end_of(const span *s)
{
    return s->end > s->start ? s->end : s->start + 1;
}

/* Greedy by start with the lowest free lane uses as many lanes as run at once
 * at the worst time, and no colouring can do with fewer. */
bool lanes_colour(span *spans, size_t count, uint32_t *lanes)
{
    heap busy = {0}, free_lanes = {0}; /* by end; by lane */
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
        size_t kept = 0, before = SIZE_MAX;
        s->place = 0;
        for (size_t k = 0; k < active.count; k++) {
            const span *a = active.at[k];
            if (end_of(a) <= s->start)
                continue;
            if (before == SIZE_MAX && a->place - s->place >= s->share)
                before = kept; /* the gap below it is wide enough */
            if (before == SIZE_MAX)
                s->place = a->place + a->share;
            active.at[kept++] = a;
        }
        active.count = kept;
        if (before == SIZE_MAX)
            before = kept;
        ok = vec_push(&active, NULL);
        for (size_t k = kept; ok && k > before; k--)
            active.at[k] = active.at[k - 1];
        if (ok)
            active.at[before] = s;
        if (s->place + s->share > *top)
            *top = s->place + s->share;
    }
    vec_free(&active);
    return ok;
}
