/* What method explore covers: blocks as a pool of slots or as shares of slots, and the rules of docs/model.md.
 * Everything else is refused with a sentence; a workload is never explored as if it were another one. */
#include "analyze/explore/cover.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/block_weights.h"
#include "analyze/explore/problem.h"
#include "analyze/turn_wait.h"
#include "base/integers.h"
#include "model/gpu.h"
#include "model/occupancy.h"
#include "model/workload/workload.h"
#include "simulate/blocks/sm.h"

#define MAX_BLOCKS 200000 /* by shares, of all ops together, since each block is counted on its own */
#define FEW_SMS 32        /* up to this number of SMs slots are fine */
#define FINE_SLOTS 64     /* per SM, with few SMs */
#define COARSE_SLOTS 32   /* per SM, with more */

/* Blocks are a pool of equal slots if any n blocks of any kernels fit on an SM, and no n + 1 do: n blocks with the
 * largest demands fit, and n + 1 blocks with the smallest ones do not. */

/* Smallest and largest demands of the kernels' blocks, by resource. The four quarters count as one resource; a block
 * may put a warp more than its share into any of them. */
typedef struct demand_range {
    int64_t min[SM_AMOUNTS];      /* the smallest demand of any block */
    int64_t max[SM_AMOUNTS];      /* the largest demand of any block */
    int64_t capacity[SM_AMOUNTS]; /* what an SM has */
} demand_range;

static void widen(demand_range *range, int resource, int64_t min, int64_t max)
{
    range->min[resource] = min_i64(range->min[resource], min);
    range->max[resource] = max_i64(range->max[resource], max);
}

static void add_demand(demand_range *range, const sm_demand *d)
{
    for (int i = 0; i < GCAST_RESOURCES; i++)
        widen(range, i, d->need[i], d->need[i]);
    if (!d->quarters)
        return;
    /* a block takes at least its warps, and at most as if each quarter had as many warps as the fullest */
    int64_t max_warps = round_up(d->warps, GCAST_QUARTERS);
    widen(range, SM_WARPS, d->warps, max_warps);
    widen(range, SM_REGISTERS, (int64_t)d->warps * d->warp_registers, max_warps * d->warp_registers);
}

/* How many blocks of this demand fit on an SM. */
static int64_t blocks_per_sm(const int64_t *demand, const int64_t *capacity)
{
    int64_t n = INT64_MAX;
    for (int i = 0; i < SM_AMOUNTS; i++)
        if (demand[i] > 0 && demand[i] < INT64_MAX)
            n = min_i64(n, capacity[i] / demand[i]);
    return n;
}

/* Sets how many blocks of any kernels fit on the GPU. False, with a refusal, if that depends on the kernels. */
static bool make_pool(explore_problem *p, size_t *slots)
{
    demand_range range = {0};
    sm_state empty;
    int mask = GCAST_ALL_SMS;
    bool has_kernel = false;
    sm_empty(p->gpu, &empty);
    for (int i = 0; i < SM_AMOUNTS; i++) {
        range.min[i] = INT64_MAX;
        range.capacity[i] = (i >= SM_WARPS ? GCAST_QUARTERS : 1) * (int64_t)empty.free[i];
    }
    for (size_t i = 0; i < p->w->op_count; i++) {
        if (p->w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        if (has_kernel && p->w->ops[i].mask != mask)
            return explore_refuse(p, "kernels may use different SMs, so slots are not all equal");
        sm_demand d = sm_demand_of(p->gpu, &p->w->ops[i]);
        mask = p->w->ops[i].mask;
        has_kernel = true;
        add_demand(&range, &d);
    }
    *slots = 1;
    if (!has_kernel)
        return true;
    int64_t n = blocks_per_sm(range.max, range.capacity);
    if (n < 1 || n != blocks_per_sm(range.min, range.capacity))
        return explore_refuse(
            p, "its kernels have different numbers of blocks per SM, so the blocks are not a pool of equal slots");
    *slots = (size_t)n * (size_t)mask_sm_count(mask_at(p->w, mask), p->gpu->sms);
    return true;
}

/* Blocks of many shapes take shares of slots, wherever they are placed (docs/explore.md, "Shares"). Latest times: a
 * block weighs its largest share of an SM, and fits somewhere as soon as all resident blocks together weigh less than
 * its floor (analyze/block_weights.h). Earliest times: all resident blocks together hold no more of the scarcest
 * resource than the GPU has. */

/* The demand of a block as a part of an SM, by resource. */
typedef struct demand_part {
    int64_t need[SM_AMOUNTS];     /* what the block needs */
    int64_t capacity[SM_AMOUNTS]; /* what an SM has */
} demand_part;

static demand_part part_of(const gcast_gpu *gpu, const sm_demand *d)
{
    demand_part part = {0};
    sm_state empty;
    sm_empty(gpu, &empty);
    for (int i = 0; i < SM_AMOUNTS; i++) {
        part.capacity[i] = (i >= SM_WARPS ? GCAST_QUARTERS : 1) * (int64_t)empty.free[i];
        part.need[i] = i < GCAST_RESOURCES ? d->need[i] : 0;
    }
    if (d->quarters) { /* the four quarters count as one resource */
        part.need[SM_WARPS] = d->warps;
        part.need[SM_REGISTERS] = (int64_t)d->warps * d->warp_registers;
    }
    return part;
}

/* The resource of which one block of each kernel, all together, take the largest part. */
static int scarcest_resource(const gcast_gpu *gpu, const sm_demand *demands, size_t count)
{
    int64_t max_sum = -1;
    int scarcest = 0;
    for (int i = 0; i < SM_AMOUNTS; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < count; k++) {
            demand_part part = part_of(gpu, &demands[k]);
            sum += part.need[i] && part.capacity[i] ? part.need[i] * 1024 / part.capacity[i] : 0;
        }
        if (sum > max_sum) {
            max_sum = sum;
            scarcest = i;
        }
    }
    return scarcest;
}

