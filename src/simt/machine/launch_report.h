/* The report of a launch. */
#ifndef SIMT_MACHINE_LAUNCH_REPORT_H
#define SIMT_MACHINE_LAUNCH_REPORT_H

#include "simt/machine/machine.h"

/* Adds up the counts of the cores. */
gcast_status report_make(machine *m, core *cores, uint32_t count, gcast_simt_report **out, gcast_error *err);

#endif
