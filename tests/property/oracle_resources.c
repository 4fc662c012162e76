/* "Blocks" of docs/model.md: resources, quarters, how many blocks fit, placement. Independent of the simulator on
 * purpose. */
#include "property/oracle_state.h"

/* The resources of an SM that blocks hold. */
typedef struct taken {
    int64_t blocks, threads, warps, registers, smem, barriers, cluster_blocks;
    int64_t quarter_warps[GCAST_QUARTERS], quarter_registers[GCAST_QUARTERS];
    int next_quarter;
} taken;

static int64_t round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static int warps_of(const gcast_op *op)
{
    return (op->shape.threads + 31) / 32;
}

int oracle_quarter_after(const gcast_op *op, int quarter)
{
    return (quarter + warps_of(op) + (warps_of(op) % GCAST_QUARTERS == 0)) % GCAST_QUARTERS;
}

static void take(const gcast_gpu *gpu, const gcast_op *op, int quarter, taken *t)
{
    const gcast_limits *l = &gpu->limits;
    int64_t warp_registers = round_up(32 * (int64_t)op->shape.registers, l->register_unit);
    t->blocks++;
    t->cluster_blocks += oracle_cluster(op) > 1;
    t->threads += op->shape.threads;
    t->warps += warps_of(op);
    t->registers += warps_of(op) * warp_registers;
    t->smem += round_up(op->shape.static_smem + op->shape.dynamic_smem + l->smem_reserved, l->smem_unit);
    t->barriers += op->shape.barriers ? op->shape.barriers : 1;
    for (int warp = 0; warp < warps_of(op); warp++) {
        t->quarter_warps[(quarter + warp) % GCAST_QUARTERS]++;
        t->quarter_registers[(quarter + warp) % GCAST_QUARTERS] += warp_registers;
    }
    t->next_quarter = oracle_quarter_after(op, quarter);
}

static bool within_limits(const gcast_gpu *gpu, const taken *t, int64_t smem)
{
    const gcast_limits *l = &gpu->limits;
    if (t->cluster_blocks > 8 || t->blocks > l->blocks_per_sm || t->threads > l->threads_per_sm || t->smem > smem)
        return false;
    if (l->barriers_per_sm && t->barriers > l->barriers_per_sm)
        return false;
    if (!gpu->register_quarters)
        return t->warps <= l->warps_per_sm && t->registers <= l->registers_per_sm;
    for (int q = 0; q < GCAST_QUARTERS; q++)
        if (t->quarter_warps[q] > l->warps_per_sm / GCAST_QUARTERS ||
            t->quarter_registers[q] > l->registers_per_sm / GCAST_QUARTERS)
            return false;
    return true;
}

/* How many more blocks fit beside `t`, one after another, where the SM's shared memory has this size. */
static int64_t fit_count(const gcast_gpu *gpu, const gcast_op *op, taken t, int64_t smem)
{
    for (int64_t n = 0;; n++) {
        take(gpu, op, t.next_quarter, &t);
        if (!within_limits(gpu, &t, smem))
            return n;
    }
}

/* "Carveouts". The shared memory of `times` as many blocks as NVIDIA's occupancy calculation gives, at most max_blocks.
 */
static int64_t smem_of_blocks(const gcast_limits *l, const gcast_op *op, int times, int max_blocks)
{
    gcast_occupancy o;
    if (gcast_occupancy_compute(l, &op->shape, GCAST_CARVEOUT_DEFAULT, &o, NULL) != GCAST_OK)
        return 0;
    int64_t bytes = round_up(op->shape.static_smem + op->shape.dynamic_smem + l->smem_reserved, l->smem_unit);
    return bytes * (times * o.blocks_per_sm > max_blocks ? max_blocks : times * o.blocks_per_sm);
}

/* The smallest size that is not below `bytes`; the largest where none is large enough. */
static int64_t next_size(const gcast_limits *l, int64_t bytes)
{
    int i = 0;
    while (l->carveout[i] < bytes && i < l->carveouts - 1)
        i++;
    return l->carveout[i];
}

static int64_t min_size(const gcast_limits *l, const gcast_op *op)
{
    return next_size(l, smem_of_blocks(l, op, 1, l->blocks_per_sm));
}

int64_t oracle_chosen_size(const oracle_state *o, const gcast_op *op)
{
    const gcast_limits *l = &o->gpu->limits;
    int times = op->shape.threads > 512 ? 1 : 2;
    if (op->carveout == GCAST_OP_CARVEOUT_MOST)
        return l->smem_per_sm;
    if (!op->shape.static_smem && !op->shape.dynamic_smem)
        times = 4;
    int64_t wanted = smem_of_blocks(l, op, times, l->blocks_per_sm), min = min_size(l, op);
    int64_t size = next_size(l, wanted > 132 * 1024 ? 132 * 1024 : wanted);
    return size > min ? size : min;
}

