/* gcast_workload_check: is a workload in range by itself, without a GPU? Readers find most errors first, with better
 * messages; programs may build workloads without a reader. */
#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "model/workload/dependencies.h"
#include "model/workload/launching.h"
#include "model/workload/policy.h"
#include "model/workload/workload.h"

static gcast_status field_error(const gcast_workload *w, size_t op, const char *field, const char *message,
                                gcast_error *err)
{
    char path[128], field_path[192];
    gcast_workload_op_path(w, op, path, sizeof path);
    snprintf(field_path, sizeof field_path, "%s%s", path, field);
    return gcast_error_set(err, GCAST_INPUT, field_path, "%s", message);
}

static gcast_status check_kernel(const gcast_workload *w, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    if (op->grid[0] == 0 || op->grid[1] == 0 || op->grid[2] == 0 || op->blocks >= INT64_MAX)
        return field_error(w, i, "/grid", "the number of blocks must be at least 1 and below 2^63", err);
    if (op->grid[0] > INT32_MAX || op->grid[1] > 65535 || op->grid[2] > 65535)
        return field_error(w, i, "/grid", "a grid is at most 2147483647 x 65535 x 65535 blocks", err);
    if (op->block[2] > 64)
        return field_error(w, i, "/block", "a block is at most 1024 x 1024 x 64 threads", err);
    if (op->shape.threads < 1 || op->shape.threads == INT32_MAX)
        return field_error(w, i, "/block", "the number of threads must be at least 1", err);
    if (op->shape.registers < 0)
        return field_error(w, i, "/registers", "must not be negative", err);
    if (op->shape.static_smem < 0 || op->shape.static_smem > INT32_MAX)
        return field_error(w, i, "/static_smem", "must be from 0 to 2147483647", err);
    if (op->shape.dynamic_smem < 0 || op->shape.dynamic_smem > INT32_MAX)
        return field_error(w, i, "/dynamic_smem", "must be from 0 to 2147483647", err);
    if (op->shape.barriers < 0)
        return field_error(w, i, "/barriers", "must not be negative", err);
    if ((unsigned)op->body >= GCAST_BODIES)
        return field_error(w, i, "/body", "must be spin or timer_spin", err);
    if ((unsigned)op->carveout >= GCAST_OP_CARVEOUTS)
        return field_error(w, i, "/carveout", "must be most or driver", err);
    if (op->mask != GCAST_ALL_SMS && (op->mask < 0 || (size_t)op->mask >= w->mask_count))
        return field_error(w, i, "/allowed_sms", "there is no such mask", err);
    for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
        if (op->block_ns[b] < 1 || op->block_ns[b] > WORKLOAD_MAX_NS)
            return field_error(w, i, "/block_ns", "a block takes from 1 to 2^61 - 1 ns", err);
    gcast_status status = policy_check(w, i, err);
    return status == GCAST_OK ? launches_check(w, i, err) : status;
}

static gcast_status check_op(const gcast_workload *w, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    bool gpu = gcast_kind_on_gpu(op->kind);
    if ((unsigned)op->kind >= GCAST_KINDS)
        return field_error(w, i, "/kind", "there is no such kind", err);
    if (op->stream >= (int)w->stream_count || (op->stream < 0 && (gpu || op->stream != -1)))
        return field_error(w, i, "/stream", "there is no such stream", err);
    if (op->host != GCAST_NO_HOST && (op->host < 0 || (size_t)op->host >= w->host_count))
        return field_error(w, i, "/host", "there is no such host thread", err);
    if (op->task != GCAST_ONCE && (op->host != GCAST_NO_HOST || !gpu))
        return field_error(w, i, "", "a task holds kernels, copies and memsets only, and no host thread", err);
    if (op->release_ns < 0 || op->release_ns > WORKLOAD_MAX_NS)
        return field_error(w, i, "/release_ns", "must be from 0 to 2^61 - 1", err);
    if (op->delay_ns < 0 || op->delay_ns > WORKLOAD_MAX_NS)
        return field_error(w, i, "/delay_ns", "must be from 0 to 2^61 - 1", err);
    if (op->event_pause_ns < 0 || op->event_pause_ns > op->delay_ns)
        return field_error(w, i, "/event_pause_ns", "must be from 0 to delay_ns", err);
    if (op->extra_latency_ns < 0 || op->extra_latency_ns > LATENCY_MAX_NS || (op->extra_latency_ns && !gpu))
        return field_error(w, i, "/extra_latency_ns", "must be from 0 to a day, of an op on the GPU", err);
    if (op->bytes < 0)
        return field_error(w, i, "/bytes", "must not be negative", err);
    if (op->kind != GCAST_KIND_KERNEL && policy_check(w, i, err) != GCAST_OK)
        return GCAST_INPUT;
    if (attributes_check(w, i, err) != GCAST_OK)
        return GCAST_INPUT;
    if (op->kind != GCAST_KIND_KERNEL && op->launches)
        return field_error(w, i, "/launches", "only a kernel launches kernels", err);
    if (!gpu)
        return GCAST_OK;
    bool known = op->min_ns != GCAST_UNKNOWN_NS || op->max_ns != GCAST_UNKNOWN_NS;
    if (known && (op->min_ns < 1 || op->max_ns < op->min_ns || op->max_ns > WORKLOAD_MAX_NS))
        return field_error(w, i, "/duration_ns", "must be from 1 to 2^61 - 1, the smaller end first", err);
    if (op->kind == GCAST_KIND_KERNEL)
        return check_kernel(w, i, err);
    if ((unsigned)op->direction >= GCAST_DIRECTIONS)
        return field_error(w, i, "/direction", "must be h2d, d2h or d2d", err);
    return GCAST_OK;
}

