/* Registers limit nothing where each part of an SM's register file has enough of them for all warps that it may hold at
 * a time. How many that may be follows from the other resources, and from the grids. */
#include "model/workload/attributes/open_registers.h"

#include "base/checked.h"
#include "base/minmax.h"
#include "gridcast/occupancy.h"

#define MANY_PAIRS 10000000 /* of streams and ops: so many are not looked at */

bool op_leaves_registers_open(const gcast_op *op)
{
    return op->kind == GCAST_KIND_KERNEL && !op->shape.registers && !op->registers_given;
}

/* Parts of an SM's register file. */
static int parts_of(const gcast_gpu *gpu)
{
    return max_int(gpu->limits.register_parts, gpu->register_quarters ? GCAST_QUARTERS : 1);
}

/* Warps of a block in the part that has most of them. */
static int64_t warps_of(const gcast_op *op, int parts)
{
    return div_up(div_up(max_i64(op->shape.threads, 1), GCAST_WARP), parts);
}

/* Can a launch with so many be made, and does a block fit on an SM? */
static bool can_have(const gcast_op *op, const gcast_gpu *gpu, int registers)
{
    const gcast_limits *l = &gpu->limits;
    gcast_block_shape shape = op->shape;
    gcast_occupancy o;
    int parts = parts_of(gpu);
    int64_t per_warp = round_up((int64_t)registers * GCAST_WARP, l->register_unit);
    shape.registers = registers;
    return gcast_occupancy_compute(l, &shape, GCAST_CARVEOUT_DEFAULT, &o, NULL) == GCAST_OK && o.blocks_per_sm &&
           warps_of(op, parts) * per_warp <= l->registers_per_sm / parts;
}

int op_most_registers(const gcast_op *op, const gcast_gpu *gpu)
{
    int least = 0, most = gpu->limits.registers_per_thread;
    while (least < most) { /* the more registers, the fewer blocks fit */
        int middle = least + (most - least + 1) / 2;
        bool can = can_have(op, gpu, middle);
        least = can ? middle : least;
        most = can ? most : middle - 1;
    }
    return least;
}

/* The most warps that a part holds, by one resource of the SM each; whatever kernels they are of. */
typedef struct warp_limits {
    int64_t threads, slots, smem, barriers;
} warp_limits;

/* All of a resource is taken by blocks of this kernel. */
static int64_t warps_by(int64_t there, int64_t taken, int64_t warps)
{
    return taken ? there * warps / taken : INT64_MAX;
}

static void add_kernel(warp_limits *m, const gcast_limits *l, const gcast_op *op, int parts)
{
    gcast_occupancy o;
    int64_t warps = warps_of(op, parts), smem = 0;
    if (gcast_occupancy_compute(l, &op->shape, GCAST_CARVEOUT_DEFAULT, &o, NULL) == GCAST_OK)
        smem = o.smem_per_block;
    m->threads = max_i64(m->threads, warps_by(l->threads_per_sm, max_i64(op->shape.threads, 1), warps));
    m->slots = max_i64(m->slots, l->blocks_per_sm * warps);
    m->smem = max_i64(m->smem, warps_by(l->smem_per_sm, smem, warps));
    int64_t barriers = l->barriers_per_sm ? max_i64(op->shape.barriers, 1) : 0;
    m->barriers = max_i64(m->barriers, warps_by(l->barriers_per_sm, barriers, warps));
}

/* Are the blocks of a kernel those of its grid, and does its stream have no other kernel beside it? */
static bool is_plain(const gcast_op *op)
{
    return op->policy == GCAST_POLICY_HARDWARE && !op->plan && op->graph == GCAST_NO_GRAPH && !op->programmatic;
}

/* Are the resources of a kernel free before the next one of its stream starts? Hand-over takes time, and looks see what
 * is released at one time one after the other. */
static bool releases_before_next(const gcast_gpu *gpu)
{
    return gpu->handover_ns < gpu->stream_gap_ns || (!gpu->handover_ns && !gpu->look_step_ns);
}

/* The most warps that a kernel of the stream has in one part, if all blocks are on one SM; INT64_MAX: not known. */
static int64_t warps_of_stream(const gcast_workload *w, int stream, int parts)
{
    int64_t largest = 0, warps = 0;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->kind != GCAST_KIND_KERNEL || op->stream != stream)
            continue;
        if (!is_plain(op) || !checked_mul(op->blocks, warps_of(op, parts), &warps))
            return INT64_MAX;
        largest = max_i64(largest, warps);
    }
    return largest;
}

/* The most warps that are in one part at a time; each stream has one kernel. INT64_MAX: not known. */
static int64_t warps_at_once(const gcast_workload *w, const gcast_gpu *gpu, int parts)
{
    int64_t sum = 0;
    bool known = !w->child_count && releases_before_next(gpu) && w->stream_count <= MANY_PAIRS / (w->op_count + 1);
    for (size_t s = 0; s < w->stream_count && known; s++)
        known = checked_add(sum, warps_of_stream(w, (int)s, parts), &sum);
    return known ? sum : INT64_MAX;
}

int workload_open_registers(const gcast_workload *w, const gcast_gpu *gpu)
{
    const gcast_limits *l = &gpu->limits;
    warp_limits m = {0};
    int most = 0, given = 0, parts = parts_of(gpu);
    for (size_t i = 0; i < w->op_count + w->child_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        add_kernel(&m, l, op, parts);
        given = max_int(given, op->shape.registers);
        if (op_leaves_registers_open(op) && most < l->registers_per_thread)
            most = max_int(most, op_most_registers(op, gpu));
    }
    if (!most)
        return REGISTERS_OPEN_NOWHERE;
    int64_t warps =
        min_i64(min_i64(min_i64(m.threads, m.slots), min_i64(m.smem, m.barriers)), warps_at_once(w, gpu, parts));
    warps = max_i64(min_i64(warps, div_up(l->warps_per_sm, parts)), 1);
    int64_t per_warp = l->registers_per_sm / parts / warps / l->register_unit * l->register_unit;
    int enough = (int)min_i64(per_warp / GCAST_WARP, l->registers_per_thread);
    return given > enough ? 0 : enough >= most ? REGISTERS_OPEN_NOWHERE : enough;
}
