/* The orders of operations by launch, by entry and in streams. */
#include "simulate/check/run_order.h"

#include <stdlib.h>

#include "model/workload/attributes.h"
#include "model/workload/workload.h"
#include "simulate/run_ops.h"

gcast_status check_broken(const gcast_run *run, size_t i, const char *name, const char *problem, gcast_error *err)
{
    char path[128];
    gcast_workload_op_path(run->workload, run->ops[i].op, path, sizeof path);
    return gcast_error_set(err, GCAST_INTERNAL, path, "the run breaks %s: %s (job %u): %s", name,
                           run_spec(run, i)->label, run->ops[i].job, problem);
}

/* Puts the operation i at the place of its number; false where that place is taken or does not exist. */
static bool put(uint32_t *order, size_t count, uint64_t number, uint32_t i)
{
    if (number >= count || order[number] != UINT32_MAX)
        return false;
    order[number] = i;
    return true;
}

/* Did the operation enter an engine's queue? Only in a run that hangs some never do. */
static bool has_entry(const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    return !r->skipped && gcast_kind_on_gpu(run_spec(run, i)->kind) && (!run->hang || r->enter_ns >= 0);
}

static int by_entry(const void *a, const void *b)
{
    const gcast_run_op *x = *(const gcast_run_op *const *)a, *y = *(const gcast_run_op *const *)b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Orders operations whose entry numbers have gaps, because children have entry numbers too and are not recorded. */
static gcast_status order_entries(const gcast_run *run, check_orders *o, gcast_error *err)
{
    const gcast_run_op **list = malloc((o->entry_count + 1) * sizeof *list);
    size_t n = 0;
    if (!list)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run->op_count; i++)
        if (has_entry(run, i))
            list[n++] = &run->ops[i];
    qsort(list, n, sizeof *list, by_entry);
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < n && status == GCAST_OK; i++) {
        o->entry[i] = (uint32_t)(list[i] - run->ops);
        if (i && list[i]->entry == list[i - 1]->entry)
            status = check_broken(run, o->entry[i], "C-entry", "its entry number is not its own", err);
    }
    free(list);
    return status;
}

/* Finds the operation before each in its stream, where kernels are programmatic; false without memory. */
static bool order_streams(const gcast_run *run, check_orders *o)
{
    bool needed = false;
    for (size_t i = 0; i < run->workload->op_count; i++)
        needed = needed || run->workload->ops[i].programmatic;
    if (!needed)
        return true;
    uint32_t *last = malloc((run->workload->stream_count + 1) * sizeof *last);
    o->before = malloc((run->op_count + 1) * sizeof *o->before);
    for (size_t k = 0; last && k < run->workload->stream_count; k++)
        last[k] = UINT32_MAX;
    for (size_t i = 0; o->before && i < run->op_count; i++)
        o->before[i] = UINT32_MAX;
    for (size_t k = 0; last && o->before && k < o->launch_count; k++) {
        uint32_t i = o->launch[k];
        if (!gcast_kind_on_gpu(run_spec(run, i)->kind) || attributes_is_next_node(run->workload, run->ops[i].op))
            continue;
        o->before[i] = last[run_spec(run, i)->stream];
        last[run_spec(run, i)->stream] = i;
    }
    bool ok = last && o->before;
    free(last);
    return ok;
}

gcast_status check_orders_init(const gcast_run *run, check_orders *o, gcast_error *err)
{
    for (size_t i = 0; i < run->op_count; i++) {
        o->launch_count += !run->ops[i].skipped;
        o->entry_count += has_entry(run, i);
    }
    o->entry_count += run->child_count;
    bool has_gaps = run->launches && !run->blocks_recorded;
    o->launch = malloc((o->launch_count + 1) * sizeof *o->launch);
    o->entry = malloc((o->entry_count + 1) * sizeof *o->entry);
    if (!o->launch || !o->entry)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < o->launch_count; i++)
        o->launch[i] = UINT32_MAX;
    for (size_t i = 0; i < o->entry_count; i++)
        o->entry[i] = UINT32_MAX;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (r->skipped)
            continue;
        if (!put(o->launch, o->launch_count, r->launch, (uint32_t)i))
            return check_broken(run, i, "C-call", "its launch number is not its own", err);
        if (!has_gaps && has_entry(run, i) && !put(o->entry, o->entry_count, r->entry, (uint32_t)i))
            return check_broken(run, i, "C-entry", "its entry number is not its own", err);
    }
    for (size_t i = run->op_count; i < run_total(run); i++)
        if (!put(o->entry, o->entry_count, run->ops[i].entry, (uint32_t)i))
            return check_broken(run, i, "C-entry", "its entry number is not its own", err);
    if (!order_streams(run, o))
        return gcast_error_set_memory(err);
    return has_gaps ? order_entries(run, o, err) : GCAST_OK;
}

void check_orders_free(check_orders *o)
{
    free(o->launch);
    free(o->entry);
    free(o->before);
}
