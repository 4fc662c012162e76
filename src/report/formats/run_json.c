#include "report/formats/run_json.h"

#include <string.h>

#include "model/run_op.h"
#include "report/formats/launch_fields.h"
#include "report/formats/run_fields.h"
#include "report/formats/run_tables.h"
#include "report/report_progress.h"
#include "report/run/hung_run.h"
#include "report/schemas.h"

/* The elements of a list: [SM, start, end] of each block. */
static void put_blocks(json_out *j, const gcast_run_op *o, report_progress *progress)
{
    for (uint64_t b = 0; b < o->block_count; b++) {
        report_progress_add(progress, 1);
        json_begin(j, NULL, '[');
        json_put_count(j, NULL, o->blocks[b].sm);
        json_put_ns(j, NULL, o->blocks[b].start_ns);
        json_put_ns(j, NULL, o->blocks[b].end_ns);
        json_end(j, ']');
    }
}

static void put_after(json_out *j, const gcast_workload *w, const gcast_op *op)
{
    for (size_t k = 0; k < op->after_count; k++)
        json_put_text(j, NULL, w->ops[op->after[k]].label);
}

#define OP_FIELDS(FIELD, LINE)                                                                                         \
    OP_NAME_FIELDS(FIELD, LINE)                                                                                        \
    FIELD(list, after, op->after_count, put_after(j, run->workload, op), "operations that it depends on")              \
    FIELD(bool, skipped, o->skipped, true, "it was never called")                                                      \
    OP_TIME_FIELDS(FIELD, LINE)                                                                                        \
    FIELD(count, workers, o->workers, o->workers, "with a plan: blocks that were launched to do the jobs")             \
    FIELD(count, retreated, o->workers, o->retreated, "of these, blocks that found no job")                            \
    FIELD(count, repaired, o->workers, o->repaired, "jobs that only a second launch did")                              \
    FIELD(list, blocks, options->blocks && o->blocks, put_blocks(j, o, report_progress_of(options)),                   \
          "[SM, start, end] by block; with a plan by job")

static void put_ops(json_out *j, const gcast_run *run, const gcast_report_options *options)
{
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        const gcast_op *op = run_op(run, i);
        PUT_ELEMENT(OP_FIELDS);
        report_progress_add(report_progress_of(options), 1);
    }
}

#define LAUNCHES_FIELDS(FIELD, LINE)                                                                                   \
    FIELD(count, children, true, s->children, "child kernels")                                                         \
    LAUNCH_COUNT_FIELDS(FIELD, LINE)                                                                                   \
    FIELD(mean, overhead_ns, true, s->overhead_ns, "sum over children: launch overhead")                               \
    FIELD(mean, stream_wait_ns, true, s->stream_wait_ns, "then waiting for the stream")                                \
    FIELD(mean, pool_wait_ns, true, s->pool_wait_ns, "then for the pool of pending launches")                          \
    FIELD(mean, queue_wait_ns, true, s->queue_wait_ns, "then in the hardware queue")                                   \
    FIELD(mean, room_wait_ns, true, s->room_wait_ns, "then for room on the SMs")                                       \
    FIELD(mean, warp_ns, true, s->warp_ns, "warps resident on SMs, summed over time")                                  \
    FIELD(mean, child_warp_ns, true, s->child_warp_ns, "of these, warps of children")

FIELD_WRITER(put_launches, LAUNCHES_FIELDS, const gcast_launch_stats *s)

/* Children and rests of blocks have these. */
#define CHILD_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(text, label, !child->is_rest, run_op(run, i)->label, "name of the child kernel")                             \
    FIELD(count, number, !child->is_rest, o->job, "its place in the order of calls, from 0")                           \
    FIELD(count, parent, true, child->parent, "index of its parent in ops, and behind them in children")               \
    FIELD(count, parent_block, true, child->parent_block, "block of the parent that called")                           \
    FIELD(count, launcher, !child->is_rest, child->launcher, "launcher that called")                                   \
    FIELD(count, items, !child->is_rest, child->items, "items that it does")                                           \
    FIELD(ns, call_ns, !child->is_rest && o->call_ns >= 0, o->call_ns, "call")                                         \
    FIELD(ns, ready_ns, !child->is_rest && o->arrive_ns >= 0, o->arrive_ns, "it is in the queue of its stream")        \
    FIELD(ns, head_ns, !child->is_rest && o->head_ns >= 0, o->head_ns, "it is first in that queue")                    \
    FIELD(ns, pool_ns, !child->is_rest && child->pool_ns >= 0, child->pool_ns, "it is in the pool")                    \
    FIELD(ns, enter_ns, o->enter_ns >= 0, o->enter_ns, "it enters the queue of the SMs")                               \
    FIELD(ns, start_ns, o->start_ns >= 0, o->start_ns, "its first block starts")                                       \
    FIELD(ns, end_ns, o->end_ns >= 0, o->end_ns, "it is complete")                                                     \
    FIELD(int, queue, child->queue >= 0, child->queue, "its hardware queue")                                           \
    FIELD(list, blocks, true, put_blocks(j, o, progress), "[SM, start, end] by block")