/* Takes the resources of a block of which only the first warp is left. */
static void take_first_warp(const gcast_gpu *gpu, const gcast_op *op, int quarter, taken *t)
{
    gcast_op warp = *op;
    if (warp.shape.threads > 32)
        warp.shape.threads = 32;
    take(gpu, &warp, quarter, t);
}

bool oracle_fits_empty(const gcast_gpu *gpu, const gcast_op *kernel)
{
    return oracle_fit_empty(gpu, kernel) > 0;
}

int64_t oracle_fit_empty(const gcast_gpu *gpu, const gcast_op *op)
{
    return fit_count(gpu, op, (taken){0}, gpu->limits.smem_per_sm);
}

int64_t oracle_fit_chosen(const oracle_state *o, const gcast_op *op)
{
    return fit_count(o->gpu, op, (taken){0}, oracle_chosen_size(o, op));
}

static bool is_released_now(const oracle_state *o, const oracle_op *x, uint64_t block)
{
    return x->blocks[block].end_ns + o->gpu->handover_ns == o->now;
}

/* "As measured": one block of each SM in turn, the oldest of an SM first. */
static int64_t turn_of_release(const oracle_state *o, const oracle_op *x, uint64_t block)
{
    int64_t older = 0;
    for (const oracle_op *y = o->ops; y < o->ops + o->all; y++)
        for (uint64_t c = 0; !oracle_is_gone(o, y) && c < y->started; c++)
            older += y->blocks[c].sm == x->blocks[block].sm && is_released_now(o, y, c) && y->age[c] < x->age[block];
    return older * o->gpu->sms + x->blocks[block].sm;
}

int64_t oracle_seen_after(const oracle_state *o, const oracle_op *x, uint64_t block)
{
    const gcast_block *b = &x->blocks[block];
    if (!is_released_now(o, x, block))
        return -1;
    if (o->warps_first)
        return turn_of_release(o, x, block);
    int64_t seen = o->gpu->reach_ns ? o->gpu->reach_ns[b->sm] : 0;
    for (const oracle_op *y = o->ops; y < o->ops + o->all; y++)
        for (uint64_t c = 0; !oracle_is_gone(o, y) && c < y->started; c++) {
            bool earlier =
                y->run.entry < x->run.entry ||
                (y == x && (y->blocks[c].quarter < b->quarter || (y->blocks[c].quarter == b->quarter && c < block)));
            if (y->blocks[c].sm == b->sm && is_released_now(o, y, c) && earlier)
                seen += o->gpu->look_step_ns;
        }
    return seen;
}

/* "As measured": the block reads its start, sleeps, and ends on a tick. */
int64_t oracle_end(const oracle_state *o, const oracle_op *x, int sm)
{
    int64_t start = o->now, end, wake = o->options->as_measured ? o->gpu->wake_ns : 0, before = 0;
    bool has_release = false;
    if (!wake || !oracle_has_body(x, GCAST_BODY_SPIN))
        return start + oracle_duration(o, x, oracle_block_number(x->op, x->started));
    for (const oracle_op *y = o->ops; y < o->ops + o->all; y++)
        for (uint64_t b = 0; !oracle_is_gone(o, y) && b < y->started; b++) {
            has_release = has_release || is_released_now(o, y, b);
            before +=
                oracle_has_body(y, GCAST_BODY_SPIN) && (int)y->blocks[b].sm == sm && y->blocks[b].start_ns == o->now;
        }
    if (has_release && o->gpu->look_step_ns)
        start += (o->gpu->reach_ns ? o->gpu->reach_ns[sm] : 0) + before * o->gpu->look_step_ns;
    while (start % (wake / 4) != 0)
        start--;
    end = start + oracle_duration(o, x, oracle_block_number(x->op, x->started));
    while (end % wake != 0)
        end++;
    return end;
}

static taken taken_of(const oracle_state *o, int sm)
{
    taken t = {0};
    for (size_t i = 0; i < o->all; i++) {
        const oracle_op *x = &o->ops[i];
        for (uint64_t b = 0; !oracle_is_gone(o, x) && b < x->started; b++) {
            const gcast_block *block = &x->blocks[b];
            if ((int)block->sm != sm)
                continue;
            if (block->end_ns + o->gpu->handover_ns > o->now)
                take(o->gpu, x->op, (int)block->quarter, &t);
            else if (oracle_seen_after(o, x, b) > o->seen_until)
                (o->warps_first && oracle_has_body(x, GCAST_BODY_SPIN) ? take_first_warp
                                                                       : take)(o->gpu, x->op, (int)block->quarter, &t);
        }
    }
    t.next_quarter = o->next_quarter[sm];
    return t;
}

