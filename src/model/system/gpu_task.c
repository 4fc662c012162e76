#include "model/system/gpu_task.h"

#include "base/minmax.h"

/* CUDA's priority of the stream of a task: lower numbers first, 0 the lowest. */
static int stream_priority(const sys_system *s, int64_t priority)
{
    int64_t highest = (int64_t)s->gpu->priority_levels - 1;
    return priority < 0 ? 0 : (int)-min_i64(priority, max_i64(highest, 0));
}

static gcast_op op_of(const sys_step *step, int stream)
{
    gcast_op op = step->op;
    op.label = step->name;
    op.stream = stream;
    op.host = GCAST_NO_HOST;
    op.host_waits = false;
    op.release_ns = op.delay_ns = 0;
    op.skip_ns = GCAST_NEVER;
    op.after = NULL;
    op.after_count = 0;
    op.min_ns = max_i64(op.min_ns, 1); /* nothing on the GPU takes no time */
    op.max_ns = max_i64(op.max_ns, 1);
    return op;
}

gcast_status system_add_gpu_task(const sys_system *s, const sys_place *place, const sys_task *of,
                                 const gcast_task *when, int number, gcast_workload *w, gcast_error *err)
{
    gcast_stream stream = {.id = number + 1, .priority = stream_priority(s, place->priority)};
    gcast_task own = *when;
    own.name = of->name;
    gcast_status status = gcast_workload_add_stream(w, &stream, &own.stream, err);
    if (status == GCAST_OK)
        status = gcast_workload_add_task(w, &own, NULL, err);
    for (size_t i = 0; i < of->step_count && status == GCAST_OK; i++) {
        gcast_op op = op_of(&of->steps[i], own.stream);
        status = gcast_workload_add_op(w, &op, NULL, err);
    }
    return status;
}
