#include "amalthea/lower/tasks/item_syncs.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/item_walk.h"

/* Whether runnables contain what others see: l->syncs. */
enum { SYNC_OPEN, SYNC_BUSY, SYNC_NO, SYNC_YES };

static gcast_status items_sync(lowering *l, const am_item *items, size_t count, int depth, bool *sync);

static gcast_status runnable_syncs(lowering *l, const am_item *call, int depth, bool *sync)
{
    if (call->runnable < 0)
        return GCAST_OK;
    char *known = &l->syncs[call->runnable];
    const am_runnable *r = &l->m->runnables[call->runnable];
    if (*known == SYNC_BUSY)
        return lower_error(l, call->at, "Runnable %s calls itself, by others or directly.", r->name);
    if (*known == SYNC_OPEN) {
        bool inside = false;
        *known = SYNC_BUSY;
        gcast_status status = items_sync(l, r->items, r->item_count, depth, &inside);
        if (status != GCAST_OK)
            return status;
        *known = inside ? SYNC_YES : SYNC_NO;
    }
    *sync |= *known == SYNC_YES;
    return GCAST_OK;
}

static bool is_waited_for(const lowering *l, const am_item *set)
{
    for (size_t i = 0; i < set->event_count; i++)
        if (set->events[i] >= 0 && l->waited[set->events[i]])
            return true;
    return false;
}

/* Does an item do what other tasks see? Events that nobody waits for make no difference. */
gcast_status item_syncs(lowering *l, const am_item *item, int depth, bool *sync)
{
    if (depth > LOWER_DEPTH)
        return lower_error(l, item->at, "Items and calls are nested deeper than %d levels.", LOWER_DEPTH);
    if (item->kind == AM_ITEM_TRIGGER || item->kind == AM_ITEM_WAIT_EVENT ||
        (item->kind == AM_ITEM_SET_EVENT && is_waited_for(l, item)))
        *sync = true;
    if (item->kind == AM_ITEM_CALL || (item->kind == AM_ITEM_SERVER_CALL && !item->asynchronous))
        return runnable_syncs(l, item, depth + 1, sync);
    return items_sync(l, item->items, item->item_count, depth + 1, sync);
}

static gcast_status items_sync(lowering *l, const am_item *items, size_t count, int depth, bool *sync)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = item_syncs(l, &items[i], depth, sync);
    return status;
}

bool runnable_known_to_sync(const lowering *l, int runnable)
{
    return l->syncs[runnable] == SYNC_YES;
}

static gcast_status note_wait(lowering *l, const am_item *item, int runnable, void *data)
{
    (void)runnable, (void)data;
    for (size_t i = 0; item->kind == AM_ITEM_WAIT_EVENT && i < item->event_count; i++)
        if (item->events[i] >= 0)
            l->waited[item->events[i]] = true;
    return GCAST_OK;
}

gcast_status item_syncs_start(lowering *l)
{
    gcast_status status = GCAST_OK;
    l->waited = lower_scratch(l, l->m->os_event_count, sizeof *l->waited);
    l->syncs = lower_scratch(l, l->m->runnable_count, sizeof *l->syncs);
    if (!l->waited || !l->syncs)
        return GCAST_RESOURCE;
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++)
        status = walk_task(l, (int)i, note_wait, NULL);
    return status;
}
