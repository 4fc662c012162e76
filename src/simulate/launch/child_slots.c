/* Where children and rests are among the operations: behind those of the workload, in the order of their calls where
 * they are recorded, and else wherever a place is free. */
#include "simulate/launch/child_slots.h"

#include "simulate/state/failure.h"
#include "simulate/state/fifo.h"

/* The next operation behind all others; NONE where the simulation has failed. */
static uint32_t slot_behind(sim *s)
{
    sim_launches *l = s->launch;
    uint64_t need = (uint64_t)s->op_count + l->child_count + 1;
    if (need >= NONE) {
        if (s->status == GCAST_OK)
            s->status = gcast_error_set(s->err, GCAST_INPUT, NULL, "kernels launch more than 4294967295 kernels");
        return NONE;
    }
    if (!vec_grow((void **)&s->ops, &l->op_cap, need, sizeof *s->ops) ||
        !vec_grow((void **)&s->state, &l->state_cap, need, sizeof *s->state) ||
        !vec_grow((void **)&l->children, &l->child_cap, (size_t)l->child_count + 1, sizeof *l->children)) {
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
    s->ops[o] = (gcast_run_op){.op = op,
                               .job = job,
                               .engine = -1,
                               .connection = -1,
                               .channel = -1,
                               .release_ns = s->now,
                               .call_ns = s->now,
                               .return_ns = s->now,
                               .arrive_ns = -1,
                               .head_ns = -1,
                               .enter_ns = -1,
                               .start_ns = -1,
                               .dispatched_ns = -1,
                               .end_ns = -1,
                               .block_count = blocks};
    s->state[o] = (sim_op){.connection = -1, .launch_blocks = blocks};
    *child_of(s, o) = (sim_child){
        .stream = NONE, .waiting = NONE, .queue = -1, .overhead_end_ns = -1, .pool_ns = -1, .blocks_end_ns = -1};
    if (l->records) {
        gcast_block *recorded = arena_alloc_array(s->run_memory, blocks, sizeof *recorded);
        if (!recorded)
            sim_fail_memory(s);
        s->ops[o].blocks = child_of(s, o)->blocks = recorded;
    }
    return o;
}

void child_slot_drop(sim *s, uint32_t o)
{
    if (!s->launch->records)
        fifo_add(s, &s->launch->draining, o, queue_next);
}

void child_slots_reclaim(sim *s)
{
    sim_launches *l = s->launch;
    for (uint32_t o; (o = l->draining.first) != NONE && !s->state[o].group_count;) {
        fifo_drop(s, &l->draining, queue_next);
        s->state[o].queue_next = l->free_child;
        l->free_child = o;
    }
}
