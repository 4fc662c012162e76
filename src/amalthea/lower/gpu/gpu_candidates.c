#include "amalthea/lower/gpu/gpu_candidates.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/item_walk.h"

/* What ticks say about the GPU. */
typedef struct tick_entries {
    size_t with, without; /* an entry for its definition */
} tick_entries;

static gcast_status count_entries(lowering *l, const am_item *item, int runnable, void *data)
{
    tick_entries *e = data;
    (void)runnable;
    if (item->kind != AM_ITEM_TICKS)
        return GCAST_OK;
    bool found = false;
    for (size_t i = 0; i < item->tick_count; i++)
        found |=
            item->ticks[i].definition >= 0 && item->ticks[i].definition == l->processors[l->gpu_processor].definition;
    e->with += found;
    e->without += !found;
    return GCAST_OK;
}

static bool put_on_gpu(const lowering *l, const lowered_task *t)
{
    for (size_t i = 0; i < t->unit_count; i++)
        if (t->units[i] == l->gpu_unit)
            return true;
    return false;
}

/* Why a task of this form cannot be on the GPU; NULL: it can. */
static const char *bad_form(const lowering *l, const lowered_task *t)
{
    if (!l->gpu)
        return "no GPU is named: give --gpu NAME";
    if (t->trigger < 0)
        return "it is not triggered by a task on a core";
    for (size_t k = 0; k < t->raw_count; k++)
        if (t->raw[k].kind == RAW_TRIGGER || t->raw[k].kind == RAW_WAIT)
            return "it triggers tasks or waits for events";
    for (const lowered_task *of = t; of->trigger >= 0; of = &l->tasks[of->trigger])
        if (l->tasks[of->trigger].raw[of->trigger_raw].maybe)
            return "a switch need not trigger it";
    return NULL;
}

static gcast_status find_candidate(lowering *l, size_t task)
{
    lowered_task *t = &l->tasks[task];
    const char *bad = bad_form(l, t);
    if (put_on_gpu(l, t)) {
        t->why_not_gpu = bad;
        t->why_at = l->m->tasks[task].at;
        t->gpu_candidate = !bad;
        return GCAST_OK;
    }
    tick_entries e = {0};
    gcast_status status = bad ? GCAST_OK : walk_task(l, (int)task, count_entries, &e);
    t->gpu_candidate = !bad && e.with && !e.without;
    return status;
}

/* Labels by who accesses them. */
typedef struct label_users {
    bool candidate; /* whose items these are */
    bool *by_candidate, *by_other;
} label_users;

static gcast_status note_access(lowering *l, const am_item *item, int runnable, void *data)
{
    label_users *u = data;
    (void)l, (void)runnable;
    if (item->kind == AM_ITEM_ACCESS && item->label >= 0)
        (u->candidate ? u->by_candidate : u->by_other)[item->label] = true;
    return GCAST_OK;
}

gcast_status gpu_candidates_find(lowering *l)
{
    size_t labels = l->m->label_count;
    gcast_status status = GCAST_OK;
    label_users u = {.by_candidate = lower_scratch(l, labels, sizeof(bool)),
                     .by_other = lower_scratch(l, labels, sizeof(bool))};
    l->device_label = lower_scratch(l, labels, sizeof *l->device_label);
    if (!u.by_candidate || !u.by_other || !l->device_label)
        return GCAST_RESOURCE;
    for (size_t i = 0; l->gpu_unit >= 0 && i < l->m->task_count && status == GCAST_OK; i++)
        if (l->tasks[i].index >= 0)
            status = find_candidate(l, i);
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++) {
        u.candidate = l->tasks[i].gpu_candidate;
        status = walk_task(l, (int)i, note_access, &u);
    }
    for (size_t i = 0; i < labels; i++)
        l->device_label[i] = u.by_candidate[i] && !u.by_other[i];
    return status;
}
