#include "support/builders.h"

#include <stddef.h>

gcast_workload *support_workload(const char *name, gcast_error *err)
{
    gcast_workload *w;
    return gcast_workload_create(name, &w, err) == GCAST_OK ? w : NULL;
}

gcast_workload *support_workload_copy(const gcast_workload *from, gcast_error *err)
{
    gcast_workload *w;
    return gcast_workload_copy(from, &w, err) == GCAST_OK ? w : NULL;
}

gcast_gpu *support_gpu(const char *name, int cc_major, int cc_minor, int sms, gcast_error *err)
{
    gcast_gpu *gpu;
    return gcast_gpu_create(name, cc_major, cc_minor, sms, &gpu, err) == GCAST_OK ? gpu : NULL;
}

gcast_gpu *support_gpu_copy(const gcast_gpu *from, gcast_error *err)
{
    gcast_gpu *gpu;
    return gcast_gpu_copy(from, &gpu, err) == GCAST_OK ? gpu : NULL;
}

int support_add_stream(gcast_workload *w, gcast_stream stream, gcast_error *err)
{
    int index = -1;
    gcast_workload_add_stream(w, &stream, &index, err);
    return index;
}

int support_get_stream(gcast_workload *w, int id, gcast_error *err)
{
    int index = -1;
    gcast_workload_get_stream(w, id, &index, err);
    return index;
}

int support_add_host(gcast_workload *w, const char *name, gcast_error *err)
{
    int index = -1;
    gcast_workload_add_host(w, name, &index, err);
    return index;
}

int support_add_mask(gcast_workload *w, const gcast_mask *mask, gcast_error *err)
{
    int index = -1;
    gcast_workload_add_mask(w, mask, &index, err);
    return index;
}

int support_add_op(gcast_workload *w, const gcast_op *op, gcast_error *err)
{
    int index = -1;
    gcast_workload_add_op(w, op, &index, err);
    return index;
}

int support_add_task(gcast_workload *w, const gcast_task *task, gcast_error *err)
{
    int index = -1;
    gcast_workload_add_task(w, task, &index, err);
    return index;
}
