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