static bool has_children(const gcast_run *run, bool of_rests)
{
    size_t i = run->op_count;
    while (i < run_total(run) && run_is_rest(run, i) != of_rests)
        i++;
    return i < run_total(run);
}

/* The elements of a list of the children, or of the rests of blocks. */
static void put_children(json_out *j, const gcast_run *run, bool of_rests, report_progress *progress)
{
    for (size_t i = run->op_count; i < run_total(run); i++) {
        if (run_is_rest(run, i) != of_rests)
            continue;
        const gcast_run_op *o = &run->ops[i];
        const gcast_child *child = run_child(run, i);
        PUT_ELEMENT(CHILD_FIELDS);
        report_progress_add(progress, 1);
    }
}

static void put_notes(json_out *j, const gcast_run *run)
{
    for (size_t i = 0; i < run_notes_count(run); i++)
        json_put_text(j, NULL, run_notes_at(run, i));
}

static void put_zero(json_out *j, const gcast_run *run)
{
    json_put_ns(j, NULL, run->gpu_zero_lo_ns);
    json_put_ns(j, NULL, run->gpu_zero_hi_ns);
}

#define RUN_FIELDS(FIELD, LINE)                                                                                        \
    FIELD(text, schema, true, "gridcast.run/1", "the format")                                                          \
    FIELD(text, source, true, run->source, "simulated, measured or recorded")                                          \
    FIELD(text, gpu, true, run->gpu->name, "the GPU")                                                                  \
    FIELD(int, sms, true, run->gpu->sms, "its SMs")                                                                    \
    FIELD(text, workload, true, run->workload->name, "the workload")                                                   \
    FIELD(list, gpu_zero_on_host_ns, strcmp(run->source, "measured") == 0, put_zero(j, run),                           \
          "[earliest, latest] time on the host's clock of the zero of the GPU's")                                      \
    FIELD(ns, end_ns, true, run->end_ns, "last end of all operations")                                                 \
    FIELD(ns, first_start_ns, first >= 0, first, "first start on the GPU")                                             \
    FIELD(ns, makespan_ns, makespan >= 0, makespan, "from there to the last end on the GPU")                           \
    LINE(list, notes, run_notes_count(run), put_notes(j, run), "what was left out or assumed")                         \
    LINE(record, launches, run->launches, put_launches(j, run->launches), "sums over child launches")                  \
    LINE(record, hang, run->hang, hang_json(j, run), "the run hangs")                                                  \
    LINE(list, ops, true, put_ops(j, run, options), "operations in the order of the file, then jobs of tasks")         \
    LINE(list, children, children, put_children(j, run, false, progress),                                              \
         "kernels that kernels launched, in the order of calls")                                                       \
    LINE(list, rests, rests, put_children(j, run, true, progress),                                                     \
         "of blocks that waited for children: what ran after the wait; as children, without label to pool_ns")

const record run_schema[] = {
    RECORD("", RUN_FIELDS),   RECORD("launches", LAUNCHES_FIELDS), {"hang", hang_fields}, {"hang.ops", hung_op_fields},
    RECORD("ops", OP_FIELDS), RECORD("children", CHILD_FIELDS),    {NULL, NULL}};

gcast_status json_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    if (options->blocks && !run->blocks_recorded)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the run has no blocks recorded");
    int64_t first, makespan = stats_makespan(run, &first);
    report_progress *progress = report_progress_of(options);
    bool children = options->blocks && has_children(run, false), rests = options->blocks && has_children(run, true);
    json_out *j = &(json_out){.out = out, .indent = 1};
    PUT_DOCUMENT(RUN_FIELDS);
    return GCAST_OK;
}
