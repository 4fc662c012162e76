#include "simulate/rules/copy_duration.h"

#include <string.h>

#include "base/api/hint.h"
#include "base/checked.h"

gcast_status copy_bytes_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t i, int64_t *ns, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    const int64_t speeds[] = {
        [GCAST_H2D] = gpu->h2d_bytes_per_s, [GCAST_D2H] = gpu->d2h_bytes_per_s, [GCAST_D2D] = gpu->d2d_bytes_per_s};
    int64_t speed = op->kind == GCAST_KIND_MEMSET ? gpu->memset_bytes_per_s : speeds[op->direction];
    char path[128];
    gcast_workload_op_path(w, i, path, sizeof path);
    if (!speed) {
        gcast_error_set(err, GCAST_INPUT, path, "%s has no duration, and the %s bandwidth of %s is not known",
                        op->label, op->kind == GCAST_KIND_MEMSET ? "memset" : gcast_direction_name(op->direction),
                        gpu->name);
        hint_name(err, op->label, strlen(op->label));
        return hint_add(err, GCAST_HINT_DURATION, GCAST_INPUT);
    }
    if (!checked_mul_div_up(op->bytes, 1000000000, speed, ns) || *ns > INT64_MAX / 4)
        return gcast_error_set(err, GCAST_INPUT, path, "%s takes longer than 64-bit nanoseconds hold", op->label);
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
