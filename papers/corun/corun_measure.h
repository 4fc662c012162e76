/* Launches that run at the same time: in streams, in green contexts, as persistent workers, and SM-centric on SMs of
 * their own; and times for the search of a configuration. */
#ifndef PAPERS_CORUN_CORUN_MEASURE_H
#define PAPERS_CORUN_CORUN_MEASURE_H

#include "cli/measure/launches.h"
#include "papers/corun/corun.h"

/* The data of corun_times_measure. */
typedef struct corun_times {
    const launches *l; /* the launches on the GPU */
    plan_form form;    /* of their plans */
    uint64_t missing;  /* jobs that did not run, over all configurations tried */
} corun_times;

/* The `time` of gcast_corun_options; data is a corun_times. gcast_corun_deal_sms deals the SMs. Errors are not
 * printed. */
gcast_status corun_times_measure(void *data, const gcast_corun_config *config, double *together_ns, gcast_error *err);

/* Measures all launches together, and prints the result. Errors are printed. */
gcast_status launches_together(const launches *l);

#endif
