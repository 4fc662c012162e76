/* gcast_scenario_read_logs: logs of the CUDA scheduling examiner as a scenario. */
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "files/examiner/log_scenario.h"
#include "files/examiner/log_workload.h"
#include "files/examiner/read_config.h"
#include "files/examiner/read_log.h"
#include "model/run.h"
#include "model/scenario.h"

static bool have_same_name(const log_set *set, size_t log, size_t other)
{
    return strcmp(set->logs.at[log].base_name, set->logs.at[other].base_name) == 0;
}

static gcast_status count_logs(log_set *set, gcast_error *err)
{
    set->benchmark_count = set->execution_count = 0;
    for (size_t i = 0; i < set->logs.count; i++) {
        size_t execution = 0;
        for (size_t k = 0; k < i; k++)
            execution += have_same_name(set, k, i);
        set->logs.at[i].execution = execution;
        set->benchmark_count += execution == 0;
        set->execution_count = max_size(set->execution_count, execution + 1);
    }
    if (set->benchmark_count * set->execution_count == set->logs.count)
        return GCAST_OK;
    for (size_t i = 0; i < set->logs.count; i++) {
        size_t count = 0;
        for (size_t k = 0; k < set->logs.count; k++)
            count += have_same_name(set, k, i);
        if (count < set->execution_count)
            return log_fail(&set->logs.at[i], NULL, NULL, err, "only %zu of %zu executions have a log of this name",
                            count, set->execution_count);
    }
    return GCAST_OK;
}

/* Lists the benchmarks of each execution in the order of the first execution. */
static bool put_in_order(log_set *set)
{
    for (size_t execution = 0; execution < set->execution_count; execution++)
        for (size_t first = 0; first < set->logs.count; first++) {
            if (set->logs.at[first].execution != 0)
                continue;
            for (size_t i = first; i < set->logs.count; i++)
                if (set->logs.at[i].execution == execution && have_same_name(set, i, first) &&
                    !vec_push(&set->order, i))
                    return false;
        }
    return true;
}

static bool is_same_kernel(const log_kernel *a, const log_kernel *b)
{
    return a->block_count == b->block_count && a->thread_count == b->thread_count &&
           a->shared_memory == b->shared_memory && strcmp(a->name, b->name) == 0;
}

/* Sets an error if two logs are not of the same configuration and GPU. */
static gcast_status check_same_configuration(const exam_log *log, const exam_log *other, gcast_error *err)
{
    if (strcmp(log->scenario, other->scenario) != 0)
        return log_fail(log, NULL, "scenario_name", err, "must be \"%.100s\", as in %.200s", other->scenario,
                        other->file);
    if (log->sms != other->sms)
        return log_fail(log, NULL, "max_resident_threads", err, "is not that of %.200s", other->file);
    return GCAST_OK;
}

/* Sets an error if the logs are not of one execution. */
static gcast_status check_same_execution(const exam_log *log, const exam_log *other, gcast_error *err)
{
    if (log->is_thread == other->is_thread && (!log->is_thread || log->pid == other->pid))
        return GCAST_OK;
    return log_fail(log, NULL, "PID", err, "is another execution than %.200s", other->file);
}

/* Sets an error if the logs are not of one benchmark in two executions. */
static gcast_status check_same_benchmark(const exam_log *log, const exam_log *other, gcast_error *err)
{
    if (strcmp(log->label, other->label) != 0)
        return log_fail(log, NULL, "label", err, "must be \"%.100s\", as in %.200s", other->label, other->file);
    if (log->kernels.count != other->kernels.count || log->iterations.count != other->iterations.count)
        return log_fail(log, NULL, "times", err, "has %zu iterations with %zu kernels, and %.200s %zu with %zu",
                        log->iterations.count, log->kernels.count, other->file, other->iterations.count,
                        other->kernels.count);
    for (size_t i = 0; i < log->kernels.count; i++)
        if (!is_same_kernel(&log->kernels.at[i], &other->kernels.at[i]))
            return log_fail(log, &log->kernels.at[i], NULL, err, "is another kernel than in %.200s", other->file);
    return GCAST_OK;
}

