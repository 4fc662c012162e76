/* Fills the table of ops in the terms of docs/bound.md: durations, holds, weights and floors, shortest responses,
 * groups of streams. Rejects what the method does not cover. */
#include "analyze/bound/bound_state.h"

#include <limits.h>
#include <stdlib.h>

#include "analyze/block_weights.h"
#include "analyze/bound/bound_hosts.h"
#include "analyze/turn_wait.h"
#include "base/integers.h"
#include "model/gpu.h"
#include "model/occupancy.h"
#include "model/workload/dependencies.h"
#include "model/workload/workload.h"
#include "simulate/blocks/delays.h"
#include "simulate/duration.h"
#include "simulate/launchable.h"

#define RESOURCE_WEIGHT (1 << 20) /* weight of all that an SM has of a resource */
#define MAX_PARTS 8               /* parts of the wait after an entry for blocks of lower levels */
#define MAX_STEPS 400000000       /* a few seconds */
#define MAX_ROUNDS 20000          /* each compares all ops with each other */

/* Where there are dependencies, streams are grouped: two streams belong together if an op of one depends on an op of
 * the other, or if one is the NULL stream and both are blocking or share connections. A path leaves its group only
 * where connections are shared. */

/* The representative of the stream's group. */
static uint32_t find_group(const bound *b, uint32_t stream)
{
    while (b->stream_group[stream] != stream)
        stream = b->stream_group[stream];
    return stream;
}

static void join(bound *b, int one, int other)
{
    if (one == other)
        return;
    b->stream_is_joined[one] = b->stream_is_joined[other] = true;
    b->stream_group[find_group(b, (uint32_t)one)] = find_group(b, (uint32_t)other);
}

/* Sets stream_group and stream_is_joined if there are dependencies; false without memory. Needs the ops and the flags
 * of shared connections. */
static bool group_streams(bound *b)
{
    int null_stream = -1;
    if (!dependencies_exist(b->w))
        return true;
    b->stream_group = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_group);
    b->stream_is_joined = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_is_joined);
    if (!b->stream_group || !b->stream_is_joined)
        return false;
    for (size_t n = 0; n < b->w->stream_count; n++)
        b->stream_group[n] = (uint32_t)n;
    for (size_t n = 0; n < b->op_count; n++)
        if (b->ops[n].is_null)
            null_stream = b->ops[n].op->stream;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *k = &b->ops[n];
        for (size_t m = 0; m < k->op->after_count; m++)
            join(b, k->op->stream, b->w->ops[k->op->after[m]].stream);
        if (null_stream >= 0 && (k->is_blocking || (b->null_connections_shared && k->is_kernel)))
            join(b, k->op->stream, null_stream);
    }
    for (size_t n = 0; n < b->w->stream_count; n++)
        b->stream_group[n] = find_group(b, (uint32_t)n);
    return true;
}

/* The next functions find shortest responses and times to entry (lemma 7). */

static int64_t saturate(wide t)
{
    return (int64_t)wide_min(t, BOUND_MAX_NS);
}

/* Best case: waves of as many blocks as fit, each with the shortest duration, with hand-overs between waves. */
static void fill_best_case(bound *b, bound_op *k)
{
    wide shortest = workload_shortest_block(k->op), waves = ((wide)k->op->blocks - 1) / k->max_resident;
    k->best_ns = saturate(k->latency_ns + shortest + wide_mul(waves, shortest + b->gpu->handover_ns));
}

/* Is `other` called before k in every execution, at a fixed distance? */
static bool always_before(const bound *b, const bound_op *other, const bound_op *k)
{
    if (other == k || other->op->task != k->op->task || other->op->host != GCAST_NO_HOST ||
        k->op->host != GCAST_NO_HOST)
        return false;
    if (other->op->skip_ns != GCAST_NEVER)
        return false;
    if (other->op->release_ns != k->op->release_ns)
        return other->op->release_ns < k->op->release_ns;
    return other->index < k->index && (other->period_ns || !b->options->any_order);
}

/* k enters no sooner than the operations that it waits for have left. */
static void fill_min_entry(bound *b, bound_op *k)
{
    wide entry_ns = k->min_entry_ns;
    b->steps += b->op_count;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *other = &b->ops[n];
        if (always_before(b, other, k) && bound_waits_for(k, other))
            entry_ns = wide_max(entry_ns, (wide)other->best_ns + b->gpu->stream_gap_ns + other->op->release_ns -
                                              k->op->release_ns);
        else if (dependencies_name(k->op, other->index) && always_before(b, other, k))
            entry_ns = wide_max(entry_ns, (wide)other->best_ns + event_gap_of(b->gpu) + other->op->release_ns -
                                              k->op->release_ns);
    }
    k->best_ns = saturate(k->best_ns + entry_ns - k->min_entry_ns);
    k->min_entry_ns = saturate(entry_ns);
}

