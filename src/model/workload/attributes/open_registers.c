/* Registers limit nothing where each part of an SM's register file has enough of them for all warps that it may hold at
 * a time. How many that may be follows from the other resources. Then they change no remaining capacity either, by
 * which blocks are placed. */
#include "model/workload/attributes/open_registers.h"

#include "base/minmax.h"
#include "gridcast/occupancy.h"

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

/* May a kernel have a carveout that depends on how many of its blocks fit, and so on its registers? */
static bool is_left_to_driver(const gcast_op *op, const gcast_limits *l)
{
    return op->carveout == GCAST_OP_CARVEOUT_DRIVER && l->carveouts > 1;
}

int workload_open_registers(const gcast_workload *w, const gcast_gpu *gpu)
{
    const gcast_limits *l = &gpu->limits;
    warp_limits m = {0};
    int most = 0, given = 0, parts = parts_of(gpu);
    /* which quarter a block begins in may hang on registers, and on that the order of looks */
    bool may_matter = gpu->register_quarters && gpu->look_step_ns;
    for (size_t i = 0; i < w->op_count + w->child_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        add_kernel(&m, l, op, parts);
        given = max_int(given, op->shape.registers);
        may_matter = may_matter || is_left_to_driver(op, l);
        if (op_leaves_registers_open(op) && most < l->registers_per_thread)
            most = max_int(most, op_most_registers(op, gpu));
    }
    if (!most)
        return REGISTERS_OPEN_NOWHERE;
    int64_t warps = min_i64(min_i64(m.threads, m.slots), min_i64(m.smem, m.barriers));
    warps = max_i64(min_i64(warps, div_up(l->warps_per_sm, parts)), 1);
    int64_t per_warp = l->registers_per_sm / parts / warps / l->register_unit * l->register_unit;
    int enough = (int)min_i64(per_warp / GCAST_WARP, l->registers_per_thread);
    return given > enough || may_matter ? 0 : enough >= most ? REGISTERS_OPEN_NOWHERE : enough;
}
