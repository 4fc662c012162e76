#include "measure/session/collect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "measure/launch/gave_up.h"
#include "measure/session/copy_times.h"
#include "measure/session/driver_calls.h"
#include "model/run.h"

/* *gave_up_ns: when the first block gave up, so far. */
static gcast_status fill_kernel(session *s, size_t i, const block_record *records, gcast_run_op *o, gcast_block *blocks,
                                int64_t gpu_zero, int64_t *gave_up_ns, gcast_error *err)
{
    records += s->at[i].first_record;
    o->blocks = blocks + s->at[i].first_record;
    for (uint64_t b = 0; b < o->block_count; b++) {
        if (records[b].start_ns == LOST_NS)
            return session_error(
                s, i, gcast_error_set(err, GCAST_GPU, NULL, "block %llu left no record", (unsigned long long)b), err);
        gcast_block *block = &blocks[s->at[i].first_record + b];
        *block = (gcast_block){
            .start_ns = records[b].start_ns - gpu_zero, .end_ns = records[b].end_ns - gpu_zero, .sm = records[b].sm};
        if (records[b].gave_up == GAVE_UP)
            *gave_up_ns = min_i64(*gave_up_ns, block->end_ns);
        o->start_ns = b ? min_i64(o->start_ns, block->start_ns) : block->start_ns;
        o->dispatched_ns = b ? max_i64(o->dispatched_ns, block->start_ns) : block->start_ns;
        o->end_ns = b ? max_i64(o->end_ns, block->end_ns) : block->end_ns;
    }
    return GCAST_OK;
}

/* The driver gives the time between two events in milliseconds, as a float. */
static gcast_status fill_copy(session *s, size_t i, gcast_run_op *o, int64_t base, gcast_error *err)
{
    float before = 0, after = 0;
    const gcast_op *op = &s->w->ops[o->op];
    const session_op *x = &s->at[i];
    gcast_status status = GCAST_OK;
    if (x->timed_by != NO_EVENT)
        status = DRIVER_CALL(&s->v.d, err, cuEventElapsedTime, &before, s->base, s->at[x->timed_by].before);
    if (status == GCAST_OK && x->end == END_EVENT)
        status = DRIVER_CALL(&s->v.d, err, cuEventElapsedTime, &after, s->base, x->after);
    if (status != GCAST_OK)
        return session_error(s, i, status, err);
    /* where there is no event, operations before and after it tell (copy_times.c) */
    o->start_ns = o->dispatched_ns = x->timed_by == NO_EVENT ? INT64_MIN : base + llround((double)before * 1e6);
    o->end_ns = base + llround((double)after * 1e6);
    if (x->end != END_EVENT)
        o->end_ns = x->end == END_KERNEL ? INT64_MAX : COPY_END_UNSEEN;
    /* by direction: the driver does not tell how many copy engines there are */
    o->engine = op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H;
    return GCAST_OK;
}

/* Numbers the SMs of a partition from 0, where they have other numbers on the chip. */
static gcast_status number_sms(const session *s, gcast_block *blocks, gcast_run *run, gcast_error *err)
{
    uint32_t number[GCAST_MAX_SMS], next = 0, highest = 0;
    bool sm_used[GCAST_MAX_SMS] = {false};
    for (uint64_t b = 0; b < s->block_count; b++) {
        if (blocks[b].sm >= GCAST_MAX_SMS)
            return gcast_error_set(err, GCAST_GPU, NULL, "a block ran on SM %u", (unsigned)blocks[b].sm);
        sm_used[blocks[b].sm] = true;
        highest = max_u32(highest, blocks[b].sm);
    }
    if (highest < (uint32_t)run->gpu->sms)
        return GCAST_OK;
    for (uint32_t sm = 0; sm <= highest; sm++)
        if (sm_used[sm])
            number[sm] = next++;
    if (next > (uint32_t)run->gpu->sms)
        return gcast_error_set(err, GCAST_GPU, NULL, "blocks ran on %u SMs of a partition of %d", (unsigned)next,
                               run->gpu->sms);
    for (uint64_t b = 0; b < s->block_count; b++)
        blocks[b].sm = number[blocks[b].sm];
    return run_add_note(run, "the SMs have other numbers on the chip; here they are counted from 0")
               ? GCAST_OK
               : gcast_error_set_memory(err);
}

