#include "measure/session/collect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/units.h"
#include "measure/session/driver_calls.h"
#include "model/run.h"
#include "model/workload/attributes.h"
#include "model/workload/dependencies.h"
#include "model/workload/workload.h"

static int by_launch(const void *a, const void *b)
{
    const gcast_run_op *x = *(gcast_run_op *const *)a, *y = *(gcast_run_op *const *)b;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

static int by_end(const void *a, const void *b)
{
    const gcast_run_op *x = *(gcast_run_op *const *)a, *y = *(gcast_run_op *const *)b;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return by_launch(a, b);
}

static void start_not_before(gcast_run_op *o, int64_t ns)
{
    o->start_ns = o->dispatched_ns = max_i64(o->start_ns, ns);
    if (o->end_ns != COPY_END_UNSEEN)
        o->start_ns = o->dispatched_ns = min_i64(o->start_ns, o->end_ns);
}

/* The event behind a copy in a graph comes up to some microseconds late, or there is none: a kernel that depends on the
 * copy may have started before. */
static void correct_ends(const gcast_workload *w, gcast_run_op *ops, gcast_run_op *o)
{
    const gcast_op *op = &w->ops[o->op];
    for (size_t k = 0; op->graph != GCAST_NO_GRAPH && op->kind == GCAST_KIND_KERNEL && k < op->after_count; k++) {
        gcast_run_op *before = &ops[dependencies_operation((size_t)(o - ops), o->op, op->after[k])];
        if (w->ops[before->op].kind != GCAST_KIND_KERNEL && w->ops[before->op].graph == op->graph)
            before->end_ns = min_i64(before->end_ns, o->start_ns);
    }
}

/* A node starts after its dependencies in its graph. */
static void correct_in_graph(const gcast_workload *w, const gcast_run_op *ops, gcast_run_op *o)
{
    const gcast_op *op = &w->ops[o->op];
    for (size_t k = 0; op->graph != GCAST_NO_GRAPH && k < op->after_count; k++)
        if (w->ops[op->after[k]].graph == op->graph)
            start_not_before(o, ops[dependencies_operation((size_t)(o - ops), o->op, op->after[k])].end_ns);
}

/* `list` is in the order of launches. The nodes of a graph count as one operation of their stream. */
static void correct_in_streams(const gcast_workload *w, const gcast_run_op *ops, gcast_run_op **list, size_t count,
                               int64_t *ends)
{
    for (size_t i = 0, next; i < count; i = next) {
        int stream = w->ops[list[i]->op].stream;
        int64_t end = INT64_MIN;
        next = i + 1;
        while (next < count && attributes_is_next_node(w, list[next]->op))
            next++;
        for (size_t k = i; k < next; k++) {
            if (w->ops[list[k]->op].programmatic) /* it is complete after the operation before it */
                list[k]->end_ns = max_i64(list[k]->end_ns, ends[stream]);
            if (w->ops[list[k]->op].kind != GCAST_KIND_KERNEL) {
                start_not_before(list[k], ends[stream]);
                correct_in_graph(w, ops, list[k]);
                if (list[k]->end_ns == COPY_END_UNSEEN)
                    list[k]->end_ns = list[k]->start_ns;
            }
            end = max_i64(end, list[k]->end_ns);
        }
        ends[stream] = end;
    }
}

/* `list` is in the order of ends. */
static void correct_in_engine(const gcast_workload *w, gcast_run_op **list, size_t count, gcast_direction direction)
{
    int64_t last_end = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        const gcast_op *op = &w->ops[list[i]->op];
        if (op->kind != GCAST_KIND_COPY || op->direction != direction)
            continue;
        start_not_before(list[i], last_end);
        last_end = list[i]->end_ns;
    }
}

gcast_status copies_correct_times(const gcast_workload *w, gcast_run_op *ops, size_t count, gcast_error *err)
{
    gcast_run_op **list = malloc((count + 1) * sizeof *list);
    int64_t *ends = calloc(w->stream_count + 1, sizeof *ends);
    size_t n = 0;
    for (size_t i = 0; list && i < count; i++)
        if (gcast_kind_on_gpu(w->ops[ops[i].op].kind) && !ops[i].skipped)
            list[n++] = &ops[i];
    if (list && ends) {
        for (size_t i = 0; i < n; i++)
            correct_ends(w, ops, list[i]);
        qsort(list, n, sizeof *list, by_launch);
        correct_in_streams(w, ops, list, n, ends);
        qsort(list, n, sizeof *list, by_end);
        correct_in_engine(w, list, n, GCAST_H2D);
        correct_in_engine(w, list, n, GCAST_D2H);
    }
    gcast_status status = list && ends ? GCAST_OK : gcast_error_set_memory(err);
    free(list);
    free(ends);
    return status;
}

/* A run in which blocks gave up waiting for others becomes a run that hangs, in the state in which the first block gave
 * up. */

/* Keeps the latest time before a block gave up. */
static void note_time(int64_t *last, int64_t time, int64_t gave_up_ns)
{
    if (time < gave_up_ns)
        *last = max_i64(*last, time);
}

