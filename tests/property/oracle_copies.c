/* Copies in progress: when they start and end, and how fast they go ("Copies" and "Both ways" of docs/model.md). */
#include "model/workload/workload.h"
#include "property/oracle_state.h"

bool oracle_is_copying(const oracle_op *x)
{
    return gcast_kind_on_gpu(x->op->kind) && !oracle_is_kernel(x) && x->run.start_ns >= 0 && !oracle_complete(x);
}

static bool moves(const oracle_op *x, gcast_direction direction)
{
    return oracle_is_copying(x) && x->op->kind == GCAST_KIND_COPY && x->op->direction == direction;
}

/* A copy to the host ends later if a copy to the device is still running; true: its end has been delayed. */
bool oracle_delay_end(const oracle_state *o, oracle_op *x)
{
    bool beside = false;
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        beside = beside || (moves(y, GCAST_H2D) && oracle_last_end(o, y) > o->now);
    if (x->end_delayed || !moves(x, GCAST_D2H) || x->op->min_ns != GCAST_UNKNOWN_NS || !beside)
        return false;
    x->end_delayed = true;
    *o->done_early =
        *o->done_early || (o->gpu->d2h_end_ns && x->work_done > 100 * (oracle_duration(o, x, 0) + x->extra_ns));
    x->extra_ns += o->gpu->d2h_end_ns;
    return o->gpu->d2h_end_ns > 0;
}

static bool is_busy(const oracle_state *o, const oracle_op *x)
{
    return x->copy_start_ns >= 0 && (!oracle_complete(x) || o->now < x->run.end_ns + o->gpu->copy_gap_ns);
}

void oracle_start_copy(oracle_state *o, int engine)
{
    oracle_op *taken = NULL;
    bool in = false;
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++) {
        taken = x->run.engine == engine && is_busy(o, x) ? x : taken;
        in = in || moves(x, GCAST_H2D);
    }
    if (!taken && (taken = oracle_next_copy(o, engine)) != NULL) {
        bool out = taken->op->kind == GCAST_KIND_COPY && taken->op->direction == GCAST_D2H;
        taken->copy_start_ns = o->now + (in && out && taken->op->min_ns == GCAST_UNKNOWN_NS ? o->gpu->d2h_start_ns : 0);
    }
    if (taken && taken->copy_start_ns == o->now)
        taken->run.start_ns = taken->run.dispatched_ns = o->now;
}

void oracle_set_speed(const oracle_state *o, oracle_op *x)
{
    bool against = false;
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        against =
            against || (moves(x, GCAST_H2D) && moves(y, GCAST_D2H)) || (moves(x, GCAST_D2H) && moves(y, GCAST_H2D));
    x->speed_percent = against && x->op->min_ns == GCAST_UNKNOWN_NS ? o->gpu->copy_duplex_percent : 100;
}
