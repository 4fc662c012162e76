/* The walk through a run with clusters. Beside a kernel with clusters, several kernels of a level may start blocks by
 * turns, so that this walk keeps all kernels that wait, in their order. It repeats the rules of the engine, with its
 * own tables of GPCs, on purpose. */
#include "simulate/check/cluster_walk.h"

#include <stdlib.h>

#include "model/workload/attributes.h"
#include "simulate/check/block_walk.h"
#include "simulate/check/wait_times.h"

#define LONE 1u
#define OTHERS 2u

/* A kernel that has entered and is not fully dispatched. */
typedef struct open_kernel {
    uint32_t op;    /* its operation of the run */
    int level;      /* of its queue */
    uint32_t size;  /* blocks of a cluster */
    uint64_t next;  /* how many of its blocks have started */
    unsigned needs; /* bit per part that it needs: LONE, OTHERS */
} open_kernel;

typedef struct cluster_walk {
    block_walk *k;            /* the walk */
    int *gpc;                 /* by SM: its GPC */
    VEC(open_kernel) open;    /* by level, then by entry */
    int count[GCAST_MAX_SMS]; /* by GPC: scratch */
} cluster_walk;

bool check_is_clustered(const gcast_op *op)
{
    return op->cluster[0] > 1 || op->cluster[1] > 1 || op->cluster[2] > 1;
}

bool check_has_clusters(const gcast_run *run)
{
    for (size_t i = 0; i < run->workload->op_count; i++)
        if (check_is_clustered(&run->workload->ops[i]))
            return true;
    return false;
}

static unsigned part_of(const cluster_walk *c, int gpc)
{
    const gcast_gpu *gpu = c->k->run->gpu;
    return gpu->gpc_sizes[gpc] > gpu->sms_per_tpc ? OTHERS : LONE;
}

/* The block of a kernel that starts after this many others. */
static const gcast_block *block_at(const cluster_walk *c, const open_kernel *x, uint64_t place, uint64_t *index)
{
    *index = attributes_block_at(walk_spec(c->k, x->op), place);
    return &c->k->run->ops[x->op].blocks[*index];
}

/* When the kernel's next block starts; CHECK_NEVER: never, in a run that hangs. */
static int64_t next_start_of(const cluster_walk *c, const open_kernel *x)
{
    uint64_t index;
    int64_t start = block_at(c, x, x->next, &index)->start_ns;
    return start < 0 && c->k->run->hang ? CHECK_NEVER : start;
}

/* The parts that a kernel needs. */
static unsigned needs_of(cluster_walk *c, uint32_t op, uint32_t size)
{
    const gcast_gpu *gpu = c->k->run->gpu;
    unsigned needs = 0;
    for (int g = 0; g < gpu->gpc_count; g++)
        c->count[g] = 0;
    for (int sm = 0; sm < gpu->sms; sm++)
        c->count[c->gpc[sm]] += walk_may_use(c->k, walk_spec(c->k, op), sm);
    for (int g = 0; g < gpu->gpc_count; g++)
        needs |= size == 1 || c->count[g] >= (int)size ? part_of(c, g) : 0;
    return needs;
}

/* Kernels that enter now join those that wait. */
static void enter_now(cluster_walk *c)
{
    block_walk *k = c->k;
    for (; k->entered_count < k->orders->entry_count && k->status == GCAST_OK; k->entered_count++) {
        uint32_t i = k->orders->entry[k->entered_count];
        const gcast_op *op = walk_spec(k, i);
        if (k->run->ops[i].enter_ns > k->now)
            return;
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        open_kernel x = {.op = i, .level = run_level(k->run, i), .size = attributes_cluster(op)};
        x.needs = needs_of(c, i, x.size);
        size_t place = c->open.count;
        if (!vec_push(&c->open, x)) {
            k->status = gcast_error_set_memory(k->err);
            return;
        }
        for (; place > 0 && c->open.at[place - 1].level > x.level; place--)
            c->open.at[place] = c->open.at[place - 1];
        c->open.at[place] = x;
    }
}

/* Do all blocks of the next cluster start together, on different SMs of one GPC? */
static bool cluster_is_together(const cluster_walk *c, const open_kernel *x)
{
    uint64_t index;
    const gcast_block *first = block_at(c, x, x->next, &index);
    for (uint32_t a = 0; a < x->size; a++) {
        const gcast_block *b = block_at(c, x, x->next + a, &index);
        if (b->start_ns != first->start_ns || b->sm >= (uint32_t)c->k->sms.count || c->gpc[b->sm] != c->gpc[first->sm])
            return false;
        for (uint32_t d = 0; d < a; d++)
            if (block_at(c, x, x->next + d, &index)->sm == b->sm)
                return false;
    }
    return true;
}

