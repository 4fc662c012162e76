/* The table of ops: what docs/model.md says of each, in the terms of docs/bound.md. */
#include <stdlib.h>

#include "analyze/bound/bound.h"
#include "analyze/turn_wait.h"
#include "model/gpu/carveout.h"
#include "model/gpu/level.h"
#include "simulate/blocks/starve.h"
#include "simulate/rules/copy_duration.h"
#include "simulate/rules/memory_limit.h"

#define MOST_STEPS 400000000 /* a few seconds */
#define MOST_ROUNDS 20000    /* of all ops with each other */

static int64_t longest_block(const gcast_op *op)
{
    int64_t longest = op->block_ns ? 0 : op->max_ns;
    for (uint64_t i = 0; op->block_ns && i < op->blocks; i++)
        longest = op->block_ns[i] > longest ? op->block_ns[i] : longest;
    return longest;
}

static bool copies_towards(const gcast_op *op, gcast_direction direction)
{
    return op->kind == GCAST_KIND_COPY && op->direction == direction;
}

/* Is there a copy in the other direction that may slow this one down? */
static bool has_opposite(const bound *b, const gcast_op *op)
{
    bool in = copies_towards(op, GCAST_H2D), out = copies_towards(op, GCAST_D2H);
    return b->gpu->copy_engines > 1 && ((in && b->goes[GCAST_D2H]) || (out && b->goes[GCAST_H2D]));
}

static gcast_status fill_copy(bound *b, bound_op *k, gcast_error *err)
{
    int64_t shortest = k->op->min_ns;
    k->latency = b->gpu->copy_latency_ns;
    k->longest = k->op->max_ns + b->gpu->noise_ns;
    k->engine = copies_towards(k->op, GCAST_D2H) && b->gpu->copy_engines > 1;
    if (k->op->max_ns == GCAST_UNKNOWN_NS) {
        gcast_status status = copy_bytes_ns(b->w, b->gpu, k->index, &shortest, err);
        if (status != GCAST_OK)
            return status;
        int percent = has_opposite(b, k->op) ? b->gpu->copy_duplex_percent : 100;
        wide longest = (wide)shortest + copy_max_extra_ns(b->gpu, k->op) + b->gpu->noise_ns;
        wide slowest = (longest * 100 + percent - 1) / percent + (percent < 100);
        if (has_opposite(b, k->op) && copies_towards(k->op, GCAST_D2H))
            slowest += b->gpu->d2h_start_ns;
        k->longest = slowest < INT64_MAX ? (int64_t)slowest : INT64_MAX;
    }
    k->best = k->latency + shortest;
    return GCAST_OK;
}

/* Lemma 8: what a block takes at most that should take `own`, which scatters. */
static int64_t starved(const bound *b, int64_t own)
{
    own += b->gpu->noise_ns;
    int64_t most = own + b->starved < b->longest_spin ? own + b->starved : b->longest_spin;
    return most > own ? most : own;
}

static void fill_holds(bound *b, bound_op *k)
{
    const gcast_op *op = k->op;
    int64_t handover = b->gpu->handover_ns;
    k->hold = k->last_hold = k->longest + handover;
    k->holds = wide_mul((wide)op->blocks, k->hold);
    if (!op->block_ns)
        return;
    k->last_hold = starved(b, op->block_ns[op->blocks - 1]) + handover;
    k->holds = 0;
    for (uint64_t i = 0; i < op->blocks; i++)
        k->holds = wide_add(k->holds, (wide)starved(b, op->block_ns[i]) + handover);
}

static void fill_kernel(bound *b, bound_op *k)
{
    k->level = level_of_priority(b->gpu, b->w->streams[k->op->stream].priority);
    k->latency = b->gpu->launch_latency_ns;
    k->longest = starved(b, longest_block(k->op));
    fill_holds(b, k);
}

static void fill_starving(bound *b)
{
    if (!starve_happens(b->gpu, b->w))
        return;
    b->starved = b->gpu->starved_ns;
    for (size_t i = 0; i < b->w->op_count; i++) {
        const gcast_op *op = &b->w->ops[i];
        if (op->kind == GCAST_KIND_KERNEL && op->body == GCAST_BODY_TIMER_SPIN && longest_block(op) > b->longest_spin)
            b->longest_spin = longest_block(op);
    }
    b->longest_spin += b->gpu->noise_ns;
}

