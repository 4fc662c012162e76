/* A workload again, to be changed: only with the calls that everybody has. */
#include "model/workload/edit.h"

static gcast_status copy_ops(gcast_workload *to, const gcast_workload *from, size_t first, size_t count,
                             gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = first; i < first + count && status == GCAST_OK; i++)
        status = gcast_workload_add_op(to, &from->ops[i], NULL, err);
    return status;
}

static gcast_status copy_all(gcast_workload *to, const gcast_workload *from, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < from->stream_count && status == GCAST_OK; i++)
        status = gcast_workload_add_stream(to, &from->streams[i], NULL, err);
    for (size_t i = 0; i < from->host_count && status == GCAST_OK; i++)
        status = gcast_workload_add_host(to, from->hosts[i], NULL, err);
    for (size_t i = 0; i < from->mask_count && status == GCAST_OK; i++)
        status = gcast_workload_add_mask(to, &from->masks[i], NULL, err);
    if (status == GCAST_OK)
        status = copy_ops(to, from, 0, from->once_count, err);
    for (size_t i = 0; i < from->task_count && status == GCAST_OK; i++) {
        const gcast_task *t = &from->tasks[i];
        status = gcast_workload_add_task(to, t, NULL, err);
        if (status == GCAST_OK)
            status = copy_ops(to, from, t->first_op, t->op_count, err);
    }
    for (size_t i = 0; i < from->note_count && status == GCAST_OK; i++)
        status = gcast_workload_add_note(to, from->notes[i], err);
    if (status != GCAST_OK || !from->gpu)
        return status;
    gcast_gpu *gpu;
    status = gcast_gpu_copy(from->gpu, &gpu, err);
    gcast_workload_set_gpu(to, gpu);
    return status;
}

gcast_status gcast_workload_copy(const gcast_workload *from, gcast_workload **out, gcast_error *err)
{
    gcast_workload *to;
    *out = NULL;
    gcast_status status = gcast_workload_create(from->name, &to, err);
    if (status == GCAST_OK)
        status = copy_all(to, from, err);
    if (status == GCAST_OK)
        status = gcast_workload_set_source(to, from->source, err);
    if (status != GCAST_OK) {
        gcast_workload_free(to);
        return status;
    }
    gcast_workload_set_partition(to, from->partition_sms);
    gcast_workload_set_connections(to, from->connections);
    *out = to;
    return GCAST_OK;
}