static void break_order(cluster_walk *c, const open_kernel *x)
{
    walk_broken(c->k, x->op, "C-cluster", "a block started although a kernel in front of it needs such SMs (X1, A2)");
}

/* The next block of a kernel starts, and its turn has come; false where the start breaks a rule. */
static bool start_next(cluster_walk *c, open_kernel *x)
{
    block_walk *k = c->k;
    uint64_t index;
    const gcast_block *b = block_at(c, x, x->next, &index);
    uint32_t rank = (uint32_t)k->sms.rank[b->sm];
    int64_t release = check_stays(k->run, k->orders, x->op) ? CHECK_NEVER : b->end_ns + k->run->gpu->handover_ns;
    if (k->now < k->switch_end_ns)
        walk_broken(k, x->op, "C-switch", "a block started before the GPU had switched to its kernel");
    else if (x->size > 1 && x->next % x->size == 0 && !cluster_is_together(c, x))
        walk_broken(k, x->op, "C-cluster", "the blocks of a cluster did not start together on SMs of one GPC");
    else if (walk_spec(k, x->op)->cooperative && b->start_ns != k->run->ops[x->op].start_ns)
        walk_broken(k, x->op, "C-whole", "blocks of a cooperative kernel did not start at once");
    else if (walk_has_room(k, x->op, b, rank) && walk_take(k, x->op, b, rank, release)) {
        if (x->next == 0 && b->start_ns != k->run->ops[x->op].start_ns)
            walk_broken(k, x->op, "C-blocks", "its first block did not start when it says");
        if (x->next++ == 0)
            walk_count_grid(k, x->op);
    }
    return k->status == GCAST_OK;
}

/* All blocks of a kernel have started. */
static void leave(cluster_walk *c, size_t place)
{
    const gcast_run_op *r = &c->k->run->ops[c->open.at[place].op];
    if (c->k->now != r->dispatched_ns)
        walk_broken(c->k, c->open.at[place].op, "C-blocks", "its last block did not start when it says");
    c->k->switch_end_ns = c->k->now + c->k->run->gpu->switch_ns;
    c->open.count--;
    for (; place < c->open.count; place++)
        c->open.at[place] = c->open.at[place + 1];
}

/* How many clusters fit on the SMs of a GPC, with these capacities: the largest number for which the SMs have enough
 * places, where a cluster uses at most one place of an SM. */
static uint64_t clusters_of(const uint32_t *capacities, int count, uint32_t size)
{
    uint64_t clusters = 0, places;
    do {
        places = 0;
        for (int i = 0; i < count; i++)
            places += capacities[i] < clusters + 1 ? capacities[i] : clusters + 1;
    } while (places >= ++clusters * size);
    return clusters - 1;
}

/* Do all blocks of a cooperative kernel fit in these parts? */
static bool whole_fits_in(cluster_walk *c, const open_kernel *x, unsigned parts)
{
    const gcast_gpu *gpu = c->k->run->gpu;
    uint32_t capacities[GCAST_MAX_SMS];
    uint64_t blocks = 0;
    const int *sm = gpu->gpc_sms;
    for (int g = 0; g < gpu->gpc_count; sm += gpu->gpc_sizes[g++]) {
        for (int i = 0; i < gpu->gpc_sizes[g]; i++)
            capacities[i] = (parts & part_of(c, g)) ? block_count_fitting(c->k, x->op, c->k->sms.rank[sm[i]]) : 0;
        blocks += clusters_of(capacities, gpu->gpc_sizes[g], x->size) * x->size;
    }
    return blocks >= c->k->run->ops[x->op].block_count;
}

/* Does a cluster, or a block, fit in these parts? */
static bool fits_in(cluster_walk *c, const open_kernel *x, unsigned parts)
{
    const gcast_gpu *gpu = c->k->run->gpu;
    if (walk_spec(c->k, x->op)->cooperative)
        return whole_fits_in(c, x, parts);
    for (int g = 0; g < gpu->gpc_count; g++)
        c->count[g] = 0;
    for (int sm = 0; sm < gpu->sms; sm++)
        if ((parts & part_of(c, c->gpc[sm])) && walk_fits_on(c->k, x->op, c->k->sms.rank[sm]) &&
            ++c->count[c->gpc[sm]] >= (int)x->size)
            return true;
    return false;
}

static bool is_limited(const block_walk *k)
{
    int limit = k->run->gpu->limits.resident_grids;
    return limit && k->resident_grids >= (uint32_t)limit;
}

