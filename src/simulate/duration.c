/* The duration of a block as a public function, and durations of copies. */
#include "simulate/duration.h"

#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "gridcast/names.h"
#include "model/workload/workload.h"

int64_t gcast_op_block_duration(const gcast_op *op, size_t op_index, uint32_t job, uint64_t block,
                                const gcast_simulate_options *options)
{
    gcast_simulate_options defaults = gcast_simulate_options_default();
    if (!op || (op->block_ns && block >= op->blocks))
        return 0;
    return duration_of(op, op_index, job, block, options ? options : &defaults);
}

gcast_status copy_bytes_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t i, int64_t *ns, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    const int64_t speeds[] = {
        [GCAST_H2D] = gpu->h2d_bytes_per_s, [GCAST_D2H] = gpu->d2h_bytes_per_s, [GCAST_D2D] = gpu->d2d_bytes_per_s};
    int64_t speed = op->kind == GCAST_KIND_MEMSET ? gpu->memset_bytes_per_s : speeds[op->direction];
    char path[128];
    gcast_workload_op_path(w, i, path, sizeof path);
    if (!speed) {
        gcast_error_set(
            err, GCAST_INPUT, path, "%s has no duration, and the %s bandwidth of %s is not known", op->label,
            op->kind == GCAST_KIND_MEMSET ? "memset" : gcast_name(GCAST_NAMES_DIRECTION, op->direction), gpu->name);
        hint_name(err, op->label, strlen(op->label));
        return hint_add(err, GCAST_HINT_DURATION, GCAST_INPUT);
    }
    if (!checked_mul_div_up(op->bytes, 1000000000, speed, ns) || *ns > INT64_MAX / 4)
        return gcast_error_set(err, GCAST_INPUT, path, "%s takes longer than 64-bit nanoseconds can count", op->label);
    if (op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D)
        *ns += op->direction == GCAST_H2D ? gpu->h2d_overhead_ns : gpu->d2h_overhead_ns;
    if (*ns < 1)
        *ns = 1;
    return GCAST_OK;
}

int64_t copy_slowest_ns(const gcast_gpu *gpu, const gcast_op *op, int64_t usual_ns)
{
    int64_t slowest_ns;
    if (op->kind != GCAST_KIND_COPY || op->direction == GCAST_D2D)
        return usual_ns;
    return checked_mul_div_up(usual_ns, gpu->copy_slow_percent, 100, &slowest_ns) ? slowest_ns : INT64_MAX / 4;
}

int64_t copy_max_extra_ns(const gcast_gpu *gpu, const gcast_op *op)
{
    if (op->kind != GCAST_KIND_COPY || op->direction == GCAST_D2D)
        return 0;
    return (gpu->copy_idle_ns ? gpu->copy_wake_ns : 0) + (op->direction == GCAST_D2H ? gpu->d2h_end_ns : 0);
}
