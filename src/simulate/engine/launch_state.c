/* The state of kernels that launch kernels: sums and series, tables, and the places of children. */
#include "simulate/engine/launch_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "model/workload/workload.h"
#include "simulate/engine/child_blocks.h"
#include "simulate/engine/state.h"

/* A series has bins of equal length, which doubles when the run gets longer than all bins. Adding an interval takes
 * constant time: its first and last bin get their parts, and `change` says how the count changes for the bins in
 * between. */

/* Moves the changes of the count into the sums. */
static void add_changes(child_series *x)
{
    double bin = (double)(INT64_C(1) << x->shift);
    for (int k = 0; k < GCAST_LAUNCH_SERIES; k++) {
        double count = 0;
        for (int i = 0; i < GCAST_SERIES_BINS; i++) {
            count += x->change[k][i];
            x->sum[k][i] += count * bin;
        }
        memset(x->change[k], 0, sizeof x->change[k]);
    }
}

/* Bins become twice as long. */
static void lengthen(child_series *x)
{
    add_changes(x);
    x->shift++;
    for (int k = 0; k < GCAST_LAUNCH_SERIES; k++) {
        double *sum = x->sum[k];
        for (int i = 0; i < GCAST_SERIES_BINS / 2; i++)
            sum[i] = sum[2 * i] + sum[2 * i + 1];
        memset(&sum[GCAST_SERIES_BINS / 2], 0, GCAST_SERIES_BINS / 2 * sizeof *sum);
    }
}

/* Makes bins long enough to reach this time. */
static inline void reach(child_series *x, int64_t time)
{
    while ((time - 1) >> x->shift >= GCAST_SERIES_BINS)
        lengthen(x);
}

/* The count is higher by `count` from one time to another, which the bins reach. */
static inline void add(child_series *x, gcast_series k, int64_t from, int64_t to, double count)
{
    if (from >= to)
        return;
    int64_t first = from >> x->shift, last = to >> x->shift;
    if (first == last) {
        x->sum[k][first] += count * (double)(to - from);
        return;
    }
    x->sum[k][first] += count * (double)(((first + 1) << x->shift) - from);
    x->sum[k][last] += count * (double)(to - (last << x->shift));
    x->change[k][first + 1] += count;
    x->change[k][last] -= count;
}

/* Adds the time up to now with the residents that there have been. */
static void residents_until_now(sim *s)
{
    sim_launches *l = s->launch;
    uint64_t parents = l->resident_blocks[PARENT_RESIDENTS], children = l->resident_blocks[CHILD_RESIDENTS];
    double time = (double)(s->now - l->residents_ns);
    if (parents | children)
        reach(&l->series, s->now);
    if (parents)
        add(&l->series, GCAST_SERIES_PARENT_BLOCKS, l->residents_ns, s->now, (double)parents);
    if (children)
        add(&l->series, GCAST_SERIES_CHILD_BLOCKS, l->residents_ns, s->now, (double)children);
    l->stats.warp_ns += (double)l->resident_warps[PARENT_RESIDENTS] * time;
    l->stats.warp_ns += (double)l->resident_warps[CHILD_RESIDENTS] * time;
    l->stats.child_warp_ns += (double)l->resident_warps[CHILD_RESIDENTS] * time;
    l->residents_ns = s->now;
}

void launch_blocks_resident(sim *s, uint32_t o, uint32_t rank, int64_t blocks)
{
    sim_launches *l = s->launch;
    capacity_changed(&l->capacity, rank);
    if (s->now > l->residents_ns)
        residents_until_now(s);
    int kind = s->state[o].resident_kind;
    l->resident_blocks[kind] += (uint64_t)blocks;
    l->resident_warps[kind] += (uint64_t)(blocks * s->state[o].demand->warps);
}

void launch_stats_child(sim *s, uint32_t o)
{
    sim_launches *l = s->launch;
    const sim_child *c = child_of(s, o);
    gcast_launch_stats *stats = &l->stats;
    child_series *x = &l->series;
    stats->overhead_ns += (double)(c->overhead_end_ns - c->call_ns);
    stats->stream_wait_ns += (double)(c->head_ns - c->overhead_end_ns);
    stats->pool_wait_ns += (double)(c->pool_ns - c->head_ns);
    stats->queue_wait_ns += (double)(c->enter_ns - c->pool_ns);
    /* A child that entered at the limit of resident grids counts all its time in the EE queue as a wait for that limit,
     * although it may have waited for resources too. */
    *(c->entered_at_limit ? &stats->queue_wait_ns : &stats->room_wait_ns) += (double)(c->start_ns - c->enter_ns);
    reach(x, s->now); /* all these times are at most now */
    add(x, GCAST_SERIES_OVERHEAD, c->call_ns, c->overhead_end_ns, 1);
    add(x, GCAST_SERIES_STREAM, c->overhead_end_ns, c->head_ns, 1);
    add(x, GCAST_SERIES_POOL_WAIT, c->head_ns, c->pool_ns, 1);
    if (s->gpu->child_pool_grows)
        add(x, GCAST_SERIES_POOL, c->pool_ns, c->enter_ns, 1);
    else
        add(x, GCAST_SERIES_POOL, c->call_ns, s->now, 1);
    add(x, GCAST_SERIES_QUEUED, c->enter_ns, c->start_ns, 1);
    add(x, GCAST_SERIES_CHILD_KERNELS, c->start_ns, s->now, 1);
}

