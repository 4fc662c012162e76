#include "simulate/launch/launch_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "model/workload/mask.h"
#include "simulate/launch/child_blocks.h"
#include "simulate/launch/launch_stats.h"

/* Does a kernel decide by a policy that needs the controller? */
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
    l->op_cap = s->op_count;
    l->state_cap = s->op_count;
    l->free_child = l->free_stream = l->free_waiting = NONE;
    l->completing = l->draining = l->served = l->line = FIFO_EMPTY;
    for (int i = 0; i <= LAUNCHES_WARP; i++)
        l->overhead[i] = FIFO_EMPTY;
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
    void *tables[] = {l->children, l->demands, l->max_blocks, l->streams, l->queues};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        free(tables[i]);
    capacity_free(&l->capacity);
    vec_free(&l->decisions.items);
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

/* Rests go behind all children. place[]: where each goes. False without memory. */
static bool move_rests_back(sim *s, uint32_t *place)
{
    const sim_launches *l = s->launch;
    uint32_t n = l->child_count, children = 0, next[2];
    for (uint32_t i = 0; i < n; i++)
        children += !l->children[i].is_rest;
    next[0] = 0;
    next[1] = children;
    for (uint32_t i = 0; i < n; i++)
        place[i] = next[l->children[i].is_rest]++;
    gcast_run_op *ops = malloc((n + (size_t)1) * sizeof *ops);
    if (!ops)
        return false;
    for (uint32_t i = 0; i < n; i++)
        ops[place[i]] = s->ops[s->op_count + i];
    memcpy(&s->ops[s->op_count], ops, n * sizeof *ops);
    free(ops);
    return true;
}

static bool record_children(sim *s, gcast_run *run)
{
    const sim_launches *l = s->launch;
    gcast_child *children = arena_alloc_array(s->run_memory, l->child_count + (size_t)1, sizeof *children);
    uint32_t *place = malloc((l->child_count + (size_t)1) * sizeof *place);
    bool ok = children && place && move_rests_back(s, place);
    for (uint32_t i = 0; i < l->child_count && ok; i++) {
        const sim_child *c = &l->children[i];
        children[place[i]] =
            (gcast_child){.parent = is_child(s, c->parent) ? s->op_count + place[c->parent - s->op_count] : c->parent,
                          .parent_block = c->parent_block,
                          .launcher = c->launcher,
                          .first_item = c->first_item,
                          .items = c->items,
                          .place = c->place,
                          .is_rest = c->is_rest,
                          .pool_ns = c->pool_ns,
                          .blocks_end_ns = c->blocks_end_ns,
                          .queue = c->queue};
    }
    free(place);
    run->children = children;
    run->child_count = l->child_count;
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