/* The time of the hang: the last call, start, end, or begin of a block's wait before a block gave up. */
static int64_t hang_time(const gcast_run *run, int64_t gave_up_ns)
{
    int64_t last = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        const gcast_op *op = &run->workload->ops[o->op];
        if (o->skipped)
            continue;
        note_time(&last, o->call_ns, gave_up_ns);
        note_time(&last, o->return_ns, gave_up_ns);
        note_time(&last, o->start_ns, gave_up_ns);
        note_time(&last, o->end_ns, gave_up_ns);
        for (uint64_t b = 0; o->blocks && b < o->block_count; b++) {
            note_time(&last, o->blocks[b].start_ns, gave_up_ns);
            note_time(&last, o->blocks[b].end_ns, gave_up_ns);
            if (attributes_waits(op))
                note_time(&last, o->blocks[b].start_ns + op->wait_ns, gave_up_ns);
        }
    }
    return last;
}

/* Cuts off the blocks of a kernel where the run hangs. */
static void cut_blocks(gcast_run_op *o, gcast_block *blocks, int64_t gave_up_ns, int64_t time_ns, gcast_hung_op *hung)
{
    for (uint64_t b = 0; b < o->block_count; b++) {
        gcast_block *block = &blocks[b];
        if (block->start_ns >= gave_up_ns) {
            block->start_ns = block->end_ns = -1;
            hung->not_started++;
        } else if (block->end_ns >= gave_up_ns) {
            block->end_ns = max_i64(time_ns, block->start_ns);
            hung->resident++;
        }
    }
    o->end_ns = -1;
    o->start_ns = hung->not_started < o->block_count ? o->start_ns : -1;
    o->dispatched_ns = hung->not_started ? -1 : o->dispatched_ns;
}

static void skip(gcast_run_op *o)
{
    o->skipped = true;
    o->blocks = NULL;
    o->call_ns = o->return_ns = o->start_ns = o->dispatched_ns = o->end_ns = -1;
}

/* Cuts off an operation; true: it hangs. */
static bool cut(const gcast_workload *w, gcast_run_op *o, gcast_block *blocks, int64_t gave_up_ns, int64_t time_ns,
                gcast_hung_op *hung)
{
    if (o->skipped || o->end_ns < gave_up_ns)
        return false;
    if (o->call_ns >= gave_up_ns) {
        skip(o);
        return false;
    }
    o->return_ns = o->return_ns >= gave_up_ns ? -1 : o->return_ns;
    if (w->ops[o->op].kind == GCAST_KIND_KERNEL) {
        cut_blocks(o, blocks, gave_up_ns, time_ns, hung);
        return true;
    }
    o->end_ns = -1;
    if (o->start_ns >= gave_up_ns)
        o->start_ns = o->dispatched_ns = -1;
    return gcast_kind_on_gpu(w->ops[o->op].kind);
}

/* Makes a run that hangs of one whose first block gave up at gave_up_ns: operations that started later have not
 * started, those that were not complete never are, and those that were called later are skipped. */
static gcast_status gave_up_hang(gcast_run *run, gcast_run_op *ops, gcast_block *blocks, int64_t gave_up_ns,
                                 int64_t give_up_ns, gcast_error *err)
{
    char note[120], limit[40];
    arena *memory = run_memory(run);
    gcast_hang *hang = arena_alloc(memory, sizeof *hang);
    gcast_hung_op *hung = arena_alloc_array(memory, run->op_count + 1, sizeof *hung);
    units_format_time(give_up_ns, limit, sizeof limit);
    snprintf(note, sizeof note, "blocks gave up after they had waited for %s for blocks that had not started", limit);
    if (!hang || !hung || !run_add_note(run, note))
        return gcast_error_set_memory(err);
    *hang = (gcast_hang){.time_ns = hang_time(run, gave_up_ns), .ops = hung};
    for (size_t i = 0; i < run->op_count; i++) {
        gcast_block *own = ops[i].blocks ? blocks + (ops[i].blocks - blocks) : NULL;
        hung[hang->op_count] = (gcast_hung_op){.run_op = (uint32_t)i};
        hang->op_count += cut(run->workload, &ops[i], own, gave_up_ns, hang->time_ns, &hung[hang->op_count]);
    }
    run->hang = hang;
    run->end_ns = hang->time_ns;
    return GCAST_OK;
}

/* *gave_up_ns becomes the time at which the first block gave up. */
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
    /* without an event, copies_correct_times takes the time from other operations */
    o->start_ns = o->dispatched_ns = x->timed_by == NO_EVENT ? INT64_MIN : base + llround((double)before * 1e6);
    o->end_ns = base + llround((double)after * 1e6);
    if (x->end != END_EVENT)
        o->end_ns = x->end == END_KERNEL ? INT64_MAX : COPY_END_UNSEEN;
    /* by direction, as the driver does not report the number of copy engines */
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
    /* the latest time that is surely not after the host's zero: so no time is negative, and no operation starts before
     * its call */
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
