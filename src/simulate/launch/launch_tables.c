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

/* Rests go behind all children. place[]: where each goes. */
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
