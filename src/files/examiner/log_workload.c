#include "files/examiner/log_workload.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/integers.h"
#include "files/examiner/read_config.h"
#include "files/examiner/read_log.h"
#include "files/unique_names.h"
#include "gridcast/occupancy.h"
#include "model/workload/workload.h"

/* The search for the host threads of logs. */
typedef struct matching {
    log_config *config;         /* the result */
    const exam_host_logs *logs; /* by host: names of logs */
    bool *is_matched;           /* by host: its log was found */
    gcast_error *err;
} matching;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The host thread of the benchmark that wrote this log, or -1. */
static int find_host(const matching *m, const exam_log *log)
{
    const gcast_workload *w = m->config->workload;
    for (size_t i = 0; i < w->host_count; i++)
        if (!m->is_matched[i] && strcmp(base_name(m->logs->names.at[i]), log->base_name) == 0)
            return (int)i;
    for (size_t i = 0; i < w->host_count; i++)
        if (!m->is_matched[i] && strcmp(w->hosts[i], log->label) == 0)
            return (int)i;
    return -1;
}

static gcast_status check_number(const exam_log *log, const log_kernel *kernel, const char *key, int64_t logged,
                                 int64_t expected, const matching *m)
{
    return logged == expected ? GCAST_OK
                              : log_fail(log, kernel, key, m->err, "is %lld, and in %.200s %lld", (long long)logged,
                                         m->config->file, (long long)expected);
}

/* Sets an error if a kernel of the log differs from the configuration. */
static gcast_status check_kernel(const exam_log *log, const log_kernel *kernel, const gcast_op *op, const matching *m)
{
    gcast_status status = check_number(log, kernel, "block_count", kernel->block_count, (int64_t)op->blocks, m);
    if (status == GCAST_OK)
        status = check_number(log, kernel, "thread_count", kernel->thread_count, op->shape.threads, m);
    if (status == GCAST_OK)
        status = check_number(log, kernel, "shared_memory", kernel->shared_memory, op->shape.static_smem, m);
    return status;
}

/* Adds the ops for the kernels of a log. */
static gcast_status match_kernels(const matching *m, const exam_log *log, int host)
{
    log_config *c = m->config;
    size_t matched = 0;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < c->workload->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = &c->workload->ops[i];
        if (op->host != host || !gcast_kind_on_gpu(op->kind))
            continue;
        c->has_other_ops |= op->kind != GCAST_KIND_KERNEL;
        if (op->kind != GCAST_KIND_KERNEL || matched == log->kernels.count)
            continue;
        status = check_kernel(log, &log->kernels.at[matched], op, m);
        matched++;
        if (!vec_push(&c->ops, i))
            status = gcast_error_set_memory(m->err);
    }
    if (status == GCAST_OK && matched < log->kernels.count)
        status = log_fail(log, &log->kernels.at[matched], NULL, m->err,
                          "is kernel %zu, and in %.200s %s has "
                          "only %zu",
                          matched + 1, c->file, c->workload->hosts[host], matched);
    return status;
}

static gcast_status match_log(const matching *m, const exam_log *log)
{
    if (!vec_push(&m->config->first, m->config->ops.count))
        return gcast_error_set_memory(m->err);
    if (!log->kernels.count)
        return GCAST_OK;
    int host = find_host(m, log);
    if (host < 0)
        return log_fail(log, NULL, "label", m->err, "no benchmark of %.200s has this log", m->config->file);
    m->is_matched[host] = true;
    return match_kernels(m, log, host);
}

static gcast_status match_logs(const matching *m, const log_set *set)
{
    const gcast_workload *w = m->config->workload;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < set->benchmark_count && status == GCAST_OK; i++)
        status = match_log(m, &set->logs.at[set->order.at[i]]);
    for (size_t i = 0; i < w->host_count && status == GCAST_OK; i++)
        if (!m->is_matched[i]) {
            status = gcast_error_set(m->err, GCAST_INPUT, NULL,
                                     "%.100s of %.200s is missing: all logs of an execution "
                                     "are needed",
                                     m->logs->names.at[i], w->hosts[i]);
            snprintf(m->err->file, sizeof m->err->file, "%s", m->config->file);
        }
    return status;
}

/* The largest number of iterations in the logs: the configuration itself may loop without end. Logs that gridcast
 * writes have all kernels in one iteration. */
static int iteration_count(const log_set *set)
{
    size_t count = 1;
    for (size_t i = 0; i < set->logs.count; i++) {
        const exam_log *log = &set->logs.at[i];
        count = max_size(count, log->iterations.count > 1 ? log->iterations.count : log->kernels.count);
    }
    return count < INT_MAX ? (int)count : INT_MAX;
}

