/* How long launches take together, for the search of a configuration. */
#ifndef CLI_MEASURE_CORUNS_CORUN_TIMES_H
#define CLI_MEASURE_CORUNS_CORUN_TIMES_H

#include "cli/measure/launches/launches.h"

/* What is measured in a co-run, and of which launches. */
typedef struct corun_times {
    const launches *l; /* on the GPU */
    plan_form form;    /* of the plans */
    uint64_t missing;  /* jobs that did not run, of all configurations tried */
} corun_times;

/* Writes the SMs of a kernel, and returns how many they are. */
uint32_t corun_sms_of(const gcast_corun_config *config, uint32_t kernels, uint32_t sms, uint32_t kernel, uint32_t *sm);
/* A `time` of gcast_corun_options; data is a corun_times. SMs are dealt by
 * gcast_corun_deal_sms. Errors are not printed. */
gcast_status corun_times_measure(void *data, const gcast_corun_config *config, double *together_ns, gcast_error *err);
/* Adds to a launch file's `times` what is measured alone for some numbers of workers and SMs; *own is allocated for it
 * and freed by the caller. Errors are printed. */
gcast_status corun_times_sample(const launches *l, uint32_t i, const plan_form *form, gcast_launch_time **own);

#endif
