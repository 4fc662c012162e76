/* Changes of one op or task: when it is called, and what its blocks take. */
#include "base/integers.h"
#include "change/change_parts.h"
#include "model/workload/workload.h"

/* Halves a dimension of the block and doubles that of the grid, or vice versa. False: impossible. */
static bool reshape_once(gcast_op *op, bool halve)
{
    int at = -1;
    for (int d = 0; d < 3; d++) {
        uint32_t halved = halve ? op->block[d] : op->grid[d], doubled = halve ? op->grid[d] : op->block[d];
        if (halved % 2 == 0 && doubled <= UINT32_MAX / 2 && (at < 0 || halved > (halve ? op->block[at] : op->grid[at])))
            at = d;
    }
    if (at < 0 || op->block_ns || op->plan || op->launches || (halve && op->blocks > UINT64_MAX / 2))
        return false;
    op->block[at] = halve ? op->block[at] / 2 : op->block[at] * 2;
    op->grid[at] = halve ? op->grid[at] * 2 : op->grid[at] / 2;
    op->blocks = halve ? op->blocks * 2 : op->blocks / 2;
    op->shape.threads = halve ? op->shape.threads / 2 : op->shape.threads * 2;
    return true;
}

bool change_threads(gcast_op *op, int64_t threads)
{
    bool ok = true;
    while (ok && op->shape.threads != threads)
        ok = (op->shape.threads > threads ? op->shape.threads / 2 >= threads : op->shape.threads <= threads / 2) &&
             reshape_once(op, op->shape.threads > threads);
    return ok;
}

/* Fewer or more blocks, each as long as before: if they had durations of their own, from the shortest to the longest.
 */
static bool set_count(gcast_op *op, int64_t blocks)
{
    if (op->plan || op->launches || op->cluster[0] * op->cluster[1] * op->cluster[2] != 1)
        return false;
    int64_t longest_ns = workload_longest_block(op);
    op->min_ns = workload_shortest_block(op);
    op->max_ns = longest_ns;
    op->block_ns = NULL;
    op->grid[0] = (uint32_t)blocks;
    op->grid[1] = op->grid[2] = 1;
    op->blocks = (uint64_t)blocks;
    return true;
}

/* Durations and periods: repeated changes start from those of the base. */
static bool set_time(variant *v, const change *c)
{
    if (c->kind == CHANGE_DURATION)
        workload_stretch_op(v->w, c->at, &v->base->w->ops[c->at], c->value);
    else if (c->kind == CHANGE_PERIOD)
        workload_set_period(v->w, c->at, c->value);
    return c->kind == CHANGE_DURATION || c->kind == CHANGE_PERIOD;
}

gcast_status change_op(variant *v, const change *c, gcast_error *err)
{
    if (set_time(v, c))
        return GCAST_OK;
    gcast_op op = v->w->ops[c->at];
    switch (c->kind) {
    case CHANGE_OP_CARVEOUT:
        op.carveout = (gcast_op_carveout)c->value;
        op.carveout_given = true;
        break;
    case CHANGE_THREADS:
        if (!change_threads(&op, c->value))
            return gcast_error_set(err, GCAST_INPUT, NULL, "the blocks of %.100s cannot be divided like this",
                                   op.label);
        break;
    case CHANGE_REGISTERS:
        op.shape.registers = (int)c->value;
        op.registers_given = true;
        break;
    case CHANGE_SHARED_MEMORY: /* dynamic shared memory goes first */
        op.shape.dynamic_smem = max_i64(c->value - op.shape.static_smem, 0);
        op.shape.static_smem = min_i64(c->value, op.shape.static_smem);
        break;
    case CHANGE_COOPERATIVE:
        op.cooperative = true;
        break;
    case CHANGE_AT_MOST:
        if (!set_count(&op, c->value))
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s cannot have another number of blocks", op.label);
        break;
    case CHANGE_ON_SMS:
        return change_on_sms(v->w, c, err);
    case CHANGE_PLACE:
        op = v->base->w->ops[c->value];
        break;
    default:
        op.host = GCAST_NO_HOST;
        op.host_waits = false;
        op.delay_ns = op.event_pause_ns = 0;
        op.release_ns = c->value;
    }
    workload_put_op(v->w, c->at, &op);
    return GCAST_OK;
}
