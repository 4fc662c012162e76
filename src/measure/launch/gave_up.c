#include "measure/launch/gave_up.h"

#include <stdio.h>

#include "base/minmax.h"
#include "base/text/units.h"
#include "model/workload/attributes/attributes.h"

/* What happened before, at the latest. */
static void note_time(int64_t *last, int64_t time, int64_t gave_up_ns)
{
    if (time < gave_up_ns)
        *last = max_i64(*last, time);
}

/* The time of the hang: of the last call, start or end before a block gave up, or of a block that came to its wait. */
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

/* Cuts the blocks of a kernel off where the run hangs. */
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

/* Cuts an operation off; true: it is one that hangs. */
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

gcast_status gave_up_hang(gcast_run *run, gcast_run_op *ops, gcast_block *blocks, int64_t gave_up_ns,
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