static void find_best_cases(bound *b)
{
    for (size_t n = 0; n < b->op_count; n++) {
        b->ops[n].min_entry_ns = b->ops[n].latency_ns;
        if (b->ops[n].is_kernel)
            fill_best_case(b, &b->ops[n]);
    }
    if (b->options->any_phase)
        return;
    for (size_t n = 0; n < b->op_count && bound_may_continue(b) && b->steps < b->max_steps / 4; n++)
        fill_min_entry(b, &b->ops[n]);
}

/* The next functions find weights and floors of all kernels (lemma 1). */

/* Longest waits of k for its own blocks (lemma 3c). */
static void fill_waves(bound_op *k)
{
    wide blocks = (wide)k->op->blocks - 1;
    k->waves_ns = wide_min(wide_mul(blocks / k->filling_blocks, k->hold_ns),
                           (k->hold_sum_ns - k->last_hold_ns) / k->filling_blocks);
    k->undisturbed_waves_ns = wide_mul(blocks / k->max_resident, k->hold_ns);
}

static int highest_level(const bound *b)
{
    int level = INT_MAX;
    for (size_t i = 0; i < b->op_count; i++)
        if (b->ops[i].is_kernel)
            level = min_int(b->ops[i].level, level);
    return level;
}

static void fill_floors(bound *b, const sm_demand *demands, const block_weight *weights)
{
    int highest = highest_level(b);
    for (size_t i = 0, n = 0; i < b->op_count; i++) {
        bound_op *k = &b->ops[i];
        if (!k->is_kernel)
            continue;
        int sms = mask_sm_count(mask_at(b->w, k->op->mask), b->gpu->sms);
        k->weight = weights[n].weight;
        k->floor = wide_mul(weights[n].floor, sms);
        k->filling_blocks = wide_max(1, wide_mul(weights[n].filling_blocks, sms));
        k->own_floor = wide_max(k->floor, wide_mul(k->filling_blocks, k->weight));
        k->max_resident = wide_max(1, wide_mul(demands[n++].max_blocks, sms));
        k->has_above = k->level > highest;
        fill_waves(k);
    }
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Chooses the boundaries of a level's parts: 0, some holds of kernels of lower levels, and the longest of these.
 * Returns the number of parts. */
static size_t choose_times(const bound *b, int level, int64_t *holds_ns, int64_t times_ns[MAX_PARTS + 1])
{
    size_t count = 0, parts = 0;
    for (size_t n = 0; n < b->kernel_count; n++)
        if (b->by_floor[n]->level > level)
            holds_ns[count++] = b->by_floor[n]->hold_ns;
    qsort(holds_ns, count, sizeof *holds_ns, by_time);
    times_ns[0] = 0;
    for (size_t i = 1; i <= MAX_PARTS && count; i++) {
        int64_t hold_ns = holds_ns[(count * i + MAX_PARTS - 1) / MAX_PARTS - 1];
        if (hold_ns > times_ns[parts])
            times_ns[++parts] = hold_ns;
    }
    return parts;
}

/* Adds one part for each kernel of a level; false without memory. `kernels`: in the order of `demands`. */
static bool add_part(bound *b, int level, int64_t from_ns, int64_t until_ns, bound_op *const *kernels,
                     const sm_demand *demands, bool *is_there, int64_t *floors)
{
    for (size_t n = 0; n < b->kernel_count; n++)
        is_there[n] = kernels[n]->level > level && kernels[n]->hold_ns > from_ns;
    if (!block_floors_among(b->gpu, demands, b->kernel_count, RESOURCE_WEIGHT, is_there, floors))
        return false;
    for (size_t n = 0; n < b->kernel_count; n++) {
        bound_op *k = kernels[n];
        if (k->level == level)
            b->parts[b->part_count++] = (bound_part){
                k, from_ns, until_ns, wide_mul(floors[n], mask_sm_count(mask_at(b->w, k->op->mask), b->gpu->sms))};
    }
    return true;
}

static int by_part_floor(const void *a, const void *b)
{
    const bound_part *x = a, *y = b;
    if (x->floor != y->floor)
        return x->floor < y->floor ? -1 : 1;
    return x->op != y->op ? (x->op->index < y->op->index ? -1 : 1) : by_time(&x->from_ns, &y->from_ns);
}

/* Finds the parts of waits for blocks of lower levels. Later parts have higher floors, as fewer blocks last so long. */
static bool find_parts(bound *b, const sm_demand *demands)
{
    size_t count = 0;
    int64_t times_ns[MAX_PARTS + 1];
    bound_op **kernels = arena_alloc_array(b->memory, b->op_count + 1, sizeof(bound_op *));
    bool *is_there = arena_alloc_array(b->memory, b->op_count + 1, sizeof *is_there);
    int64_t *holds_ns = arena_alloc_array(b->memory, b->op_count + 1, sizeof *holds_ns);
    int64_t *floors = arena_alloc_array(b->memory, b->op_count + 1, sizeof *floors);
    b->parts = arena_alloc_array(b->memory, b->kernel_count * MAX_PARTS + 1, sizeof *b->parts);
    bool ok = kernels && is_there && holds_ns && floors && b->parts;
    for (size_t i = 0; i < b->op_count && ok; i++)
        if (b->ops[i].is_kernel)
            kernels[count++] = &b->ops[i];
    for (int level = 0; level < b->gpu->priority_levels && ok; level++) {
        size_t parts = choose_times(b, level, holds_ns, times_ns);
        for (size_t i = 0; i < parts && ok; i++)
            ok = add_part(b, level, times_ns[i], times_ns[i + 1], kernels, demands, is_there, floors);
    }
    if (ok)
        qsort(b->parts, b->part_count, sizeof *b->parts, by_part_floor);
    return ok;
}

/* False without memory. */
static bool find_floors(bound *b)
{
    size_t n = 0;
    block_weight *weights = arena_alloc_array(b->memory, b->op_count + 1, sizeof *weights);
    sm_demand *demands = aligned_alloc(_Alignof(sm_demand), (b->op_count + 1) * sizeof *demands);
    for (size_t i = 0; i < b->op_count && demands; i++)
        if (b->ops[i].is_kernel)
            demands[n++] = sm_demand_of(b->gpu, b->ops[i].op);
    bool ok = weights && demands && block_weigh(b->memory, b->gpu, demands, n, RESOURCE_WEIGHT, weights);
    if (ok)
        fill_floors(b, demands, weights);
    ok = ok && find_parts(b, demands);
    free(demands);
    return ok;
}

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

/* Longest time that a block of this duration takes, with noise and starving (lemma 8). */
static int64_t longest_block_ns(const bound *b, int64_t duration_ns)
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
    k->last_hold_ns = longest_block_ns(b, op->block_ns[op->blocks - 1]) + handover;
    k->hold_sum_ns = 0;
    for (uint64_t i = 0; i < op->blocks; i++)
        k->hold_sum_ns = wide_add(k->hold_sum_ns, (wide)longest_block_ns(b, op->block_ns[i]) + handover);
}

