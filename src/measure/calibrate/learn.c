#include "measure/calibrate/learn.h"

#include <stdlib.h>

#include "base/minmax.h"

static gcast_status add_sample(observations *l, gcast_reading_id id, int64_t v, gcast_error *err)
{
    return vec_push(&l->readings[id], v) ? GCAST_OK : gcast_error_set_memory(err);
}

/* The range of nine tenths of the samples: without a twentieth at either end. */
static int64_t spread(samples *s)
{
    samples_median(s); /* sorts */
    return s->count ? s->at[s->count - 1 - s->count / 20] - s->at[s->count / 20] : 0;
}

/* Starts are on the GPU's clock, whose zero is known as an interval on the host's: the middle is taken. The scatter of
 * latencies does not depend on it. */
gcast_status learn_latency(observations *l, const gcast_run *run, gcast_error *err)
{
    int64_t zero = (run->gpu_zero_lo_ns + run->gpu_zero_hi_ns) / 2;
    gcast_status status = GCAST_OK;
    samples launches = {0};
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_run_op *o = &run->ops[i];
        bool kernel = run->workload->ops[o->op].kind == GCAST_KIND_KERNEL;
        int64_t latency = o->start_ns + zero - o->call_ns;
        if (latency >= 0)
            status = add_sample(l, kernel ? GCAST_READ_LAUNCH : GCAST_READ_COPY_LATENCY, latency, err);
        if (kernel && status == GCAST_OK && !vec_push(&launches, latency))
            status = gcast_error_set_memory(err);
    }
    if (launches.count && status == GCAST_OK)
        status = add_sample(l, GCAST_READ_LAUNCH_NOISE, spread(&launches), err);
    vec_free(&launches);
    return status;
}

/* Only where the next kernel surely arrived before the end of the one before: its call was at least twice the launch
 * latency of the first kernel earlier. */
gcast_status learn_gap(observations *l, const gcast_run *run, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 1; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_run_op *before = &run->ops[i - 1], *o = &run->ops[i];
        int64_t arrival = 2 * (run->ops[0].start_ns - run->ops[0].call_ns);
        if (o->call_ns + arrival < before->end_ns && o->start_ns >= before->end_ns)
            status = add_sample(l, GCAST_READ_GAP, o->start_ns - before->end_ns, err);
    }
    return status;
}

static int by_start(const void *a, const void *b)
{
    const gcast_block *x = *(const gcast_block *const *)a, *y = *(const gcast_block *const *)b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The blocks of a kernel by start; for the caller to free. */
static const gcast_block **blocks_by_start(const gcast_run_op *o, gcast_error *err)
{
    const gcast_block **list = malloc((o->block_count + 1) * sizeof *list);
    if (!list)
        gcast_error_set_memory(err);
    for (uint64_t b = 0; list && b < o->block_count; b++)
        list[b] = &o->blocks[b];
    if (list)
        qsort(list, o->block_count, sizeof *list, by_start);
    return list;
}

/* A hand-over of `ns` on an SM, in a kernel of this index. */
typedef gcast_status (*handover_fn)(observations *l, size_t op, uint32_t sm, int64_t ns, gcast_error *err);

/* Kernels with one resident block per SM: a block takes the resources of the block before it on its SM. */
static gcast_status each_handover(observations *l, const gcast_run *run, handover_fn add, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_block *last[GCAST_MAX_SMS] = {NULL}, **list = blocks_by_start(&run->ops[i], err);
        if (!list)
            return GCAST_RESOURCE;
        for (uint64_t b = 0; b < run->ops[i].block_count && status == GCAST_OK; b++) {
            const gcast_block *before = last[list[b]->sm];
            last[list[b]->sm] = list[b];
            if (before && list[b]->start_ns >= before->end_ns)
                status = add(l, i, list[b]->sm, list[b]->start_ns - before->end_ns, err);
        }
        free(list);
    }
    return status;
}

static gcast_status add_handover(observations *l, size_t op, uint32_t sm, int64_t ns, gcast_error *err)
{
    (void)op;
    (void)sm;
    return add_sample(l, GCAST_READ_HANDOVER, ns, err);
}

gcast_status learn_handover(observations *l, const gcast_run *run, gcast_error *err)
{
    return each_handover(l, run, add_handover, err);
}

static gcast_status add_reach(observations *l, size_t op, uint32_t sm, int64_t ns, gcast_error *err)
{
    return reach_add(&l->reach, (int)(op % 2), sm, ns) ? GCAST_OK : gcast_error_set_memory(err);
}

/* Kernels belong to the two halves by turns. */
gcast_status learn_reach(observations *l, const gcast_run *run, gcast_error *err)
{
    return each_handover(l, run, add_reach, err);
}

/* By how much the slowest block of a kernel takes longer than it should. */
static int64_t max_excess(const gcast_run *run, const gcast_run_op *o)
{
    int64_t excess = 0, expected = run->workload->ops[o->op].max_ns;
    for (uint64_t b = 0; b < o->block_count; b++)
        excess = max_i64(excess, o->blocks[b].end_ns - o->blocks[b].start_ns - expected);
    return excess;
}

/* Grids of two equal waves: the first half of the starts is the first wave. */
gcast_status learn_waves(observations *l, const gcast_run *run, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        int64_t n = (int64_t)run->ops[i].block_count / 2;
        const gcast_block **list = blocks_by_start(&run->ops[i], err);
        if (!list)
            return GCAST_RESOURCE;
        status = add_sample(l, GCAST_READ_NOISE, max_excess(run, &run->ops[i]), err);
        if (n > 1 && status == GCAST_OK)
            status =
                add_sample(l, GCAST_READ_DISPATCH, (list[n - 1]->start_ns - list[0]->start_ns) * 1000 / (n - 1), err);
        if (n > 1 && status == GCAST_OK)
            status =
                add_sample(l, GCAST_READ_REFILL, (list[2 * n - 1]->start_ns - list[n]->start_ns) * 1000 / (n - 1), err);
        free(list);
    }
    return status;
}

/* Only launches in which every SM got exactly one block. */
gcast_status learn_order(observations *l, const gcast_run *run, gcast_error *err)
{
    size_t sms = (size_t)run->gpu->sms;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        bool sm_used[GCAST_MAX_SMS] = {false}, one_each = o->block_count == sms;
        for (size_t b = 0; b < sms && one_each; b++) {
            one_each = o->blocks[b].sm < sms && !sm_used[o->blocks[b].sm];
            sm_used[one_each ? o->blocks[b].sm : 0] = true;
        }
        if (one_each && !vec_reserve(&l->orders, l->orders.count + sms))
            return gcast_error_set_memory(err);
        for (size_t b = 0; b < sms && one_each; b++)
            l->orders.at[l->orders.count++] = (int)o->blocks[b].sm;
    }
    return GCAST_OK;
}