static gcast_status check_log(const log_set *set, size_t execution, size_t benchmark, gcast_error *err)
{
    const size_t *logs = set->order.at + execution * set->benchmark_count;
    const exam_log *log = &set->logs.at[logs[benchmark]];
    gcast_status status = check_same_configuration(log, &set->logs.at[set->order.at[0]], err);
    if (status == GCAST_OK)
        status = check_same_execution(log, &set->logs.at[logs[0]], err);
    return status == GCAST_OK ? check_same_benchmark(log, &set->logs.at[set->order.at[benchmark]], err) : status;
}

static gcast_status check_logs(const log_set *set, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t execution = 0; execution < set->execution_count; execution++)
        for (size_t i = 0; i < set->benchmark_count && status == GCAST_OK; i++)
            status = check_log(set, execution, i, err);
    return status;
}

/* Do all iterations of a log have the kernels of the first? */
static bool iterations_are_alike(const exam_log *log)
{
    const log_iteration *first = log->iterations.at;
    for (size_t i = 1; i < log->iterations.count; i++) {
        const log_iteration *iteration = &log->iterations.at[i];
        if (iteration->kernel_count != first->kernel_count)
            return false;
        for (size_t k = 0; k < first->kernel_count; k++)
            if (!is_same_kernel(&log->kernels.at[iteration->first_kernel + k], &log->kernels.at[k]))
                return false;
    }
    return true;
}

/* Do all benchmarks of an execution end an iteration before any of them begins the next? */
static bool iterations_are_apart(const log_set *set, size_t execution, size_t iteration)
{
    int64_t end_ns = INT64_MIN, next_ns = INT64_MAX;
    for (size_t i = 0; i < set->benchmark_count; i++) {
        const exam_log *log = &set->logs.at[set->order.at[execution * set->benchmark_count + i]];
        end_ns = max_i64(end_ns, log->iterations.at[iteration].cpu_ns[1]);
        next_ns = min_i64(next_ns, log->iterations.at[iteration + 1].cpu_ns[0]);
    }
    return end_ns <= next_ns;
}

static bool can_split_iterations(const log_set *set)
{
    size_t count = set->logs.at[0].iterations.count;
    for (size_t i = 0; i < set->logs.count; i++)
        if (set->logs.at[i].iterations.count != count || !iterations_are_alike(&set->logs.at[i]))
            return false;
    for (size_t execution = 0; execution < set->execution_count; execution++)
        for (size_t i = 0; i + 1 < count; i++)
            if (!iterations_are_apart(set, execution, i))
                return false;
    return count > 1;
}

/* Orders the logs of a set, and decides whether iterations are runs. Logs with the same file name, in different
 * folders, are of one benchmark in several executions, in the order in which they were given. It is an error if an
 * execution lacks a log, or if logs are not of the same configuration. */
static gcast_status order_logs(log_set *set, gcast_error *err)
{
    gcast_status status = count_logs(set, err);
    if (status == GCAST_OK && !put_in_order(set))
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = check_logs(set, err);
    set->iterations_are_runs = status == GCAST_OK && can_split_iterations(set);
    return status;
}

/* A run that is being filled in. */
typedef struct filling {
    gcast_run *run;
    gcast_run_op *ops;    /* its operations */
    gcast_block *blocks;  /* blocks of all operations */
    size_t op_count;      /* operations so far */
    uint64_t block_count; /* blocks so far */
} filling;

/* Takes the return of a launch as the time of its call. If several threads make calls at the same time, the driver
 * executes them one after the other, and only the returns show the order. */
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

/* Sets the range of the zero of the GPU's clock. A block starts after the call of its launch, and ends before the wait
 * for its stream, or the iteration, ends. If the clocks run at different rates, the range may be empty: it stays 0. */
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