static gcast_status check_task(const gcast_workload *w, size_t i, gcast_error *err)
{
    const gcast_task *t = &w->tasks[i];
    char path[64];
    snprintf(path, sizeof path, "/tasks/%zu", i);
    if (t->stream < 0 || (size_t)t->stream >= w->stream_count)
        return gcast_error_set(err, GCAST_INPUT, path, "there is no such stream");
    if (t->period_ns < 1 || t->period_ns > WORKLOAD_MAX_NS)
        return gcast_error_set(err, GCAST_INPUT, path, "the period must be from 1 to 2^61 - 1 ns");
    if (t->offset_ns < 0 || t->offset_ns > WORKLOAD_MAX_NS || t->jitter_ns < 0 || t->jitter_ns > WORKLOAD_MAX_NS ||
        t->deadline_ns < 0 || t->deadline_ns > WORKLOAD_MAX_NS)
        return gcast_error_set(err, GCAST_INPUT, path, "offset, jitter and deadline must be from 0 to 2^61 - 1 ns");
    if (t->op_count == 0)
        return gcast_error_set(err, GCAST_INPUT, path, "a task needs at least one op");
    return GCAST_OK;
}

gcast_status workload_check_form(const gcast_workload *w, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < w->stream_count; i++) {
        if (workload_find_stream(w, w->streams[i].id) == (int)i)
            continue;
        char path[64];
        snprintf(path, sizeof path, "/streams/%zu/id", i);
        return gcast_error_set(err, GCAST_INPUT, path, "stream %d is listed twice", w->streams[i].id);
    }
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++)
        status = check_op(w, i, err);
    for (size_t i = 0; i < w->task_count && status == GCAST_OK; i++)
        status = check_task(w, i, err);
    if (status == GCAST_OK)
        status = dependencies_check(w, err);
    return status == GCAST_OK ? attributes_check_graphs(w, err) : status;
}

static bool duration_is_missing(const gcast_op *op)
{
    return op->kind == GCAST_KIND_KERNEL && !op->block_ns && op->max_ns == GCAST_UNKNOWN_NS;
}

/* Is another kernel after op i, not an iteration of it, without a duration? */
static bool another_is_missing(const gcast_workload *w, size_t i, size_t stem)
{
    const char *label = w->ops[i].label;
    for (i++; i < w->op_count; i++)
        if (duration_is_missing(&w->ops[i]) &&
            (workload_label_stem(w->ops[i].label) != stem || strncmp(w->ops[i].label, label, stem) != 0))
            return true;
    return false;
}

gcast_status gcast_workload_check(const gcast_workload *w, gcast_error *err)
{
    if (!w)
        return argument_missing(err);
    gcast_status status = workload_check_form(w, err);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = &w->ops[i];
        if (!duration_is_missing(op))
            continue;
        char path[128];
        size_t stem = workload_label_stem(op->label);
        gcast_workload_op_path(w, i, path, sizeof path);
        status = gcast_error_set(err, GCAST_INPUT, path, "the duration of a block of \"%.*s\" is not known", (int)stem,
                                 op->label);
        hint_name(err, op->label, stem);
        hint_add(err, another_is_missing(w, i, stem) ? GCAST_HINT_DURATIONS : GCAST_HINT_DURATION, status);
    }
    return status;
}