/* With carveouts, a block may not fit on an SM that is not empty, since its shared memory has another size. It always
 * fits on an empty SM. */
static void lower_floors(block_weight *weights, size_t count)
{
    int64_t min_weight = INT64_MAX;
    for (size_t i = 0; i < count; i++)
        min_weight = min_i64(min_weight, weights[i].weight);
    for (size_t i = 0; i < count; i++)
        weights[i].floor = min_i64(weights[i].floor, min_weight);
}

/* `demands` and `weights` are those of the kernels, in the order of ops; an SM has `sm_slots` slots. */
static void set_shares(explore_problem *p, const sm_demand *demands, size_t count, const block_weight *weights,
                       size_t sm_slots)
{
    const gcast_workload *w = p->w;
    size_t early_slots = (size_t)p->gpu->sms * sm_slots, slots = early_slots + 1;
    int scarcest = scarcest_resource(p->gpu, demands, count);
    for (size_t i = 0, n = 0; i < w->op_count; i++) {
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        demand_part part = part_of(p->gpu, &demands[n]);
        explore_share *s = &p->shares[i];
        size_t sms = (size_t)mask_sm_count(mask_at(w, w->ops[i].mask), p->gpu->sms);
        s->late_take = (size_t)weights[n].weight;
        s->late_slot =
            (size_t)weights[n++].floor * sms; /* counted from the last slot until the number of slots is known */
        s->early_take =
            part.need[scarcest] ? (size_t)(part.need[scarcest] * (int64_t)sm_slots / part.capacity[scarcest]) : 0;
        slots = max_size(slots, s->late_slot);
    }
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        p->shares[i].late_slot = slots - p->shares[i].late_slot;
        p->shares[i].early_slot = slots - early_slots + p->shares[i].early_take - 1;
    }
    p->first_early_slot = slots - early_slots;
    p->slot_count[0] = slots;
}

/* Sets the share of every kernel, and the number of the EE's slots. False: with a refusal, or without memory. */
static bool make_shares(explore_problem *p)
{
    const gcast_workload *w = p->w;
    size_t count = 0, sm_slots = p->gpu->sms <= FEW_SMS ? FINE_SLOTS : COARSE_SLOTS;
    uint64_t blocks = 0;
    block_weight *weights = arena_alloc_array(&p->memory, w->op_count + 1, sizeof *weights);
    sm_demand *demands = aligned_alloc(_Alignof(sm_demand), (w->op_count + 1) * sizeof *demands);
    p->shares = arena_alloc_array(&p->memory, w->op_count + 1, sizeof *p->shares);
    for (size_t i = 0; i < w->op_count && demands; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL) {
            demands[count++] = sm_demand_of(p->gpu, &w->ops[i]);
            blocks = w->ops[i].blocks < MAX_BLOCKS ? blocks + w->ops[i].blocks : MAX_BLOCKS + 1;
        }
    bool ok =
        weights && demands && p->shares && block_weigh(&p->memory, p->gpu, demands, count, (int64_t)sm_slots, weights);
    if (ok && carveout_matters(p->gpu, w))
        lower_floors(weights, count);
    if (ok)
        set_shares(p, demands, count, weights, sm_slots);
    else
        explore_no_memory(p);
    free(demands);
    if (ok && blocks > MAX_BLOCKS)
        return explore_refuse(p, "blocks are not a pool of equal slots, and there are too many to place each one");
    return ok;
}

