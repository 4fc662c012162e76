#include "simulate/launch/child_blocks.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "simulate/duration.h"
#include "simulate/state/failure.h"

/* How many streams an execution may need: children of one share one, or launchers take streams in turn. */
static uint32_t stream_count(const gcast_launches *l, uint64_t launchers)
{
    if (l->wait == GCAST_CHILD_WAIT_TAIL || l->stream == GCAST_CHILD_STREAM_NAMED)
        return 1;
    return l->stream == GCAST_CHILD_STREAM_IN_TURN ? (uint32_t)min_u64(l->streams, launchers) : 0;
}

void parent_start(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    const gcast_launches *l = op->launches;
    sim_parent *p = calloc(1, sizeof *p);
    if (!p) {
        sim_fail_memory(s);
        return;
    }
    s->state[o].launching = p;
    p->launches = l;
    p->policy = s->options->override_spawn ? s->options->spawn_policy : l->policy;
    p->threshold = s->options->override_spawn ? s->options->spawn_threshold : l->threshold;
    if (is_child(s, o)) {
        p->block_launchers = launches_items_per_block(child_of(s, o)->by);
        p->first_launcher = launches_first_item(child_of(s, o)->by, child_of(s, o)->launcher);
        p->launcher_count = child_of(s, o)->items;
    } else {
        p->block_launchers = launches_per_block(l, op->shape.threads);
        p->launcher_count = l->launchers;
    }
    p->stream_count = stream_count(l, p->launcher_count);
    if (p->stream_count && !(p->streams = malloc(p->stream_count * sizeof *p->streams)))
        sim_fail_memory(s);
    for (uint32_t i = 0; p->streams && i < p->stream_count; i++)
        p->streams[i] = NONE;
}

void parent_free(sim *s, uint32_t o)
{
    sim_parent *p = s->state[o].launching;
    if (!p)
        return;
    free(p->streams);
    free(p);
    s->state[o].launching = NULL;
}

int64_t child_block_ns(const sim *s, uint32_t o, uint64_t block)
{
    const sim_op *x = &s->state[o];
    const sim_child *c = is_child(s, o) ? child_of(s, o) : NULL;
    if (c && c->is_rest)
        return c->by->after_ns;
    int64_t ns = duration_of(sim_spec(s, o), x->op, x->job, block, s->options);
    if (c)
        ns += launches_block_items_ns(c->by, launches_block_items(c->by, c->items, (uint32_t)block));
    return ns;
}

void child_block_ends_at(sim *s, uint32_t o, uint64_t block, int64_t start, int64_t end)
{
    sim_launches *l = s->launch;
    const sim_child *c = child_of(s, o);
    if (!l->has_controller || c->is_rest)
        return;
    uint32_t threads = (uint32_t)sim_spec(s, o)->shape.threads;
    uint32_t items = min_u32(launches_block_items(c->by, c->items, (uint32_t)block), threads);
    if (!controller_block_ends_at(&l->controller, start, end, (items + LAUNCHES_WARP - 1) / LAUNCHES_WARP))
        sim_fail_memory(s);
}

int64_t child_block_starts(sim *s, uint32_t o, uint64_t block)
{
    int64_t ns = child_block_ns(s, o, block);
    if (s->launch->has_controller && !child_of(s, o)->is_rest) {
        controller_block_starts(&s->launch->controller, s->now);
        child_block_ends_at(s, o, block, s->now, s->now + ns);
    }
    return ns;
}

bool child_durations_equal(const sim *s, uint32_t o)
{
    return child_of(s, o)->durations_equal && !s->state[o].launching && !s->launch->has_controller;
}

void parent_block_starts(sim *s, uint32_t o, uint32_t group)
{
    sim_launches *l = s->launch;
    int64_t time = sim_add_ns(s, o, s->now, s->state[o].launching->launches->at_ns);
    if (l->has_controller && is_child(s, o))
        controller_block_starts(&l->controller, s->now);
    sim_push(s, &l->decisions, time, o, group);
}

void child_block_record(sim *s, uint32_t o, uint64_t block, gcast_block b)
{
    gcast_block *blocks = child_record_of(s, o)->blocks;
    if (blocks) /* else there was no memory */
        blocks[block] = b;
}