/* Creates a run of the workload that log_workload_create made from the set. *run is NULL where this fails. */
static gcast_status create_run(const log_set *set, size_t index, const gcast_workload *w, gcast_run **run,
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

#define FAMILY "examiner"

typedef struct reading {
    const gcast_gpu *gpu;             /* the GPU of the logs */
    log_set set;                      /* the logs */
    const gcast_log_file *configured; /* the file with the configuration; NULL: none is given */
    log_config config;                /* the configuration */
    gcast_error *err;
} reading;

/* Reads a log, or notes the configuration: that is a file with benchmarks. Its comments may repeat keys. */
static gcast_status read_file(reading *r, const gcast_log_file *file)
{
    document d;
    exam_log log = {0};
    char *copy = examiner_rename_comments(file->text, file->size);
    if (!copy)
        return gcast_error_set_memory(r->err);
    gcast_status status = document_open(&d, copy, file->size, file->name, r->err);
    node root = document_root(&d), benchmarks = node_key(&root, "benchmarks");
    if (status == GCAST_OK && benchmarks.value) {
        if (r->configured)
            node_fail(&benchmarks, "is a second configuration, besides %.200s", r->configured->name);
        r->configured = file;
        status = d.status;
    } else if (status == GCAST_OK) {
        status = log_read(&d, &log);
        if (status == GCAST_OK && !vec_push(&r->set.logs, log))
            status = gcast_error_set_memory(r->err);
        if (status != GCAST_OK)
            log_free(&log);
    }
    document_close(&d);
    free(copy);
    return status;
}

static gcast_status read_runs(const reading *r, gcast_scenario *s)
{
    size_t count = log_run_count(&r->set);
    gcast_status status = GCAST_OK;
    s->family = s->memory = strdup(FAMILY);
    s->runs = calloc(count, sizeof *s->runs);
    if (!s->memory || !s->runs)
        return gcast_error_set_memory(r->err);
    for (; s->run_count < count && status == GCAST_OK; s->run_count += status == GCAST_OK)
        status = create_run(&r->set, s->run_count, s->workload, &s->runs[s->run_count], r->err);
    return status;
}

static gcast_status make_scenario(reading *r, gcast_scenario **scenario)
{
    gcast_status status = order_logs(&r->set, r->err);
    const gcast_log_file *file = r->configured;
    if (status == GCAST_OK && file)
        status = log_config_read(file->text, file->size, file->name, &r->set, r->gpu, &r->config, r->err);
    if (status != GCAST_OK)
        return status;
    gcast_scenario *s = calloc(1, sizeof *s);
    if (!s)
        return gcast_error_set_memory(r->err);
    status = log_workload_create(&r->set, file ? &r->config : NULL, r->gpu, &s->workload, r->err);
    if (status == GCAST_OK)
        status = read_runs(r, s);
    if (status == GCAST_OK)
        *scenario = s;
    else
        gcast_scenario_free(s);
    return status;
}

gcast_status gcast_scenario_read_logs(const gcast_log_file *files, size_t count, const gcast_gpu *gpu,
                                      gcast_scenario **scenario, gcast_error *err)
{
    if (scenario)
        *scenario = NULL;
    if (!files || !scenario)
        return argument_missing(err);
    gcast_error own;
    reading r = {.gpu = gpu, .err = err ? err : &own};
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = read_file(&r, &files[i]);
    if (status == GCAST_OK && !r.set.logs.count)
        status = gcast_error_set(r.err, GCAST_INPUT, NULL, "there is no log among the files");
    if (status == GCAST_OK)
        status = make_scenario(&r, scenario);
    for (size_t i = 0; i < r.set.logs.count; i++)
        log_free(&r.set.logs.at[i]);
    vec_free(&r.set.logs);
    vec_free(&r.set.order);
    log_config_free(&r.config);
    return status;
}
