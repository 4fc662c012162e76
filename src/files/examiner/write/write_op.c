#include "files/examiner/write/write_op.h"

#include <stdio.h>

#include "model/workload/attributes/attributes.h"
#include "model/workload/mask.h"

/* Seconds are doubles in the examiner, and exact up to this. */
#define MAX_EXACT_NS ((int64_t)1 << 52)

void exam_write_fail(exam_writer *x, size_t op, const char *reason)
{
    if (x->status != GCAST_OK)
        return;
    char path[128];
    gcast_workload_op_path(x->w, op, path, sizeof path);
    x->status = gcast_error_set(x->err, GCAST_INPUT, path, "%.100s cannot be an examiner benchmark: %s",
                                x->w->ops[op].label, reason);
    if (x->err)
        snprintf(x->err->file, sizeof x->err->file, "%s", x->w->source);
}

void exam_write_seconds(exam_writer *x, size_t op, int64_t ns)
{
    if (ns > MAX_EXACT_NS)
        exam_write_fail(x, op, "so many seconds are not exact there");
    int64_t fraction = ns % 1000000000;
    int digits = 9;
    while (digits && fraction % 10 == 0) {
        fraction /= 10;
        digits--;
    }
    text_int(&x->out, ns / 1000000000);
    if (digits)
        text_printf(&x->out, ".%0*lld", digits, (long long)fraction);
}

void exam_check_kernel(exam_writer *x, size_t i)
{
    const gcast_op *op = &x->w->ops[i];
    int64_t smem = op->shape.static_smem;
    if (op->grid[1] != 1 || op->grid[2] != 1 || op->block[1] != 1 || op->block[2] != 1)
        exam_write_fail(x, i, "it has more than one dimension");
    if (op->grid[0] > INT32_MAX)
        exam_write_fail(x, i, "it has too many blocks");
    if (op->shape.registers || op->shape.dynamic_smem || op->shape.barriers > 1)
        exam_write_fail(x, i, "it has registers, dynamic_smem or barriers");
    if (smem != 0 && smem != 4 * 4096 && smem != 4 * 8192 && smem != 4 * 10240)
        exam_write_fail(x, i, "static_smem is not 16384, 32768 or 40960");
    if (op->carveout != GCAST_OP_CARVEOUT_MOST)
        exam_write_fail(x, i, "it has a carveout");
    if (op->policy != GCAST_POLICY_HARDWARE) {
        char reason[64];
        snprintf(reason, sizeof reason, "it has the policy %s", gcast_policy_name(op->policy));
        exam_write_fail(x, i, reason);
    }
    if (op->launches)
        exam_write_fail(x, i, "it launches kernels");
    if (attributes_any(op))
        exam_write_fail(x, i, "it is in a graph, programmatic, cooperative, in clusters, or its blocks wait");
    if (op->block_ns || op->min_ns != op->max_ns || op->max_ns == GCAST_UNKNOWN_NS)
        exam_write_fail(x, i, "it has no single duration");
}

/* The examiner can give masks of full TPCs among the first 64. */
void exam_write_mask(exam_writer *x, size_t i)
{
    const gcast_mask *mask = &x->w->masks[x->w->ops[i].mask];
    int per_tpc = x->w->gpu ? x->w->gpu->sms_per_tpc : 1;
    uint64_t disabled = UINT64_MAX;
    for (int sm = 0; sm < GCAST_MAX_SMS; sm++) {
        int tpc = sm / per_tpc, first = tpc * per_tpc;
        bool on = mask_has_sm(mask, sm), first_on = mask_has_sm(mask, first);
        if (on != first_on || (on && tpc >= 64)) {
            exam_write_fail(x, i, "allowed_sms is not of whole TPCs among the first 64");
            return;
        }
        if (on)
            disabled &= ~((uint64_t)1 << tpc);
    }
    text_printf(&x->out, ", \"sm_mask\": \"0x%llx\"", (unsigned long long)disabled);
}

static void write_parameters(exam_writer *x, size_t i)
{
    static const char *const directions[] = {
        [GCAST_H2D] = "hostToDevice", [GCAST_D2H] = "deviceToHost", [GCAST_D2D] = "deviceToDevice"};
    const gcast_op *op = &x->w->ops[i];
    text *t = &x->out;
    switch (op->kind) {
    case GCAST_KIND_KERNEL:
        exam_check_kernel(x, i);
        if (op->mask != GCAST_ALL_SMS)
            exam_write_fail(x, i, "it has allowed_sms and is not alone");
        text_printf(t, ", \"parameters\": {\"duration\": %lld, \"block_count\": %u, \"thread_count\": %u",
                    (long long)op->max_ns, (unsigned)op->grid[0], (unsigned)op->block[0]);
        if (op->shape.static_smem)
            text_printf(t, ", \"shared_memory_size\": %lld", (long long)op->shape.static_smem / 4);
        text_char(t, '}');
        break;
    case GCAST_KIND_COPY:
    case GCAST_KIND_MEMSET:
        if (op->max_ns != GCAST_UNKNOWN_NS)
            exam_write_fail(x, i, "it has a duration");
        text_printf(t, ", \"parameters\": {\"size\": %lld", (long long)op->bytes);
        if (op->kind == GCAST_KIND_COPY)
            text_printf(t, ", \"direction\": \"%s\"", directions[op->direction]);
        text_str(t, op->host_waits ? ", \"async\": false}" : "}");
        break;
    case GCAST_KIND_MALLOC:
        text_printf(t, ", \"parameters\": {\"size\": %lld%s}", (long long)op->bytes,
                    op->host_memory ? ", \"host\": true" : "");
        break;
    case GCAST_KIND_FREE:
        text_str(t, op->host_memory ? ", \"parameters\": {\"host\": true}" : "");
        break;
    case GCAST_KIND_SYNC:
        text_str(t, op->stream < 0 ? ", \"parameters\": {\"device\": true}" : "");
        break;
    default:
        break;
    }
}

void exam_write_actions(exam_writer *x, const exam_group *g)
{
    static const char *const types[GCAST_KINDS] = {
        [GCAST_KIND_KERNEL] = "kernel", [GCAST_KIND_COPY] = "memcpy", [GCAST_KIND_MEMSET] = "memset",
        [GCAST_KIND_MALLOC] = "malloc", [GCAST_KIND_FREE] = "free",   [GCAST_KIND_SYNC] = "synchronize"};
    text_printf(&x->out, "{\"use_null_stream\": %s, \"actions\": [", g->null ? "true" : "false");
    int64_t last_release = x->w->ops[g->ops[0]].release_ns;
    for (size_t k = 0; k < g->count && x->status == GCAST_OK; k++) {
        size_t i = g->ops[k];
        const gcast_op *op = &x->w->ops[i];
        int64_t delay = k == 0 ? 0 : g->host == GCAST_NO_HOST ? op->release_ns - last_release : op->delay_ns;
        last_release = op->release_ns;
        if (!types[op->kind]) {
            exam_write_fail(x, i, "it is a barrier");
            return;
        }
        text_printf(&x->out, "%s\n        {\"type\": \"%s\", \"label\": ", k ? "," : "", types[op->kind]);
        text_json(&x->out, op->label);
        if (delay) {
            text_str(&x->out, ", \"delay\": ");
            exam_write_seconds(x, i, delay);
        }
        write_parameters(x, i);
        text_char(&x->out, '}');
    }
    text_str(&x->out, "]}");
}
