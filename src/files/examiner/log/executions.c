#include "files/examiner/log/executions.h"

#include <string.h>

#include "base/minmax.h"
#include "files/examiner/log/read_log.h"

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

/* Executions list their benchmarks in the order of the first execution. */
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

/* Fails where two logs are not of the same configuration and GPU. */
static gcast_status check_same_configuration(const exam_log *log, const exam_log *other, gcast_error *err)
{
    if (strcmp(log->scenario, other->scenario) != 0)
        return log_fail(log, NULL, "scenario_name", err, "must be \"%.100s\", as in %.200s", other->scenario,
                        other->file);
    if (log->sms != other->sms)
        return log_fail(log, NULL, "max_resident_threads", err, "is not that of %.200s", other->file);
    return GCAST_OK;
}

/* Fails where the logs are not of one execution. */
static gcast_status check_same_execution(const exam_log *log, const exam_log *other, gcast_error *err)
{
    if (log->is_thread == other->is_thread && (!log->is_thread || log->pid == other->pid))
        return GCAST_OK;
    return log_fail(log, NULL, "PID", err, "is another execution than %.200s", other->file);
}

/* Fails where the logs are not of one benchmark in two executions. */
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

/* Has each iteration of a log the kernels of the first? */
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

/* Does an iteration of all benchmarks of an execution end before the next of any begins? */
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

gcast_status log_set_order(log_set *set, gcast_error *err)
{
    gcast_status status = count_logs(set, err);
    if (status == GCAST_OK && !put_in_order(set))
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = check_logs(set, err);
    set->iterations_are_runs = status == GCAST_OK && can_split_iterations(set);
    return status;
}
