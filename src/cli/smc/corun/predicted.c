#include "cli/smc/corun/predicted.h"

#include "cli/say.h"

static gcast_status start(corun_request *c)
{
    gcast_corun_options *o = &c->options;
    gcast_error err;
    for (uint32_t k = 0; k < o->kernels; k++)
        if (gcast_corun_time_alone(c->launches.launch[k], o->max_workers[k], o->sms, &o->alone_ns[k], &err) != GCAST_OK)
            return say_error(&err);
    o->time = gcast_corun_predict;
    o->time_data = &c->launches;
    return GCAST_OK;
}

const corun_evaluator corun_predicted = {
    .name = "predicted",
    .note = "each kernel as alone on its SMs; memory bandwidth and L2 are shared: measure to know",
    .is_cheap = true,
    .start = start,
};
