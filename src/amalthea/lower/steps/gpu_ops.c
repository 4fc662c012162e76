#include "amalthea/lower/steps/gpu_ops.h"

#include <stdio.h>

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/steps/kernel_shape.h"
#include "amalthea/lower/steps/memory_cost.h"
#include "amalthea/lower/steps/runnable_cost.h"
#include "amalthea/model.h"
#include "base/integers.h"
#include "base/units.h"

#define NS_PER_S INT64_C(1000000000)

/* Code that only accesses labels is a copy. It copies the bytes of these labels, as often as the model says. */

typedef struct byte_range {
    int64_t least, most;
} byte_range;

typedef struct copied_bytes {
    byte_range read, written;
    int64_t times; /* how often the most accessed label is, at most */
} copied_bytes;

/* The properties are those of the task or runnable whose code is walked: they may say how often its loops run. */
typedef struct byte_walk {
    lowering *l;
    const am_property *properties;
    size_t property_count;
    int depth;
} byte_walk;

static gcast_status bytes_of_item(const byte_walk *w, const am_item *item, copied_bytes *out);

static int64_t sum_of(int64_t a, int64_t b)
{
    return checked_add(a, b, &a) ? a : INT64_MAX;
}

static int64_t times_of(int64_t a, int64_t times)
{
    return checked_mul(a, times, &a) ? a : INT64_MAX;
}

static void add(copied_bytes *to, const copied_bytes *more)
{
    to->read.least = sum_of(to->read.least, more->read.least);
    to->read.most = sum_of(to->read.most, more->read.most);
    to->written.least = sum_of(to->written.least, more->written.least);
    to->written.most = sum_of(to->written.most, more->written.most);
    to->times = max_i64(to->times, more->times);
}

static void either(copied_bytes *to, const copied_bytes *other)
{
    to->read.least = min_i64(to->read.least, other->read.least);
    to->read.most = max_i64(to->read.most, other->read.most);
    to->written.least = min_i64(to->written.least, other->written.least);
    to->written.most = max_i64(to->written.most, other->written.most);
    to->times = max_i64(to->times, other->times);
}

static void repeat(copied_bytes *b, int64_t least, int64_t most)
{
    b->read.least = times_of(b->read.least, least);
    b->read.most = times_of(b->read.most, most);
    b->written.least = times_of(b->written.least, least);
    b->written.most = times_of(b->written.most, most);
    b->times = times_of(b->times, most);
}

static gcast_status bytes_of_row(const byte_walk *w, const am_item *items, size_t count, copied_bytes *out)
{
    byte_walk inner = *w;
    gcast_status status = GCAST_OK;
    inner.depth++;
    *out = (copied_bytes){0};
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        copied_bytes one = {0};
        status = bytes_of_item(&inner, &items[i], &one);
        add(out, &one);
    }
    return status;
}

/* The minimum and the maximum of the branches. */
static gcast_status bytes_of_switch(const byte_walk *w, const am_item *item, copied_bytes *out)
{
    bool any = switch_may_skip(item);
    for (size_t i = 0; i < item->item_count; i++) {
        copied_bytes one;
        if (!branch_counts(&item->items[i]))
            continue;
        gcast_status status = bytes_of_row(w, item->items[i].items, item->items[i].item_count, &one);
        if (status != GCAST_OK)
            return status;
        if (any)
            either(out, &one);
        else
            *out = one;
        any = true;
    }
    return GCAST_OK;
}

/* A loop that does not say how often it runs was refused when its time was computed. */
static gcast_status bytes_of_loop(const byte_walk *w, const am_item *item, copied_bytes *out)
{
    int64_t least = 1, most = 1;
    const am_property *p = property_find(w->properties, w->property_count, "gridcast.iterations");
    gcast_status status = bytes_of_row(w, item->items, item->item_count, out);
    if (p && property_range(p, &least, &most))
        repeat(out, least, most);
    return status;
}

static gcast_status bytes_of_call(const byte_walk *w, const am_item *item, copied_bytes *out)
{
    if (item->runnable < 0 || item->asynchronous)
        return GCAST_OK;
    const am_runnable *r = &w->l->m->runnables[item->runnable];
    byte_walk inner = *w;
    inner.properties = r->properties;
    inner.property_count = r->property_count;
    gcast_status status = bytes_of_row(&inner, r->items, r->item_count, out);
    repeat(out, item->least, item->most);
    return status;
}

static copied_bytes bytes_of_access(const lowering *l, const am_item *item)
{
    int64_t bytes = label_bytes(&l->m->labels[item->label]);
    byte_range range = {max_i64(0, bytes), max_i64(0, bytes)};
    copied_bytes b = {.times = 1};
    *(item->write ? &b.written : &b.read) = range;
    repeat(&b, item->least, item->most);
    return b;
}

