#include "amalthea/lower/steps/raw_steps.h"

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/steps/runnable_cost.h"
#include "amalthea/lower/steps/yield_points.h"

#define MAX_ITEMS 100000  /* of a switch, those of runnables as often as these are called */
#define MAX_STEPS 1000000 /* of all tasks: runnables with triggers in them may be called over and over */
#define MAX_TASKS 10000
#define MAX_ROW 16 /* calls in a row that are steps of their own */

/* Code synchronizes if it triggers a task, waits for events, or sets an event that a task waits for. */

/* Whether a runnable does, in l->syncs. */
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

/* Sets *sync if the item, at this depth, synchronizes. Circles of calls are refused. */
static gcast_status item_syncs(lowering *l, const am_item *item, int depth, bool *sync)
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

/* Does a runnable synchronize that was looked at before? */
static bool runnable_known_to_sync(const lowering *l, int runnable)
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

/* Notes the events that tasks wait for. */
static gcast_status item_syncs_start(lowering *l)
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

/* Branches of a switch may trigger tasks, all branches or only some, and have code after a trigger. */

/* A trigger in branches of a switch. */
typedef struct switch_send {
    const am_item *item;
    size_t ways; /* branches that surely do it */
} switch_send;

typedef struct switch_sends {
    VEC(switch_send) sends;
    size_t ways;     /* branches that can be taken, with the one that does nothing */
    bool goes_on;    /* code follows a trigger in its branch */
    const char *bad; /* another synchronization in it, such as "waits for events"; NULL: none */
    am_place bad_at;
} switch_sends;

/* The state of a walk through one branch. */
typedef struct branch_walk {
    lowering *l;
    switch_sends *out;
    VEC(int) stimuli; /* sent so far, in order */
    size_t items;     /* visited so far */
    int inside;       /* how many switches deep the walk is */
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

/* The k-th send of a stimulus in any branch is the k-th trigger of the switch with that stimulus. */
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

static gcast_status walk_branch(branch_walk *w, const am_item *items, size_t count);

/* Walks through the branches of a switch in the branch as if all were taken: a stimulus that two of them send is two
 * triggers. */
static gcast_status walk_switch(branch_walk *w, const am_item *item)
{
    w->inside++;
    gcast_status status = walk_branch(w, item->items, item->item_count);
    w->inside--;
    return status;
}

/* Walks through an item of a branch that synchronizes. */
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
        return walk_branch(w, w->l->m->runnables[item->runnable].items, w->l->m->runnables[item->runnable].item_count);
    default:
        return walk_branch(w, item->items, item->item_count);
    }
}

/* Does an item of this kind take time, or need a finding, as semaphores do? */
static bool takes_time(am_item_kind kind)
{
    return kind == AM_ITEM_TICKS || kind == AM_ITEM_ACCESS || kind == AM_ITEM_SWITCH || kind == AM_ITEM_LOOP ||
           kind == AM_ITEM_SEMAPHORE || kind == AM_ITEM_SERVER_CALL;
}

/* May an item that does not synchronize take time? */
static bool raw_item_runs(const am_item *item)
{
    return takes_time(item->kind) || item->kind == AM_ITEM_CALL || item->kind == AM_ITEM_GROUP;
}

static gcast_status walk_branch(branch_walk *w, const am_item *items, size_t count)
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

/* Finds the triggers of a switch. The caller has zeroed `out`, and frees its sends. A stimulus that several branches
 * send is one trigger, one that a branch sends twice is two. Circles of calls have been refused before. */
static gcast_status switch_triggers(lowering *l, const am_item *item, switch_sends *out)
{
    gcast_status status = GCAST_OK;
    out->ways = switch_may_skip(item) ? 1 : 0;
    for (size_t i = 0; i < item->item_count && status == GCAST_OK; i++) {
        if (!branch_counts(&item->items[i]))
            continue;
        branch_walk w = {.l = l, .out = out};
        out->ways++;
        status = walk_branch(&w, item->items[i].items, item->items[i].item_count);
        vec_free(&w.stimuli);
    }
    return status;
}

