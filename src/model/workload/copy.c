/* A workload again, to be changed: only with the calls that everybody has. */
#include "model/workload/edit.h"

static bool copy_ops(gcast_workload *to, const gcast_workload *from, size_t first, size_t count, gcast_error *err)
{
    for (size_t i = first; i < first + count; i++)
        if (gcast_workload_add_op(to, &from->ops[i], err) < 0)
            return false;
    return true;
}

static bool copy_all(gcast_workload *to, const gcast_workload *from, gcast_error *err)
{
    for (size_t i = 0; i < from->stream_count; i++)
        if (gcast_workload_add_stream(to, from->streams[i], err) < 0)
            return false;
    for (size_t i = 0; i < from->host_count; i++)
        if (gcast_workload_add_host(to, from->hosts[i], err) < 0)
            return false;
    for (size_t i = 0; i < from->mask_count; i++)
        if (gcast_workload_add_mask(to, &from->masks[i], err) < 0)
            return false;
    if (!copy_ops(to, from, 0, from->once_count, err))
        return false;
    for (size_t i = 0; i < from->task_count; i++) {
        const gcast_task *t = &from->tasks[i];
        if (gcast_workload_add_task(to, t, err) < 0 || !copy_ops(to, from, t->first_op, t->op_count, err))
            return false;
    }
    for (size_t i = 0; i < from->note_count; i++)
        if (gcast_workload_add_note(to, from->notes[i], err) != GCAST_OK)
            return false;
    gcast_gpu *gpu = from->gpu ? gcast_gpu_copy(from->gpu, err) : NULL;
    gcast_workload_set_gpu(to, gpu);
    return gpu || !from->gpu;
}

gcast_workload *gcast_workload_copy(const gcast_workload *from, gcast_error *err)
{
    gcast_workload *to = gcast_workload_create(from->name, err);
    if (!to || !copy_all(to, from, err)) {
        gcast_workload_free(to);
        return NULL;
    }
    gcast_workload_set_source(to, from->source);
    gcast_workload_set_partition(to, from->partition_sms);
    gcast_workload_set_connections(to, from->connections);
    return to;
}
