#include "amalthea/lower/tasks/switch_triggers.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/tasks/item_syncs.h"
#include "amalthea/lower/tasks/raw_steps.h"
#include "amalthea/lower/time/runnable_cost.h"

#define MAX_ITEMS 100000 /* of a switch, those of runnables as often as these are called */

/* One branch. */
typedef struct branch_walk {
    lowering *l;
    switch_sends *out;
    VEC(int) stimuli; /* that it sends, in order */
    size_t items;
    int inside; /* of switches in it */
} branch_walk;

static void note_bad(branch_walk *w, const am_item *item, const char *what)
{
    if (w->out->bad)
        return;
    w->out->bad = what;
    w->out->bad_at = item->at;
}

/* How often the branch has sent the stimulus. */
static size_t times_sent(const branch_walk *w, int stimulus)
{
    size_t times = 0;
    for (size_t i = 0; i < w->stimuli.count; i++)
        times += w->stimuli.at[i] == stimulus;
    return times;
}

/* The k-th time that a branch sends a stimulus is the k-th trigger of it. */
static gcast_status add_trigger(branch_walk *w, const am_item *item)
{
    size_t before = times_sent(w, item->stimulus);
    if (!vec_push(&w->stimuli, item->stimulus))
        return lower_no_memory(w->l);
    for (size_t i = 0; i < w->out->sends.count; i++) {
        switch_send *s = &w->out->sends.at[i];
        if (s->item->stimulus == item->stimulus && before-- == 0) {
            s->ways += !w->inside;
            return GCAST_OK;
        }
    }
    return vec_push(&w->out->sends, ((switch_send){item, !w->inside})) ? GCAST_OK : lower_no_memory(w->l);
}

static gcast_status walk_row(branch_walk *w, const am_item *items, size_t count);

/* Branches of a switch in the branch, as if all were taken: one that two of them send is two triggers. */
static gcast_status walk_switch(branch_walk *w, const am_item *item)
{
    w->inside++;
    gcast_status status = walk_row(w, item->items, item->item_count);
    w->inside--;
    return status;
}

/* An item of a branch that does what others see. */
static gcast_status walk_syncing(branch_walk *w, const am_item *item)
{
    switch (item->kind) {
    case AM_ITEM_TRIGGER:
        return add_trigger(w, item);
    case AM_ITEM_WAIT_EVENT:
        note_bad(w, item, "waits for events");
        return GCAST_OK;
    case AM_ITEM_SET_EVENT:
        note_bad(w, item, "sets events that tasks wait for");
        return GCAST_OK;
    case AM_ITEM_LOOP:
        note_bad(w, item, "triggers tasks in a loop");
        return GCAST_OK;
    case AM_ITEM_SWITCH:
        return walk_switch(w, item);
    case AM_ITEM_CALL:
    case AM_ITEM_SERVER_CALL:
        return walk_row(w, w->l->m->runnables[item->runnable].items, w->l->m->runnables[item->runnable].item_count);
    default:
        return walk_row(w, item->items, item->item_count);
    }
}

static gcast_status walk_row(branch_walk *w, const am_item *items, size_t count)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < count && status == GCAST_OK && !w->out->bad; i++) {
        bool sync = false;
        if (++w->items > MAX_ITEMS)
            return lower_error(w->l, items[i].at, "A switch that triggers tasks has more than %d items.", MAX_ITEMS);
        status = item_syncs(w->l, &items[i], 0, &sync);
        if (status == GCAST_OK && sync)
            status = walk_syncing(w, &items[i]);
        else if (w->stimuli.count && raw_item_runs(&items[i]))
            w->out->goes_on = true;
    }
    return status;
}

gcast_status switch_triggers(lowering *l, const am_item *item, switch_sends *out)
{
    gcast_status status = GCAST_OK;
    out->ways = switch_may_skip(item) ? 1 : 0;
    for (size_t i = 0; i < item->item_count && status == GCAST_OK; i++) {
        if (!branch_counts(&item->items[i]))
            continue;
        branch_walk w = {.l = l, .out = out};
        out->ways++;
        status = walk_row(&w, item->items[i].items, item->items[i].item_count);
        vec_free(&w.stimuli);
    }
    return status;
}
