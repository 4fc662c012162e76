/* Hand-made kernels that launch kernels. */
#include "property/hand_launches.h"

int launches_setup(void **state)
{
    int status = hand_setup(state);
    if (status)
        return status;
    fixture *f = *state;
    gcast_gpu *g = f->gpu;
    g->launch_latency_ns = g->stream_gap_ns = g->handover_ns = g->switch_ns = g->look_step_ns = 0;
    g->starving_warps = g->limits.resident_grids = 0;
    g->child_launch_ns = 10, g->child_step_ns = 2;
    g->child_call_ns = 3, g->child_call_step_ns = 1;
    g->child_call_service_ns = g->child_end_ns = 0;
    g->child_refused_ns = 50, g->child_service_ns = 0;
    g->child_pool = 0, g->child_pool_grows = 1;
    g->child_queues = 0, g->child_forget = 0, g->child_level = 0, g->child_sync = 1;
    g->spawn_window_ns = 50;
    stream(f, 1, 0, false);
    stream(f, 2, 0, false);
    return 0;
}

static const uint32_t two[] = {4, 0, 0, 40};

parent usual(void)
{
    parent p = {kernel(0, 0, 1, 32, 100), gcast_launches_default(), kernel(0, 0, 1, 32, 20)};
    p.launches.at_ns = 5;
    p.launches.items = two;
    p.launches.item_count = 4;
    p.launches.item_ns = 7;
    p.launches.child_item_ns = 1;
    return p;
}

void add_parent(fixture *f, parent *p)
{
    p->launches.child = &p->child;
    p->op.launches = &p->launches;
    add(f, p->op);
}

const gcast_run_op *child(const fixture *f, size_t i)
{
    assert_true(i < f->r.child_count);
    return &f->r.ops[f->r.op_count + i];
}
