#include "analyze/bound/prepare/op_table.h"

#include <stdlib.h>

#include "analyze/bound/hosts.h"
#include "analyze/bound/prepare/best_case.h"
#include "analyze/bound/prepare/floors.h"
#include "analyze/bound/prepare/stream_groups.h"
#include "analyze/turn_wait.h"
#include "base/minmax.h"
#include "model/gpu/carveout.h"
#include "model/gpu/copy_engine.h"
#include "model/gpu/event_gap.h"
#include "model/gpu/level.h"
#include "model/workload/dependencies/dependencies.h"
#include "model/workload/edit.h"
#include "simulate/blocks/starve.h"
#include "simulate/rules/copy_duration.h"
#include "simulate/rules/memory_limit.h"

#define MAX_STEPS 400000000 /* a few seconds */
#define MAX_ROUNDS 20000    /* each compares all ops with each other */

static bool copies_towards(const gcast_op *op, gcast_direction direction)
{
    return op->kind == GCAST_KIND_COPY && op->direction == direction;
}

/* Is there a copy in the other direction that may slow this one down? */
static bool has_opposite(const bound *b, const gcast_op *op)
{
    bool in = copies_towards(op, GCAST_H2D), out = copies_towards(op, GCAST_D2H);
    return b->gpu->copy_engines > 1 && ((in && b->has_copies[GCAST_D2H]) || (out && b->has_copies[GCAST_H2D]));
}

static gcast_status fill_copy(bound *b, bound_op *k, gcast_error *err)
{
    int64_t shortest = k->op->min_ns;
    k->latency_ns = b->gpu->copy_latency_ns;
    k->max_latency_ns = b->options->copy_max_ns;
    k->max_ns = k->op->max_ns + b->gpu->noise_ns;
    k->copy_engine = copy_engine_of(b->gpu, k->op);
    if (k->op->max_ns == GCAST_UNKNOWN_NS) {
        gcast_status status = copy_bytes_ns(b->w, b->gpu, k->index, &shortest, err);
        if (status != GCAST_OK)
            return status;
        int percent = has_opposite(b, k->op) ? b->gpu->copy_duplex_percent : 100;
        wide longest =
            (wide)copy_slowest_ns(b->gpu, k->op, shortest) + copy_max_extra_ns(b->gpu, k->op) + b->gpu->noise_ns;
        wide slowest = wide_div_up(longest * 100, percent) + (percent < 100);
        if (has_opposite(b, k->op) && copies_towards(k->op, GCAST_D2H))
            slowest += b->gpu->d2h_start_ns;
        k->max_ns = (int64_t)wide_min(slowest, INT64_MAX);
    }
    k->best_ns = k->latency_ns + shortest;
    return GCAST_OK;
}

/* Lemma 8: the longest that a block of this duration takes, the noise of the GPU included. */
static int64_t longest_of(const bound *b, int64_t duration_ns)
{
    int64_t noisy_ns = duration_ns + b->gpu->noise_ns;
    return max_i64(min_i64(noisy_ns + b->starving_ns, b->max_spin_ns), noisy_ns);
}

static void fill_holds(bound *b, bound_op *k)
{
    const gcast_op *op = k->op;
    int64_t handover = b->gpu->handover_ns;
    k->hold_ns = k->last_hold_ns = k->max_ns + handover;
    k->hold_sum_ns = wide_mul((wide)op->blocks, k->hold_ns);
    if (!op->block_ns)
        return;
    k->last_hold_ns = longest_of(b, op->block_ns[op->blocks - 1]) + handover;
    k->hold_sum_ns = 0;
    for (uint64_t i = 0; i < op->blocks; i++)
        k->hold_sum_ns = wide_add(k->hold_sum_ns, (wide)longest_of(b, op->block_ns[i]) + handover);
}

static void fill_kernel(bound *b, bound_op *k)
{
    k->level = level_of_priority(b->gpu, b->w->streams[k->op->stream].priority);
    k->latency_ns = b->gpu->launch_latency_ns;
    k->max_latency_ns = b->options->launch_max_ns;
    k->max_ns = longest_of(b, workload_longest_block(k->op));
    fill_holds(b, k);
}

static void fill_starving(bound *b)
{
    if (!starve_happens(b->gpu, b->w))
        return;
    b->starving_ns = b->gpu->starved_ns;
    for (size_t i = 0; i < b->w->op_count; i++) {
        const gcast_op *op = &b->w->ops[i];
        if (op->kind == GCAST_KIND_KERNEL && op->body == GCAST_BODY_TIMER_SPIN)
            b->max_spin_ns = max_i64(b->max_spin_ns, workload_longest_block(op));
    }
    b->max_spin_ns += b->gpu->noise_ns;
}

