#include "amalthea/lower/doubts/label_doubts.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/item_walk.h"
#include "amalthea/lower/time/memory_cost.h"
#include "base/text/units.h"

typedef struct label_use {
    bool *accessed, *written;
} label_use;

static gcast_status note_use(lowering *l, const am_item *item, int runnable, void *data)
{
    label_use *u = data;
    (void)l, (void)runnable;
    if (item->kind != AM_ITEM_ACCESS || item->label < 0)
        return GCAST_OK;
    u->accessed[item->label] = true;
    u->written[item->label] |= item->write;
    return GCAST_OK;
}

static gcast_status note_all(lowering *l, label_use *u)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++)
        status = walk_task(l, (int)i, note_use, u);
    /* runnables that no task calls, too: somebody knows about these labels */
    for (size_t i = 0; i < l->m->runnable_count && status == GCAST_OK; i++)
        for (size_t k = 0; k < l->m->runnables[i].item_count && status == GCAST_OK; k++)
            status = note_use(l, &l->m->runnables[i].items[k], (int)i, u);
    return status;
}

static gcast_status tell_constant(lowering *l, const label_use *u)
{
    name_list names = {0};
    am_place at = lower_nowhere();
    for (size_t i = 0; i < l->m->label_count; i++) {
        if (!l->m->labels[i].constant || !u->written[i])
            continue;
        if (!names.count)
            at = l->m->labels[i].at;
        names_add(&names, l->m->labels[i].name);
    }
    if (!names.count)
        return GCAST_OK;
    return finding_doubt(l, at, 0, "Labels are marked as constant, but written: %s.", names_text(&names));
}

static gcast_status tell_unused(lowering *l, const label_use *u)
{
    name_list names = {0};
    am_place at = lower_nowhere();
    const am_label *largest = NULL;
    for (size_t i = 0; i < l->m->label_count; i++) {
        const am_label *label = &l->m->labels[i];
        if (u->accessed[i])
            continue;
        if (!names.count)
            at = label->at;
        if (!largest || label->bits > largest->bits)
            largest = label;
        names_add(&names, label->name);
    }
    if (!names.count)
        return GCAST_OK;
    char size[40];
    units_format_size(largest->bits < 0 ? 0 : label_bytes(largest), size, sizeof size);
    if (names.count == 1)
        return finding_doubt(l, at, 0, "Label %s (%s) is never read or written.", largest->name, size);
    return finding_doubt(l, at, 0, "Labels are never read or written: %s. The largest is %s (%s).", names_text(&names),
                         largest->name, size);
}

gcast_status label_doubts_find(lowering *l)
{
    label_use u = {.accessed = lower_scratch(l, l->m->label_count, sizeof(bool)),
                   .written = lower_scratch(l, l->m->label_count, sizeof(bool))};
    gcast_status status = u.accessed && u.written ? note_all(l, &u) : GCAST_RESOURCE;
    if (status == GCAST_OK)
        status = tell_constant(l, &u);
    return status == GCAST_OK ? tell_unused(l, &u) : status;
}
