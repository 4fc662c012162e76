#include "analyze/advice/remedy_apply.h"

#include <limits.h>

#include "base/minmax.h"
#include "model/workload/edit.h"

/* Halves one dimension of the block and doubles that of the grid, or the other way round. */
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

bool remedy_reshape(gcast_op *op, int64_t threads)
{
    bool ok = true;
    while (ok && op->shape.threads != threads)
        ok = (op->shape.threads > threads ? op->shape.threads / 2 >= threads : op->shape.threads <= threads / 2) &&
             reshape_once(op, op->shape.threads > threads);
    return ok;
}

/* Moves the op to a new stream like its own. */
static gcast_status give_own_stream(gcast_workload *w, size_t op, gcast_error *err)
{
    int last_id = 0, stream;
    for (size_t i = 0; i < w->stream_count; i++)
        last_id = max_int(w->streams[i].id, last_id);
    if (last_id == INT_MAX)
        return gcast_error_set(err, GCAST_INPUT, NULL, "there is no further stream");
    gcast_stream s = workload_stream_like(w, w->ops[op].stream, last_id + 1);
    gcast_status status = gcast_workload_add_stream(w, &s, &stream, err);
    if (status == GCAST_OK)
        workload_move_op(w, op, stream);
    return status;
}

gcast_status remedy_apply(gcast_workload *w, const gcast_change *c, gcast_error *err)
{
    gcast_op op = w->ops[c->op];
    switch (c->kind) {
    case GCAST_CHANGE_OWN_STREAM:
        return give_own_stream(w, c->op, err);
    case GCAST_CHANGE_NON_BLOCKING:
        workload_set_blocking(w, (size_t)op.stream, false);
        return GCAST_OK;
    case GCAST_CHANGE_PRIORITY:
        workload_set_priority(w, (size_t)op.stream, (int)c->value);
        return GCAST_OK;
    case GCAST_CHANGE_CONNECTIONS:
        gcast_workload_set_connections(w, (int)c->value);
        return GCAST_OK;
    case GCAST_CHANGE_CARVEOUT:
        op.carveout = GCAST_OP_CARVEOUT_MOST;
        break;
    case GCAST_CHANGE_THREADS:
        if (!remedy_reshape(&op, c->value))
            return gcast_error_set(err, GCAST_INPUT, NULL, "the block cannot be cut so");
        break;
    case GCAST_CHANGE_REGISTERS:
        op.shape.registers = (int)c->value;
        break;
    case GCAST_CHANGE_SHARED_MEMORY: /* dynamic shared memory goes first */
        op.shape.dynamic_smem = max_i64(c->value - op.shape.static_smem, 0);
        op.shape.static_smem = min_i64(c->value, op.shape.static_smem);
        break;
    default:
        op.host = GCAST_NO_HOST;
        op.host_waits = false;
        op.delay_ns = 0;
        op.release_ns = c->value;
    }
    workload_put_op(w, c->op, &op);
    return GCAST_OK;
}