static gcast_status bytes_of_item(const byte_walk *w, const am_item *item, copied_bytes *out)
{
    if (w->depth > LOWER_DEPTH)
        return lower_error(w->l, item->at, "Items and calls are nested deeper than %d levels.", LOWER_DEPTH);
    switch (item->kind) {
    case AM_ITEM_CALL:
    case AM_ITEM_SERVER_CALL:
        return bytes_of_call(w, item, out);
    case AM_ITEM_ACCESS:
        if (item->label >= 0)
            *out = bytes_of_access(w->l, item);
        return GCAST_OK;
    case AM_ITEM_SWITCH:
        return bytes_of_switch(w, item, out);
    case AM_ITEM_LOOP:
        return bytes_of_loop(w, item, out);
    default:
        return bytes_of_row(w, item->items, item->item_count, out);
    }
}

/* Finds what a step of a task copies. Labels without a size have no bytes. */
static gcast_status copied_bytes_find(lowering *l, size_t task, const raw_step *raw, copied_bytes *out)
{
    const am_task *t = &l->m->tasks[task];
    byte_walk w = {.l = l, .properties = t->properties, .property_count = t->property_count};
    gcast_status status = GCAST_OK;
    *out = (copied_bytes){0};
    for (size_t i = 0; i < raw->item_count && status == GCAST_OK; i++) {
        copied_bytes one = {0};
        status = bytes_of_item(&w, raw->items[i], &one);
        add(out, &one);
    }
    return status;
}

/* What a copy accesses. */
typedef struct copied {
    byte_range bytes;          /* written; where it writes nothing, read */
    int64_t times;             /* how often it copies a label, at most */
    size_t to_device, to_host; /* labels that it writes */
    const am_label *unsized;   /* the first label without a size; NULL */
    bool unknown;              /* how long the GPU takes for a line is not known */
    am_place at;               /* of the first access */
} copied;

static gcast_status note_label(lowering *l, const am_item *item, int runnable, void *data)
{
    copied *c = data;
    (void)runnable;
    if (item->kind != AM_ITEM_ACCESS || item->label < 0)
        return GCAST_OK;
    if (!c->at.file)
        c->at = item->at;
    if (label_bytes(&l->m->labels[item->label]) < 0 && !c->unsized)
        c->unsized = &l->m->labels[item->label];
    c->unknown |= !access_is_known(l, (size_t)l->gpu_processor, item->label, item->write);
    if (item->write)
        l->device_label[item->label] ? c->to_device++ : c->to_host++;
    return GCAST_OK;
}

/* Labels that only candidates for the GPU access are on the device. After a kernel, such a label may as well be the
 * host's, with a reader that is not in the model. */
static gcast_status direction_of(lowering *l, const copied *c, const char *name, bool after_kernel,
                                 gcast_direction *out)
{
    bool to_device = c->to_device && !c->to_host && !after_kernel, to_host = c->to_host && !c->to_device;
    *out = to_device || (!to_host && !after_kernel) ? GCAST_H2D : GCAST_D2H;
    if (to_device || to_host || l->told_direction)
        return GCAST_OK;
    l->told_direction = true;
    return finding_of_gpu(
        l, c->at, SYS_CONDITION | SYS_APPROXIMATED,
        "Which way %s copies cannot be told from its labels: before a kernel it is to the device, after "
        "one to the host. So it is for all such copies.",
        name);
}

/* The time by the bandwidth of the GPU, where the model says nothing about its accesses to memory. */
static gcast_status by_bandwidth(lowering *l, const copied *c, const char *name, const gcast_op *op, sys_range *out)
{
    const gcast_gpu *gpu = l->gpu;
    bool down = op->direction == GCAST_H2D;
    int64_t rate = down ? gpu->h2d_bytes_per_s : gpu->d2h_bytes_per_s;
    if (!rate)
        return lower_error(l, c->at,
                           "The time of %s is not known: the model has no times for accesses of the GPU to memory, and "
                           "the bandwidth of %s is not known.",
                           name, gpu->name);
    int64_t percent = gpu->copy_slow_percent > 100 ? gpu->copy_slow_percent : 100;
    int64_t overhead = down ? gpu->h2d_overhead_ns : gpu->d2h_overhead_ns, all = 0;
    if (!checked_mul_div_up(c->bytes.least, NS_PER_S, rate, &out->min_ns) ||
        !checked_add(out->min_ns, c->bytes.least ? overhead : 0, &out->min_ns) ||
        !checked_mul_div_up(op->bytes, NS_PER_S, rate, &out->max_ns) || !checked_mul(overhead, c->times, &all) ||
        !checked_add(out->max_ns, all, &out->max_ns) || out->max_ns > DAY_NS ||
        !checked_mul_div_up(out->max_ns, percent, 100, &out->max_ns) || out->max_ns > DAY_NS)
        return lower_error(l, c->at, "%s takes longer than a day on the GPU.", name);
    if (c->unsized && !l->told_copy_size) {
        l->told_copy_size = true;
        gcast_status status = finding_of_gpu(
            l, c->unsized->at, SYS_CONDITION | SYS_LEFT_OUT,
            "The model gives no size for label %s: a copy of it, and of other labels without a size, has no bytes.",
            c->unsized->name);
        if (status != GCAST_OK)
            return status;
    }
    if (l->told_bandwidth)
        return GCAST_OK;
    l->told_bandwidth = true;
    return finding_of_gpu(l, c->at, SYS_CONDITION | SYS_APPROXIMATED,
                          "The model has no times for accesses of the GPU to memory: copies take the time given by the "
                          "bandwidth of %s (first: %s).",
                          gpu->name, name);
}

