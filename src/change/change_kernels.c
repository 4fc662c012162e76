/* Changes of blocks, durations, carveouts and SMs of kernels. */
#include "base/integers.h"
#include "change/change_parts.h"
#include "model/workload/workload.h"

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

gcast_status change_on_sms(gcast_workload *w, const change *c, gcast_error *err)
{
    gcast_mask mask = mask_of((int)c->value, (int)c->other);
    int index;
    gcast_status status = gcast_workload_add_mask(w, &mask, &index, err);
    return status == GCAST_OK ? give_mask(w, c->at, index, err) : status;
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

gcast_status change_kernels(variant *v, const change *c, gcast_error *err)
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
