#include "amalthea/lower/item_walk.h"

#include "amalthea/lower/findings.h"

typedef struct walk {
    lowering *l;
    uint32_t number; /* of this walk: runnables that were seen have it */
    item_visitor visit;
    void *data;
} walk;

static gcast_status walk_in(walk *w, const am_item *items, size_t count, int runnable, int depth)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        const am_item *item = &items[i];
        if (depth > LOWER_DEPTH)
            return lower_error(w->l, item->at, "Items and calls are nested deeper than %d levels.", LOWER_DEPTH);
        status = w->visit(w->l, item, runnable, w->data);
        if (status == GCAST_OK && item->item_count)
            status = walk_in(w, item->items, item->item_count, runnable, depth + 1);
        bool calls = item->kind == AM_ITEM_CALL || (item->kind == AM_ITEM_SERVER_CALL && !item->asynchronous);
        if (status != GCAST_OK || !calls || item->runnable < 0 || w->l->seen[item->runnable] == w->number)
            continue;
        w->l->seen[item->runnable] = w->number;
        const am_runnable *r = &w->l->m->runnables[item->runnable];
        status = walk_in(w, r->items, r->item_count, item->runnable, depth + 1);
    }
    return status;
}

/* A walk that has seen nothing yet. One at a time: visitors do not walk. */
static gcast_status start(walk *w)
{
    lowering *l = w->l;
    if (!l->seen)
        l->seen = lower_scratch(l, l->m->runnable_count, sizeof *l->seen);
    if (!l->seen)
        return GCAST_RESOURCE;
    w->number = ++l->walks;
    return GCAST_OK;
}

gcast_status walk_pointers(lowering *l, const am_item *const *items, size_t count, item_visitor visit, void *data)
{
    walk w = {.l = l, .visit = visit, .data = data};
    gcast_status status = start(&w);
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = walk_in(&w, items[i], 1, -1, 0);
    return status;
}

gcast_status walk_task(lowering *l, int task, item_visitor visit, void *data)
{
    walk w = {.l = l, .visit = visit, .data = data};
    gcast_status status = start(&w);
    return status == GCAST_OK ? walk_in(&w, l->m->tasks[task].items, l->m->tasks[task].item_count, -1, 0) : status;
}