gcast_status log_config_read(const char *text, size_t size, const char *file, const log_set *set, const gcast_gpu *gpu,
                             log_config *config, gcast_error *err)
{
    exam_host_logs logs = {0};
    gcast_read_options options = gcast_read_options_default();
    options.iterations = iteration_count(set);
    options.gpu = gpu;
    config->file = file;
    gcast_status status = examiner_read(text, size, file, &options, &logs, &config->workload, err);
    if (status == GCAST_OK && strcmp(config->workload->name, set->logs.at[0].scenario) != 0)
        status = log_fail(&set->logs.at[0], NULL, "scenario_name", err, "must be \"%.100s\", as in %.200s",
                          config->workload->name, file);
    if (status == GCAST_OK) {
        matching m = {.config = config,
                      .logs = &logs,
                      .is_matched = calloc(config->workload->host_count + 1, sizeof *m.is_matched),
                      .err = err};
        status = m.is_matched ? match_logs(&m, set) : gcast_error_set_memory(err);
        free(m.is_matched);
    }
    examiner_host_logs_free(&logs);
    return status;
}

void log_config_free(log_config *config)
{
    gcast_workload_free(config->workload);
    vec_free(&config->ops);
    vec_free(&config->first);
}

/* For each block of a kernel, its median duration over all runs, the lower of two; at least 1. The caller frees it;
 * NULL without memory. */
static int64_t *block_durations(const log_set *set, size_t benchmark, size_t kernel)
{
    size_t runs = log_run_count(set), blocks = log_run_slice(set, 0, benchmark).kernels[kernel].block_count;
    int64_t *of_runs = calloc(runs, sizeof *of_runs), *durations = calloc(blocks, sizeof *durations);
    for (size_t block = 0; of_runs && durations && block < blocks; block++) {
        for (size_t run = 0; run < runs; run++) {
            const gcast_block *at = &log_run_slice(set, run, benchmark).kernels[kernel].blocks[block];
            of_runs[run] = at->end_ns - at->start_ns;
        }
        qsort(of_runs, runs, sizeof *of_runs, compare_i64);
        durations[block] = max_i64(of_runs[(runs - 1) / 2], 1);
    }
    if (!of_runs) {
        free(durations);
        durations = NULL;
    }
    free(of_runs);
    return durations;
}

typedef struct building {
    const log_set *set;        /* the logs */
    const log_config *config;  /* may be NULL */
    gcast_workload *w;         /* the workload so far */
    unique_names labels;       /* labels of ops */
    bool has_logged_durations; /* durations of some kernel are from the logs */
    bool has_processes;        /* the benchmarks were processes */
    gcast_error *err;
} building;

/* Without a configuration: adds the stream that the examiner creates for a benchmark without a priority. */
static gcast_status add_logged_stream(const building *b, size_t benchmark, int *stream)
{
    const exam_log *log = log_run_slice(b->set, 0, benchmark).log;
    if (strcmp(log->benchmark, "Timer Spin (default stream)") == 0)
        return gcast_workload_get_stream(b->w, 0, stream, b->err);
    gcast_stream traits = {.id = (int)benchmark + 1, .blocking = true, .blocking_given = true};
    traits.process = b->has_processes ? (int)benchmark + 1 : 0;
    return gcast_workload_add_stream(b->w, &traits, stream, b->err);
}

/* Finds or adds the stream of the configuration. */
static gcast_status add_configured_stream(const building *b, const gcast_stream *traits, int *stream)
{
    *stream = workload_find_stream(b->w, traits->id);
    return *stream >= 0 ? GCAST_OK : gcast_workload_add_stream(b->w, traits, stream, b->err);
}

/* The op of the configuration, without its host and its times of calls. */
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

/* The benchmark's label if an iteration has one kernel, else the kernel's name. Later iterations get a number, as in a
 * configuration. */
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

/* Sets an error if a block is larger than the GPU allows. */
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
    int64_t *block_ns = block_durations(b->set, benchmark, kernel);
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

/* Adds notes on what the logs lack, and on what is assumed instead. */
static gcast_status add_notes(const building *b, const gcast_gpu *gpu)
{
    bool is_part = b->set->logs.at[0].sms < gpu->sms;
    char part[160];
    snprintf(part, sizeof part, "the logs are of %d SMs, so the first %d of %.60s are used", b->set->logs.at[0].sms,
             b->set->logs.at[0].sms, gpu->name);
    gcast_status status = GCAST_OK;
    for (size_t i = 0; b->config && i < b->config->workload->note_count && status == GCAST_OK; i++)
        status = add_note(b, true, b->config->workload->notes[i]);
    if (status == GCAST_OK)
        status = add_note(b, !b->config,
                          "logs have no priorities, SM masks, registers or copies: priority 0, all SMs, and no "
                          "registers or copies are assumed; a configuration gives all but registers");
    if (status == GCAST_OK)
        status = add_note(b, b->config && b->config->has_other_ops,
                          "logs do not record copies and memsets, so they are left out");
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
