#include "measure/session/measurable.h"

#include "model/workload/attributes/attributes.h"

/* Why an op cannot be measured; NULL: it can. `process` is that of the first op with a stream. */
static const char *unsupported(const gcast_workload *w, const gcast_op *op, int process)
{
    bool on_gpu = gcast_kind_on_gpu(op->kind);
    if (on_gpu && op->kind != GCAST_KIND_KERNEL && op->bytes < 1)
        return "how many bytes it moves is not known, so it cannot be measured";
    if (op->kind == GCAST_KIND_KERNEL && op->blocks > UINT32_MAX)
        return "more than 4294967295 blocks cannot be recorded";
    if (op->mask != GCAST_ALL_SMS)
        return "a kernel that may use some SMs only cannot be measured";
    if (op->kind == GCAST_KIND_KERNEL && op->shape.barriers > 1)
        return "a kernel with more than one barrier cannot be measured";
    if (!on_gpu && op->host == GCAST_NO_HOST)
        return "a call that waits cannot be measured without a host";
    if (on_gpu && w->partition_sms && w->streams[op->stream].id == 0)
        return "the NULL stream cannot be measured in a partition, where it waits for nobody";
    if (on_gpu && w->streams[op->stream].process != process)
        return "several processes cannot be measured";
    return NULL;
}

gcast_status measurable_check(const gcast_workload *w, gcast_error *err)
{
    gcast_status status = gcast_workload_check(w, err);
    if (status == GCAST_OK)
        status = attributes_refuse_special(w, "such kernels cannot be measured", err);
    size_t first = 0;
    while (first < w->op_count && w->ops[first].stream < 0)
        first++;
    int process = first < w->op_count ? w->streams[w->ops[first].stream].process : 0;
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        const char *reason = unsupported(w, &w->ops[i], process);
        if (!reason)
            continue;
        char path[128];
        gcast_workload_op_path(w, i, path, sizeof path);
        status = gcast_error_set(err, GCAST_INPUT, path, "%s: %s", w->ops[i].label, reason);
    }
    return status;
}
