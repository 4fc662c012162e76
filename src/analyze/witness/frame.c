/* The frame of the search: how far executions go, which operations they have, and what of these is open. */
#include "analyze/witness/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/minmax.h"
#include "model/workload/edit.h"
#include "model/workload/jobs.h"

#define HYPERPERIODS 3          /* that an execution covers unless the options say how many */
#define MAX_OPERATIONS 3000     /* of an execution, unless the options say how many hyperperiods */
#define MAX_GIVEN 1000000       /* operations of an execution otherwise */
#define BLOCKS_OF_ONE 64        /* blocks that take about as long to simulate as an operation */
#define LIST_OF_ONE 64          /* durations in a list that count as an operation */
#define MAX_LISTED 256          /* blocks of an operation that have extra times of their own */
#define MAX_LISTED_ALL 65536    /* such blocks of an execution */
#define MAX_LISTED_KEPT 8000000 /* such blocks in the latest executions of all ops */

/* How many operations are released before the horizon; one with a list of durations counts for several. */
static uint64_t operations_before(const gcast_workload *w, int64_t horizon)
{
    uint64_t count = w->once_count;
    for (size_t i = w->once_count; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        const gcast_task *t = &w->tasks[op->task];
        uint64_t jobs = horizon <= t->offset_ns ? 0 : (uint64_t)((horizon - t->offset_ns - 1) / t->period_ns) + 1;
        uint64_t weight = 1 + (op->block_ns ? op->blocks / LIST_OF_ONE : 0), all;
        if (!checked_mul(jobs, weight, &all) || !checked_add(count, all, &count))
            return UINT64_MAX;
    }
    return count;
}

/* The end of so many hyperperiods after the largest offset. */
static int64_t hyperperiods_end(const gcast_workload *w, int64_t count)
{
    int64_t offset = 0, end;
    for (size_t i = 0; i < w->task_count; i++)
        offset = max_i64(offset, w->tasks[i].offset_ns);
    if (!gcast_workload_hyperperiod(w, &end) || !checked_mul(end, count, &end) || !checked_add(end, offset, &end))
        return WORKLOAD_MAX_NS;
    return min_i64(end, WORKLOAD_MAX_NS);
}

/* The latest horizon up to max_ns before which there are not too many operations. */
static int64_t affordable_horizon(const gcast_workload *w, int64_t max_ns, uint64_t max_operations)
{
    int64_t low = 0;
    if (operations_before(w, max_ns) <= max_operations)
        return max_ns;
    for (int64_t high = max_ns; high - low > 1;) {
        int64_t middle = low + (high - low) / 2;
        *(operations_before(w, middle) <= max_operations ? &low : &high) = middle;
    }
    return low;
}

static int64_t choose_horizon(frame *f, const gcast_witness_options *options)
{
    int64_t count = options->hyperperiods ? options->hyperperiods : HYPERPERIODS;
    int64_t wanted = options->horizon_ns ? options->horizon_ns : hyperperiods_end(f->w, count);
    int64_t horizon = affordable_horizon(f->w, wanted, options->hyperperiods ? MAX_GIVEN : MAX_OPERATIONS);
    f->is_whole = !f->w->task_count || (options->horizon_ns && horizon == options->horizon_ns && !f->any_phase);
    f->horizon_ns = options->horizon_ns;
    return max_i64(horizon, 1);
}

/* The extra time that a block or copy may take. A copy without a duration depends on the copies beside it, which a
 * fixed duration cannot say, so it has none. */
static int64_t range_of(const gcast_op *op, int64_t noise_ns)
{
    if (!gcast_kind_on_gpu(op->kind) || op->launches || (!op->block_ns && op->max_ns == GCAST_UNKNOWN_NS))
        return 0;
    return (op->block_ns ? 0 : op->max_ns - op->min_ns) + noise_ns;
}

/* By how much the latency of a call varies. */
static int64_t latency_range_of(const gcast_op *op, const latency_range *latency)
{
    return !gcast_kind_on_gpu(op->kind) ? 0 : op->kind == GCAST_KIND_KERNEL ? latency->launch_ns : latency->copy_ns;
}

static void add_units(frame *f, const gcast_run_op *ops, size_t count, int64_t noise_ns, const latency_range *latency)
{
    for (size_t i = 0; i < count; i++) {
        const gcast_op *op = &f->w->ops[ops[i].op];
        bool is_first = op->task == GCAST_ONCE || ops[i].op == f->w->tasks[op->task].first_op;
        if (is_first) {
            if (op->task != GCAST_ONCE)
                f->unit_of_job[f->first_job[op->task] + ops[i].job] = f->unit_count;
            f->units[f->unit_count++] = (frame_unit){.task = op->task, .job = ops[i].job, .first_operation = i};
        }
        f->units[f->unit_count - 1].operation_count++;
        f->operations[i] = (frame_operation){.op = ops[i].op,
                                             .job = ops[i].job,
                                             .unit = f->unit_count - 1,
                                             .range_ns = range_of(op, noise_ns),
                                             .latency_range_ns = latency_range_of(op, latency),
                                             .first_block = NOT_LISTED};
    }
    f->operation_count = count;
    f->once_count = f->w->once_count;
}