bool oracle_is_empty(const oracle_state *o, int sm)
{
    return taken_of(o, sm).blocks == 0;
}

/* How many more blocks fit on the SM, with the size that its shared memory has or would get. */
static int64_t fit_count_on(const oracle_state *o, const gcast_op *op, int sm, const taken *t)
{
    int64_t size = t->blocks ? o->size[sm] : oracle_chosen_size(o, op);
    int64_t max_count = fit_count(o->gpu, op, *t, o->gpu->limits.smem_per_sm);
    int64_t count = size < min_size(&o->gpu->limits, op) ? 0 : fit_count(o->gpu, op, *t, size);
    *o->too_small = *o->too_small || (max_count && !count);
    return count;
}

bool oracle_allowed(const oracle_state *o, const gcast_op *op, int sm)
{
    return op->mask == GCAST_ALL_SMS || (o->w->masks[op->mask].word[sm / 64] >> (sm % 64) & 1);
}

int64_t oracle_capacity(const oracle_state *o, const gcast_op *op, int sm)
{
    taken t = taken_of(o, sm);
    return oracle_allowed(o, op, sm) ? fit_count_on(o, op, sm, &t) : 0;
}

int oracle_sm_of_rank(const gcast_gpu *gpu, int rank)
{
    int evens = (gpu->sms + 1) / 2;
    switch (gpu->tie_order) {
    case GCAST_TIES_DESCENDING:
        return gpu->sms - 1 - rank;
    case GCAST_TIES_EVEN_ODD:
        return rank < evens ? 2 * rank : 2 * (rank - evens) + 1;
    case GCAST_TIES_LIST:
        return gpu->tie_list[rank];
    default:
        return rank;
    }
}

/* The SM with the largest value gets the next block. `count`: how many more blocks fit. */
static int64_t preference(const gcast_gpu *gpu, const taken *t, int64_t count)
{
    switch (gpu->placement) {
    case GCAST_PLACE_MOST_ROOM:
        return count;
    case GCAST_PLACE_LEAST_ROOM:
        return -count;
    case GCAST_PLACE_MOST_THREADS:
        return gpu->limits.threads_per_sm - t->threads;
    case GCAST_PLACE_FEWEST_BLOCKS:
        return -t->blocks;
    default:
        return 0;
    }
}

/* An SM that is drawn from those on which a block fits. */
static int draw_place(const oracle_state *o, const oracle_op *x)
{
    int fitting[GCAST_MAX_SMS], count = 0;
    for (int rank = 0; rank < o->gpu->sms; rank++) {
        int sm = oracle_sm_of_rank(o->gpu, rank);
        taken t = taken_of(o, sm);
        if (!o->closed[sm] && oracle_allowed(o, x->op, sm) && fit_count_on(o, x->op, sm, &t) > 0)
            fitting[count++] = sm;
    }
    return count ? fitting[oracle_draw_place(o, x, count)] : -1;
}

int oracle_place(const oracle_state *o, const oracle_op *x)
{
    if (o->options->random_placement)
        return draw_place(o, x);
    const gcast_gpu *gpu = o->gpu;
    int first = 0, best = -1;
    int64_t best_preference = 0;
    if (gpu->placement == GCAST_PLACE_ROUND_ROBIN && o->last_sm >= 0)
        while (oracle_sm_of_rank(gpu, first++) != o->last_sm)
            ;
    for (int i = 0; i < gpu->sms; i++) {
        int sm = oracle_sm_of_rank(gpu, (first + i) % gpu->sms);
        if (o->closed[sm] || !oracle_allowed(o, x->op, sm))
            continue;
        taken t = taken_of(o, sm);
        int64_t count = fit_count_on(o, x->op, sm, &t);
        int64_t p = preference(gpu, &t, count);
        if (count > 0 && (best < 0 || p > best_preference)) {
            best = sm;
            best_preference = p;
        }
    }
    return best;
}

int64_t oracle_room(const oracle_state *o, const oracle_op *x)
{
    int64_t room = 0;
    for (int sm = 0; sm < o->gpu->sms; sm++) {
        taken t = taken_of(o, sm);
        if (!o->closed[sm] && oracle_allowed(o, x->op, sm))
            room += fit_count_on(o, x->op, sm, &t);
    }
    return room;
}