static gcast_status add_notes(const session *s, gcast_run *run, gcast_error *err)
{
    bool ok = true, ranges = false;
    char note[160];
    for (size_t i = 0; i < s->k.variants.count && ok; i++) {
        const variant *v = &s->k.variants.at[i];
        if (!v->requested_registers || v->requested_registers == v->registers)
            continue;
        snprintf(note, sizeof note, "kernels of %d registers per thread ran with %d", v->requested_registers,
                 v->registers);
        ok = run_add_note(run, note);
    }
    for (size_t i = 0; i < s->w->op_count; i++)
        ranges = ranges || (s->w->ops[i].kind == GCAST_KIND_KERNEL && s->w->ops[i].min_ns != s->w->ops[i].max_ns);
    if (ok && ranges)
        ok = run_add_note(run, "durations that are ranges were taken at their maximum");
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

static gcast_status fill(session *s, gcast_run_op *ops, gcast_block *blocks, const clocks *c, gcast_run *run,
                         int64_t *gave_up_ns, gcast_error *err)
{
    /* the latest time that is surely not after the zero of the host, so that no time is negative, and no operation
     * starts before its call */
    int64_t gpu_zero = c->aligned.gpu_ns + (c->zero_ns - c->aligned.hi_ns);
    run->gpu_zero_lo_ns = c->aligned.lo_ns - c->aligned.hi_ns;
    run->gpu_zero_hi_ns = 0;
    gcast_status status = GCAST_OK;
    block_record *records = malloc((s->block_count + 1) * sizeof *records);
    if (!records)
        return gcast_error_set_memory(err);
    if (s->block_count)
        status = session_fetch(s, records, s->records, s->block_count * sizeof *records, err);
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++) {
        gcast_run_op *o = &ops[i];
        if (o->skipped)
            continue;
        if (s->w->ops[o->op].kind == GCAST_KIND_KERNEL) {
            status = fill_kernel(s, i, records, o, blocks, gpu_zero, gave_up_ns, err);
        } else if (gcast_kind_on_gpu(s->w->ops[o->op].kind)) {
            status = fill_copy(s, i, o, c->base_ns - gpu_zero, err);
        } else {
            o->start_ns = o->dispatched_ns = o->call_ns;
            o->end_ns = o->return_ns;
        }
        run->end_ns = max_i64(run->end_ns, o->end_ns);
    }
    free(records);
    return status == GCAST_OK ? copies_correct_times(s->w, ops, s->op_count, err) : status;
}

gcast_status collect_run(session *s, gcast_run_op *ops, const clocks *c, gcast_run **out, gcast_error *err)
{
    gcast_gpu *gpu;
    gcast_run *run = gcast_gpu_copy(s->v.gpu, &gpu, err) == GCAST_OK ? run_create("measured", s->w, gpu) : NULL;
    gcast_block *blocks = calloc(s->block_count + 1, sizeof *blocks);
    if (!run || !blocks) {
        if (!run)
            gcast_gpu_free(gpu);
        gcast_run_free(run);
        free(blocks);
        free(ops);
        return gcast_error_set_memory(err);
    }
    run_set_ops(run, ops, s->op_count);
    run_set_blocks(run, blocks);
    run->connections = s->options->connections;
    run->horizon_ns = s->horizon_ns;
    int64_t gave_up_ns = GCAST_NEVER;
    gcast_status status = fill(s, ops, blocks, c, run, &gave_up_ns, err);
    if (status == GCAST_OK)
        status = number_sms(s, blocks, run, err);
    if (status == GCAST_OK)
        status = add_notes(s, run, err);
    if (status == GCAST_OK && gave_up_ns != GCAST_NEVER)
        status = gave_up_hang(run, ops, blocks, gave_up_ns, s->counters.give_up_ns, err);
    if (status != GCAST_OK) {
        gcast_run_free(run);
        return status;
    }
    *out = run;
    return GCAST_OK;
}