static gcast_status fill(bound *b, gcast_error *err)
{
    const gcast_workload *w = b->w;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_COPY)
            b->goes[w->ops[i].direction] = true;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        const gcast_stream *stream = &w->streams[op->stream];
        bound_op *k = &b->ops[b->count++];
        *k = (bound_op){.op = op, .index = i, .kernel = op->kind == GCAST_KIND_KERNEL, .null = stream->id == 0};
        k->blocking = k->null || stream->blocking;
        k->early = k->late = op->release_ns;
        if (op->task != GCAST_ONCE) {
            k->early += w->tasks[op->task].offset_ns;
            k->late = BOUND_NEVER;
            k->period = w->tasks[op->task].period_ns;
            k->jitter = w->tasks[op->task].jitter_ns;
        }
        gcast_status status = GCAST_OK;
        if (k->kernel)
            fill_kernel(b, k);
        else
            status = fill_copy(b, k, err);
        if (status != GCAST_OK)
            return status;
        if (k->kernel)
            b->by_floor[b->kernels++] = k;
    }
    return GCAST_OK;
}

/* What is not covered; NULL where all is. Sets what depends on how many streams there are. */
static const char *not_covered(bound *b)
{
    const gcast_workload *w = b->w;
    int streams = 0, process = -1, grids = b->gpu->limits.resident_grids;
    bool null = false;
    if (carveout_matters(b->gpu, w))
        return "a kernel has carveout driver, and others may then wait until an SM is empty, which it does not cover";
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].kind == GCAST_KIND_FREE)
            return "a free holds back the calls of all others, which it does not cover";
        if (w->ops[i].stream < 0)
            continue;
        int p = w->streams[w->ops[i].stream].process;
        if (process >= 0 && p != process)
            return "several processes share the GPU by time slices, which it does not cover";
        process = p;
    }
    if (memory_may_fail(w, b->gpu))
        return "mallocs take more memory than the GPU has unless some are skipped, and whether they are it does not "
               "tell";
    for (size_t n = 0; n < b->kernels; n++) {
        bound_stream *stream = &b->streams[b->by_floor[n]->op->stream];
        streams += !stream->seen;
        stream->seen = true;
        null = null || b->by_floor[n]->null;
    }
    if (grids && streams > grids)
        return "more streams have kernels than the GPU has room for kernels, and it does not cover waits for that room";
    int connections = w->connections >= 0 ? w->connections : b->gpu->connections;
    b->shared = connections && streams > connections;
    b->null_shared = connections && null;
    b->gap = b->gpu->stream_gap_ns + turns_most_ns(w, b->gpu, (size_t)streams, null);
    return NULL;
}

static int by_floor(const void *a, const void *b)
{
    const bound_op *x = *(bound_op *const *)a, *y = *(bound_op *const *)b;
    if (x->floor != y->floor)
        return x->floor < y->floor ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

gcast_status bound_prepare(bound *b, const char **why, gcast_error *err)
{
    size_t n = b->w->op_count + 1;
    b->ops = arena_alloc_array(b->memory, n, sizeof *b->ops);
    b->by_floor = arena_alloc_array(b->memory, n, sizeof(bound_op *));
    b->counts = arena_alloc_array(b->memory, n, sizeof *b->counts);
    b->overs = arena_alloc_array(b->memory, n, sizeof *b->overs);
    b->sorted = arena_alloc_array(b->memory, n, sizeof *b->sorted);
    b->due = arena_alloc_array(b->memory, n, sizeof *b->due);
    b->soonest = arena_alloc_array(b->memory, n, sizeof *b->soonest);
    b->may_skip = arena_alloc_array(b->memory, n, sizeof *b->may_skip);
    b->stream_ended = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_ended);
    b->streams = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->streams);
    b->stream_least = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_least);
    b->stream_next = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_next);
    if (!b->ops || !b->by_floor || !b->counts || !b->overs || !b->sorted || !b->due || !b->soonest || !b->may_skip ||
        !b->stream_ended || !b->streams || !b->stream_least || !b->stream_next)
        return gcast_error_set_memory(err);
    fill_starving(b);
    gcast_status status = fill(b, err);
    if (status != GCAST_OK || (*why = not_covered(b)))
        return status;
    uint64_t pairs = (uint64_t)b->count * b->count + 100;
    b->most_steps = pairs < MOST_STEPS / MOST_ROUNDS ? pairs * MOST_ROUNDS : MOST_STEPS;
    if (!bound_rooms(b) || !bound_link_hosts(b))
        return gcast_error_set_memory(err);
    bound_awaits(b);
    bound_best(b);
    bound_soonest(b);
    qsort(b->by_floor, b->kernels, sizeof(bound_op *), by_floor);
    b->cut = BOUND_NO_CUT;
    b->serial = b->gpu->stream_gap_ns >= b->gpu->handover_ns;
    b->after = b->gpu->handover_ns > b->gpu->switch_ns ? b->gpu->handover_ns : b->gpu->switch_ns;
    return GCAST_OK;
}
