#include "amalthea/lower/tasks/links.h"

#include "amalthea/lower/findings.h"

static int *list_heads(lowering *l, size_t count)
{
    int *heads = lower_scratch(l, count, sizeof *heads);
    for (size_t i = 0; heads && i < count; i++)
        heads[i] = LINK_END;
    return heads;
}

static bool push(lowering *l, int *head, int task, size_t raw)
{
    task_link link = {.task = task, .raw = raw, .next = *head};
    if (!vec_push(&l->links, link))
        return false;
    *head = (int)l->links.count - 1;
    return true;
}

static bool link_step(lowering *l, int task, size_t raw)
{
    const raw_step *step = &l->tasks[task].raw[raw];
    const am_item *item = step->items[0];
    if (step->kind == RAW_TRIGGER && item->stimulus >= 0)
        return push(l, &l->first_send[item->stimulus], task, raw);
    bool ok = true;
    for (size_t i = 0; step->kind == RAW_SET && i < item->event_count && ok; i++)
        if (item->events[i] >= 0)
            ok = push(l, &l->first_set[item->events[i]], task, raw);
    return ok;
}

gcast_status links_make(lowering *l)
{
    l->first_send = list_heads(l, l->m->stimulus_count);
    l->first_set = list_heads(l, l->m->os_event_count);
    if (!l->first_send || !l->first_set)
        return GCAST_RESOURCE;
    for (size_t i = l->m->task_count; i-- > 0;) /* so that lists are in the order of the file */
        for (size_t k = l->tasks[i].raw_count; k-- > 0;)
            if (!link_step(l, (int)i, k))
                return lower_no_memory(l);
    return GCAST_OK;
}

gcast_status links_listen(lowering *l)
{
    l->first_listener = list_heads(l, l->m->stimulus_count);
    l->next_listener = list_heads(l, l->m->task_count);
    if (!l->first_listener || !l->next_listener)
        return GCAST_RESOURCE;
    for (size_t i = l->m->task_count; i-- > 0;) {
        int s = l->tasks[i].stimulus;
        if (s < 0)
            continue;
        l->next_listener[i] = l->first_listener[s];
        l->first_listener[s] = (int)i;
    }
    return GCAST_OK;
}
