#include "amalthea/lower/gpu/copy_op.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/gpu/copied_bytes.h"
#include "amalthea/lower/item_walk.h"
#include "amalthea/lower/time/memory_cost.h"
#include "amalthea/lower/time/runnable_cost.h"
#include "base/checked.h"

#define DAY_NS INT64_C(86400000000000)
#define NS_PER_S INT64_C(1000000000)

/* What a copy accesses. */
typedef struct copied {
    byte_range bytes;          /* that it writes; where it writes nothing, that it reads */
    int64_t times;             /* it is done again and again so often, at most */
    size_t to_device, to_host; /* labels that it writes */
    const am_label *unsized;   /* a label of which no size is said; NULL */
    bool unknown;              /* nothing says how long the GPU takes for a line */
    am_place at;               /* of the first */
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

/* Labels that only tasks for the GPU access are on the device. After a kernel, that may as well be a label of the host
 * whose reader is not in the model. */
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

/* By the bandwidth of the GPU, where the model says nothing about its accesses to memory. */
static gcast_status by_bandwidth(lowering *l, const copied *c, const char *name, const gcast_op *op, sys_range *out)
{
    const gcast_gpu *gpu = l->gpu;
    bool down = op->direction == GCAST_H2D;
    int64_t rate = down ? gpu->h2d_bytes_per_s : gpu->d2h_bytes_per_s;
    if (!rate)
        return lower_error(l, c->at,
                           "How long %s takes is not known: the model says nothing about accesses of the GPU to "
                           "memory, and the bandwidth of %s is not known.",
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
        gcast_status status = finding_of_gpu(l, c->unsized->at, SYS_CONDITION | SYS_LEFT_OUT,
                                             "The size of label %s is not said: a copy of it, and of others without a "
                                             "size, has no bytes.",
                                             c->unsized->name);
        if (status != GCAST_OK)
            return status;
    }
    if (l->told_bandwidth)
        return GCAST_OK;
    l->told_bandwidth = true;
    return finding_of_gpu(l, c->at, SYS_CONDITION | SYS_APPROXIMATED,
                          "Nothing is said about how long the GPU takes for accesses to memory: copies take what the "
                          "bandwidth of %s gives (first: %s).",
                          gpu->name, name);
}

/* By lines of memory, those that are read and those that are written. */
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

/* Others may come between copies: it counts as a single one, of all that time. */
static gcast_status tell_repeated(lowering *l, size_t task, const raw_step *raw, int64_t times)
{
    if (times < 2)
        return GCAST_OK;
    return finding_of_task(l, raw->items[0]->at, task, SYS_CONDITION | SYS_APPROXIMATED,
                           "%s copies a label up to %lld times: it counts as one copy of that time.", raw->name,
                           (long long)times);
}

gcast_status copy_op_make(lowering *l, size_t task, const raw_step *raw, bool after_kernel, sys_step *step)
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
