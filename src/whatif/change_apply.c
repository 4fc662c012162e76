/* Changes of kernels, SMs, connections, pauses, latencies and the GPU. */
#include "whatif/change_apply.h"

#include <string.h>

#include "base/integers.h"
#include "model/workload/workload.h"

#define MAX_CONNECTIONS 1024 /* how many a workload may have */

/* Limited to INT64_MAX, which every check rejects as too long. */
static int64_t percent_of(int64_t ns, int64_t percent)
{
    unsigned __int128 scaled = (unsigned __int128)(uint64_t)ns * (uint64_t)percent / 100;
    return scaled > INT64_MAX ? INT64_MAX : (int64_t)scaled;
}

static gcast_status scale_pauses(gcast_workload *w, int64_t percent, gcast_error *err)
{
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_op op = w->ops[i];
        if (op.host == GCAST_NO_HOST)
            continue;
        op.delay_ns = percent_of(op.delay_ns, percent);
        op.event_pause_ns = percent_of(op.event_pause_ns, percent);
        if (op.delay_ns > WORKLOAD_MAX_NS)
            return gcast_error_set(err, GCAST_INPUT, NULL, "pauses would be longer than 2^61 ns");
        workload_put_op(w, i, &op);
    }
    return GCAST_OK;
}

/* The measured quantiles change with the usual latency, which must stay in their range. */
static void scale_quantiles(gcast_latency *l, int64_t percent)
{
    l->min_ns = percent_of(l->min_ns, percent);
    l->max_ns = percent_of(l->max_ns, percent);
    for (int i = 0; i < l->count; i++)
        l->quantile[i].ns = percent_of(l->quantile[i].ns, percent);
}

static gcast_status scale_latency(variant *v, int64_t percent, gcast_error *err)
{
    int64_t *const fields[] = {&v->gpu->launch_latency_ns, &v->gpu->copy_latency_ns, &v->gpu->graph_latency_ns,
                               &v->gpu->graph_node_ns, &v->gpu->graph_root_ns};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = percent_of(*fields[i], percent);
    scale_quantiles(&v->gpu->launch_quantiles, percent);
    scale_quantiles(&v->gpu->copy_quantiles, percent);
    for (size_t i = 0; i < v->w->op_count; i++) {
        gcast_op op = v->w->ops[i];
        if (op.host == GCAST_NO_HOST && op.task == GCAST_ONCE)
            continue; /* an imported operation without a call: this latency says when it arrived */
        op.extra_latency_ns = percent_of(op.extra_latency_ns, percent);
        workload_put_op(v->w, i, &op);
    }
    return gcast_gpu_check(v->gpu, err);
}

static gcast_status cut_sms(variant *v, int64_t sms, gcast_error *err)
{
    gcast_status status = gcast_gpu_partition(v->gpu, (int)sms, err);
    if (status == GCAST_OK)
        gcast_workload_set_partition(v->w, (int)sms);
    return status;
}

static gcast_status set_connections(gcast_workload *w, int64_t connections, gcast_error *err)
{
    if (connections > MAX_CONNECTIONS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there are at most %d connections", MAX_CONNECTIONS);
    gcast_workload_set_connections(w, (int)connections);
    return GCAST_OK;
}

/* The workload runs on another GPU, without a partition. */
static gcast_status take_gpu(variant *v, const char *name, gcast_error *err)
{
    for (size_t i = 0; i < v->gpu_count; i++) {
        if (strcmp(v->gpu_names[i], name) != 0)
            continue;
        gcast_gpu *gpu;
        gcast_status status = gcast_gpu_copy(v->gpus[i], &gpu, err);
        if (status != GCAST_OK)
            return status;
        gcast_gpu_free(v->gpu);
        v->gpu = gpu;
        gcast_workload_set_partition(v->w, 0);
        return GCAST_OK;
    }
    return gcast_error_set(err, GCAST_USAGE, NULL, "there is no GPU %.100s", name);
}

/* Children have the stream and the SMs of their parents. These changes do not change the children. */
static gcast_status check_launched(const gcast_workload *w, change_kind kind, gcast_error *err)
{
    bool moves = kind == CHANGE_MERGE || kind == CHANGE_SPLIT || kind == CHANGE_MOVE || kind == CHANGE_RESERVE ||
                 kind == CHANGE_CONFINE || kind == CHANGE_GRAPHS;
    for (size_t i = 0; i < w->op_count && moves; i++)
        if (w->ops[i].launches)
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s launches kernels, which %s does not know",
                                   w->ops[i].label, change_kind_name(kind));
    return GCAST_OK;
}

