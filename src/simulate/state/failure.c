#include "simulate/state/failure.h"

void sim_fail_time(sim *s, uint32_t o)
{
    char path[128];
    if (s->status != GCAST_OK)
        return;
    gcast_workload_op_path(s->w, s->state[o].op, path, sizeof path);
    s->status = gcast_error_set(s->err, GCAST_INPUT, path, "the time of %s does not fit in 64-bit nanoseconds",
                                sim_spec(s, o)->label);
}

void sim_fail_memory(sim *s)
{
    if (s->status == GCAST_OK)
        s->status = gcast_error_set_memory(s->err);
}

void sim_fail_record(sim *s)
{
    if (!s->window.stopped)
        sim_fail_memory(s);
    else if (s->status == GCAST_OK)
        s->status = gcast_error_set(s->err, GCAST_RESOURCE, NULL, "stopped");
}
