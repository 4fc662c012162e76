#include "files/examiner/log/log_config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "files/examiner/log/read_log.h"
#include "files/examiner/read/examiner.h"

/* What is needed to find the host threads of logs. */
typedef struct matching {
    log_config *config;         /* what is filled in */
    const exam_host_logs *logs; /* by host: names of logs */
    bool *is_matched;           /* by host: a log is found */
    gcast_error *err;           /* of the call */
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

/* Fails where a kernel of the log is not as the configuration says. */
static gcast_status check_kernel(const exam_log *log, const log_kernel *kernel, const gcast_op *op, const matching *m)
{
    gcast_status status = check_number(log, kernel, "block_count", kernel->block_count, (int64_t)op->blocks, m);
    if (status == GCAST_OK)
        status = check_number(log, kernel, "thread_count", kernel->thread_count, op->shape.threads, m);
    if (status == GCAST_OK)
        status = check_number(log, kernel, "shared_memory", kernel->shared_memory, op->shape.static_smem, m);
    return status;
}

/* Adds the ops of the kernels in a log. */
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

/* As many iterations as the logs have at most, so that the configuration may loop without end. Logs that gridcast
 * writes have all kernels in one. */
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
