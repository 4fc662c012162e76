#include "measure/calibrate/learn.h"

#include <string.h>

void lessons_free(lessons *l)
{
    for (size_t i = 0; i < GCAST_READINGS; i++)
        vec_free(&l->seen[i]);
    vec_free(&l->orders);
    reach_free(&l->reach);
}

static gcast_status add(lessons *l, gcast_reading_id id, int64_t v, gcast_error *err)
{
    return vec_push(&l->seen[id], v) ? GCAST_OK : gcast_error_set_memory(err);
}

/* How far apart they are, without a twentieth of them at either end. */
static int64_t spread(samples *s)
{
    samples_median(s); /* sorts */
    return s->count ? s->at[s->count - 1 - s->count / 20] - s->at[s->count / 20] : 0;
}

/* Starts are on the GPU's clock, whose zero lies somewhere in the bracket on the
 * host's: taken in the middle. How far latencies scatter does not hang by it. */
gcast_status learn_latency(lessons *l, const gcast_run *run, gcast_error *err)
{
    int64_t zero = (run->gpu_zero_lo_ns + run->gpu_zero_hi_ns) / 2;
    gcast_status status = GCAST_OK;
    samples launches = {0};
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_run_op *o = &run->ops[i];
        bool kernel = run->workload->ops[o->op].kind == GCAST_KIND_KERNEL;
        int64_t latency = o->start_ns + zero - o->call_ns;
        if (latency >= 0)
            status = add(l, kernel ? GCAST_READ_LAUNCH : GCAST_READ_COPY_LATENCY, latency, err);
        if (kernel && status == GCAST_OK && !vec_push(&launches, latency))
            status = gcast_error_set_memory(err);
    }
    if (launches.count && status == GCAST_OK)
        status = add(l, GCAST_READ_LAUNCH_NOISE, spread(&launches), err);
    vec_free(&launches);
    return status;
}

/* Only where the next kernel was there in time, by what the first one took to come. */
gcast_status learn_gap(lessons *l, const gcast_run *run, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 1; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_run_op *before = &run->ops[i - 1], *o = &run->ops[i];
        int64_t coming = 2 * (run->ops[0].start_ns - run->ops[0].call_ns);
        if (o->call_ns + coming < before->end_ns && o->start_ns >= before->end_ns)
            status = add(l, GCAST_READ_GAP, o->start_ns - before->end_ns, err);
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

/* A kernel's blocks by start; the caller frees them. */
static const gcast_block **in_order(const gcast_run_op *o, gcast_error *err)
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

typedef gcast_status (*hand_over)(lessons *l, size_t op, uint32_t sm, int64_t ns, gcast_error *err);

/* One block an SM: the block before it on its SM made room for it. */
static gcast_status each_hand_over(lessons *l, const gcast_run *run, hand_over seen, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_block *last[GCAST_MAX_SMS] = {NULL}, **list = in_order(&run->ops[i], err);
        if (!list)
            return GCAST_RESOURCE;
        for (uint64_t b = 0; b < run->ops[i].block_count && status == GCAST_OK; b++) {
            const gcast_block *before = last[list[b]->sm];
            last[list[b]->sm] = list[b];
            if (before && list[b]->start_ns >= before->end_ns)
                status = seen(l, i, list[b]->sm, list[b]->start_ns - before->end_ns, err);
        }
        free(list);
    }
    return status;
}

static gcast_status add_handover(lessons *l, size_t op, uint32_t sm, int64_t ns, gcast_error *err)
{
    (void)op;
    (void)sm;
    return add(l, GCAST_READ_HANDOVER, ns, err);
}

gcast_status learn_handover(lessons *l, const gcast_run *run, gcast_error *err)
{
    return each_hand_over(l, run, add_handover, err);
}

static gcast_status add_reach(lessons *l, size_t op, uint32_t sm, int64_t ns, gcast_error *err)
{
    return reach_add(&l->reach, (int)(op % 2), sm, ns) ? GCAST_OK : gcast_error_set_memory(err);
}

/* Every other kernel is of the other half. */
gcast_status learn_reach(lessons *l, const gcast_run *run, gcast_error *err)
{
    return each_hand_over(l, run, add_reach, err);
}

/* By how much the slowest block of a kernel is late. */
static int64_t lateness(const gcast_run *run, const gcast_run_op *o)
{
    int64_t most = 0, wanted = run->workload->ops[o->op].max_ns;
    for (uint64_t b = 0; b < o->block_count; b++) {
        int64_t late = o->blocks[b].end_ns - o->blocks[b].start_ns - wanted;
        most = late > most ? late : most;
    }
    return most;
}

/* Grids of two equal waves: the first half of the starts is one, the rest the other. */
gcast_status learn_waves(lessons *l, const gcast_run *run, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        int64_t n = (int64_t)run->ops[i].block_count / 2;
        const gcast_block **list = in_order(&run->ops[i], err);
        if (!list)
            return GCAST_RESOURCE;
        status = add(l, GCAST_READ_NOISE, lateness(run, &run->ops[i]), err);
        if (n > 1 && status == GCAST_OK)
            status = add(l, GCAST_READ_DISPATCH, (list[n - 1]->start_ns - list[0]->start_ns) * 1000 / (n - 1), err);
        if (n > 1 && status == GCAST_OK)
            status = add(l, GCAST_READ_REFILL, (list[2 * n - 1]->start_ns - list[n]->start_ns) * 1000 / (n - 1), err);
        free(list);
    }
    return status;
}

/* Only launches in which every SM got one block. */
gcast_status learn_order(lessons *l, const gcast_run *run, gcast_error *err)
{
    size_t sms = (size_t)run->gpu->sms;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        bool seen[GCAST_MAX_SMS] = {false}, once = o->block_count == sms;
        for (size_t b = 0; b < sms && once; b++) {
            once = o->blocks[b].sm < sms && !seen[o->blocks[b].sm];
            seen[once ? o->blocks[b].sm : 0] = true;
        }
        if (once && !vec_reserve(&l->orders, l->orders.count + sms))
            return gcast_error_set_memory(err);
        for (size_t b = 0; b < sms && once; b++)
            l->orders.at[l->orders.count++] = (int)o->blocks[b].sm;
    }
    return GCAST_OK;
}
