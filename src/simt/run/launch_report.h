/* The report of a launch. */
#ifndef SIMT_RUN_LAUNCH_REPORT_H
#define SIMT_RUN_LAUNCH_REPORT_H

#include "simt/machine/machine.h"

/* Adds up what the cores have counted. */
gcast_status report_make(machine *m, core *cores, uint32_t count, gcast_simt_report **out, gcast_error *err);

#endif
