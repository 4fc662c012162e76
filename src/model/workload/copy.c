/* gcast_workload_copy, through the public calls. */
#include "model/workload/edit.h"

#include "base/api/argument_missing.h"

static gcast_status copy_ops(gcast_workload *copy, const gcast_workload *original, size_t first, size_t count,
                             gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = first; i < first + count && status == GCAST_OK; i++)
        status = gcast_workload_add_op(copy, &original->ops[i], NULL, err);
    return status;
}

static gcast_status copy_all(gcast_workload *copy, const gcast_workload *original, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < original->stream_count && status == GCAST_OK; i++)
        status = gcast_workload_add_stream(copy, &original->streams[i], NULL, err);
    for (size_t i = 0; i < original->host_count && status == GCAST_OK; i++)
        status = gcast_workload_add_host(copy, original->hosts[i], NULL, err);
    for (size_t i = 0; i < original->mask_count && status == GCAST_OK; i++)
        status = gcast_workload_add_mask(copy, &original->masks[i], NULL, err);
    for (size_t i = 0; i < original->graph_count && status == GCAST_OK; i++)
        status = gcast_workload_add_graph(copy, original->graphs[i], NULL, err);
    if (status == GCAST_OK)
        status = copy_ops(copy, original, 0, original->once_count, err);
    for (size_t i = 0; i < original->task_count && status == GCAST_OK; i++) {
        const gcast_task *t = &original->tasks[i];
        status = gcast_workload_add_task(copy, t, NULL, err);
        if (status == GCAST_OK)
            status = copy_ops(copy, original, t->first_op, t->op_count, err);
    }
    for (size_t i = 0; i < original->note_count && status == GCAST_OK; i++)
        status = gcast_workload_add_note(copy, original->notes[i], err);
    if (status != GCAST_OK || !original->gpu)
        return status;
    gcast_gpu *gpu;
    status = gcast_gpu_copy(original->gpu, &gpu, err);
    gcast_workload_set_gpu(copy, gpu);
    return status;
}

gcast_status gcast_workload_copy(const gcast_workload *original, gcast_workload **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!original || !out)
        return argument_missing(err);
    gcast_workload *copy;
    gcast_status status = gcast_workload_create(original->name, &copy, err);
    if (status == GCAST_OK) {
        workload_defer_children(copy, true);
        status = copy_all(copy, original, err);
        workload_defer_children(copy, false);
    }
    if (status == GCAST_OK)
        status = gcast_workload_set_source(copy, original->source, err);
    if (status != GCAST_OK) {
        gcast_workload_free(copy);
        return status;
    }
    gcast_workload_set_partition(copy, original->partition_sms);
    gcast_workload_set_connections(copy, original->connections);
    *out = copy;
    return GCAST_OK;
}
