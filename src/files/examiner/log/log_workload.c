#include "files/examiner/log/log_workload.h"

#include <stdio.h>
#include <string.h>

#include "files/examiner/log/block_durations.h"
#include "files/examiner/log/read_log.h"
#include "files/unique_names.h"
#include "gridcast/occupancy.h"
#include "model/workload/edit.h"

typedef struct building {
    const log_set *set;        /* the logs */
    const log_config *config;  /* may be NULL */
    gcast_workload *w;         /* what is built */
    unique_names labels;       /* of ops */
    bool has_logged_durations; /* of some kernel, durations are those of the logs */
    bool has_processes;        /* the benchmarks were processes */
    gcast_error *err;          /* of the call */
} building;

/* Without a configuration: what the examiner creates for a benchmark without a priority. */
static gcast_status add_logged_stream(const building *b, size_t benchmark, int *stream)
{
    const exam_log *log = log_run_slice(b->set, 0, benchmark).log;
    if (strcmp(log->benchmark, "Timer Spin (default stream)") == 0)
        return gcast_workload_get_stream(b->w, 0, stream, b->err);
    gcast_stream traits = {.id = (int)benchmark + 1, .blocking = true, .blocking_given = true};
    traits.process = b->has_processes ? (int)benchmark + 1 : 0;
    return gcast_workload_add_stream(b->w, &traits, stream, b->err);
}

/* The stream of the configuration, which is added where it is new. */
static gcast_status add_configured_stream(const building *b, const gcast_stream *traits, int *stream)
{
    *stream = workload_find_stream(b->w, traits->id);
    return *stream >= 0 ? GCAST_OK : gcast_workload_add_stream(b->w, traits, stream, b->err);
}

/* The op of the configuration, called at no particular time by no host. */
static gcast_status configured_op(const building *b, size_t index, gcast_op *op)
{
    const gcast_workload *w = b->config->workload;
    *op = w->ops[index];
    op->host = GCAST_NO_HOST;
    op->release_ns = op->delay_ns = 0;
    op->skip_ns = GCAST_NEVER;
    op->host_waits = false;
    gcast_status status = add_configured_stream(b, &w->streams[op->stream], &op->stream);
    if (status == GCAST_OK && op->mask != GCAST_ALL_SMS)
        status = gcast_workload_add_mask(b->w, &w->masks[op->mask], &op->mask, b->err);
    return status;
}

static gcast_op logged_op(const log_kernel *kernel, int stream)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.grid[0] = kernel->block_count;
    op.block[0] = kernel->thread_count;
    op.grid[1] = op.grid[2] = op.block[1] = op.block[2] = 1;
    op.shape.static_smem = kernel->shared_memory;
    op.body = GCAST_BODY_TIMER_SPIN;
    op.stream = stream;
    op.min_ns = op.max_ns = GCAST_UNKNOWN_NS;
    return op;
}

/* The benchmark's label, where an iteration has one kernel, else the kernel's name; later iterations get their number,
 * as those of a configuration do. */
static const char *label_of(building *b, const log_slice *slice, size_t kernel)
{
    const exam_log *log = slice->log;
    bool is_single = slice->kernel_count == slice->iteration_count;
    const log_kernel *logged = &slice->kernels[kernel];
    size_t iteration = logged->iteration - slice->first_iteration;
    const char *name = *log->label ? log->label : log->base_name;
    char label[300];
    int length = snprintf(label, sizeof label - 30, "%s", is_single || !*logged->name ? name : logged->name);
    size_t used = (size_t)length < sizeof label - 30 ? (size_t)length : sizeof label - 31;
    if (iteration)
        snprintf(label + used, sizeof label - used, "#%zu", iteration + 1);
    return unique_take(&b->labels, label);
}

/* Fails where a block is larger than the GPU allows. */
static gcast_status check_fits(const building *b, const log_slice *slice, const gcast_op *op, size_t kernel)
{
    const gcast_gpu *gpu = b->w->gpu;
    gcast_occupancy occupancy;
    gcast_block_shape shape = op->shape;
    shape.threads = (int)slice->kernels[kernel].thread_count;
    gcast_status status = gcast_occupancy_compute(&gpu->limits, &shape, GCAST_CARVEOUT_DEFAULT, &occupancy, b->err);
    if (status == GCAST_OK && !occupancy.blocks_per_sm)
        status = log_fail(slice->log, &slice->kernels[kernel], NULL, b->err, "can never run on %.60s: %s", gpu->name,
                          occupancy.reason);
    return status;
}

