/* The blocks that a run gets of a simulation, and the messages of a simulation that fails. */
#include "simulate/engine/state.h"

#include <stdlib.h>

#include "base/integers.h"
#include "model/run.h"
#include "model/workload/workload.h"

gcast_status record_all(gcast_run *run, gcast_run_op *ops, gcast_block **out, gcast_error *err)
{
    uint64_t total = 0;
    size_t bytes;
    for (size_t i = 0; i < run->op_count; i++)
        if (!checked_add(total, ops[i].block_count, &total))
            total = UINT64_MAX;
    gcast_block *blocks = checked_mul(total, sizeof *blocks, &bytes) ? malloc(bytes ? bytes : 1) : NULL;
    if (!blocks)
        return gcast_error_set(err, GCAST_RESOURCE, NULL,
                               "not enough memory to record %llu blocks; record those of a range of time only",
                               (unsigned long long)total);
    run_set_blocks(run, blocks);
    *out = blocks;
    for (size_t i = 0; i < run->op_count; i++) {
        ops[i].blocks = ops[i].block_count ? blocks : NULL;
        blocks += ops[i].block_count;
    }
    return GCAST_OK;
}

static int by_op_and_index(const void *a, const void *b)
{
    const gcast_started_block *x = a, *y = b;
    if (x->run_op != y->run_op)
        return x->run_op < y->run_op ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

gcast_status record_window(gcast_run *run, gcast_run_op *ops, const window *w, gcast_error *err)
{
    size_t count = w->blocks.count, first = 0;
    gcast_block *blocks = malloc((count + 1) * sizeof *blocks);
    uint64_t *index = malloc((count + 1) * sizeof *index);
    if (!blocks || !index) {
        free(blocks);
        free(index);
        return gcast_error_set_memory(err);
    }
    run->window_from_ns = w->start_ns;
    run->window_to_ns = w->end_ns;
    run_set_window(run, blocks, index);
    if (w->has_jobs && count)
        qsort(w->blocks.at, count, sizeof *w->blocks.at, by_op_and_index);
    for (size_t i = 0; i < count; i++)
        ops[w->blocks.at[i].run_op].window_count++;
    for (size_t i = 0; i < run->op_count; i++) {
        ops[i].window = ops[i].window_count ? blocks + first : NULL;
        ops[i].window_index = ops[i].window_count ? index + first : NULL;
        first += ops[i].window_count;
        ops[i].window_count = 0;
    }
    for (size_t i = 0; i < count; i++) { /* blocks of one operation are in the order of their index; jobs need not be */
        gcast_run_op *o = &ops[w->blocks.at[i].run_op];
        size_t next = (size_t)(o->window - blocks) + (size_t)o->window_count++;
        blocks[next] = w->blocks.at[i].block;
        index[next] = w->blocks.at[i].index;
    }
    return GCAST_OK;
}

void sim_fail_time(sim *s, uint32_t o)
{
    char path[128];
    if (s->status != GCAST_OK)
        return;
    gcast_workload_op_path(s->w, s->state[o].op, path, sizeof path);
    s->status = gcast_error_set(s->err, GCAST_INPUT, path, "the time of %s does not fit in 64-bit nanoseconds",
                                sim_spec(s, o)->label);
}

void sim_fail_memory(sim *s)
{
    if (s->status == GCAST_OK)
        s->status = gcast_error_set_memory(s->err);
}

void sim_fail_record(sim *s)
{
    if (!s->window.stopped)
        sim_fail_memory(s);
    else if (s->status == GCAST_OK)
        s->status = gcast_error_set(s->err, GCAST_RESOURCE, NULL, "stopped");
}

void sim_report_progress(sim *s)
{
    double part = s->blocks_total ? (double)s->blocks_dispatched / (double)s->blocks_total : 1;
    if (part > 1) /* workers of repairs are not in the total */
        part = 1;
    if (s->options->progress && !s->options->progress(s->options->progress_data, part) && s->status == GCAST_OK)
        s->status = gcast_error_set(s->err, GCAST_RESOURCE, NULL, "stopped");
}