/* The state of a walk through the items of a task. */
typedef struct raw_walk {
    lowering *l;
    const am_task *task;
    const char *owner; /* name of code between calls: the task, or the runnable that is taken apart */
    int of;            /* that runnable, or -1 */
    bool loose;        /* the walk is in a group without order */
    VEC(raw_step) steps;
    VEC(const am_item *) items; /* of all steps; raw_step.items are set at the end */
    VEC(size_t) first;          /* for each step, in items */
    VEC(raw_span) spans;
    bool open;  /* further code belongs to the last step */
    bool going; /* code has run since a cooperative task surely yielded */
    int depth;
} raw_walk;

static gcast_status add_step(raw_walk *w, raw_kind kind, const char *name, const am_item *item)
{
    raw_step step = {
        .kind = kind, .name = name, .item_count = 1, .runnable = -1, .of = w->of, .loose = w->loose, .sure = !w->going};
    w->going |= kind == RAW_RUN;
    if (++w->l->raw_total > MAX_STEPS)
        return lower_error(w->l, w->task->at, "Tasks do more than %d things in a row, up to %s.", MAX_STEPS,
                           w->task->name);
    if (!vec_push(&w->first, w->items.count) || !vec_push(&w->items, item) || !vec_push(&w->steps, step))
        return lower_no_memory(w->l);
    return GCAST_OK;
}

/* Code between calls is one step, as long as nothing else comes. */
static gcast_status add_code(raw_walk *w, const am_item *item)
{
    if (!w->open) {
        w->open = true;
        return add_step(w, RAW_RUN, w->owner, item);
    }
    w->steps.at[w->steps.count - 1].item_count++;
    w->steps.at[w->steps.count - 1].loose |= w->loose;
    return vec_push(&w->items, item) ? GCAST_OK : lower_no_memory(w->l);
}

static gcast_status walk_row(raw_walk *w, const am_item *items, size_t count);

/* Adds a runnable that is called: one step, or its own steps where it synchronizes. */
static gcast_status add_runnable(raw_walk *w, const am_item *item)
{
    const am_runnable *r = &w->l->m->runnables[item->runnable];
    w->open = false;
    if (!runnable_known_to_sync(w->l, item->runnable)) {
        gcast_status status = add_step(w, RAW_RUN, r->name, item);
        if (status == GCAST_OK)
            w->steps.at[w->steps.count - 1].runnable = item->runnable;
        return status;
    }
    const char *owner = w->owner;
    int of = w->of;
    w->owner = r->name;
    w->of = item->runnable;
    gcast_status status = walk_row(w, r->items, r->item_count);
    w->owner = owner;
    w->of = of;
    w->open = false;
    return status;
}

static gcast_status add_one_call(raw_walk *w, const am_item *item, bool spare)
{
    raw_span span = {item->runnable, w->steps.count, 0, item->least != 1 || item->most != 1};
    if (item->runnable < 0)
        return GCAST_OK;    /* listed as not understood by the reader */
    w->going &= w->of >= 0; /* the task yields at calls of its own code */
    gcast_status status = add_runnable(w, item);
    w->going &= w->of >= 0;
    if (status == GCAST_OK && span.repeated && runnable_known_to_sync(w->l, item->runnable))
        status = finding_of_task(w->l, item->at, (size_t)(w->task - w->l->m->tasks), SYS_CONDITION | SYS_APPROXIMATED,
                                 "Task %s: %s, which triggers tasks, waits for them or sets events, counts as called "
                                 "once, although the model gives another number of calls.",
                                 w->task->name, w->l->m->runnables[item->runnable].name);
    span.end = w->steps.count;
    span.repeated |= spare;
    for (size_t i = span.first; i < span.end; i++)
        w->steps.at[i].spare |= spare;
    return status == GCAST_OK && !vec_push(&w->spans, span) ? lower_no_memory(w->l) : status;
}

/* A cooperative task yields behind each call, also of the same runnable. More than MAX_ROW calls are one step. */
static gcast_status add_call(raw_walk *w, const am_item *item)
{
    bool cooperative = w->task->preemption == AM_PREEMPTION_COOPERATIVE;
    if (!cooperative || item->most < 2 || item->most > MAX_ROW || item->runnable < 0 ||
        runnable_known_to_sync(w->l, item->runnable))
        return add_one_call(w, item, false);
    am_item *once = lower_scratch(w->l, 1, sizeof *once);
    gcast_status status = once ? GCAST_OK : GCAST_RESOURCE;
    if (!once)
        return status;
    *once = *item;
    once->least = once->most = 1;
    for (int64_t i = 0; i < item->most && status == GCAST_OK; i++)
        status = add_one_call(w, once, i >= item->least);
    return status;
}