/* Gives operations with few blocks a list of extra times, as far as there is memory for them. */
static void list_blocks(frame *f)
{
    for (size_t i = 0; i < f->operation_count; i++) {
        frame_operation *x = &f->operations[i];
        const gcast_op *op = &f->w->ops[x->op];
        if (!x->range_ns || op->kind != GCAST_KIND_KERNEL || op->blocks < 2 || op->blocks > MAX_LISTED)
            continue;
        size_t all = f->listed_blocks + (size_t)op->blocks;
        if (all > MAX_LISTED_ALL || all * f->w->op_count > MAX_LISTED_KEPT)
            return;
        x->first_block = f->listed_blocks;
        f->listed_blocks = all;
    }
}

static void find_open(frame *f)
{
    bool open = (f->any_order && f->unit_count > 1) || (f->any_phase && f->w->task_count > 1);
    for (size_t i = 0; i < f->operation_count; i++) {
        f->has_latencies = f->has_latencies || f->operations[i].latency_range_ns;
        open = open || f->operations[i].range_ns;
    }
    for (size_t i = 0; i < f->w->task_count; i++) {
        f->has_sporadic = f->has_sporadic || f->w->tasks[i].sporadic;
        open = open || f->w->tasks[i].jitter_ns;
    }
    f->is_fixed = !open && !f->has_latencies && !f->has_sporadic;
}

static void find_bound(frame *f)
{
    for (size_t i = 0; i < f->w->once_count; i++) {
        const gcast_op *op = &f->w->ops[i];
        f->is_bound[i] = f->is_bound[i] || op->host != GCAST_NO_HOST || op->after_count;
        for (size_t k = 0; k < op->after_count; k++)
            f->is_bound[op->after[k]] = true;
    }
}

/* A separator that no label contains, so that LABEL, separator and number is no other label. */
static void choose_separator(frame *f)
{
    size_t length = 1;
    f->separator[0] = '#';
    for (size_t i = 0; i < f->w->op_count && length + 1 < sizeof f->separator; i++)
        if (strstr(f->w->ops[i].label, f->separator)) {
            f->separator[length++] = '#';
            i = (size_t)-1; /* from the first op again */
        }
}

gcast_status frame_create(frame *f, const gcast_workload *w, const gcast_gpu *gpu, const latency_range *latency,
                          const gcast_witness_options *options, gcast_error *err)
{
    gcast_run_op *ops;
    size_t count;
    *f = (frame){.w = w, .any_order = options->any_order, .any_phase = options->any_phase};
    gcast_status status = jobs_expand(w, choose_horizon(f, options), &ops, &count, err);
    if (status != GCAST_OK)
        return status;
    f->operations = malloc((count + 1) * sizeof *f->operations);
    f->units = malloc((count + 1) * sizeof *f->units);
    f->unit_of_job = malloc((count + 1) * sizeof *f->unit_of_job);
    f->first_job = calloc(w->task_count + 1, sizeof *f->first_job);
    f->is_bound = calloc(w->once_count + 1, sizeof *f->is_bound);
    if (!f->operations || !f->units || !f->unit_of_job || !f->first_job || !f->is_bound) {
        free(ops);
        frame_free(f);
        return gcast_error_set_memory(err);
    }
    for (size_t i = 0; i < count; i++) /* counts jobs */
        if (w->ops[ops[i].op].task != GCAST_ONCE && ops[i].op == w->tasks[w->ops[ops[i].op].task].first_op)
            f->first_job[w->ops[ops[i].op].task + 1]++;
    for (size_t i = 0; i < w->task_count; i++)
        f->first_job[i + 1] += f->first_job[i];
    add_units(f, ops, count, options->without_noise ? 0 : gpu->noise_ns, latency);
    free(ops);
    for (size_t i = 0; i < f->operation_count; i++)
        f->weight += 1 + w->ops[f->operations[i].op].blocks / BLOCKS_OF_ONE;
    list_blocks(f);
    find_open(f);
    find_bound(f);
    choose_separator(f);
    return GCAST_OK;
}

void frame_free(frame *f)
{
    free(f->operations);
    free(f->units);
    free(f->unit_of_job);
    free(f->first_job);
    free(f->is_bound);
    *f = (frame){0};
}
