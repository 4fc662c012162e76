#include "cli/smc/corun/measured.h"

#include <stdlib.h>

#include "cli/measure/coruns/corun_times.h"
#include "cli/say.h"

#define ROUNDS 5 /* of the time alone */

typedef struct measured {
    launches l;        /* on the GPU */
    corun_times times; /* of co-runs of these */
} measured;

static gcast_status start(corun_request *c)
{
    gcast_corun_options *o = &c->options;
    measured *m = calloc(1, sizeof *m);
    if (!m)
        return say_no_memory();
    c->evaluator_data = m;
    gcast_status status = GCAST_OK;
    m->l.a = c->smc->a;
    for (uint32_t k = 0; k < o->kernels && status == GCAST_OK; k++)
        status = launches_read(&m->l, c->kernel[k].file);
    if (status == GCAST_OK)
        status = launches_open(&m->l, args_value(c->smc->a, "driver"));
    if (status == GCAST_OK && (uint32_t)m->l.gpu->sms != o->sms)
        status = say(GCAST_USAGE, "this machine's GPU has %d SMs, not %u", m->l.gpu->sms, o->sms);
    for (uint32_t k = 0; k < o->kernels && status == GCAST_OK; k++) {
        status = launches_time(&m->l, k, NULL, ROUNDS, &o->alone_ns[k]);
        o->max_workers[k] = m->l.at[k].facts.holds[1];
    }
    m->times = (corun_times){.l = &m->l, .form = {"queues", GCAST_MAPPING_QUEUES, false, true}};
    o->time = corun_times_measure;
    o->time_data = &m->times;
    return status;
}

static void stop(corun_request *c)
{
    measured *m = c->evaluator_data;
    if (!m)
        return;
    launches_close(&m->l);
    free(m);
}

const corun_evaluator corun_measured = {
    .name = "measured",
    .note = "on this machine's GPU; alone: the original kernels",
    .start = start,
    .stop = stop,
};