static gcast_status fill(bound *b, gcast_error *err)
{
    const gcast_workload *w = b->w;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_COPY)
            b->has_copies[w->ops[i].direction] = true;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        const gcast_stream *stream = &w->streams[op->stream];
        bound_op *k = &b->ops[b->op_count++];
        *k = (bound_op){.op = op, .index = i, .is_kernel = op->kind == GCAST_KIND_KERNEL, .is_null = stream->id == 0};
        k->is_blocking = k->is_null || stream->blocking;
        k->earliest_release_ns = k->latest_release_ns = op->release_ns;
        if (op->task != GCAST_ONCE) {
            k->earliest_release_ns += w->tasks[op->task].offset_ns;
            k->latest_release_ns = BOUND_NEVER;
            k->period_ns = w->tasks[op->task].period_ns;
            k->jitter_ns = w->tasks[op->task].jitter_ns;
            k->is_sporadic = w->tasks[op->task].sporadic;
        }
        gcast_status status = GCAST_OK;
        if (k->is_kernel)
            fill_kernel(b, k);
        else
            status = fill_copy(b, k, err);
        if (status != GCAST_OK)
            return status;
        if (k->is_kernel)
            b->by_floor[b->kernel_count++] = k;
    }
    return GCAST_OK;
}

/* Says what the method does not cover; NULL where it covers all. Sets what depends on the number of streams with
 * kernels. */
static const char *not_covered(bound *b)
{
    const gcast_workload *w = b->w;
    int streams = 0, process = -1, grids = b->gpu->limits.resident_grids;
    bool has_null = false;
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
        return "mallocs take more memory than the GPU has unless some are skipped, which it does not decide";
    for (size_t n = 0; n < b->kernel_count; n++) {
        bound_stream *stream = &b->streams[b->by_floor[n]->op->stream];
        streams += !stream->has_kernel;
        stream->has_kernel = true;
        has_null = has_null || b->by_floor[n]->is_null;
    }
    if (grids && streams > grids)
        return "more streams have kernels than the GPU's limit of resident grids, and it does not cover waits for that";
    int connections = w->connections >= 0 ? w->connections : b->gpu->connections;
    b->connections_shared = connections && streams > connections;
    b->null_connections_shared = connections && has_null;
    b->leave_ns = b->gpu->stream_gap_ns;
    if (dependencies_exist(w))
        b->leave_ns = max_i64(b->leave_ns, event_gap_of(b->gpu));
    b->gap_ns = b->leave_ns + turn_wait_max_ns(w, b->gpu, (size_t)streams, has_null);
    return NULL;
}

static int by_floor(const void *a, const void *b)
{
    const bound_op *x = *(bound_op *const *)a, *y = *(bound_op *const *)b;
    if (x->floor != y->floor)
        return x->floor < y->floor ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int by_own_floor(const void *a, const void *b)
{
    const bound_op *x = *(bound_op *const *)a, *y = *(bound_op *const *)b;
    if (x->own_floor != y->own_floor)
        return x->own_floor < y->own_floor ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

gcast_status bound_prepare(bound *b, const char **why, gcast_error *err)
{
    size_t n = b->w->op_count + 1;
    b->ops = arena_alloc_array(b->memory, n, sizeof *b->ops);
    b->by_floor = arena_alloc_array(b->memory, n, sizeof(bound_op *));
    b->by_own_floor = arena_alloc_array(b->memory, n, sizeof(bound_op *));
    b->event_counts = arena_alloc_array(b->memory, n, sizeof *b->event_counts);
    b->until_ns = arena_alloc_array(b->memory, n, sizeof *b->until_ns);
    b->sorted_until_ns = arena_alloc_array(b->memory, n, sizeof *b->sorted_until_ns);
    b->latest_due_ns = arena_alloc_array(b->memory, n, sizeof *b->latest_due_ns);
    b->earliest_due_ns = arena_alloc_array(b->memory, n, sizeof *b->earliest_due_ns);
    b->may_be_skipped = arena_alloc_array(b->memory, n, sizeof *b->may_be_skipped);
    b->stream_end_ns = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_end_ns);
    b->streams = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->streams);
    b->stream_min_length_ns = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_min_length_ns);
    b->stream_awaited_from = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_awaited_from);
    if (!b->ops || !b->by_floor || !b->by_own_floor || !b->event_counts || !b->until_ns || !b->sorted_until_ns ||
        !b->latest_due_ns || !b->earliest_due_ns || !b->may_be_skipped || !b->stream_end_ns || !b->streams ||
        !b->stream_min_length_ns || !b->stream_awaited_from)
        return gcast_error_set_memory(err);
    fill_starving(b);
    gcast_status status = fill(b, err);
    if (status != GCAST_OK || (*why = not_covered(b)))
        return status;
    uint64_t pairs = (uint64_t)b->op_count * b->op_count + 100;
    b->max_steps = pairs < MAX_STEPS / MAX_ROUNDS ? pairs * MAX_ROUNDS : MAX_STEPS;
    if (!bound_find_floors(b) || !bound_link_hosts(b) || !bound_group_streams(b))
        return gcast_error_set_memory(err);
    bound_find_awaited(b);
    bound_find_best_cases(b);
    bound_find_earliest(b);
    for (size_t i = 0; i < b->kernel_count; i++)
        b->by_own_floor[i] = b->by_floor[i];
    qsort(b->by_floor, b->kernel_count, sizeof(bound_op *), by_floor);
    qsort(b->by_own_floor, b->kernel_count, sizeof(bound_op *), by_own_floor);
    b->cut_ns = BOUND_NO_CUT;
    b->one_kernel_per_stream = b->gpu->stream_gap_ns >= b->gpu->handover_ns;
    b->after_end_ns = max_i64(b->gpu->handover_ns, b->gpu->switch_ns);
    return GCAST_OK;
}