/* Which streams the operations use. */
typedef struct stream_usage {
    size_t kernel_streams; /* number of streams with kernels */
    bool has_null;         /* the NULL stream is used */
    bool null_has_kernels; /* the NULL stream has kernels */
    bool has_blocking;     /* another blocking stream is used */
} stream_usage;

/* Refuses the workload because of an op. */
static bool refuse_op(explore_problem *p, const gcast_op *op, const char *reason)
{
    size_t index = (size_t)(op - p->w->ops);
    if (op->label)
        snprintf(p->text, sizeof p->text, "op %.60s %s", op->label, reason);
    else
        snprintf(p->text, sizeof p->text, "op number %zu %s", index, reason);
    return explore_refuse(p, p->text);
}

/* Releases at arbitrary times do not repeat with the hyperperiod, so there must be a horizon. */
static bool covers_sporadic(explore_problem *p, const gcast_op *op)
{
    if (p->options->horizon_ns <= 0)
        return refuse_op(
            p, op,
            "belongs to a sporadic task, whose release times are not known; give a horizon, or a period and jitter");
    if (p->w->tasks[op->task].jitter_ns >= p->w->tasks[op->task].period_ns)
        return refuse_op(p, op,
                         "belongs to a sporadic task with jitter_ns of its period or more, so its jobs may come in any "
                         "order; give less jitter");
    return true;
}

static bool covers_op(explore_problem *p, const gcast_op *op)
{
    if (op->host_waits)
        return refuse_op(p, op,
                         "has host_waits, so the times of later calls of its host are not known; remove host_waits");
    if (op->kind == GCAST_KIND_SYNC || op->kind == GCAST_KIND_FREE || op->kind == GCAST_KIND_BARRIER)
        return refuse_op(p, op,
                         "makes a host wait, so the times of its later calls are not known; use release_ns instead of "
                         "waiting hosts");
    if (op->skip_ns != GCAST_NEVER)
        return refuse_op(p, op, "has skip_ns, so it is not known whether it is called; remove skip_ns");
    return op->task == GCAST_ONCE || !p->w->tasks[op->task].sporadic || covers_sporadic(p, op);
}

/* At most one kernel of each stream is resident. A resident kernel has a block on a slot or is partly dispatched, as at
 * most one kernel of each level is. So the number of resident kernels is at most that of streams with kernels, and at
 * most that of slots plus levels. */
static bool covers_grids(explore_problem *p, const stream_usage *u)
{
    size_t limit = (size_t)p->gpu->limits.resident_grids;
    size_t max_resident = p->slot_count[0] + (size_t)p->gpu->priority_levels;
    if (!limit || u->kernel_streams <= limit || (max_resident <= limit && !p->shares))
        return true;
    snprintf(
        p->text, sizeof p->text,
        "resident_grids of the GPU is %zu, but kernels of %zu streams could be resident; there is an answer with %zu",
        limit, u->kernel_streams, u->kernel_streams);
    return explore_refuse(p, p->text);
}

/* Without the NULL stream, and with enough connections, each stream has a connection of its own, so connections delay
 * nothing. */
static bool covers_connections(explore_problem *p, const stream_usage *u)
{
    int connections = connections_in_force(p->w, p->gpu);
    if (connections && (u->kernel_streams > (size_t)connections || (u->null_has_kernels && u->kernel_streams > 1)))
        return explore_refuse(p, "streams may share a connection, and one may then hold up another");
    return true;
}

