/* The workload without hosts, and the run that the profile recorded of it: what gridcast verify compares. */
#include <stdlib.h>

#include "model/run.h"
#include "profile/make/draft.h"
#include "profile/make/make_steps.h"
#include "profile/make/prof_make.h"

static gcast_status add_item(draft *d, const made_item *item)
{
    gcast_status status = draft_begin(d, item);
    for (uint32_t k = 0; k < item->op_count && status == GCAST_OK; k++) {
        gcast_op op = draft_op(d, item->first_op + k);
        op.release_ns = item->call_ns - d->zero_ns;
        status = draft_add(d, item->first_op + k, &op);
    }
    return status;
}

static gcast_run_op run_op(const draft *d, size_t i)
{
    const making *m = d->m;
    const prof_op *op = trace_op(m, i);
    int64_t call_ns = m->items.at[m->ops.at[i].item].call_ns - d->zero_ns;
    gcast_run_op r = {.op = d->place[i],
                      .engine = -1,
                      .connection = -1,
                      .channel = -1,
                      .release_ns = call_ns,
                      .call_ns = call_ns,
                      .return_ns = call_ns,
                      .arrive_ns = -1,
                      .head_ns = -1,
                      .enter_ns = -1,
                      .start_ns = op->start_ns - d->zero_ns,
                      .dispatched_ns = op->start_ns - d->zero_ns,
                      .end_ns = op->end_ns - d->zero_ns,
                      .launch = d->place[i],
                      .entry = d->place[i]};
    r.block_count = op->kind == GCAST_KIND_KERNEL ? d->w->ops[d->place[i]].blocks : 0;
    return r;
}

static gcast_status add_run(const draft *d, gcast_run **run)
{
    const making *m = d->m;
    gcast_gpu *gpu;
    gcast_status status = gcast_gpu_copy(m->o->gpu, &gpu, m->err);
    if (status == GCAST_OK && m->o->partition_sms)
        status = gcast_gpu_partition(gpu, m->o->partition_sms, m->err);
    if (status != GCAST_OK) {
        gcast_gpu_free(gpu);
        return status;
    }
    gcast_run_op *ops = calloc(m->ops.count + 1, sizeof *ops);
    *run = ops ? run_create("recorded", d->w, gpu) : NULL;
    if (!*run) {
        free(ops);
        gcast_gpu_free(gpu);
        return gcast_error_set_memory(m->err);
    }
    for (size_t i = 0; i < m->ops.count; i++) {
        ops[d->place[i]] = run_op(d, i);
        int64_t end_ns = ops[d->place[i]].end_ns;
        (*run)->end_ns = end_ns > (*run)->end_ns ? end_ns : (*run)->end_ns;
    }
    (*run)->connections = d->w->connections;
    run_set_ops(*run, ops, m->ops.count);
    return GCAST_OK;
}

static gcast_status keep_ops(const draft *d, prof_made_op **ops)
{
    const making *m = d->m;
    *ops = calloc(m->ops.count + 1, sizeof **ops);
    for (size_t i = 0; *ops && i < m->ops.count; i++) {
        const made_op *x = &m->ops.at[i];
        int64_t held_ns = x->span_ns - (trace_op(m, i)->end_ns - trace_op(m, i)->start_ns);
        (*ops)[d->place[i]] = (prof_made_op){.op = x->op,
                                             .beside = x->beside,
                                             .alone_ns = x->alone_ns ? x->alone_ns : INT64_MAX,
                                             .held_ns = held_ns > 0 ? held_ns : 0};
    }
    return *ops ? GCAST_OK : gcast_error_set_memory(m->err);
}

gcast_status make_recorded(making *m, prof_made *made)
{
    draft d;
    gcast_status status = draft_open(m, &d);
    for (size_t i = 0; i < m->items.count && status == GCAST_OK; i++)
        status = add_item(&d, &m->items.at[d.items[i]]);
    if (status == GCAST_OK) {
        if (d.w->connections < 0)
            gcast_workload_set_connections(d.w, m->o->gpu->connections);
        status = add_run(&d, &made->run);
    }
    if (status == GCAST_OK)
        status = keep_ops(&d, &made->ops);
    status = draft_close(&d, status, &made->recorded);
    if (status != GCAST_OK) {
        gcast_run_free(made->run);
        made->run = NULL;
    }
    return status;
}
