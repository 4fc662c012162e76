#include "files/examiner/log/log_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "model/run.h"

typedef struct filling {
    gcast_run *run;       /* what is filled in */
    gcast_run_op *ops;    /* its operations */
    gcast_block *blocks;  /* of all operations */
    size_t op_count;      /* filled in so far */
    uint64_t block_count; /* filled in so far */
} filling;

/* The launch counts as called when its call returned: of calls that several threads make at once, which the driver
 * makes one after the other, only the returns tell the order. */
static void add_kernel(filling *f, const log_kernel *kernel)
{
    size_t index = f->op_count++;
    gcast_run_op *op = &f->ops[index];
    gcast_block *blocks = f->blocks + f->block_count;
    memcpy(blocks, kernel->blocks, kernel->block_count * sizeof *blocks);
    f->block_count += kernel->block_count;
    *op = (gcast_run_op){.op = (uint32_t)index,
                         .engine = -1,
                         .connection = -1,
                         .channel = -1,
                         .release_ns = kernel->call_ns,
                         .call_ns = kernel->return_ns,
                         .return_ns = kernel->return_ns,
                         .arrive_ns = -1,
                         .head_ns = -1,
                         .enter_ns = -1,
                         .start_ns = kernel->start_ns,
                         .dispatched_ns = kernel->start_ns,
                         .end_ns = kernel->end_ns,
                         .launch = index,
                         .entry = index,
                         .block_count = kernel->block_count,
                         .blocks = blocks};
    for (size_t i = 0; i < kernel->block_count; i++)
        op->dispatched_ns = max_i64(op->dispatched_ns, blocks[i].start_ns);
    f->run->end_ns = max_i64(f->run->end_ns, op->end_ns);
}

/* A block starts after the call of its launch, and the wait for the stream, or the iteration, ends after its end: that
 * leaves a range for the zero of the GPU's clock. Where clocks go at different rates it may be empty, and is not given.
 */
static void set_gpu_zero(const log_set *set, size_t index, gcast_run *run)
{
    int64_t lo_ns = INT64_MIN, hi_ns = INT64_MAX;
    for (size_t b = 0; b < set->benchmark_count; b++) {
        log_slice slice = log_run_slice(set, index, b);
        for (size_t i = 0; i < slice.kernel_count; i++) {
            const log_kernel *k = &slice.kernels[i];
            int64_t seen_ns = k->sync_ns >= 0 ? k->sync_ns : slice.log->iterations.at[k->iteration].cpu_ns[1];
            lo_ns = max_i64(lo_ns, k->call_ns - k->start_ns);
            hi_ns = min_i64(hi_ns, seen_ns - k->end_ns);
        }
    }
    if (lo_ns <= hi_ns) {
        run->gpu_zero_lo_ns = lo_ns;
        run->gpu_zero_hi_ns = hi_ns;
    }
}

static gcast_status fill(const log_set *set, size_t index, gcast_run *run, gcast_error *err)
{
    const gcast_workload *w = run->workload;
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count; i++)
        blocks += w->ops[i].blocks;
    filling f = {
        .run = run, .ops = calloc(w->op_count + 1, sizeof *f.ops), .blocks = calloc(blocks + 1, sizeof *f.blocks)};
    if (!f.ops || !f.blocks) {
        free(f.ops);
        free(f.blocks);
        return gcast_error_set_memory(err);
    }
    run_set_ops(run, f.ops, w->op_count);
    run_set_blocks(run, f.blocks);
    run->connections = w->connections;
    run->end_ns = INT64_MIN;
    for (size_t b = 0; b < set->benchmark_count; b++) {
        log_slice slice = log_run_slice(set, index, b);
        for (size_t i = 0; i < slice.kernel_count; i++)
            add_kernel(&f, &slice.kernels[i]);
    }
    set_gpu_zero(set, index, run);
    return GCAST_OK;
}

gcast_status log_run_create(const log_set *set, size_t index, const gcast_workload *w, gcast_run **run,
                            gcast_error *err)
{
    gcast_gpu *gpu;
    *run = NULL;
    gcast_status status = gcast_gpu_copy(w->gpu, &gpu, err);
    if (status != GCAST_OK)
        return status;
    if (w->partition_sms)
        status = gcast_gpu_partition(gpu, w->partition_sms, err);
    gcast_run *created = status == GCAST_OK ? run_create("measured", w, gpu) : NULL;
    if (!created) {
        gcast_gpu_free(gpu);
        return status == GCAST_OK ? gcast_error_set_memory(err) : status;
    }
    status = fill(set, index, created, err);
    if (status == GCAST_OK)
        *run = created;
    else
        gcast_run_free(created);
    return status;
}