static bool covers_processes(explore_problem *p)
{
    int process = -1;
    for (size_t i = 0; i < p->w->op_count; i++) {
        if (p->w->ops[i].stream < 0)
            continue;
        int op_process = p->w->streams[p->w->ops[i].stream].process;
        if (process >= 0 && process != op_process)
            return explore_refuse(
                p,
                "streams of several processes share the GPU by time slices, which is not predicted; use one process");
        process = op_process;
    }
    return true;
}

/* False without memory. */
static bool find_usage(explore_problem *p, stream_usage *u)
{
    const gcast_workload *w = p->w;
    bool *has_kernels = arena_alloc_array(&p->memory, w->stream_count + 1, sizeof *has_kernels);
    if (!has_kernels)
        return explore_no_memory(p);
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->stream < 0)
            continue;
        const gcast_stream *s = &w->streams[op->stream];
        bool is_kernel = op->kind == GCAST_KIND_KERNEL;
        u->kernel_streams += is_kernel && !has_kernels[op->stream];
        has_kernels[op->stream] = has_kernels[op->stream] || is_kernel;
        u->has_null = u->has_null || s->id == 0;
        u->null_has_kernels = u->null_has_kernels || (s->id == 0 && is_kernel);
        u->has_blocking = u->has_blocking || (s->id != 0 && s->blocking);
    }
    return true;
}

static bool covers_null_stream(explore_problem *p, const stream_usage *u)
{
    if (u->has_null && u->has_blocking)
        return explore_refuse(
            p,
            "the NULL stream (id 0) and blocking streams wait for each other; use another id, or non-blocking streams");
    return true;
}

/* With several channels, copies of several streams may start in another order than they arrived. */
bool explore_covers_channels(explore_problem *p)
{
    const gcast_workload *w = p->w;
    int stream[COPY_ENGINES] = {-1, -1, -1};
    for (size_t i = 0; i < w->op_count && p->gpu->copy_channels > 1; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->kind == GCAST_KIND_KERNEL || !gcast_kind_on_gpu(op->kind))
            continue;
        int *engine_stream = &stream[copy_engine_of(p->gpu, op)];
        if (*engine_stream >= 0 && *engine_stream != op->stream)
            return explore_refuse(p, "copies of several streams wait in channels, where they may overtake each other");
        *engine_stream = op->stream;
    }
    return true;
}

bool explore_covers_any(explore_problem *p)
{
    for (size_t i = 0; i < p->w->op_count; i++)
        if (!covers_op(p, &p->w->ops[i]))
            return false;
    return covers_processes(p);
}

const char *explore_needs_events(const explore_problem *p)
{
    for (size_t i = 0; i < p->w->task_count; i++)
        if (p->w->tasks[i].sporadic)
            return "a task is sporadic";
    for (size_t i = 0; i < p->w->once_count && p->options->any_order; i++)
        if (p->w->ops[i].after_count)
            return "an operation that runs once depends on others, and calls are made in any order";
    return NULL;
}

bool explore_connections_matter(explore_problem *p)
{
    stream_usage u = {0};
    return !find_usage(p, &u) || p->max_turn_wait_ns || !covers_connections(p, &u);
}

bool explore_set_turn_wait(explore_problem *p)
{
    stream_usage u = {0};
    if (!find_usage(p, &u))
        return false;
    p->max_turn_wait_ns = turn_wait_max_ns(p->w, p->gpu, u.kernel_streams, u.null_has_kernels);
    return true;
}

bool explore_covers_slots(explore_problem *p)
{
    stream_usage u = {0};
    if (!find_usage(p, &u))
        return false;
    p->copies_may_pass = !explore_covers_channels(p);
    p->connections_shared = !covers_connections(p, &u);
    p->kernel_streams = u.kernel_streams;
    p->refusal = NULL;
    if (!covers_null_stream(p, &u))
        return false;
    bool is_pool = make_pool(p, &p->slot_count[0]) && !carveout_matters(p->gpu, p->w);
    p->refusal = NULL;
    return (is_pool || make_shares(p)) && covers_grids(p, &u);
}

bool explore_covers_pool(explore_problem *p)
{
    stream_usage u = {0};
    return find_usage(p, &u) && covers_null_stream(p, &u) && explore_covers_channels(p) &&
           !carveout_matters(p->gpu, p->w) && make_pool(p, &p->slot_count[0]) && covers_connections(p, &u) &&
           covers_grids(p, &u);
}
