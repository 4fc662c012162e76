/* The way of a child from its call to the EE queue: overhead, stream, pool, hardware queue. */
#ifndef SIMULATE_ENGINE_LAUNCH_PATH_H
#define SIMULATE_ENGINE_LAUNCH_PATH_H

#include "simulate/engine/launch_state.h"

/* A stream for the children of one block; NONE where the simulation has failed. The caller is its first user. */
uint32_t path_new_stream(sim *s);
/* One user of the stream less. */
void path_leave_stream(sim *s, uint32_t stream);
/* A warp calls these children now; their calls wait for others for late_ns. */
void path_call(sim *s, const uint32_t *children, uint32_t launches, int64_t late_ns);
/* Does the pool refuse a launch? */
bool path_refuses(const sim *s);
/* The last block of the execution p has ended: its tail launches may go on. */
void path_open_tail(sim *s, sim_parent *p);
/* The last block of the child o has ended: the next of its hardware queue may enter. */
void path_blocks_ended(sim *s, uint32_t o);
/* The child o has ended: the next of its stream may become the head. */
void path_ended(sim *s, uint32_t o);
/* Advances all children that may go on now, up to the EE queue. */
void path_advance(sim *s);
/* When the next child may go on, of those that wait for a time; INT64_MAX: there is none. */
static inline int64_t path_next_time(const sim *s)
{
    return s->launch->path_next_ns;
}

/* May a child go on now? */
static inline bool path_may_advance(const sim *s)
{
    const sim_launches *l = s->launch;
    return l->path_next_ns <= s->now || l->freed_queues.count || l->line.first != NONE;
}

#endif