/* The time by lines of memory that are read and written. */
static gcast_status by_lines(lowering *l, size_t task, const raw_step *raw, const copied *c, sys_range *out)
{
    size_t gpu = (size_t)l->gpu_processor;
    cost_owner owner = {raw->name, l->m->tasks[task].properties, l->m->tasks[task].property_count};
    fine_cost cost;
    gcast_status status = items_cost(l, gpu, &owner, raw->items, raw->item_count, &cost);
    if (status == GCAST_OK && !fine_range(&l->processors[gpu].clock, cost.min, cost.max, out))
        return lower_error(l, c->at, "%s takes longer than a day on the GPU.", raw->name);
    return status;
}

/* Repeated copies count as a single one, though others might come between them. */
static gcast_status tell_repeated(lowering *l, size_t task, const raw_step *raw, int64_t times)
{
    if (times < 2)
        return GCAST_OK;
    return finding_of_task(l, raw->items[0]->at, task, SYS_CONDITION | SYS_APPROXIMATED,
                           "%s copies a label up to %lld times: it counts as one copy of that time.", raw->name,
                           (long long)times);
}

/* Makes the step a copy; `after_kernel`: a kernel of its task is before it. */
static gcast_status copy_op_make(lowering *l, size_t task, const raw_step *raw, bool after_kernel, sys_step *step)
{
    copied c = {0};
    gcast_op *op = &step->op;
    sys_range time = {0};
    copied_bytes bytes;
    gcast_status status = walk_pointers(l, raw->items, raw->item_count, note_label, &c);
    if (status == GCAST_OK)
        status = copied_bytes_find(l, task, raw, &bytes);
    if (status == GCAST_OK) {
        c.bytes = bytes.written.most ? bytes.written : bytes.read;
        c.times = bytes.times;
        status = tell_repeated(l, task, raw, c.times);
    }
    *op = gcast_op_default(GCAST_KIND_COPY);
    op->label = step->name;
    op->bytes = c.bytes.most;
    if (status == GCAST_OK)
        status = direction_of(l, &c, raw->name, after_kernel, &op->direction);
    if (status == GCAST_OK)
        status = c.unknown ? by_bandwidth(l, &c, raw->name, op, &time) : by_lines(l, task, raw, &c, &time);
    step->on_gpu = true;
    op->min_ns = time.min_ns < 1 ? 1 : time.min_ns;
    op->max_ns = time.max_ns < op->min_ns ? op->min_ns : time.max_ns;
    step->alone = (sys_range){op->min_ns, op->max_ns};
    return status;
}

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

/* The properties of the runnable that a step calls, or of the task whose code it is. */
static void properties_of(const lowering *l, size_t task, const raw_step *raw, const am_property **p, size_t *count,
                          am_place *at)
{
    const am_task *t = &l->m->tasks[task];
    const am_runnable *r = raw->runnable < 0 ? NULL : &l->m->runnables[raw->runnable];
    *p = r ? r->properties : t->properties;
    *count = r ? r->property_count : t->property_count;
    *at = r ? r->at : t->at;
}

/* A step cannot run on the GPU, so neither can the task. */
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
    return finding_of_gpu(l, at, SYS_CONDITION | SYS_APPROXIMATED,
                          "Kernel %s has a GridSize, but no BlockSize: blocks of %u threads are assumed, as in the "
                          "thesis that introduced GridSize.",
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
        return refuse(l, task, at, "the model does not say how long %s takes on the GPU", raw->name);
    if (!fine_range(&l->processors[gpu].clock, c.min, c.max, &ticks))
        return lower_error(l, at, "%s takes longer than a day on the GPU.", raw->name);
    status = kernel_shape_find(l, raw->name, properties, property_count, at, &shape);
    if (status != GCAST_OK)
        return status;
    if (!shape.known)
        return refuse(l, task, at,
                      "the model does not give the shape of kernel %s: give --kernels FILE, or --kernels fill for a "
                      "kernel that fills the GPU",
                      raw->name);
    for (size_t i = 0; i < raw->item_count && status == GCAST_OK; i++)
        if (raw->items[i]->most > 1)
            status = finding_of_task(l, raw->items[i]->at, task, SYS_CONDITION | SYS_APPROXIMATED,
                                     "Kernel %s is called up to %lld times: it counts as one kernel of that time.",
                                     raw->name, (long long)raw->items[i]->most);
    if (status == GCAST_OK && raw->spare)
        status = finding_of_task(l, at, task, SYS_CONDITION | SYS_APPROXIMATED,
                                 "The number of calls of kernel %s varies: the largest number is used.", raw->name);
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

/* Removes the steps that are no operations: they do nothing. */
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