static void fill_kernel(bound *b, bound_op *k)
{
    k->level = level_of_priority(b->gpu, b->w->streams[k->op->stream].priority);
    k->latency_ns = b->gpu->launch_latency_ns;
    k->max_latency_ns = b->options->launch_max_ns;
    k->max_ns = longest_block_ns(b, workload_longest_block(k->op));
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

static gcast_status fill_ops(bound *b, gcast_error *err)
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

/* What the method does not cover, or NULL. Also sets the gaps and the flags of shared connections, which depend on the
 * number of streams with kernels. */
static const char *not_covered(bound *b)
{
    const gcast_workload *w = b->w;
    int streams = 0, process = -1, grids = b->gpu->limits.resident_grids;
    bool has_null = false;
    if (carveout_matters(b->gpu, w))
        return "a kernel has carveout driver: others may then wait until an SM is empty, which it does not cover";
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].kind == GCAST_KIND_FREE)
            return "a cudaFree blocks the calls of all hosts, which it does not cover";
        if (w->ops[i].stream < 0)
            continue;
        int p = w->streams[w->ops[i].stream].process;
        if (process >= 0 && p != process)
            return "several processes share the GPU by time slices, which it does not cover";
        process = p;
    }
    if (memory_may_fail(w, b->gpu))
        return "mallocs need more memory than the GPU has unless some are skipped; it cannot decide whether they are";
    for (size_t n = 0; n < b->kernel_count; n++) {
        bound_stream *stream = &b->streams[b->by_floor[n]->op->stream];
        streams += !stream->has_kernel;
        stream->has_kernel = true;
        has_null = has_null || b->by_floor[n]->is_null;
    }
    if (grids && streams > grids)
        return "more streams have kernels than the GPU allows resident kernels; it does not cover waits for this limit";
    int connections = connections_in_force(w, b->gpu);
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
    gcast_status status = fill_ops(b, err);
    if (status != GCAST_OK || (*why = not_covered(b)))
        return status;
    uint64_t pairs = (uint64_t)b->op_count * b->op_count + 100;
    b->max_steps = pairs < MAX_STEPS / MAX_ROUNDS ? pairs * MAX_ROUNDS : MAX_STEPS;
    if (!find_floors(b) || !bound_link_hosts(b) || !group_streams(b))
        return gcast_error_set_memory(err);
    bound_find_awaited(b);
    find_best_cases(b);
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

gcast_status bound_report_progress(const bound *b, double fraction, gcast_error *err)
{
    const gcast_analyze_options *o = b->options;
    if (o->progress && !o->progress(o->progress_data, fraction))
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
    return GCAST_OK;
}