/* Adds the code of a switch; `none`: it may take no time, as it may come before the triggers or after them. */
static gcast_status add_switch_code(raw_walk *w, const am_item *item, bool none)
{
    w->open = false;
    gcast_status status = add_step(w, RAW_RUN, w->owner, item);
    if (status == GCAST_OK)
        w->steps.at[w->steps.count - 1].maybe = none;
    return status;
}

/* Each trigger is taken as done: it may happen, and no bound may assume that it does not. */
static gcast_status add_choices(raw_walk *w, const am_item *item, const switch_sends *s)
{
    gcast_status status = add_switch_code(w, item, s->goes_on);
    for (size_t i = 0; i < s->sends.count && status == GCAST_OK; i++) {
        status = add_step(w, RAW_TRIGGER, w->owner, s->sends.at[i].item);
        if (status == GCAST_OK)
            w->steps.at[w->steps.count - 1].maybe = s->sends.at[i].ways < s->ways;
    }
    w->going &= !s->goes_on; /* the code counts as a whole before the triggers, and again after them */
    if (status == GCAST_OK && s->goes_on)
        status = add_switch_code(w, item, true);
    w->open = false;
    w->l->loose = true;
    if (status != GCAST_OK)
        return status;
    return finding_add(
        w->l, item->at, SYS_APPROXIMATED,
        "Task %s: a %s in %s triggers tasks: it is assumed that this triggers them each time%s.", w->task->name,
        item->counted ? "counter" : "switch", w->owner,
        s->goes_on ? ", and its code counts before and again after them, because there is code behind a trigger" : "");
}

/* A switch that synchronizes is taken apart where only one branch is possible. Otherwise its triggers are taken as
 * done, and waits or events that it sets are refused. */
static gcast_status add_switch(raw_walk *w, const am_item *item)
{
    const am_item *only = NULL;
    size_t ways = switch_may_skip(item) ? 1 : 0;
    for (size_t i = 0; i < item->item_count; i++) {
        if (!branch_counts(&item->items[i]))
            continue;
        only = &item->items[i];
        ways++;
    }
    if (ways <= 1)
        return only ? walk_row(w, only->items, only->item_count) : GCAST_OK;
    switch_sends s = {0};
    gcast_status status = switch_triggers(w->l, item, &s);
    if (status == GCAST_OK && s.bad)
        status = item->counted
                     ? lower_error(w->l, s.bad_at,
                                   "Task %s: %s %s only once in several times (a counter): gridcast analyzes this only "
                                   "if it happens each time.",
                                   w->task->name, w->owner, s.bad)
                     : lower_error(w->l, s.bad_at,
                                   "Task %s: a switch in %s %s: gridcast analyzes this only outside of switches.",
                                   w->task->name, w->owner, s.bad);
    if (status == GCAST_OK)
        status = add_choices(w, item, &s);
    vec_free(&s.sends);
    return status;
}

static gcast_status add_syncing(raw_walk *w, const am_item *item)
{
    switch (item->kind) {
    case AM_ITEM_TRIGGER:
        w->open = false;
        return add_step(w, RAW_TRIGGER, w->owner, item);
    case AM_ITEM_WAIT_EVENT:
        w->open = false;
        return add_step(w, RAW_WAIT, w->owner, item);
    case AM_ITEM_SET_EVENT:
        w->open = false;
        return add_step(w, RAW_SET, w->owner, item);
    case AM_ITEM_SWITCH:
        return add_switch(w, item);
    case AM_ITEM_LOOP:
        return lower_error(w->l, item->at,
                           "Task %s: a loop in %s triggers tasks, waits for events or sets them: gridcast analyzes "
                           "this only outside of loops.",
                           w->task->name, w->owner);
    default:
        return walk_row(w, item->items, item->item_count);
    }
}