static gcast_status change_kernels(variant *v, const change *c, gcast_error *err);

gcast_status change_apply(variant *v, const change *c, gcast_error *err)
{
    gcast_status status = check_launched(v->w, c->kind, err);
    if (status != GCAST_OK)
        return status;
    switch (c->kind) {
    case CHANGE_CONNECTIONS:
        return set_connections(v->w, c->value, err);
    case CHANGE_MERGE:
    case CHANGE_SPLIT:
    case CHANGE_MOVE:
    case CHANGE_PRIORITY:
        return change_streams(v, c, err);
    case CHANGE_SMS:
        return cut_sms(v, c->value, err);
    case CHANGE_GRAPHS:
        return change_to_graphs(v, err);
    case CHANGE_LAUNCHES:
        return change_to_launches(v, c, err);
    case CHANGE_PAUSES:
        return scale_pauses(v->w, c->value, err);
    case CHANGE_LATENCY:
        return scale_latency(v, c->value, err);
    case CHANGE_GPU:
        return take_gpu(v, c->name, err);
    default:
        return change_kernels(v, c, err);
    }
}

/* Does the change name this kernel, or all? */
static bool is_meant(const change *c, const gcast_op *op)
{
    return op->kind == GCAST_KIND_KERNEL && (!c->name || change_names(c, op));
}

/* Blocks of a kernel that the whole GPU holds at a time; 0: it cannot launch. */
static int64_t wave_of(const gcast_gpu *gpu, const gcast_op *op, gcast_error *err)
{
    gcast_occupancy o;
    if (gcast_occupancy_compute(&gpu->limits, &op->shape, GCAST_CARVEOUT_DEFAULT, &o, err) != GCAST_OK)
        return 0;
    return (int64_t)o.blocks_per_sm * gpu->sms;
}

/* How many blocks the kernel gets; 0: err says why it cannot have that many. */
static int64_t wanted_blocks(const variant *v, const change *c, const gcast_op *op, gcast_error *err)
{
    int64_t blocks = (int64_t)op->blocks;
    if (c->value == CHANGE_HALF)
        return max_i64((blocks + 1) / 2, 1);
    if (c->value == CHANGE_QUARTER)
        return max_i64((blocks + 3) / 4, 1);
    if (c->value != CHANGE_WAVE)
        return c->value;
    int64_t wave = wave_of(v->gpu, op, err);
    return min_i64(wave, blocks);
}

/* The sum of all blocks' durations; false: it does not fit. */
static bool total_time(const gcast_op *op, int64_t each, int64_t *total)
{
    *total = 0;
    if (!op->block_ns)
        return checked_mul(each, (int64_t)op->blocks, total);
    for (uint64_t b = 0; b < op->blocks; b++)
        if (!checked_add(*total, op->block_ns[b], total))
            return false;
    return true;
}

/* Gives a kernel another number of blocks, with durations that keep the total work. */
static gcast_status set_blocks(const variant *v, const change *c, size_t i, gcast_error *err)
{
    gcast_op op = v->w->ops[i];
    if (op.policy != GCAST_POLICY_HARDWARE || op.launches)
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s has a plan or launches kernels", op.label);
    if (op.wait_ns != GCAST_NEVER || op.trigger_ns != GCAST_NEVER)
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s triggers or waits at a time of its blocks", op.label);
    int64_t blocks = wanted_blocks(v, c, &op, err), total;
    int64_t cluster = (int64_t)op.cluster[0] * op.cluster[1] * op.cluster[2],
            clusters = (blocks + cluster - 1) / cluster;
    if (blocks < 1 || clusters > INT32_MAX / op.cluster[0])
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s cannot have that many blocks", op.label);
    blocks = clusters * cluster; /* only whole clusters can be launched */
    if (!total_time(&op, op.max_ns, &total))
        return gcast_error_set(err, GCAST_INPUT, NULL, "the blocks of %.100s take too long together", op.label);
    int64_t least = op.block_ns ? total : 0;
    if (!op.block_ns && !total_time(&op, max_i64(op.min_ns, 0), &least))
        return gcast_error_set(err, GCAST_INPUT, NULL, "the blocks of %.100s take too long together", op.label);
    op.max_ns = max_i64((total + blocks - 1) / blocks, 1);
    op.min_ns = min_i64(max_i64((least + blocks - 1) / blocks, 1), op.max_ns);
    if (op.max_ns > WORKLOAD_MAX_NS)
        return gcast_error_set(err, GCAST_INPUT, NULL, "a block of %.100s would take too long", op.label);
    op.block_ns = NULL;
    op.grid[0] = (uint32_t)clusters * op.cluster[0];
    op.grid[1] = op.cluster[1];
    op.grid[2] = op.cluster[2];
    op.blocks = (uint64_t)blocks;
    workload_put_op(v->w, i, &op);
    return GCAST_OK;
}