static gcast_status add_kernel(building *b, size_t benchmark, size_t kernel, int stream)
{
    log_slice slice = log_run_slice(b->set, 0, benchmark);
    gcast_op op;
    if (b->config) {
        gcast_status found = configured_op(b, b->config->ops.at[b->config->first.at[benchmark] + kernel], &op);
        if (found != GCAST_OK)
            return found;
    } else {
        op = logged_op(&slice.kernels[kernel], stream);
        op.label = label_of(b, &slice, kernel);
        if (!op.label)
            return gcast_error_set_memory(b->err);
    }
    gcast_status status = check_fits(b, &slice, &op, kernel);
    if (status != GCAST_OK)
        return status;
    if (op.min_ns != GCAST_UNKNOWN_NS)
        return gcast_workload_add_op(b->w, &op, NULL, b->err);
    int64_t *block_ns = log_block_durations(b->set, benchmark, kernel);
    if (!block_ns)
        return gcast_error_set_memory(b->err);
    b->has_logged_durations = true;
    op.block_ns = block_ns;
    status = gcast_workload_add_op(b->w, &op, NULL, b->err);
    free(block_ns);
    return status;
}

static gcast_status add_benchmark(building *b, size_t benchmark)
{
    log_slice slice = log_run_slice(b->set, 0, benchmark);
    int stream = -1;
    if (!slice.kernel_count)
        return GCAST_OK;
    gcast_status status = b->config ? GCAST_OK : add_logged_stream(b, benchmark, &stream);
    for (size_t i = 0; i < slice.kernel_count && status == GCAST_OK; i++)
        status = add_kernel(b, benchmark, i, stream);
    return status;
}

static gcast_status add_note(const building *b, bool condition, const char *note)
{
    return condition ? gcast_workload_add_note(b->w, note, b->err) : GCAST_OK;
}

/* What the logs do not tell, and what is taken instead. */
static gcast_status add_notes(const building *b, const gcast_gpu *gpu)
{
    bool is_part = b->set->logs.at[0].sms < gpu->sms;
    char part[160];
    snprintf(part, sizeof part, "the logs are of %d SMs, so that the first %d of %.60s are taken",
             b->set->logs.at[0].sms, b->set->logs.at[0].sms, gpu->name);
    gcast_status status = GCAST_OK;
    for (size_t i = 0; b->config && i < b->config->workload->note_count && status == GCAST_OK; i++)
        status = add_note(b, true, b->config->workload->notes[i]);
    if (status == GCAST_OK)
        status = add_note(b, !b->config,
                          "logs do not have priorities, SM masks, registers and copies: priority 0, all "
                          "SMs and nothing else is taken; a configuration tells all but registers");
    if (status == GCAST_OK)
        status = add_note(b, b->config && b->config->has_other_ops,
                          "copies and memsets leave no record in logs, and are left out");
    if (status == GCAST_OK)
        status = add_note(b, b->has_logged_durations,
                          log_run_count(b->set) > 1 ? "blocks take the median time of those in the logs"
                                                    : "blocks take as long as in the logs");
    return status == GCAST_OK ? add_note(b, is_part, part) : status;
}

static gcast_status set_gpu(const building *b, const gcast_gpu *gpu)
{
    gcast_gpu *copy;
    int sms = b->set->logs.at[0].sms;
    gcast_status status = gcast_gpu_copy(gpu, &copy, b->err);
    if (status != GCAST_OK)
        return status;
    gcast_workload_set_gpu(b->w, copy);
    if (sms > gpu->sms)
        return log_fail(&b->set->logs.at[0], NULL, "max_resident_threads", b->err, "is of %d SMs, and %.60s has %d",
                        sms, gpu->name, gpu->sms);
    if (sms < gpu->sms)
        gcast_workload_set_partition(b->w, sms);
    gcast_workload_set_connections(b->w, gpu->connections);
    return gcast_workload_set_source(b->w, b->set->logs.at[0].file, b->err);
}

gcast_status log_workload_create(const log_set *set, const log_config *config, const gcast_gpu *gpu, gcast_workload **w,
                                 gcast_error *err)
{
    building b = {.set = set, .config = config, .err = err};
    b.has_processes = set->benchmark_count > 1 && !set->logs.at[0].is_thread;
    gcast_status status = gcast_workload_create(set->logs.at[0].scenario, &b.w, err);
    if (status == GCAST_OK)
        status = set_gpu(&b, gpu);
    for (size_t i = 0; i < set->benchmark_count && status == GCAST_OK; i++)
        status = add_benchmark(&b, i);
    if (status == GCAST_OK && !b.w->op_count)
        status = log_fail(&set->logs.at[0], NULL, "times", err, "no log has a kernel");
    if (status == GCAST_OK)
        status = add_notes(&b, gpu);
    if (status == GCAST_OK)
        status = gcast_workload_check(b.w, err);
    unique_free(&b.labels);
    *w = status == GCAST_OK ? b.w : NULL;
    if (status != GCAST_OK)
        gcast_workload_free(b.w);
    return status;
}