/* Starts the blocks of a kernel that start now, in the parts that it may use; blocks in other parts may have their turn
 * later. False where this kernel reaches the limit of resident grids, so that kernels in front hold up less; or on a
 * failure. */
static bool start_blocks(cluster_walk *c, open_kernel *x, unsigned parts)
{
    block_walk *k = c->k;
    bool limited = is_limited(k), has_turn = true;
    while (x->next < k->run->ops[x->op].block_count && next_start_of(c, x) == k->now && has_turn) {
        uint64_t index;
        const gcast_block *b = block_at(c, x, x->next, &index);
        if (!block_is_right(k, x->op, b, index))
            return false;
        has_turn = parts & part_of(c, c->gpc[b->sm]);
        if (has_turn && !start_next(c, x))
            return false;
    }
    return is_limited(k) == limited;
}

/* No block is left that starts now but did not have its turn. */
static void check_all_started(cluster_walk *c)
{
    for (size_t i = 0; i < c->open.count; i++)
        if (next_start_of(c, &c->open.at[i]) == c->k->now)
            break_order(c, &c->open.at[i]);
}

/* Visits the kernels in order, each with the parts in which it may start blocks. `idle`: all blocks that start now have
 * started, so that no further one may fit; else they start. */
static void visit_kernels(cluster_walk *c, bool idle)
{
    block_walk *k = c->k;
    int level = -1;
    unsigned held = 0, held_here = 0;
    for (size_t place = 0; place < c->open.count && k->status == GCAST_OK;) {
        open_kernel *x = &c->open.at[place];
        if (x->level != level)
            held_here = held;
        level = x->level;
        bool waits = x->next == 0 && is_limited(k);
        unsigned parts = waits ? 0 : x->needs & ~held_here;
        if (idle && parts && fits_in(c, x, parts))
            walk_broken(k, x->op, "C-idle", "a block or cluster waits although it is its turn and it fits");
        bool again = !idle && !start_blocks(c, x, parts);
        if (x->next == k->run->ops[x->op].block_count)
            leave(c, place);
        else if (!again) {
            held_here |= x->needs;
            held |= waits ? 0 : x->needs;
            place++;
        }
        if (again) {
            place = 0;
            level = -1;
            held = 0;
        }
    }
}

/* When something happens next; INT64_MAX: never. */
static int64_t next_time(const cluster_walk *c)
{
    block_walk *k = c->k;
    const heap_item *release = heap_top(&k->releases), *end = heap_top(&k->ends);
    int64_t t = INT64_MAX;
    for (size_t i = 0; i < c->open.count; i++)
        t = next_start_of(c, &c->open.at[i]) < t ? next_start_of(c, &c->open.at[i]) : t;
    if (k->entered_count < k->orders->entry_count) {
        int64_t enter = k->run->ops[k->orders->entry[k->entered_count]].enter_ns;
        t = enter < t ? enter : t;
    }
    if (t == INT64_MAX && !k->run->hang) /* else nothing may fit at the end */
        return t;
    t = release && release->time < t ? release->time : t;
    t = end && end->time < t ? end->time : t;
    t = k->switch_end_ns > k->now && k->switch_end_ns < t ? k->switch_end_ns : t;
    return t >= CHECK_NEVER ? INT64_MAX : t;
}

static void walk(cluster_walk *c)
{
    block_walk *k = c->k;
    for (int64_t t; k->status == GCAST_OK && (t = next_time(c)) != INT64_MAX;) {
        if (t < k->now) { /* only a start can be before now */
            for (size_t i = 0; i < c->open.count; i++)
                if (next_start_of(c, &c->open.at[i]) == t)
                    walk_broken(k, c->open.at[i].op, "C-blocks", "a block started before its kernel could");
            return;
        }
        k->now = t;
        walk_release_ended(k);
        enter_now(c);
        visit_kernels(c, false);
        check_all_started(c);
        if (k->now >= k->switch_end_ns)
            visit_kernels(c, true);
    }
}

void check_cluster_walk(block_walk *k)
{
    const gcast_gpu *gpu = k->run->gpu;
    cluster_walk *c = calloc(1, sizeof *c);
    if (c)
        c->gpc = calloc((size_t)gpu->sms, sizeof *c->gpc);
    if (!c || !c->gpc) {
        k->status = gcast_error_set_memory(k->err);
        free(c);
        return;
    }
    c->k = k;
    for (int g = 0, n = 0; g < gpu->gpc_count; g++)
        for (int i = 0; i < gpu->gpc_sizes[g]; i++)
            c->gpc[gpu->gpc_sms[n++]] = g;
    walk(c);
    vec_free(&c->open);
    free(c->gpc);
    free(c);
}
