#include "amalthea/lower/gpu/gpu_ops.h"

#include <stdio.h>

#include "amalthea/lower/findings.h"
#include "amalthea/lower/gpu/copy_op.h"
#include "amalthea/lower/gpu/kernel_shape.h"
#include "amalthea/lower/item_walk.h"
#include "amalthea/lower/time/runnable_cost.h"

/* What the code of a step contains. */
typedef struct step_content {
    size_t ticks, accesses;
} step_content;

static gcast_status count_content(lowering *l, const am_item *item, int runnable, void *data)
{
    step_content *c = data;
    (void)l, (void)runnable;
    c->ticks += item->kind == AM_ITEM_TICKS;
    c->accesses += item->kind == AM_ITEM_ACCESS && item->label >= 0;
    return GCAST_OK;
}

/* Properties of what a step calls, or of the task whose code it is. */
static void properties_of(const lowering *l, size_t task, const raw_step *raw, const am_property **p, size_t *count,
                          am_place *at)
{
    const am_task *t = &l->m->tasks[task];
    const am_runnable *r = raw->runnable < 0 ? NULL : &l->m->runnables[raw->runnable];
    *p = r ? r->properties : t->properties;
    *count = r ? r->property_count : t->property_count;
    *at = r ? r->at : t->at;
}

/* It cannot run on the GPU: the task is for cores only. */
static gcast_status refuse(lowering *l, size_t task, am_place at, const char *format, const char *name)
{
    char text[500];
    snprintf(text, sizeof text, format, name);
    l->tasks[task].why_not_gpu = arena_strdup(&l->scratch, text);
    l->tasks[task].why_at = at;
    return l->tasks[task].why_not_gpu ? GCAST_OK : lower_no_memory(l);
}

static gcast_status tell_shape(lowering *l, const char *name, am_place at, const kernel_shape *shape)
{
    if (!shape->guessed_block)
        return GCAST_OK;
    return finding_of_gpu(
        l, at, SYS_CONDITION | SYS_APPROXIMATED,
        "Kernel %s has a GridSize, but no BlockSize: blocks of %u threads are taken, as in the thesis "
        "that GridSize is from.",
        name, shape->block[0]);
}

static gcast_status make_kernel(lowering *l, size_t task, const raw_step *raw, sys_step *step)
{
    const am_property *properties;
    size_t property_count, gpu = (size_t)l->gpu_processor;
    am_place at;
    kernel_shape shape;
    fine_cost c;
    sys_range ticks;
    cost_owner owner = {raw->name, l->m->tasks[task].properties, l->m->tasks[task].property_count};
    properties_of(l, task, raw, &properties, &property_count, &at);
    gcast_status status = items_cost(l, gpu, &owner, raw->items, raw->item_count, &c);
    if (status != GCAST_OK)
        return status;
    if (c.never)
        return refuse(l, task, at, "nothing is said about how long %s takes on the GPU", raw->name);
    if (!fine_range(&l->processors[gpu].clock, c.min, c.max, &ticks))
        return lower_error(l, at, "%s takes longer than a day on the GPU.", raw->name);
    status = kernel_shape_find(l, raw->name, properties, property_count, at, &shape);
    if (status != GCAST_OK)
        return status;
    if (!shape.known)
        return refuse(l, task, at,
                      "nothing is said about the shape of kernel %s: give --kernels FILE, or --kernels fill to take "
                      "one that fills the GPU",
                      raw->name);
    for (size_t i = 0; i < raw->item_count && status == GCAST_OK; i++)
        if (raw->items[i]->most > 1)
            status = finding_of_task(l, raw->items[i]->at, task, SYS_CONDITION | SYS_APPROXIMATED,
                                     "Kernel %s is called up to %lld times: it counts as one kernel of that time.",
                                     raw->name, (long long)raw->items[i]->most);
    if (status == GCAST_OK && raw->spare)
        status =
            finding_of_task(l, at, task, SYS_CONDITION | SYS_APPROXIMATED,
                            "Kernel %s need not be called as often as it may be: it counts as if it were.", raw->name);
    if (status != GCAST_OK)
        return status;
    step->on_gpu = true;
    status = kernel_op_make(l, raw->name, at, &shape, ticks, &step->op, &step->alone);
    return status == GCAST_OK ? tell_shape(l, raw->name, at, &shape) : status;
}

static void give_up(sys_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        steps[i].on_gpu = false;
}

static gcast_status make_step(lowering *l, size_t task, const raw_step *raw, bool after_kernel, sys_step *step,
                              bool *kernel)
{
    step_content content = {0};
    gcast_status status = walk_pointers(l, raw->items, raw->item_count, count_content, &content);
    *kernel = content.ticks > 0;
    if (status != GCAST_OK || (!content.ticks && !content.accesses))
        return status;
    return *kernel ? make_kernel(l, task, raw, step) : copy_op_make(l, task, raw, after_kernel, step);
}

/* Steps that are no operations do nothing. */
static void drop_others(const lowered_task *t, sys_step *steps, size_t count)
{
    size_t kept = 0, raw = 0;
    for (size_t i = 0; i <= count; i++) {
        while (raw <= t->raw_count && t->step_of[raw] == i)
            t->step_of[raw++] = kept;
        if (i < count && steps[i].on_gpu)
            steps[kept++] = steps[i];
    }
}

gcast_status gpu_ops_make(lowering *l, size_t task, sys_step *steps, size_t *count)
{
    const lowered_task *t = &l->tasks[task];
    bool after_kernel = false;
    size_t kept = 0, i = 0; /* steps are the raw steps that run something, in order */
    if (!t->gpu_candidate)
        return GCAST_OK;
    for (size_t k = 0; k < t->raw_count; k++) {
        bool kernel;
        if (t->raw[k].kind != RAW_RUN)
            continue;
        gcast_status status = make_step(l, task, &t->raw[k], after_kernel, &steps[i++], &kernel);
        if (status != GCAST_OK)
            return status;
        after_kernel |= kernel;
        if (!t->why_not_gpu)
            continue;
        give_up(steps, *count);
        return GCAST_OK;
    }
    for (i = 0; i < *count; i++)
        if (steps[i].on_gpu)
            kept++;
    if (kept)
        drop_others(t, steps, *count);
    else
        return refuse(l, task, l->m->tasks[task].at, "it has no copies and no kernels%s", "");
    *count = kept;
    return GCAST_OK;
}