static gcast_status tell_unordered(raw_walk *w, const am_item *item)
{
    return finding_of_task(
        w->l, item->at, (size_t)(w->task - w->l->m->tasks), SYS_CONDITION,
        "Task %s: a group without order triggers tasks or waits for them: the order of the file is used.",
        w->task->name);
}

/* A task that is not preemptive yields at a SchedulePoint. */
static gcast_status add_schedule_point(raw_walk *w)
{
    if (w->task->preemption == AM_PREEMPTION_PREEMPTIVE)
        return GCAST_OK;
    w->open = false;
    w->going &= w->loose;
    if (w->steps.count) {
        raw_step *last = &w->steps.at[w->steps.count - 1];
        *(w->loose ? &last->scattered : &last->point) = true;
    }
    return GCAST_OK;
}

static gcast_status walk_group(raw_walk *w, const am_item *group)
{
    bool before = w->loose;
    w->loose |= group->unordered && group->item_count > 1;
    gcast_status status = walk_row(w, group->items, group->item_count);
    w->loose = before;
    return status;
}

static gcast_status add_item(raw_walk *w, const am_item *item)
{
    bool sync = false;
    gcast_status status = item_syncs(w->l, item, w->depth, &sync);
    if (status != GCAST_OK)
        return status;
    if (item->kind == AM_ITEM_CALL || (item->kind == AM_ITEM_SERVER_CALL && !item->asynchronous))
        return add_call(w, item);
    if (item->kind == AM_ITEM_CLEAR_EVENT)
        return add_step(w, RAW_CLEAR, w->owner, item);
    if (item->kind == AM_ITEM_SCHEDULE_POINT)
        return add_schedule_point(w);
    if (item->kind == AM_ITEM_GROUP && item->unordered && sync)
        status = tell_unordered(w, item);
    if (item->kind == AM_ITEM_GROUP && status == GCAST_OK)
        return walk_group(w, item);
    if (status != GCAST_OK)
        return status;
    if (sync)
        return add_syncing(w, item);
    return takes_time(item->kind) ? add_code(w, item) : GCAST_OK;
}

static gcast_status walk_row(raw_walk *w, const am_item *items, size_t count)
{
    gcast_status status = GCAST_OK;
    w->depth++;
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = add_item(w, &items[i]);
    w->depth--;
    return status;
}

static gcast_status keep_steps(raw_walk *w, lowered_task *t)
{
    raw_step *steps = lower_scratch(w->l, w->steps.count, sizeof *steps);
    const am_item **items = lower_scratch(w->l, w->items.count, sizeof *items);
    raw_span *spans = lower_scratch(w->l, w->spans.count, sizeof *spans);
    if (!steps || !items || !spans)
        return GCAST_RESOURCE;
    for (size_t i = 0; i < w->spans.count; i++)
        spans[i] = w->spans.at[i];
    for (size_t i = 0; i < w->items.count; i++)
        items[i] = w->items.at[i];
    for (size_t i = 0; i < w->steps.count; i++) {
        steps[i] = w->steps.at[i];
        steps[i].items = items + w->first.at[i];
    }
    t->raw = steps;
    t->raw_count = w->steps.count;
    t->spans = spans;
    t->span_count = w->spans.count;

    return yield_points_find(w->l, w->task, steps, t->raw_count, &t->yields);
}

gcast_status raw_steps_make(lowering *l)
{
    const am_model *m = l->m;
    gcast_status status = GCAST_OK;
    if (m->task_count > MAX_TASKS)
        return lower_error(l, m->tasks[MAX_TASKS].at, "The model has more than %d tasks.", MAX_TASKS);
    status = item_syncs_start(l);
    for (size_t i = 0; i < m->task_count && status == GCAST_OK; i++) {
        if (!m->tasks[i].stimulus_count)
            continue;
        raw_walk w = {.l = l, .task = &m->tasks[i], .owner = m->tasks[i].name, .of = -1};
        status = walk_row(&w, m->tasks[i].items, m->tasks[i].item_count);
        if (status == GCAST_OK)
            status = keep_steps(&w, &l->tasks[i]);
        vec_free(&w.steps);
        vec_free(&w.items);
        vec_free(&w.first);
        vec_free(&w.spans);
    }
    return status;
}