/* Gives the series to a run that ends at `end`. */
static void launch_stats_series(sim *s, gcast_launch_series *out, int64_t end)
{
    child_series *x = &s->launch->series;
    add_changes(x);
    reach(x, end);
    out->bin_ns = INT64_C(1) << x->shift;
    out->count = (uint32_t)((end + out->bin_ns - 1) >> x->shift);
    for (int k = 0; k < GCAST_LAUNCH_SERIES; k++)
        memcpy(out->sum[k], x->sum[k], sizeof out->sum[k]);
}

/* Does some kernel have a policy that needs the controller? */
static bool needs_controller(const sim *s)
{
    for (size_t i = 0; i < s->w->op_count; i++)
        for (const gcast_launches *l = s->w->ops[i].launches; l; l = l->child->launches) {
            gcast_spawn_policy policy = s->options->override_spawn ? s->options->spawn_policy : l->policy;
            if (policy == GCAST_SPAWN_SPAWN || policy == GCAST_SPAWN_PREDICT)
                return true;
        }
    return false;
}

/* Blocks of a child kernel that all SMs of its mask hold, if they are empty. */
static uint64_t capacity_of(const sim *s, const gcast_op *op, const sm_demand *d)
{
    sm_state empty;
    sm_empty(s->gpu, &empty);
    uint32_t blocks = min_u32(sm_fit_count(&empty, d), sm_fit_count_by_carveout(&s->sms, &empty, d));
    return (uint64_t)blocks * (uint64_t)mask_sm_count(mask_at(s->w, op->mask), s->gpu->sms);
}

static void start_controller(sim *s)
{
    const gcast_spawn_options *options = s->options->spawn;
    s->launch->has_controller = true;
    controller_init(&s->launch->controller, options, options->window_ns ? options->window_ns : s->gpu->spawn_window_ns);
}

bool launch_tables_init(sim *s, const uint32_t *demand_of)
{
    size_t kernels = s->w->child_count, queues = (size_t)s->gpu->child_queues;
    if (!kernels)
        return true;
    sim_launches *l = s->launch = calloc(1, sizeof *l);
    if (!l)
        return false;
    l->state_cap = s->op_count;
    l->free_child = l->free_stream = l->free_waiting = NONE;
    l->completing = l->draining = l->served = l->line = FIFO_EMPTY;
    l->path_next_ns = INT64_MAX;
    l->last_served_ns = -1;
    l->records = s->blocks != NULL;
    l->demands = calloc(kernels, sizeof *l->demands);
    l->max_blocks = calloc(kernels, sizeof *l->max_blocks);
    l->queues = calloc(queues + 1, sizeof *l->queues);
    if (!l->demands || !l->max_blocks || !l->queues || !capacity_init(&l->capacity, s->gpu->sms))
        return false;
    for (size_t i = 0; i < queues; i++)
        l->queues[i].waiting = FIFO_EMPTY;
    for (size_t i = 0; i < kernels; i++) {
        const gcast_op *op = &s->w->ops[s->w->op_count + i];
        l->demands[i] = &s->demands[demand_of[s->w->op_count + i]];
        l->max_blocks[i] = capacity_of(s, op, l->demands[i]);
    }
    if (needs_controller(s))
        start_controller(s);
    return true;
}

void launch_tables_free(sim *s)
{
    sim_launches *l = s->launch;
    if (!l)
        return;
    for (uint32_t o = 0; o < s->op_count + l->child_count && s->state; o++)
        parent_free(s, o);
    if (l->has_controller)
        controller_free(&l->controller);
    void *tables[] = {l->children, l->recorded, l->demands, l->max_blocks, l->streams, l->queues};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        free(tables[i]);
    capacity_free(&l->capacity);
    vec_free(&l->decisions.items);
    for (int i = 0; i <= LAUNCHES_WARP; i++)
        vec_free(&l->overhead[i].ends);
    vec_free(&l->due);
    vec_free(&l->warp);
    vec_free(&l->stream_events);
    vec_free(&l->joining);
    vec_free(&l->heads);
    vec_free(&l->entering);
    vec_free(&l->freed_queues);
    vec_free(&l->waiting);
    vec_free(&l->rests);
    free(l);
    s->launch = NULL;
}

/* Sets place[]: where each child and rest goes in the run. Rests go behind all children. */
static void place_children(const sim_launches *l, uint32_t *place)
{
    uint32_t n = l->child_count, children = 0, next[2];
    for (uint32_t i = 0; i < n; i++)
        children += !l->children[i].is_rest;
    next[0] = 0;
    next[1] = children;
    for (uint32_t i = 0; i < n; i++)
        place[i] = next[l->children[i].is_rest]++;
}

