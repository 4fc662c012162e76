#include "model/workload/left_open.h"

#include <string.h>

#include "base/integers.h"
#include "gridcast/occupancy.h"
#include "model/occupancy.h"
#include "model/workload/workload.h"

/* Registers limit nothing where each part of an SM's register file has enough of them for all warps that it can hold,
 * which follows from the other resources. Then they do not change the free resources by which blocks are placed,
 * either. */

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

/* Is a launch with this many registers per thread possible, and does a block fit on an SM? */
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

/* The most warps of any kernels that a part can hold, as limited by each resource of the SM. */
typedef struct warp_limits {
    int64_t threads, slots, smem, barriers;
} warp_limits;

/* Warps in a part if blocks that each take `taken` use up all that is available of a resource. */
static int64_t warps_by(int64_t available, int64_t taken, int64_t warps)
{
    return taken ? available * warps / taken : INT64_MAX;
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
    /* the quarter in which a block begins may depend on registers, and the order of looks on the quarter */
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

static bool has_open_carveout(const gcast_op *op)
{
    return op->kind == GCAST_KIND_KERNEL && !op->carveout_given;
}

/* The kernel, with the driver's carveout if that is open. */
static gcast_op with_other_carveout(const gcast_op *op)
{
    gcast_op other = *op;
    if (has_open_carveout(op))
        other.carveout = GCAST_OP_CARVEOUT_DRIVER;
    return other;
}

static bool are_alike(const gcast_block_shape *a, const gcast_block_shape *b)
{
    return a->threads == b->threads && a->registers == b->registers && a->static_smem == b->static_smem &&
           a->dynamic_smem == b->dynamic_smem && a->barriers == b->barriers;
}

/* The shared memory of an SM that kernels need. */
typedef struct smem_use {
    int64_t smallest;   /* smallest size that an SM may get */
    int64_t least;      /* largest size that a kernel requires */
    int64_t of_block;   /* the most that a block takes */
    int64_t of_warps;   /* the most that an SM full of warps takes, whatever their kernels */
    bool are_different; /* kernels do not all have one shape */
} smem_use;

static smem_use use_of(const gcast_workload *w, const gcast_gpu *gpu)
{
    const gcast_limits *l = &gpu->limits;
    smem_use u = {.smallest = l->smem_per_sm};
    const gcast_op *first = NULL;
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_op op = with_other_carveout(&w->ops[i]);
        gcast_occupancy o;
        if (op.kind != GCAST_KIND_KERNEL ||
            gcast_occupancy_compute(l, &op.shape, GCAST_CARVEOUT_DEFAULT, &o, NULL) != GCAST_OK)
            continue;
        smem_sizes c = carveout_of(l, &op);
        int64_t warps = max_i64((op.shape.threads + GCAST_WARP - 1) / GCAST_WARP, 1);
        u.smallest = min_i64(u.smallest, c.chosen_bytes);
        u.least = max_i64(u.least, c.min_bytes);
        u.of_block = max_i64(u.of_block, o.smem_per_block);
        u.of_warps = max_i64(u.of_warps, (o.smem_per_block * l->warps_per_sm + warps - 1) / warps);
        u.are_different = u.are_different || (first && !are_alike(&first->shape, &op.shape));
        first = first ? first : &w->ops[i];
    }
    return u;
}

/* Sizes do not matter where the smallest is enough for each kernel, and for all blocks that other resources let onto an
 * SM. */
static bool carveouts_may_matter(const gcast_workload *w, const gcast_gpu *gpu)
{
    bool is_open = false;
    for (size_t i = 0; i < w->op_count && gpu->limits.carveouts > 1; i++)
        is_open = is_open || has_open_carveout(&w->ops[i]);
    if (!is_open)
        return false;
    smem_use u = use_of(w, gpu);
    return u.smallest < u.least ||
           (u.are_different && u.smallest < min_i64(u.of_block * gpu->limits.blocks_per_sm, u.of_warps));
}

bool workload_leaves_open(const gcast_workload *w, const gcast_gpu *gpu, left_open choice)
{
    return choice == LEFT_OPEN_CARVEOUTS ? carveouts_may_matter(w, gpu) : workload_blocking_unknown(w);
}

void workload_choose_other_of(gcast_workload *w, left_open choice, size_t at)
{
    if (choice == LEFT_OPEN_BLOCKING) {
        workload_set_blocking(w, at, true);
        return;
    }
    gcast_op op = with_other_carveout(&w->ops[at]);
    if (op.carveout != w->ops[at].carveout)
        workload_put_op(w, at, &op);
}

void workload_choose_other(gcast_workload *w, left_open choice)
{
    for (size_t i = 0; i < w->op_count && choice == LEFT_OPEN_CARVEOUTS; i++)
        workload_choose_other_of(w, choice, i);
    for (size_t i = 0; i < w->stream_count && choice == LEFT_OPEN_BLOCKING; i++)
        if (!w->streams[i].blocking_given)
            workload_choose_other_of(w, choice, i);
}

static void add_once(open_things *found, size_t at)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->at[i] == at)
            return;
    if (found->count < LEFT_OPEN_THINGS)
        found->at[found->count++] = at;
}

/* Does the driver give an idle SM less than the largest size? */
static bool driver_chooses_less(const gcast_gpu *gpu, const gcast_op *op)
{
    gcast_op other = with_other_carveout(op);
    return carveout_of(&gpu->limits, &other).chosen_bytes < gpu->limits.smem_per_sm;
}

void workload_open_things(const gcast_workload *w, const gcast_gpu *gpu, left_open choice, open_things *found)
{
    found->count = 0;
    if (!workload_leaves_open(w, gpu, choice))
        return;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        const gcast_stream *s = gcast_kind_on_gpu(op->kind) ? &w->streams[op->stream] : NULL;
        if (choice == LEFT_OPEN_CARVEOUTS && has_open_carveout(op) && driver_chooses_less(gpu, op))
            add_once(found, i);
        if (choice == LEFT_OPEN_BLOCKING && s && s->id != 0 && !s->blocking && !s->blocking_given)
            add_once(found, (size_t)op->stream);
    }
}
