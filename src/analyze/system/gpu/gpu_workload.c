/* The GPU's part of a system as a workload of tasks. */
#include <stdlib.h>

#include "analyze/system/gpu/gpu_part.h"
#include "model/system/gpu_task.h"

/* What it asks of the GPU, released in this range after its root. */
static gcast_task when_of(const sys_system *s, const sys_task *of, sys_range release)
{
    const sys_task *root = &s->tasks[of->root];
    return (gcast_task){.period_ns = of->period_ns,
                        .offset_ns = root->offset_ns + release.min_ns,
                        .jitter_ns = release.max_ns - release.min_ns,
                        .sporadic = root->arrival == SYS_SPORADIC};
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
        gcast_task when = when_of(s, &s->tasks[i], releases ? releases[i] : at_once);
        status = system_add_gpu_task(s, &places[i], &s->tasks[i], &when, count++, *w, err);
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