/* The child or rest o as an operation of the run. */
static gcast_run_op run_op_of(const sim *s, uint32_t o)
{
    const sim_op *x = &s->state[o];
    const sim_child *c = child_of(s, o);
    const child_record *r = child_record_of(s, o);
    return (gcast_run_op){.op = x->op,
                          .job = x->job,
                          .engine = -1,
                          .connection = -1,
                          .channel = -1,
                          .release_ns = c->call_ns,
                          .call_ns = c->call_ns,
                          .return_ns = c->call_ns,
                          .arrive_ns = r->arrive_ns,
                          .head_ns = c->head_ns,
                          .enter_ns = c->enter_ns,
                          .start_ns = c->start_ns,
                          .dispatched_ns = r->dispatched_ns,
                          .end_ns = c->end_ns,
                          .launch = c->is_rest ? 0 : x->job,
                          .entry = x->entry,
                          .block_count = x->launch_blocks,
                          .blocks = r->blocks};
}

static bool record_children(sim *s, gcast_run *run)
{
    const sim_launches *l = s->launch;
    size_t n = l->child_count, cap = s->op_count;
    gcast_child *children = arena_alloc_array(s->run_memory, n + 1, sizeof *children);
    uint32_t *place = malloc((n + 1) * sizeof *place);
    bool ok = children && place && vec_grow(&s->ops, &cap, s->op_count + n, sizeof *s->ops);
    if (ok)
        place_children(l, place);
    for (uint32_t i = 0; i < n && ok; i++) {
        const sim_child *c = &l->children[i];
        s->ops[s->op_count + place[i]] = run_op_of(s, s->op_count + i);
        children[place[i]] =
            (gcast_child){.parent = is_child(s, c->parent) ? s->op_count + place[c->parent - s->op_count] : c->parent,
                          .parent_block = c->parent_block,
                          .launcher = c->launcher,
                          .first_item = c->is_rest ? 0 : launches_first_item(c->by, c->launcher),
                          .items = c->items,
                          .place = c->place,
                          .is_rest = c->is_rest,
                          .pool_ns = c->pool_ns,
                          .blocks_end_ns = l->recorded[i].blocks_end_ns,
                          .queue = c->queue};
    }
    free(place);
    run->children = children;
    run->child_count = n;
    return ok;
}

bool launch_tables_to_run(sim *s, gcast_run *run)
{
    gcast_launch_stats *stats = arena_copy(s->run_memory, &s->launch->stats, sizeof *stats);
    gcast_launch_series *series = arena_alloc(s->run_memory, sizeof *series);
    int64_t end = 0;
    if (!stats || !series)
        return false;
    for (uint32_t o = 0; o < s->op_count; o++)
        end = max_i64(end, s->ops[o].end_ns);
    launch_stats_series(s, series, end);
    run->launches = stats;
    run->series = series;
    return !s->launch->records || record_children(s, run);
}

/* Children and rests have places behind the operations of the workload: in the order of their calls where they are
 * recorded, and else wherever a place is free. */

/* A new place behind all others; NONE where the simulation has failed. */
static uint32_t slot_behind(sim *s)
{
    sim_launches *l = s->launch;
    uint64_t need = (uint64_t)s->op_count + l->child_count + 1;
    if (need >= NONE) {
        if (s->status == GCAST_OK)
            s->status = gcast_error_set(s->err, GCAST_INPUT, NULL, "kernels launch more than 4294967295 kernels");
        return NONE;
    }
    size_t children = (size_t)l->child_count + 1;
    if (!vec_grow(&s->state, &l->state_cap, need, sizeof *s->state) ||
        !vec_grow(&l->children, &l->child_cap, children, sizeof *l->children) ||
        (l->records && !vec_grow(&l->recorded, &l->recorded_cap, children, sizeof *l->recorded))) {
        sim_fail_memory(s);
        return NONE;
    }
    return s->op_count + l->child_count++;
}

uint32_t child_slot_new(sim *s, uint32_t op, uint32_t job, uint64_t blocks)
{
    sim_launches *l = s->launch;
    uint32_t o = l->free_child;
    if (o != NONE)
        l->free_child = s->state[o].queue_next;
    else if ((o = slot_behind(s)) == NONE)
        return NONE;
    s->state[o] = (sim_op){.op = op, .job = job, .launch_blocks = blocks, .resident_kind = CHILD_RESIDENTS};
    *child_of(s, o) = (sim_child){.call_ns = s->now,
                                  .overhead_end_ns = -1,
                                  .head_ns = -1,
                                  .pool_ns = -1,
                                  .enter_ns = -1,
                                  .start_ns = -1,
                                  .end_ns = -1,
                                  .stream = NONE,
                                  .waiting = NONE,
                                  .queue = -1};
    if (l->records) {
        gcast_block *recorded = arena_alloc_array(s->run_memory, blocks, sizeof *recorded);
        if (!recorded)
            sim_fail_memory(s);
        *child_record_of(s, o) =
            (child_record){.blocks = recorded, .arrive_ns = -1, .dispatched_ns = -1, .blocks_end_ns = -1};
    }
    return o;
}

void child_slot_drop(sim *s, uint32_t o)
{
    if (!s->launch->records)
        fifo_add(s, &s->launch->draining, o);
}