static gcast_mask mask_of(int from, int to)
{
    gcast_mask mask = {{0}};
    for (int sm = from; sm < to; sm++)
        mask.word[sm / 64] |= UINT64_C(1) << (sm % 64);
    return mask;
}

static gcast_status give_mask(gcast_workload *w, size_t i, int mask, gcast_error *err)
{
    gcast_op op = w->ops[i];
    if (op.mask != GCAST_ALL_SMS)
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s has SMs of its own already", op.label);
    op.mask = mask;
    workload_put_op(w, i, &op);
    return GCAST_OK;
}

/* confine: the kernel gets the first N SMs. reserve: the stream gets them, and other streams all other SMs. */
static gcast_status give_sms(const variant *v, const change *c, gcast_error *err)
{
    bool reserve = c->kind == CHANGE_RESERVE;
    int64_t sms = reserve ? c->other : c->value;
    int own, rest = GCAST_ALL_SMS, stream = reserve ? workload_find_stream(v->w, (int)c->value) : -1;
    if (reserve && stream < 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no stream %lld", (long long)c->value);
    if (sms < 1 || sms > v->gpu->sms - reserve)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%.100s has %d SMs: %lld cannot be given to it", v->gpu->name,
                               v->gpu->sms, (long long)sms);
    gcast_mask first = mask_of(0, (int)sms), others = mask_of((int)sms, v->gpu->sms);
    gcast_status status = gcast_workload_add_mask(v->w, &first, &own, err);
    if (status == GCAST_OK && reserve)
        status = gcast_workload_add_mask(v->w, &others, &rest, err);
    for (size_t i = 0; i < v->w->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = &v->w->ops[i];
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        bool is_own = reserve ? op->stream == stream : is_meant(c, op);
        if (is_own || reserve)
            status = give_mask(v->w, i, is_own ? own : rest, err);
    }
    return status;
}

static bool scale(int64_t *ns, int64_t percent)
{
    return checked_mul_div_up(*ns, percent, 100, ns) && *ns <= WORKLOAD_MAX_NS;
}

/* Scales all times of the kernel's blocks. */
static gcast_status scale_blocks(const variant *v, const change *c, size_t i, gcast_error *err)
{
    gcast_op op = v->w->ops[i];
    if (op.launches || c->value < 1)
        return gcast_error_set(err, op.launches ? GCAST_INPUT : GCAST_USAGE, NULL,
                               op.launches ? "%.100s launches kernels" : "%.100s must take more than 0 %% of its time",
                               op.label);
    bool ok = scale(&op.max_ns, c->value) && scale(&op.min_ns, c->value);
    int64_t *block_ns = (int64_t *)op.block_ns; /* in the memory of the workload, which may be changed */
    for (uint64_t b = 0; block_ns && b < op.blocks && ok; b++)
        ok = scale(&block_ns[b], c->value);
    if (op.wait_ns != GCAST_NEVER)
        ok = ok && scale(&op.wait_ns, c->value);
    if (op.trigger_ns != GCAST_NEVER)
        ok = ok && scale(&op.trigger_ns, c->value);
    workload_put_op(v->w, i, &op);
    return ok ? GCAST_OK : gcast_error_set(err, GCAST_INPUT, NULL, "a block of %.100s would take too long", op.label);
}

static void set_carveout(const variant *v, const change *c, size_t i)
{
    gcast_op op = v->w->ops[i];
    op.carveout = (gcast_op_carveout)c->value;
    op.carveout_given = true;
    workload_put_op(v->w, i, &op);
}

static gcast_status change_kernels(variant *v, const change *c, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    bool found = false;
    for (size_t i = 0; i < v->w->op_count && status == GCAST_OK; i++) {
        if (!is_meant(c, &v->w->ops[i]))
            continue;
        found = true;
        if (c->kind == CHANGE_BLOCKS)
            status = set_blocks(v, c, i, err);
        else if (c->kind == CHANGE_SCALE)
            status = scale_blocks(v, c, i, err);
        else if (c->kind == CHANGE_CARVEOUT)
            set_carveout(v, c, i);
    }
    if (!found && c->name)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no kernel has the label %.100s", c->name);
    if (status == GCAST_OK && (c->kind == CHANGE_RESERVE || c->kind == CHANGE_CONFINE))
        status = give_sms(v, c, err);
    return status;
}
