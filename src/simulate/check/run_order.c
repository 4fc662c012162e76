#include "simulate/check/run_order.h"

#include <stdlib.h>

#include "simulate/check/broken.h"
#include "simulate/run_ops.h"

/* Puts the operation i at the place of its number; false where that place is taken or does not exist. */
static bool put(uint32_t *order, size_t count, uint64_t number, uint32_t i)
{
    if (number >= count || order[number] != UINT32_MAX)
        return false;
    order[number] = i;
    return true;
}

static int by_entry(const void *a, const void *b)
{
    const gcast_run_op *x = *(const gcast_run_op *const *)a, *y = *(const gcast_run_op *const *)b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Children have entry numbers too. Where they are not recorded, those of the other operations have gaps. */
static gcast_status order_entries(const gcast_run *run, check_orders *o, gcast_error *err)
{
    const gcast_run_op **list = malloc((o->entry_count + 1) * sizeof *list);
    size_t n = 0;
    if (!list)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run->op_count; i++)
        if (!run->ops[i].skipped && gcast_kind_on_gpu(run_spec(run, i)->kind))
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

gcast_status check_orders_init(const gcast_run *run, check_orders *o, gcast_error *err)
{
    for (size_t i = 0; i < run->op_count; i++) {
        o->launch_count += !run->ops[i].skipped;
        o->entry_count += !run->ops[i].skipped && gcast_kind_on_gpu(run_spec(run, i)->kind);
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
        if (!has_gaps && gcast_kind_on_gpu(run_spec(run, i)->kind) &&
            !put(o->entry, o->entry_count, r->entry, (uint32_t)i))
            return check_broken(run, i, "C-entry", "its entry number is not its own", err);
    }
    for (size_t i = run->op_count; i < run_total(run); i++)
        if (!put(o->entry, o->entry_count, run->ops[i].entry, (uint32_t)i))
            return check_broken(run, i, "C-entry", "its entry number is not its own", err);
    return has_gaps ? order_entries(run, o, err) : GCAST_OK;
}

void check_orders_free(check_orders *o)
{
    free(o->launch);
    free(o->entry);
}
