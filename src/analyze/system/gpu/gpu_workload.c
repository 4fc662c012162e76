/* The GPU's part of a system as a workload of tasks. */
#include <stdlib.h>

#include "analyze/system/gpu/gpu_part.h"

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

static gcast_status add_task(const sys_system *s, const sys_place *place, const sys_task *of, sys_range release,
                             int number, gcast_workload *w, gcast_error *err)
{
    const sys_task *root = &s->tasks[of->root];
    gcast_stream stream = {.id = number + 1, .priority = stream_priority(s, place->priority)};
    gcast_task own = {.name = of->name,
                      .period_ns = of->period_ns,
                      .offset_ns = root->offset_ns + release.min_ns,
                      .jitter_ns = release.max_ns - release.min_ns,
                      .sporadic = root->arrival == SYS_SPORADIC};
    gcast_status status = gcast_workload_add_stream(w, &stream, &own.stream, err);
    if (status == GCAST_OK)
        status = gcast_workload_add_task(w, &own, NULL, err);
    for (size_t i = 0; i < of->step_count && status == GCAST_OK; i++) {
        gcast_op op = op_of(&of->steps[i], own.stream);
        status = gcast_workload_add_op(w, &op, NULL, err);
    }
    return status;
}

gcast_status gpu_workload_make(const sys_system *s, const sys_place *places, const sys_range *releases,
                               gcast_workload **w, int *index, gcast_error *err)
{
    int count = 0;
    gcast_status status = gcast_workload_create(s->name, w, err);
    for (size_t i = 0; i < s->task_count && status == GCAST_OK; i++) {
        if (places[i].core != SYS_GPU)
            continue;
        sys_range at_once = {0, 0};
        if (index)
            index[count] = (int)i;
        status = add_task(s, &places[i], &s->tasks[i], releases ? releases[i] : at_once, count++, *w, err);
    }
    if (status != GCAST_OK) {
        gcast_workload_free(*w);
        *w = NULL;
    }
    return status;
}

gcast_status system_gpu_workload(const sys_system *s, const sys_place *places, const sys_task_answer *tasks,
                                 gcast_workload **w, int *index, gcast_error *err)
{
    *w = NULL;
    if (!s->gpu)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the system has no GPU");
    if (!places)
        places = s->places;
    gcast_status status = system_check_places(s, places, err);
    if (status != GCAST_OK)
        return status;
    sys_range *releases = tasks ? malloc((s->task_count + 1) * sizeof *releases) : NULL;
    if (tasks && !releases)
        return gcast_error_set_memory(err);
    for (size_t i = 0; tasks && i < s->task_count; i++) {
        releases[i] = (sys_range){tasks[i].release_min_ns, tasks[i].release_max_ns};
        if (places[i].core == SYS_GPU && tasks[i].release_max_ns == SYS_UNBOUNDED)
            status =
                gcast_error_set(err, GCAST_NO, NULL, "no bound is known for when %s is released", s->tasks[i].name);
    }
    if (status == GCAST_OK)
        status = gpu_workload_make(s, places, releases, w, index, err);
    free(releases);
    return status;
}
